// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "targets/generic/Pointwise.h"

#include "targets/generic/Conv.h"

#include <algorithm>

namespace aotc {

std::string rejectPointwiseS8(const OperatorDesc &op) {
  if (std::string reason = conv_2d_s8::reject(op); !reason.empty())
    return reason;
  const auto &options = op.as<Conv2DOptions>();
  const auto &in = op.inputs[0].shape, &w = op.inputs[1].shape,
             &out = op.outputs[0].shape;
  if (w[1] != 1 || w[2] != 1)
    return "kernel is not 1x1";
  if (options.groups != 1)
    return "has groups";
  // Also where a stride leads past the last pixel: no pixel may be missing.
  if (options.padding.top || options.padding.left ||
      (out[1] - 1) * options.strideH >= in[1] ||
      (out[2] - 1) * options.strideW >= in[2])
    return "has padding";
  return "";
}

PointwiseRow pointwiseRow(const OperatorDesc &op, const KernelCall &call) {
  return {int32_t(call.rows->outRowBytes / op.outputs[0].shape[3]),
          int32_t(op.as<Conv2DOptions>().strideW)};
}

OverlapRule pointwiseOverlap(const OperatorDesc &op, const KernelCall &call,
                             int64_t block) {
  const RowGeometry &rows = *call.rows;
  const int64_t outPixel = op.outputs[0].shape[3];
  const int64_t inPixel = op.inputs[0].shape[3];
  const PointwiseRow row = pointwiseRow(op, call);
  const int64_t inStep = inPixel * row.stride, pixels = row.pixels;

  // Byte offsets of output pixel 0 of a row, and of the input it reads.
  auto outAt = [&](int64_t batch, int64_t y) {
    return (batch * rows.outRows + y) * rows.outRowBytes;
  };
  auto inAt = [&](int64_t batch, int64_t y) {
    return (batch * rows.inRows + y * rows.stride) * rows.inRowBytes;
  };
  // Blocks begin at 0, block, … and then at every pixel of the rest (mirrored
  // when descending): the first and the last begin of a block but the first.
  const int64_t whole = pixels / block * block;
  const int64_t firstCut = whole ? block : 1;
  const int64_t lastCut = whole == pixels ? pixels - block : pixels - 1;

  // After a block, bytes of the output are written up to `written` (down to it
  // when descending) while the input is still read from `needed` on (up to
  // it). Both are linear in batch, row and pixel, so that the extremes decide.
  std::optional<int64_t> ascending, descending;
  auto atLeast = [](std::optional<int64_t> &distance, int64_t value) {
    distance = distance ? std::max(*distance, value) : value;
  };
  const int64_t lastBatch = rows.batches - 1, lastRow = rows.outRows - 1;
  for (int64_t batch : {int64_t(0), lastBatch})
    for (int64_t y : {int64_t(0), lastRow}) {
      if (pixels > firstCut)
        for (int64_t cut : {firstCut, lastCut}) {
          atLeast(ascending, outAt(batch, y) + cut * outPixel -
                                 (inAt(batch, y) + cut * inStep));
          // Pixels before `mirrored` are still to be read: up to the end of
          // the last of them.
          const int64_t mirrored = pixels - cut;
          atLeast(descending,
                  inAt(batch, y) + (mirrored - 1) * inStep + inPixel -
                      (outAt(batch, y) + mirrored * outPixel));
        }
    }
  // Between rows, and between images; neighbours at either end of the range.
  auto between = [&](int64_t batch, int64_t y, int64_t nextBatch,
                     int64_t nextRow) {
    atLeast(ascending, outAt(batch, y) + pixels * outPixel -
                           inAt(nextBatch, nextRow));
    atLeast(descending, inAt(batch, y) + (pixels - 1) * inStep + inPixel -
                            outAt(nextBatch, nextRow));
  };
  if (lastRow > 0)
    for (int64_t batch : {int64_t(0), lastBatch})
      for (int64_t y : {int64_t(0), lastRow - 1})
        between(batch, y, batch, y + 1);
  if (lastBatch > 0)
    for (int64_t batch : {int64_t(0), lastBatch - 1})
      between(batch, lastRow, batch + 1, 0);

  // One block alone is read before anything is written: any place will do.
  const int64_t anywhere =
      -std::max(op.inputs[0].bytes(), op.outputs[0].bytes());
  OverlapRule rule;
  rule.ascending = ascending.value_or(anywhere);
  rule.descending = descending.value_or(anywhere);
  return rule;
}

} // namespace aotc
