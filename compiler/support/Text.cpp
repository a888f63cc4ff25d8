// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/support/Text.h"

#include "llvm/ADT/STLExtras.h"

std::string aotc::printable(llvm::StringRef text) {
  constexpr size_t kLongest = 200;
  std::string result;
  for (char c : text.take_front(kLongest))
    result += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  if (text.size() > kLongest)
    result += "...";
  return result;
}

std::string aotc::shapeText(llvm::ArrayRef<int64_t> shape) {
  std::string result = "[";
  for (auto [i, dim] : llvm::enumerate(shape))
    result += (i ? "," : "") + std::to_string(dim);
  return result + "]";
}
