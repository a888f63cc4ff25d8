// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host side of AVERAGE_POOL_2D and MEAN, int8, for Cortex-M without Helium, whose
// sums stand in lanes of 16 bits.
#include "targets/arm_m/kernels/pool_2d_s8.h"
#include "targets/generic/Pool2D.h"
#include "targets/generic/Reduce.h"
#include "targets/generic/kernels/reduce.h"

namespace aotc {

static const std::string tooManyTaps = "sums of more than " + std::to_string(AOTC_SUM_TAPS);

namespace average_pool_2d_s8_sums {

static int64_t taps(const OperatorDesc &op) {
  const auto &options = op.as<Pool2DOptions>();
  return options.filterH * options.filterW;
}

std::string reject(const OperatorDesc &op) {
  if (std::string reason = pool_2d_s8::reject(op); !reason.empty())
    return reason;
  return taps(op) <= AOTC_SUM_TAPS ? "" : tooManyTaps;
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

namespace mean_s8_columns {

std::string reject(const OperatorDesc &op) {
  if (std::string reason = mean_s8::reject(op); !reason.empty())
    return reason;
  llvm::Expected<KernelCall> call = mean_s8::prepare(op);
  if (!call) {
    llvm::consumeError(call.takeError()); // the portable kernel reports it
    return "ratio of the scales";
  }
  const auto shape = paramsOf<aotc_mean_shape>(call->shape);
  constexpr int inner = AOTC_MEAN_RANK - 1;
  if (shape.keep[inner] == 1 || shape.keep_stride[inner] != 1)
    return "the innermost axis does not stay";
  // Unused axes have size 1.
  if (shape.reduce[inner - 1] > 1 || shape.keep[inner - 2] > 1)
    return "several separate runs of axes";
  if (shape.reduce[inner] > 1 && shape.reduce_stride[inner] != shape.keep[inner])
    return "several separate runs of axes";
  return shape.reduce[inner] <= AOTC_SUM_TAPS ? "" : tooManyTaps;
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) { return mean_s8::prepare(op); }

} // namespace mean_s8_columns

} // namespace aotc
