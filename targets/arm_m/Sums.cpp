// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host side of AVERAGE_POOL_2D and MEAN, int8, for Cortex-M without Helium, whose
// sums stand in lanes of 16 bits.
#include "targets/arm_m/kernels/pool_2d_s8.h"
#include "targets/generic/Checks.h"
#include "targets/generic/Pool2D.h"
#include "targets/generic/Reduce.h"
#include "targets/generic/kernels/reduce.h"

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

namespace mean_s8_columns {

static std::string rejectAxes(const aotc_mean_shape &shape) {
  constexpr int inner = AOTC_MEAN_RANK - 1;
  if (shape.keep[inner] == 1 || shape.keep_stride[inner] != 1)
    return "the innermost axis does not stay";
  // Unused axes have size 1.
  if (shape.reduce[inner - 1] > 1 || shape.keep[inner - 2] > 1)
    return "several separate runs of axes";
  if (shape.reduce[inner] > 1 && shape.reduce_stride[inner] != shape.keep[inner])
    return "several separate runs of axes";
  return rejectTaps(shape.reduce[inner]);
}

std::string reject(const OperatorDesc &op) {
  if (std::string reason = mean_s8::reject(op); !reason.empty())
    return reason;
  return rejectPrepared(mean_s8::prepare(op), [](const KernelCall &call) {
    return rejectAxes(paramsOf<aotc_mean_shape>(call.shape));
  });
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) { return mean_s8::prepare(op); }

} // namespace mean_s8_columns

} // namespace aotc
