// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "targets/generic/PixelBlock.h"

#include <algorithm>

namespace aotc {

namespace {

int64_t roundedUp(int64_t n, int64_t multiple) { return (n + multiple - 1) / multiple * multiple; }

} // namespace

aotc_pixel_block_shape pixelBlock(const OperatorDesc &op, int32_t pixels, int32_t vector,
                                  int32_t unit) {
  const bool depthwise = op.op == "depthwise_conv_2d"; // its multiplier is 1
  aotc_pixel_block_shape shape = {};
  static_cast<aotc_window &>(shape) = windowOf(op);
  shape.padded = isPadded(op);
  shape.block = std::min(shape.out_w, pixels);
  const int32_t row = ((shape.kernel_w - 1) * shape.dilation_w + 1) * shape.in_c;
  const int64_t taps = int64_t(shape.kernel_h) * shape.kernel_w * shape.in_c;
  const int64_t inRows = roundedUp(row, unit) * shape.kernel_h;
  // A depthwise layer reads tap by tap, at any distance.
  shape.whole_rows = depthwise || (shape.dilation_w == 1 && shape.stride_w <= shape.kernel_w &&
                                   8 * inRows <= 9 * roundedUp(taps, unit));
  shape.runs = shape.whole_rows ? shape.kernel_h : 1;
  shape.run_length = int32_t(shape.whole_rows ? row : taps);
  shape.pixel_step =
      shape.whole_rows ? shape.stride_w * shape.in_c : int32_t(roundedUp(shape.run_length, vector));
  // The last pixel's last vector may reach beyond its run: beyond the channels of
  // the last tap, in a depthwise layer.
  const int64_t reach = depthwise ? row - shape.in_c + roundedUp(shape.in_c, vector)
                                  : roundedUp(shape.run_length, vector);
  shape.run_step = (shape.block - 1) * shape.pixel_step + int32_t(reach);
  return shape;
}

int64_t pixelBlockElements(const aotc_pixel_block_shape &shape) {
  return int64_t(shape.runs) * shape.run_step;
}

OverlapRule pixelBlockOverlap(const OperatorDesc &op, const KernelCall &call, int64_t block) {
  PixelWalk walk = convolutionWalk(op, *call.rows);
  walk.pixelsAtOnce = block;
  walk.restAtOnce = true;
  return overlapOf(walk);
}

std::string rejectPixelBlock(const OperatorDesc &op) {
  const auto &options = op.as<Conv2DOptions>();
  const auto &w = op.inputs[1].shape;
  const int64_t columns =
      (w[2] - 1) * options.dilationW + 1 + 8 * std::min<int64_t>(options.strideW, 1 << 24);
  return w[1] * columns * op.inputs[0].shape[3] >= int64_t(1) << 24 ? "window is too large" : "";
}

} // namespace aotc
