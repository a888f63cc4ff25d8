// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "targets/generic/DepthwiseBlocks.h"

#include "targets/generic/Overlap.h"

#include <algorithm>

namespace aotc {

namespace {

struct Layer {
  const OperatorDesc &op;
  const Conv2DOptions &options;
  int64_t batches, inH, inW, channels, outH, outW, kernelH, kernelW;

  explicit Layer(const OperatorDesc &op)
      : op(op), options(op.as<Conv2DOptions>()), batches(op.inputs[0].shape[0]),
        inH(op.inputs[0].shape[1]), inW(op.inputs[0].shape[2]), channels(op.inputs[0].shape[3]),
        outH(op.outputs[0].shape[1]), outW(op.outputs[0].shape[2]), kernelH(op.inputs[1].shape[1]),
        kernelW(op.inputs[1].shape[2]) {}
};

/// The distance of one direction, in pixels if `pixelWise`: all blocks in the
/// order of the device code. Of each it reads the pixels of its window, then
/// writes; channels follow one another in groups. Pixel-wise, groups do not meet.
std::optional<int64_t> farthest(const Layer &l, int64_t block, int64_t group, bool descending,
                                bool pixelWise) {
  struct Step {
    int64_t readBegin, readEnd, writeBegin, writeEnd;
  };
  std::vector<Step> steps;
  const int64_t unit = pixelWise ? 1 : l.channels;
  for (int64_t n = 0; n < l.batches * l.outH; ++n) {
    const int64_t row = descending ? l.batches * l.outH - 1 - n : n;
    const int64_t batch = row / l.outH, y = row % l.outH;
    const int64_t top = y * l.options.strideH - l.options.padding.top;
    const int64_t firstRow = std::max<int64_t>(top, 0),
                  lastRow = std::min(top + l.kernelH - 1, l.inH - 1);
    for (int64_t done = 0; done < l.outW; done += block) {
      const int64_t most = l.outW - block;
      const int64_t first = std::clamp<int64_t>(descending ? most - done : done, 0, most);
      const int64_t column = first * l.options.strideW - l.options.padding.left;
      const int64_t left = std::max<int64_t>(column, 0);
      const int64_t right = std::min(column + (block - 1) * l.options.strideW + l.kernelW, l.inW);
      Step step;
      step.readBegin = ((batch * l.inH + firstRow) * l.inW + left) * unit;
      step.readEnd = ((batch * l.inH + lastRow) * l.inW + right) * unit;
      if (firstRow > lastRow || left >= right) // all in the padding
        step.readBegin = step.readEnd = -1;
      step.writeBegin = (row * l.outW + first) * unit;
      step.writeEnd = step.writeBegin + block * unit;
      steps.push_back(step);
    }
  }
  std::optional<int64_t> reached, result;
  auto read = [&](int64_t distance) { result = std::max(result, std::optional(distance)); };
  for (const Step &step : steps) {
    // Groups are linear: the first and the last decide. Before the last one
    // reads, the ones before it have written `rest` channels of each pixel.
    const int64_t rest = pixelWise ? 0 : (l.channels - 1) / group * group;
    const bool reads = step.readBegin >= 0;
    if (reached && reads)
      read(descending ? step.readEnd - *reached : *reached - step.readBegin);
    if (rest > 0 && reads)
      read(descending ? step.readEnd - step.writeBegin
                      : step.writeEnd - (l.channels - rest) - (step.readBegin + rest));
    const int64_t end = descending ? step.writeBegin : step.writeEnd;
    if (!reached)
      reached = end;
    reached = descending ? std::min(*reached, end) : std::max(*reached, end);
  }
  return result;
}

} // namespace

std::vector<OverlapRule> depthwiseBlockOverlaps(const OperatorDesc &op, int64_t block,
                                                int64_t group) {
  const Layer l(op);
  const int64_t any = anyDistance(op.inputs[0].bytes(), op.outputs[0].bytes());
  OverlapRule general, aligned;
  general.ascending = farthest(l, block, group, false, false).value_or(any);
  general.descending = farthest(l, block, group, true, false).value_or(any);
  const auto up = farthest(l, block, group, false, true);
  const auto down = farthest(l, block, group, true, true);
  if (!up || !down || l.channels <= group)
    return {general};
  aligned.multiple = l.channels;
  aligned.ascending = *up * l.channels;
  aligned.descending = *down * l.channels;
  return {general, aligned};
}

} // namespace aotc
