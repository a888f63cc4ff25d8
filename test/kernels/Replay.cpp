// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Replay.h"

#include "ReadAtOnce.h"
#include "Values.h"

#include <algorithm>
#include <set>

namespace aotc::test {

namespace {

/// Indices of elements of an operand.
using Elements = std::vector<int64_t>;

/// A window over rows and columns.
struct Window {
  int64_t kernelH, kernelW, strideH, strideW, dilationH = 1, dilationW = 1;
  Padding padding;
};

/// Channels first to first + channels - 1 of the pixels in the window of output pixel `at`.
Elements inWindow(const std::vector<int64_t> &in, const std::vector<int64_t> &at, const Window &w,
                  int64_t first, int64_t channels) {
  Elements elements;
  for (int64_t y = 0; y < w.kernelH; ++y)
    for (int64_t x = 0; x < w.kernelW; ++x) {
      const int64_t row = at[1] * w.strideH - w.padding.top + y * w.dilationH;
      const int64_t column = at[2] * w.strideW - w.padding.left + x * w.dilationW;
      if (row < 0 || row >= in[1] || column < 0 || column >= in[2])
        continue;
      for (int64_t c = first; c < first + channels; ++c)
        elements.push_back(flatten({at[0], row, column, c}, in));
    }
  return elements;
}

Elements ofConvolution(const OperatorDesc &op, const std::vector<int64_t> &at) {
  const auto &o = op.as<Conv2DOptions>();
  const std::vector<int64_t> &in = op.inputs[0].shape, &w = op.inputs[1].shape;
  const int64_t groups = op.op == "conv_2d" ? o.groups : in[3], part = in[3] / groups;
  return inWindow(in, at, {w[1], w[2], o.strideH, o.strideW, o.dilationH, o.dilationW, o.padding},
                  at[3] / (op.outputs[0].shape[3] / groups) * part, part);
}

Elements ofPool(const OperatorDesc &op, const std::vector<int64_t> &at) {
  const auto &o = op.as<Pool2DOptions>();
  return inWindow(op.inputs[0].shape, at,
                  {o.filterH, o.filterW, o.strideH, o.strideW, 1, 1, o.padding}, at[3], 1);
}

Elements ofFullyConnected(const OperatorDesc &op, size_t operand, int64_t k) {
  const int64_t outC = op.inputs[1].shape[0], inC = op.inputs[1].shape[1];
  Elements elements;
  for (int64_t i = 0; i < inC; ++i)
    elements.push_back((operand == 0 ? k / outC : k % outC) * inC + i);
  return elements;
}

/// An operand of fewer dimensions, or with some of size 1, is repeated.
Elements ofBroadcast(const std::vector<int64_t> &in, std::vector<int64_t> at) {
  at.erase(at.begin(), at.begin() + (at.size() - in.size()));
  for (size_t d = 0; d < in.size(); ++d)
    at[d] = in[d] == 1 ? 0 : at[d];
  return {flatten(at, in)};
}

Elements ofMean(const OperatorDesc &op, int64_t k) {
  const std::vector<int64_t> &in = op.inputs[0].shape;
  const auto &axes = op.as<ReduceOptions>().axes;
  Elements elements;
  for (int64_t i = 0; i < op.inputs[0].elements(); ++i) {
    const std::vector<int64_t> from = unflatten(i, in);
    int64_t result = 0;
    for (size_t d = 0; d < in.size(); ++d)
      if (std::count(axes.begin(), axes.end(), int64_t(d)) == 0)
        result = result * in[d] + from[d];
    if (result == k)
      elements.push_back(i);
  }
  return elements;
}

Elements ofPad(const OperatorDesc &op, std::vector<int64_t> at) {
  const std::vector<int64_t> &in = op.inputs[0].shape;
  for (size_t d = 0; d < at.size(); ++d) {
    at[d] -= op.as<PadOptions>().before[d];
    if (at[d] < 0 || at[d] >= in[d])
      return {};
  }
  return {flatten(at, in)};
}

Elements ofTranspose(const OperatorDesc &op, const std::vector<int64_t> &at) {
  std::vector<int64_t> from(at.size());
  for (size_t d = 0; d < at.size(); ++d)
    from[op.as<TransposeOptions>().perm[d]] = at[d];
  return {flatten(from, op.inputs[0].shape)};
}

Elements ofConcatenation(const OperatorDesc &op, size_t operand, std::vector<int64_t> at) {
  const int64_t axis = op.as<ConcatOptions>().axis;
  const std::vector<int64_t> &in = op.inputs[operand].shape;
  for (size_t i = 0; i < operand; ++i)
    at[axis] -= op.inputs[i].shape[axis];
  if (at[axis] < 0 || at[axis] >= in[axis])
    return {};
  return {flatten(at, in)};
}

/// Elements of `operand` that element `k` of the result depends on.
Elements elementsRead(const OperatorDesc &op, size_t operand, int64_t k) {
  const std::vector<int64_t> at = unflatten(k, op.outputs[0].shape);
  if (op.op == "conv_2d" || op.op == "depthwise_conv_2d")
    return ofConvolution(op, at);
  if (op.op == "average_pool_2d" || op.op == "max_pool_2d")
    return ofPool(op, at);
  if (op.op == "fully_connected")
    return ofFullyConnected(op, operand, k);
  if (op.op == "add" || op.op == "mul")
    return ofBroadcast(op.inputs[operand].shape, at);
  if (op.op == "mean")
    return ofMean(op, k);
  if (op.op == "pad")
    return ofPad(op, at);
  if (op.op == "transpose")
    return ofTranspose(op, at);
  if (op.op == "concatenation")
    return ofConcatenation(op, operand, at);
  return {k}; // element by element; SOFTMAX reads the whole row before, as well
}

/// Blocks of pixels in the order of rows, of each groups of channels; one write
/// per pixel and group.
std::vector<Step> stepsInGroups(const Case &c, const KernelCall &call, int64_t pixels,
                                int64_t group, bool descending) {
  const int64_t channels = c.op.outputs[0].shape[3];
  const int64_t width = call.rows->outRowBytes / channels;
  const int64_t rows = call.rows->batches * call.rows->outRows;
  std::vector<Step> steps;
  for (int64_t n = 0; n < rows; ++n)
    for (int64_t done = 0; done < width; done += pixels)
      for (int64_t channel = 0; channel < channels; channel += group) {
        const int64_t row = descending ? rows - 1 - n : n;
        const int64_t end = std::min(width, done + pixels);
        const int64_t first = (descending ? width - end : end - pixels);
        const int64_t from = std::clamp<int64_t>(first, 0, width - pixels);
        std::vector<Bytes> reads;
        const int64_t some = std::min(group, channels - channel);
        for (int64_t pixel = from; pixel < from + pixels; ++pixel)
          for (int64_t k = 0; k < some; ++k)
            for (int64_t element :
                 elementsRead(c.op, 0, (row * width + pixel) * channels + channel + k))
              reads.push_back({element, element + 1});
        for (int64_t pixel = from; pixel < from + pixels; ++pixel) {
          const int64_t at = (row * width + pixel) * channels + channel;
          steps.push_back({std::move(reads), {at, at + some}});
          reads.clear();
        }
      }
  return steps;
}

} // namespace

// Blocks of pixels count from the row's
// beginning, or its end; those left over come one by one.
std::vector<Step> stepsOf(const Case &c, const KernelCall &call, const OverlapRule &rule,
                          bool descending) {
  const OperatorDesc &op = c.op;
  const auto operand = size_t(call.operands[rule.input]);
  const int64_t inSize = dtypeSize(op.inputs[operand].type);
  const int64_t outSize = dtypeSize(op.outputs[0].type);
  const int64_t count = op.outputs[0].elements();
  const ReadAtOnce block = readAtOnce(call);
  std::vector<Step> steps;
  if (block.pixels && block.channels)
    return stepsInGroups(c, call, block.pixels, block.channels, descending);
  int64_t atOnce = 1; // elements of the current step
  for (int64_t n = 0; n < count; n += atOnce) {
    const int64_t channels = op.outputs[0].shape.empty() ? 1 : op.outputs[0].shape.back();
    if (block.elements) {
      atOnce = count - n >= block.elements ? block.elements : 1;
    } else if (block.pixels) {
      const int64_t row = call.rows ? call.rows->outRowBytes / outSize : count;
      const int64_t left = (row - n % row) / channels, rest = block.restAtOnce ? left : 1;
      atOnce = (left >= block.pixels ? block.pixels : rest) * channels;
    } else if (block.channels) {
      const int64_t left = channels - n % channels;
      // Last to first, those that are fewer come first.
      const int64_t fewer = block.reverse && descending ? left % block.channels : 0;
      atOnce = fewer ? fewer : std::min(block.channels, left);
    }
    int64_t first = descending ? count - n - atOnce : n;
    if (block.channels && descending && !block.reverse)
      first = (count - n - 1) / channels * channels + n % channels;
    Step step;
    step.write = {first * outSize, (first + atOnce) * outSize};
    for (int64_t k = first; k < first + atOnce; ++k)
      for (int64_t element : elementsRead(op, operand, k))
        step.reads.push_back({element * inSize, (element + 1) * inSize});
    steps.push_back(std::move(step));
  }
  return steps;
}

std::optional<int64_t> smallestDistance(const std::vector<Step> &steps, bool descending) {
  std::optional<int64_t> smallest, reached;
  for (const Step &step : steps) {
    for (const Bytes &read : step.reads)
      if (reached)
        smallest = std::max(
            smallest, std::optional(descending ? read.end - *reached : *reached - read.begin));
    const int64_t end = descending ? step.write.begin : step.write.end;
    if (!reached)
      reached = end;
    reached = descending ? std::min(*reached, end) : std::max(*reached, end);
  }
  return smallest;
}

// Output and input starts lie `distance` apart: does any step read what an
// earlier one wrote?
static bool meets(const std::vector<Step> &steps, bool descending, int64_t distance) {
  std::set<int64_t> written; // in bytes of the input
  const int64_t shift = descending ? distance : -distance;
  for (const Step &step : steps) {
    for (const Bytes &read : step.reads)
      for (int64_t b = read.begin; b < read.end; ++b)
        if (written.count(b))
          return true;
    for (int64_t b = step.write.begin; b < step.write.end; ++b)
      written.insert(b + shift);
  }
  return false;
}

std::optional<int64_t> smallestMultiple(const std::vector<Step> &steps, bool descending,
                                        int64_t multiple, int64_t said) {
  if (meets(steps, descending, said) || meets(steps, descending, said + multiple))
    return said + 1;
  return meets(steps, descending, said - multiple) ? said : said - multiple;
}

} // namespace aotc::test
