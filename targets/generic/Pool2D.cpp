// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host side of AVERAGE_POOL_2D and MAX_POOL_2D, int8 and float32. Different
// scales of input and output are accepted and the raw numbers pooled, as in
// the reference.
#include "targets/generic/Pool2D.h"

#include "targets/generic/Checks.h"
#include "targets/generic/Overlap.h"
#include "targets/generic/Requantize.h"
#include "targets/generic/kernels/pool_2d.h"

namespace aotc {

static std::string rejectPool(const OperatorDesc &op, DType type) {
  if (op.inputs.size() != 1 || op.outputs.size() != 1)
    return "wrong number of operands";
  const TensorDesc &input = op.inputs[0], &output = op.outputs[0];
  return firstReason(
      [&] { return rejectTensor(input, type, "input"); },
      [&] { return rejectTensor(output, type, "output"); },
      [&]() -> std::string {
        const auto *options = std::get_if<Pool2DOptions>(&op.options);
        if (!options)
          return "not a pool";
        if (input.shape.size() != 4 || output.shape.size() != 4)
          return "rank is not 4";
        if (input.shape[0] != output.shape[0] || input.shape[3] != output.shape[3])
          return "input and output differ in batches or channels";
        if (std::string reason = rejectWindow(input, output, options->filterH, options->filterW,
                                              options->strideH, options->strideW, options->padding);
            !reason.empty())
          return reason;
        // Sums of 2^23 elements, 8 bits each and half their number, fit an int32.
        if (options->filterH * options->filterW > int64_t(1) << 23)
          return "window, stride or padding is too large";
        const Padding &padding = options->padding;
        if (padding.top >= options->filterH || padding.left >= options->filterW ||
            (output.shape[1] - 1) * options->strideH - padding.top >= input.shape[1] ||
            (output.shape[2] - 1) * options->strideW - padding.left >= input.shape[2])
          return "a window lies in the padding";
        return "";
      });
}

static KernelCall poolCall(const OperatorDesc &op) {
  const auto &options = op.as<Pool2DOptions>();
  const TensorDesc &input = op.inputs[0], &output = op.outputs[0];
  const int64_t size = dtypeSize(input.type);
  aotc_pool_2d_shape shape = {};
  shape.in_w = int32_t(input.shape[2]);
  shape.channels = int32_t(input.shape[3]);
  shape.out_w = int32_t(output.shape[2]);
  shape.filter_h = int32_t(options.filterH);
  shape.filter_w = int32_t(options.filterW);
  shape.stride_h = int32_t(options.strideH);
  shape.stride_w = int32_t(options.strideW);
  shape.pad_left = int32_t(options.padding.left);
  shape.padded = isPadded(input, output, options.filterH, options.filterW, options.strideH,
                          options.strideW, options.padding);

  KernelCall call;
  call.operands = {0};
  call.shape = paramWords(shape);
  RowGeometry rows;
  rows.batches = input.shape[0];
  rows.inRows = input.shape[1];
  rows.inRowBytes = input.shape[2] * input.shape[3] * size;
  rows.outRows = output.shape[1];
  rows.outRowBytes = output.shape[2] * output.shape[3] * size;
  rows.windowRows = options.filterH;
  rows.stride = options.strideH;
  rows.padTop = options.padding.top;
  call.rows = rows;
  PixelWalk walk;
  walk.rows = rows;
  walk.inWidth = shape.in_w;
  walk.outWidth = shape.out_w;
  walk.outChannels = walk.groups = shape.channels;
  walk.kernelW = options.filterW;
  walk.strideW = options.strideW;
  walk.padLeft = options.padding.left;
  call.overlaps = {overlapOf(walk)};
  return call;
}

namespace pool_2d_s8 {

std::string reject(const OperatorDesc &op) {
  if (std::string reason = rejectPool(op, DType::s8); !reason.empty())
    return reason;
  return rejectPerTensorQuant(op.outputs[0], "output");
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  KernelCall call = poolCall(op);
  ClampRange range = quantizedClamp(op.as<Pool2DOptions>().activation, op.outputs[0]);
  call.layer = paramWords(aotc_pool_2d_s8_layer{range.min, range.max});
  return call;
}

} // namespace pool_2d_s8

namespace average_pool_2d_s8_lanes {

std::string reject(const OperatorDesc &op) {
  if (std::string reason = pool_2d_s8::reject(op); !reason.empty())
    return reason;
  const auto &options = op.as<Pool2DOptions>();
  return rejectTaps(options.filterH * options.filterW);
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) { return pool_2d_s8::prepare(op); }

} // namespace average_pool_2d_s8_lanes

namespace pool_2d_f32 {

std::string reject(const OperatorDesc &op) { return rejectPool(op, DType::f32); }

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  KernelCall call = poolCall(op);
  FloatClamp range = floatClamp(op.as<Pool2DOptions>().activation);
  call.layer = paramWords(aotc_pool_2d_f32_layer{floatBits(range.min), floatBits(range.max)});
  return call;
}

} // namespace pool_2d_f32

} // namespace aotc
