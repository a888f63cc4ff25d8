// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/emit/Text.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace aotc;
using llvm::StringRef;

StringRef text::compilerVersion() { return AOTC_VERSION; }

std::string text::grouped(int64_t value) {
  std::string digits = std::to_string(value);
  int64_t first = value < 0 ? 1 : 0;
  for (int64_t i = static_cast<int64_t>(digits.size()) - 3; i > first; i -= 3)
    digits.insert(i, ",");
  return digits;
}

std::string text::shapeText(llvm::ArrayRef<int64_t> shape) {
  if (shape.empty())
    return "scalar";
  return llvm::join(llvm::map_range(shape, [](int64_t size) { return std::to_string(size); }), "x");
}

StringRef text::typeText(DType type) { return dtypeInfo(type).text; }

StringRef text::cTypeText(DType type) { return dtypeInfo(type).c; }

std::string text::floatLiteral(double value) {
  float target = static_cast<float>(value);
  std::string literal;
  for (int digits = 1; digits <= 9; ++digits) { // 9 always suffice
    literal.clear();
    llvm::raw_string_ostream(literal) << llvm::format("%.*g", digits, target);
    if (std::strtof(literal.c_str(), nullptr) == target)
      break;
  }
  if (literal.find_first_of(".e") == std::string::npos)
    literal += ".0";
  return literal + "f";
}

std::string text::sharingReason(const ModelInterface &model, const SharedBytes &shared) {
  std::string at = "step " + std::to_string(shared.step);
  if (shared.step < static_cast<int64_t>(model.layers.size()))
    at = model.layers[shared.step].op + " at " + at;
  std::string way = at + (shared.descending ? " runs last to first" : " runs first to last");
  switch (shared.way) {
  case SharedBytes::Way::unread:
    return at + " does not read these bytes, and nobody does later";
  case SharedBytes::Way::inPlace:
    return way + " and writes its output in place of its input";
  case SharedBytes::Way::apart:
    break;
  }
  // A negative distance lies on the input's other side.
  auto side = [&](int64_t distance) {
    if (distance == 0)
      return std::string("0 bytes from");
    return grouped(std::abs(distance)) +
           ((distance < 0) == shared.descending ? " bytes below" : " bytes above");
  };
  return way + "; its output starts " + side(shared.distance) + " its input, " +
         (shared.declared < 0 ? "at most " + side(shared.declared) + " is allowed"
                              : grouped(shared.declared) + " are enough");
}

std::string text::printable(StringRef text) {
  std::string result;
  for (char c : text) {
    char shown = llvm::isPrint(c) ? c : '?';
    if (shown == '\\')
      shown = '/';
    if (!result.empty() &&
        ((result.back() == '*' && shown == '/') || (result.back() == '/' && shown == '*')))
      result += ' ';
    result += shown;
  }
  return result;
}

std::string text::shortName(StringRef name, size_t limit) {
  std::string result = printable(name.split(';').first);
  if (result.size() <= limit)
    return result;
  size_t head = (limit - 3) / 3, tail = limit - 3 - head;
  return result.substr(0, head) + "..." + result.substr(result.size() - tail);
}

std::string text::wrapped(StringRef words, StringRef first, StringRef next) {
  constexpr size_t width = 80;
  std::string result, line = first.str();
  for (StringRef word : llvm::split(words, ' ')) {
    if (line.size() + word.size() > width && line.size() > next.size()) {
      result += StringRef(line).rtrim().str() + "\n";
      line = next.str();
    }
    line += word.str() + " ";
  }
  return result + StringRef(line).rtrim().str() + "\n";
}

StringRef text::kernelName(StringRef kernel) {
  kernel.consume_front("aotc_");
  return kernel;
}

StringRef text::passedOver(const LayerRecord &layer) {
  // The remark begins with the choice.
  StringRef remark = layer.remark;
  remark.consume_front(layer.kernel);
  return remark.ltrim("; ");
}
