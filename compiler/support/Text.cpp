// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/support/Text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

std::string aotc::printable(llvm::StringRef text) {
  constexpr size_t kLongest = 200;
  std::string result;
  for (char c : text.take_front(kLongest))
    result += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  if (text.size() > kLongest)
    result += "...";
  return result;
}

std::string aotc::durationText(int64_t nanoseconds) {
  static constexpr const char *units[] = {"ns", "us", "ms", "s"};
  size_t unit = 0;
  double value = static_cast<double>(nanoseconds);
  for (; value >= 1000 && unit + 1 < std::size(units); ++unit)
    value /= 1000;
  const int decimals = unit == 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  std::string result;
  llvm::raw_string_ostream(result) << llvm::format("%.*f ", decimals, value) << units[unit];
  return result;
}

std::string aotc::shapeText(llvm::ArrayRef<int64_t> shape) {
  std::string result = "[";
  for (auto [i, dim] : llvm::enumerate(shape))
    result += (i ? "," : "") + std::to_string(dim);
  return result + "]";
}
