// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "targets/generic/Pointwise.h"

#include "targets/generic/Conv.h"

namespace aotc {

std::string rejectPointwiseS8(const OperatorDesc &op) {
  if (std::string reason = conv_2d_s8::reject(op); !reason.empty())
    return reason;
  const auto &options = op.as<Conv2DOptions>();
  const auto &in = op.inputs[0].shape, &w = op.inputs[1].shape, &out = op.outputs[0].shape;
  if (w[1] != 1 || w[2] != 1)
    return "kernel is not 1x1";
  if (options.groups != 1)
    return "has groups";
  // Also where a stride leads past the last pixel: no pixel may be missing.
  if (options.padding.top || options.padding.left || (out[1] - 1) * options.strideH >= in[1] ||
      (out[2] - 1) * options.strideW >= in[2])
    return "has padding";
  return "";
}

PointwiseRow pointwiseRow(const OperatorDesc &op, const KernelCall &call) {
  return {int32_t(call.rows->outRowBytes / op.outputs[0].shape[3]),
          int32_t(op.as<Conv2DOptions>().strideW)};
}

} // namespace aotc
