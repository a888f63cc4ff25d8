// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host side of AVERAGE_POOL_2D, int8, for Cortex-M without Helium, whose sums
// stand in lanes of 16 bits.
#include "targets/arm_m/kernels/pool_2d_s8.h"
#include "targets/generic/Pool2D.h"

namespace aotc {

namespace average_pool_2d_s8_sums {

static int64_t taps(const OperatorDesc &op) {
  const auto &options = op.as<Pool2DOptions>();
  return options.filterH * options.filterW;
}

std::string reject(const OperatorDesc &op) {
  if (std::string reason = pool_2d_s8::reject(op); !reason.empty())
    return reason;
  return taps(op) <= AOTC_SUM_TAPS ? "" : "sums of more than " + std::to_string(AOTC_SUM_TAPS);
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  llvm::Expected<KernelCall> call = pool_2d_s8::prepare(op);
  if (call)
    call->layer = paramWords(
        aotc_average_pool_2d_s8_layer{paramsOf<aotc_pool_2d_s8_layer>(call->layer),
                                      int32_t(aotc_reciprocal_of_taps(uint32_t(taps(op))))});
  return call;
}

} // namespace average_pool_2d_s8_sums

} // namespace aotc
