// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/support/Operator.h"

#include "llvm/Support/ErrorHandling.h"

namespace aotc {

int64_t dtypeSize(DType type) {
  switch (type) {
  case DType::none:
    return 0;
  case DType::s8:
  case DType::u8:
  case DType::boolean:
    return 1;
  case DType::f16:
  case DType::s16:
    return 2;
  case DType::f32:
  case DType::s32:
    return 4;
  case DType::s64:
    return 8;
  }
  llvm_unreachable("unknown element type");
}

llvm::StringRef dtypeName(DType type) {
  switch (type) {
  case DType::none:
    return "none";
  case DType::f32:
    return "f32";
  case DType::f16:
    return "f16";
  case DType::s8:
    return "s8";
  case DType::u8:
    return "u8";
  case DType::s16:
    return "s16";
  case DType::s32:
    return "s32";
  case DType::s64:
    return "s64";
  case DType::boolean:
    return "bool";
  }
  llvm_unreachable("unknown element type");
}

int64_t TensorDesc::elements() const {
  int64_t count = 1;
  for (int64_t dim : shape)
    count *= dim;
  return count;
}

} // namespace aotc
