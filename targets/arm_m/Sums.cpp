// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host side of AVERAGE_POOL_2D, int8, for Cortex-M without Helium, whose sums
// stand in lanes of 16 bits.
#include "targets/arm_m/kernels/pool_2d_s8.h"
#include "targets/generic/Pool2D.h"

namespace aotc {

namespace average_pool_2d_s8_sums {

std::string reject(const OperatorDesc &op) { return average_pool_2d_s8_lanes::reject(op); }

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  llvm::Expected<KernelCall> call = average_pool_2d_s8_lanes::prepare(op);
  if (!call)
    return call;
  const auto &options = op.as<Pool2DOptions>();
  const uint32_t reciprocal = aotc_reciprocal_of_taps(uint32_t(options.filterH * options.filterW));
  call->layer = paramWords(aotc_average_pool_2d_s8_layer{
      paramsOf<aotc_pool_2d_s8_layer>(call->layer), int32_t(reciprocal)});
  return call;
}

} // namespace average_pool_2d_s8_sums

} // namespace aotc
