// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/run/Compare.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cmath>

using namespace aotc;

namespace {

bool isFloat(DType type) { return dtypeInfo(type).kind == DTypeKind::real; }

std::string indexText(llvm::ArrayRef<int64_t> shape, int64_t flat, int64_t elements, bool several) {
  std::string text;
  if (several)
    text = "invocation " + std::to_string(flat / elements) + " ";
  int64_t rest = flat % elements;
  std::string inside;
  for (int64_t axis = int64_t(shape.size()) - 1; axis >= 0; --axis) {
    inside = std::to_string(rest % shape[axis]) + (inside.empty() ? "" : ", ") + inside;
    rest /= shape[axis];
  }
  return text + "[" + inside + "]";
}

} // namespace

Comparison aotc::compareTensors(DType type, llvm::ArrayRef<int64_t> shape, llvm::StringRef got,
                                llvm::StringRef expected, const Tolerance &tolerance) {
  Comparison result;
  int64_t size = std::max<int64_t>(dtypeSize(type), 1);
  int64_t perTensor = 1;
  for (int64_t dim : shape)
    perTensor *= dim;
  perTensor = std::max<int64_t>(perTensor, 1);
  result.elements = (std::max(got.size(), expected.size()) + size - 1) / size;
  auto whole = [&](llvm::StringRef data, int64_t i) {
    return int64_t(data.size()) >= (i + 1) * size;
  };
  for (int64_t i = 0; i < result.elements; ++i) {
    const char *a = got.data() + i * size, *b = expected.data() + i * size;
    bool same = whole(got, i) && whole(expected, i);
    if (same && isFloat(type)) {
      double x = readReal(type, a), y = readReal(type, b);
      if (std::isfinite(x) && std::isfinite(y)) {
        double error = std::fabs(x - y);
        result.largestError = std::max(result.largestError, error);
        same = error <= tolerance.abs + tolerance.rel * std::fabs(y);
      } else {
        same = x == y || (std::isnan(x) && std::isnan(y));
      }
    } else if (same) {
      same = std::equal(a, a + size, b);
      result.largestError = std::max(result.largestError, std::fabs(double(readInteger(type, a)) -
                                                                    double(readInteger(type, b))));
    }
    if (same)
      continue;
    if (!result.wrong++) {
      result.firstWrong = i;
      result.firstWrongIndex = indexText(shape, i, perTensor, result.elements > perTensor);
      result.got = whole(got, i) ? elementText(type, a) : "nothing";
      result.expected = whole(expected, i) ? elementText(type, b) : "nothing";
    }
  }
  return result;
}

std::string Comparison::message() const {
  if (equal())
    return llvm::formatv("all {0} elements equal", elements);
  return llvm::formatv("{0} of {1} elements differ, the first at {2}: got {3}, expected {4}", wrong,
                       elements, firstWrongIndex, got, expected);
}
