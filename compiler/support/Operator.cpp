// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/support/Operator.h"

namespace aotc {

int64_t TensorDesc::elements() const {
  int64_t count = 1;
  for (int64_t dim : shape)
    count *= dim;
  return count;
}

} // namespace aotc
