// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/emit/Text.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace aotc;
using llvm::StringRef;

std::string aotc::grouped(int64_t value) {
  std::string digits = std::to_string(value);
  int64_t first = value < 0 ? 1 : 0;
  for (int64_t i = static_cast<int64_t>(digits.size()) - 3; i > first; i -= 3)
    digits.insert(i, ",");
  return digits;
}

std::string aotc::shapeText(llvm::ArrayRef<int64_t> shape) {
  if (shape.empty())
    return "scalar";
  return llvm::join(llvm::map_range(shape, [](int64_t size) {
                      return std::to_string(size);
                    }),
                    "x");
}

StringRef aotc::typeText(DType type) {
  switch (type) {
  case DType::none: return "none";
  case DType::f32: return "float32";
  case DType::f16: return "float16";
  case DType::s8: return "int8";
  case DType::u8: return "uint8";
  case DType::s16: return "int16";
  case DType::s32: return "int32";
  case DType::s64: return "int64";
  case DType::boolean: return "bool";
  }
  return "none";
}

StringRef aotc::cTypeText(DType type) {
  switch (type) {
  case DType::f32: return "float";
  case DType::f16: return "uint16_t";
  case DType::s8: return "int8_t";
  case DType::s16: return "int16_t";
  case DType::s32: return "int32_t";
  case DType::s64: return "int64_t";
  case DType::none:
  case DType::u8:
  case DType::boolean: return "uint8_t";
  }
  return "uint8_t";
}

std::string aotc::floatLiteral(double value) {
  float target = static_cast<float>(value);
  std::string text;
  for (int digits = 1; digits <= 9; ++digits) { // 9 always suffice
    text.clear();
    llvm::raw_string_ostream(text) << llvm::format("%.*g", digits, target);
    if (std::strtof(text.c_str(), nullptr) == target)
      break;
  }
  if (text.find_first_of(".e") == std::string::npos)
    text += ".0";
  return text + "f";
}

std::string aotc::printable(StringRef text) {
  std::string result;
  for (char c : text) {
    char shown = llvm::isPrint(c) ? c : '?';
    if (shown == '\\')
      shown = '/';
    if (!result.empty() && ((result.back() == '*' && shown == '/') ||
                            (result.back() == '/' && shown == '*')))
      result += ' ';
    result += shown;
  }
  return result;
}
