// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host side of FULLY_CONNECTED, float32, for the scalar FPU of Cortex-M.
#include "targets/generic/FullyConnected.h"

#include "targets/arm_m/fpu/kernels/fully_connected_fpu.h"
#include "targets/generic/Checks.h"
#include "targets/generic/Overlap.h"
#include "targets/generic/Requantize.h"
#include "targets/generic/kernels/fully_connected.h"

namespace aotc::fully_connected_f32_fpu {

std::string reject(const OperatorDesc &op) {
  std::string reason = fully_connected_f32::reject(op);
  return reason.empty() && !op.inputs[1].isConstant ? "weights are not constant" : reason;
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  llvm::Expected<KernelCall> base = fully_connected_f32::prepare(op);
  if (!base)
    return base.takeError();
  KernelCall call = std::move(*base);
  const auto range = paramsOf<aotc_fully_connected_f32_layer>(call.layer);
  const int64_t outC = op.inputs[1].shape[0], inC = op.inputs[1].shape[1];
  const int64_t rows = op.inputs[0].elements() / inC;
  const TensorDesc *bias = biasOf(op);
  std::vector<int32_t> words; // bits of floats
  for (int64_t first = 0; first < outC; first += AOTC_FPU_OUTPUTS)
    for (int64_t k = -1; k < inC; ++k)
      for (int64_t c = first; c < first + AOTC_FPU_OUTPUTS; ++c)
        words.push_back(c >= outC ? 0
                        : k >= 0  ? constantS32(op.inputs[1], c * inC + k)
                        : bias    ? constantS32(*bias, c)
                                  : 0);
  call.data = {wordData("weights", words)};
  call.shape.clear();
  call.layer = paramWords(aotc_fully_connected_fpu_layer{int32_t(rows), int32_t(inC), int32_t(outC),
                                                         range.act_min_bits, range.act_max_bits});
  PixelWalk walk = pixelByPixel(rows, inC * 4, outC * 4, outC);
  walk.channelsAtOnce = AOTC_FPU_OUTPUTS;
  call.overlaps = {overlapOf(walk)};
  return call;
}

} // namespace aotc::fully_connected_f32_fpu
