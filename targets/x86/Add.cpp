// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host side of ADD for AVX2: the portable one's parameters, checked for what
// the device code can do with them.
#include "targets/generic/ElementwiseBinary.h"
#include "targets/generic/kernels/elementwise.h"

#include <algorithm>

namespace aotc::add_s8_avx2 {

std::string reject(const OperatorDesc &op) {
  if (std::string reason = add_s8::reject(op); !reason.empty())
    return reason;
  llvm::Expected<KernelCall> call = add_s8::prepare(op);
  if (!call) {
    llvm::consumeError(call.takeError());
    return "the scales give no multiplier"; // the portable kernel says more
  }
  const auto layer = paramsOf<aotc_add_s8_layer>(call->layer);
  // Constants and products (below 2^29) add up within 31 bits.
  if (std::min({layer.lhs_shift, layer.rhs_shift, layer.out_shift}) < -28)
    return "a scale is below 2^-28 of another";
  return "";
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) { return add_s8::prepare(op); }

} // namespace aotc::add_s8_avx2
