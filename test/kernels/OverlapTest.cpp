// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every overlap distance of every kernel this machine can run: device code runs
// with input and output that far apart; a replay of all reads and writes, made
// from the operator alone, says that no smaller distance would do.
#include "EveryKernel.h"

#include "targets/arm_m/mve/kernels/conv_2d_mve.h"
#include "targets/x86/kernels/conv_2d.h"
#include "targets/x86/kernels/fully_connected.h"

#include "targets/arm_a/kernels/depthwise_conv_2d_s8_3x3.h"
#include "targets/arm_a/kernels/fully_connected_f32.h"
#include "targets/arm_a/kernels/fully_connected_s8.h"
#include "targets/arm_m/thumb2/kernels/fully_connected_thumb2.h"
#include "targets/generic/kernels/pixel_block.h"

#include <algorithm>
#include <map>
#include <set>

using namespace aotc;
using namespace aotc::test;

namespace {

/// Distances of floats and wider integers are multiples of their size.
int64_t unitOf(const Case &c, const KernelCall &call, const OverlapRule &rule) {
  return std::max({rule.multiple, dtypeSize(c.op.inputs[call.operands[rule.input]].type),
                   dtypeSize(c.op.outputs[0].type)});
}

int64_t roundedUp(int64_t distance, int64_t unit) {
  return (distance + (distance > 0 ? unit - 1 : 0)) / unit * unit;
}

std::vector<char> runOverlapped(const KernelCall &call, const Case &c, const OverlapRule &rule,
                                bool descending, int64_t distance, int64_t blockRows) {
  RunOptions options;
  options.descending = descending;
  options.blockRows = call.rows ? blockRows : 0;
  options.overlap = true;
  options.overlapped = rule.input;
  options.distance = descending ? -distance : distance;
  return runKernel(call, c, options);
}

/// Bytes begin <= b < end, relative to the tensor.
struct Bytes {
  int64_t begin, end;
};

/// What happens in one step: reads, then one write.
struct Step {
  std::vector<Bytes> reads;
  Bytes write;
};

std::vector<int64_t> unflatten(int64_t index, const std::vector<int64_t> &shape) {
  std::vector<int64_t> at(shape.size());
  for (size_t d = shape.size(); d-- > 0; index /= shape[d])
    at[d] = index % shape[d];
  return at;
}

int64_t flatten(const std::vector<int64_t> &at, const std::vector<int64_t> &shape) {
  int64_t index = 0;
  for (size_t d = 0; d < shape.size(); ++d)
    index = index * shape[d] + at[d];
  return index;
}

/// Elements of `operand` that element `k` of the result depends on.
std::vector<int64_t> elementsRead(const OperatorDesc &op, size_t operand, int64_t k) {
  const std::vector<int64_t> &in = op.inputs[operand].shape, &out = op.outputs[0].shape;
  std::vector<int64_t> at = unflatten(k, out), elements;
  auto window = [&](int64_t kh, int64_t kw, int64_t sh, int64_t sw, int64_t dh, int64_t dw,
                    const Padding &padding, int64_t firstChannel, int64_t channels) {
    for (int64_t y = 0; y < kh; ++y)
      for (int64_t x = 0; x < kw; ++x) {
        const int64_t row = at[1] * sh - padding.top + y * dh;
        const int64_t column = at[2] * sw - padding.left + x * dw;
        if (row < 0 || row >= in[1] || column < 0 || column >= in[2])
          continue;
        for (int64_t c = firstChannel; c < firstChannel + channels; ++c)
          elements.push_back(flatten({at[0], row, column, c}, in));
      }
  };
  if (op.op == "conv_2d" || op.op == "depthwise_conv_2d") {
    const auto &o = op.as<Conv2DOptions>();
    const auto &w = op.inputs[1].shape;
    const bool depthwise = op.op != "conv_2d";
    const int64_t groups = depthwise ? in[3] : o.groups;
    const int64_t part = in[3] / groups;
    window(w[1], w[2], o.strideH, o.strideW, o.dilationH, o.dilationW, o.padding,
           at[3] / (out[3] / groups) * part, part);
  } else if (op.op == "average_pool_2d" || op.op == "max_pool_2d") {
    const auto &o = op.as<Pool2DOptions>();
    window(o.filterH, o.filterW, o.strideH, o.strideW, 1, 1, o.padding, at[3], 1);
  } else if (op.op == "fully_connected") {
    const int64_t outC = op.inputs[1].shape[0], inC = op.inputs[1].shape[1];
    for (int64_t i = 0; i < inC; ++i)
      elements.push_back((operand == 0 ? k / outC : k % outC) * inC + i);
  } else if (op.op == "add" || op.op == "mul") {
    at.erase(at.begin(), at.begin() + (out.size() - in.size()));
    for (size_t d = 0; d < in.size(); ++d)
      at[d] = in[d] == 1 ? 0 : at[d];
    elements.push_back(flatten(at, in));
  } else if (op.op == "mean") {
    const auto &axes = op.as<ReduceOptions>().axes;
    for (int64_t i = 0; i < op.inputs[0].elements(); ++i) {
      std::vector<int64_t> from = unflatten(i, in), kept;
      for (size_t d = 0; d < in.size(); ++d)
        if (std::count(axes.begin(), axes.end(), int64_t(d)) == 0)
          kept.push_back(d);
      int64_t index = 0;
      for (int64_t d : kept)
        index = index * in[d] + from[d];
      if (index == k)
        elements.push_back(i);
    }
  } else if (op.op == "pad") {
    const auto &o = op.as<PadOptions>();
    for (size_t d = 0; d < at.size(); ++d) {
      at[d] -= o.before[d];
      if (at[d] < 0 || at[d] >= in[d])
        return {};
    }
    elements.push_back(flatten(at, in));
  } else if (op.op == "transpose") {
    std::vector<int64_t> from(at.size());
    for (size_t d = 0; d < at.size(); ++d)
      from[op.as<TransposeOptions>().perm[d]] = at[d];
    elements.push_back(flatten(from, in));
  } else if (op.op == "concatenation") {
    const int64_t axis = op.as<ConcatOptions>().axis;
    for (size_t i = 0; i < operand; ++i)
      at[axis] -= op.inputs[i].shape[axis];
    if (at[axis] >= 0 && at[axis] < in[axis])
      elements.push_back(flatten(at, in));
  } else { // element by element; SOFTMAX reads the whole row before, as well
    elements.push_back(k);
  }
  return elements;
}

/// How a fast kernel visits its output, if not element by element.
struct Blocks {
  int64_t pixels = 0; ///< so many are read before any of them is written
  /// The same of one pixel's channels, counted from its first; with `pixels`, of
  /// those pixels: first to last in both directions, the last block of pixels
  /// moves back into the row.
  int64_t channels = 0;
  bool reverse = false;    ///< channels, too, go last to first
  bool restAtOnce = false; ///< pixels left of a row are one more block
};
/// The same of the kernels for NEON.
Blocks blocksOfNeon(const KernelCall &call) {
  auto shape = [&]<typename Shape>(Shape result) {
    memcpy(&result, call.shape.data(), sizeof result);
    return result;
  };
  const llvm::StringRef symbol = call.symbol;
  if (!symbol.contains("conv_2d") && !symbol.contains("fully_connected"))
    return {};
  if (symbol.contains("fully_connected_s8"))
    return {0, AOTC_FULLY_CONNECTED_NEON_GROUP, true};
  if (symbol.contains("fully_connected_f32"))
    return {0, AOTC_FULLY_CONNECTED_F32_NEON_GROUP, true};
  if (symbol.contains("depthwise_conv_2d_s8_3x3"))
    return {shape(aotc_depthwise_conv_2d_3x3_neon_shape()).block, 8};
  // The block is the first part of the shape.
  return {shape(aotc_pixel_block_shape()).block, 0, false, true};
}

Blocks blocksOf(const KernelCall &call) {
  if (llvm::StringRef(call.symbol).contains("__neon"))
    return blocksOfNeon(call);
  static const std::map<std::string, Blocks> blocks = {
      {"aotc_conv_2d_s8_1x1__dsp", {2}},
      {"aotc_conv_2d_s8_3x3__dsp", {2}},
      {"aotc_conv_2d_s8_gather__dsp", {2}},
      {"aotc_fully_connected_s8__dsp", {0, 8}},
      {"aotc_fully_connected_s8__mve", {0, 8}},
      {"aotc_conv_2d_s8_1x1__thumb1", {4, 0, false, true}},
      {"aotc_conv_2d_s8_gather__thumb1", {4, 0, false, true}},
      {"aotc_fully_connected_s8__thumb1", {0, 4}},
      {"aotc_conv_2d_f32__fpu", {4, 0, false, true}},
      {"aotc_conv_2d_f32__mve", {4, 0, false, true}},
      {"aotc_depthwise_conv_2d_f32__fpu", {4, 0, false, true}},
      {"aotc_depthwise_conv_2d_f32__mve", {4, 0, false, true}},
      {"aotc_fully_connected_f32__fpu", {0, 8, true}},
      {"aotc_fully_connected_f32__mve", {0, 8, true}},
      {"aotc_fully_connected_s8__avx2", {0, AOTC_FULLY_CONNECTED_GROUP, true}},
      {"aotc_fully_connected_s8__avx512vnni", {0, AOTC_FULLY_CONNECTED_GROUP, true}},
      {"aotc_fully_connected_f32__avx2", {0, AOTC_FULLY_CONNECTED_GROUP, true}},
      {"aotc_fully_connected_f32__avx512", {0, AOTC_FULLY_CONNECTED_GROUP, true}}};
  // Groups of channels, in the order of the channels: as if these came one by one.
  if (llvm::StringRef(call.symbol).starts_with("aotc_depthwise_conv_2d_s8__"))
    return {};
  // Of a depthwise convolution the second shape word says how many.
  if (call.symbol == "aotc_depthwise_conv_2d_s8_3x3__dsp")
    return {call.shape[1], 4};
  if (call.symbol == "aotc_depthwise_conv_2d_s8_3x3__mve")
    return {1, 16};
  if (call.symbol == "aotc_conv_2d_s8__mve") {
    aotc_conv_2d_mve_layer layer;
    memcpy(&layer, call.layer.data(), sizeof layer);
    return {layer.pixels, 0, false, true};
  }
  if (call.symbol == "aotc_depthwise_conv_2d_s8_3x3__thumb1")
    return {call.shape[1], 1};
  // Of a convolution for Armv6-M, the third.
  if (call.level == "thumb1" && llvm::StringRef(call.symbol).contains("conv_2d_s8_"))
    return {call.shape[2], 0, false, true};
  if (llvm::StringRef(call.symbol).starts_with("aotc_conv_2d_") &&
      llvm::StringRef(call.level).starts_with("avx")) {
    aotc_conv_2d_x86_shape shape;
    memcpy(&shape, call.shape.data(), sizeof shape);
    return {shape.block, 0, false, true};
  }
  if (call.level == "thumb2") {
    if (call.symbol == "aotc_depthwise_conv_2d_s8_3x3__thumb2")
      return {call.shape[1], 1};
    if (call.symbol == "aotc_fully_connected_s8__thumb2")
      return call.scratchBytes ? Blocks{1} : Blocks{0, aotc_fully_connected_thumb2_group};
    if (llvm::StringRef(call.symbol).contains("conv_2d"))
      return {2};
  }
  auto found = blocks.find(call.symbol);
  if (found == blocks.end())
    return {};
  // Scratch has a copy of the whole row.
  if (found->second.channels && call.scratchBytes)
    return {1};
  return found->second;
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

/// All steps in the order of the kernel. Blocks of pixels count from the row's
/// beginning, or its end; those left over come one by one.
std::vector<Step> stepsOf(const Case &c, const KernelCall &call, const OverlapRule &rule,
                          bool descending) {
  const OperatorDesc &op = c.op;
  const auto operand = size_t(call.operands[rule.input]);
  const int64_t inSize = dtypeSize(op.inputs[operand].type);
  const int64_t outSize = dtypeSize(op.outputs[0].type);
  const int64_t count = op.outputs[0].elements();
  const Blocks block = blocksOf(call);
  std::vector<Step> steps;
  if (block.pixels && block.channels)
    return stepsInGroups(c, call, block.pixels, block.channels, descending);
  int64_t atOnce = 1; // elements of the current step
  for (int64_t n = 0; n < count; n += atOnce) {
    const int64_t channels = op.outputs[0].shape.empty() ? 1 : op.outputs[0].shape.back();
    if (block.pixels) {
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

/// The smallest distance from which on no step reads what an earlier one wrote;
/// nothing if there is no such read.
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

/// Output and input starts lie `distance` apart: does any step read what an
/// earlier one wrote?
bool meets(const std::vector<Step> &steps, bool descending, int64_t distance) {
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

/// The smallest of all multiples from which on none meets, looked for from `said`
/// downwards; nothing if any place will do.
std::optional<int64_t> smallestMultiple(const std::vector<Step> &steps, bool descending,
                                        int64_t multiple, int64_t said) {
  if (meets(steps, descending, said) || meets(steps, descending, said + multiple))
    return said + 1;
  return meets(steps, descending, said - multiple) ? said : said - multiple;
}

std::optional<int64_t> distanceOf(const OverlapRule &rule, bool descending) {
  return descending ? rule.descending : rule.ascending;
}

/// A convolution of one image, int8.
std::unique_ptr<Case> convolution(std::string op, std::vector<int64_t> in,
                                  std::vector<int64_t> weights, std::vector<int64_t> out,
                                  Conv2DOptions options) {
  auto c = std::make_unique<Case>();
  c->op.op = std::move(op);
  c->op.options = options;
  auto tensor = [](std::vector<int64_t> shape) {
    TensorDesc desc;
    desc.type = DType::s8;
    desc.shape = std::move(shape);
    desc.quant = {{0.5}, {0}, -1};
    return desc;
  };
  c->op.inputs = {tensor(std::move(in)), tensor(std::move(weights))};
  c->op.outputs = {tensor(std::move(out))};
  for (const TensorDesc &input : c->op.inputs)
    c->inputs.emplace_back(input.bytes(), 1);
  c->op.inputs[1].isConstant = true;
  c->op.inputs[1].constant = llvm::ArrayRef<char>(c->inputs[1]);
  return c;
}

OverlapRule portableRule(const OperatorDesc &op) {
  for (const KernelRow &row : allKernels())
    if (row.op == op.op && row.level == "ref" && row.reject(op).empty()) {
      llvm::Expected<KernelCall> call = row.prepare(op);
      REQUIRE(bool(call));
      return call->overlaps.at(0);
    }
  FAIL("no portable kernel");
  return {};
}

} // namespace

TEST_CASE("input and output overlap as far as the kernel says") {
  for (const KernelRow *row : runnableRows())
    DYNAMIC_SECTION(row->symbol.str()) {
      forCases(*row, 200, [&](const Case &c, const KernelCall &call) {
        const std::vector<char> apart = runKernel(call, c);
        // Every kernel says something about every operand but weights that are
        // read again for each row.
        if (c.op.op != "fully_connected")
          CHECK(call.overlaps.size() >= call.operands.size());
        for (const OverlapRule &rule : call.overlaps)
          for (bool descending : {false, true}) {
            auto distance = distanceOf(rule, descending);
            REQUIRE(distance);
            // The smallest distance, and the next one allowed.
            const int64_t unit = unitOf(c, call, rule);
            const int64_t least = roundedUp(*distance, unit);
            std::vector<int64_t> blocks = {1};
            if (call.rows && call.rows->maxBlockRows != 1)
              blocks = {1, 2, 3, 0};
            for (int64_t blockRows : blocks)
              for (int64_t d : {least, least + unit, least + 5 * unit}) {
                if (call.rows && call.rows->maxBlockRows &&
                    (!blockRows || blockRows > call.rows->maxBlockRows))
                  continue;
                INFO("distance " << d << (descending ? ", down" : ", up") << ", blocks of "
                                 << blockRows);
                if (runOverlapped(call, c, rule, descending, d, blockRows) != apart)
                  FAIL("differs from the run with separate buffers");
              }
          }
      });
    }
}

TEST_CASE("distances are the smallest that the order of reads and writes allows") {
  for (const KernelRow &row : allKernels())
    DYNAMIC_SECTION(row.symbol.str()) {
      int all = 0, exact = 0;
      forCases(row, 150, [&](const Case &c, const KernelCall &call) {
        for (const OverlapRule &rule : call.overlaps)
          for (bool descending : {false, true}) {
            const int64_t said = *distanceOf(rule, descending);
            const std::vector<Step> steps = stepsOf(c, call, rule, descending);
            const auto smallest = rule.multiple == 1
                                      ? smallestDistance(steps, descending)
                                      : smallestMultiple(steps, descending, rule.multiple, said);
            INFO((descending ? "down " : "up ") << said);
            ++all;
            if (!smallest) { // any place will do
              const TensorDesc &in = c.op.inputs[call.operands[rule.input]];
              exact += said <= -std::max(in.bytes(), c.op.outputs[0].bytes());
              continue;
            }
            if (said < *smallest)
              FAIL("smaller than " << *smallest);
            exact += said == *smallest;
          }
      });
      INFO(exact << " of " << all << " are the smallest");
      CHECK(exact * 10 >= all * 9);
    }
}

/// Elements that a kernel of generic/kernels/lanes_f32.h reads before it writes any
/// of them; 1: another kernel's.
static int64_t lanesOf(const KernelRow &row) {
  const bool lanes = row.variant == "f32" && !row.op.contains("conv_2d") &&
                     row.op != "fully_connected" && row.level.starts_with("avx");
  return !lanes ? 1 : row.level == "avx2" ? 8 : 16;
}

TEST_CASE("with a smaller distance the device code goes wrong") {
  for (const KernelRow *row : runnableRows()) {
    // A value above what was the maximum reads before its table: a trap.
    if (row->op == "softmax")
      continue;
    DYNAMIC_SECTION(row->symbol.str()) {
      Random random(11);
      int all = 0, wrong = 0;
      forCases(*row, 80, [&](Case &c, const KernelCall &call) {
        for (const OverlapRule &rule : call.overlaps)
          for (bool descending : {false, true}) {
            const int64_t unit = unitOf(c, call, rule);
            const int64_t least = roundedUp(*distanceOf(rule, descending), unit);
            const auto operand = size_t(call.operands[rule.input]);
            const TensorDesc &in = c.op.inputs[operand];
            // No reads after the first write.
            if (least <= -std::min(in.bytes(), c.op.outputs[0].bytes()) ||
                (lanesOf(*row) > 1 && c.op.outputs[0].elements() <= lanesOf(*row)))
              continue;
            ++all;
            // An overwritten byte may have had that value, or no influence on
            // the rounded and clamped result: some tries.
            for (int i = 0; i < 12; ++i) {
              if (runOverlapped(call, c, rule, descending, least - unit, 1) != runKernel(call, c)) {
                ++wrong;
                break;
              }
              if (in.type == DType::s8)
                for (char &byte : c.inputs[operand])
                  byte = char(random.in(-128, 127));
            }
          }
      });
      INFO(wrong << " of " << all << " go wrong");
      // QUANTIZE loses the lowest byte of a float, which hardly counts.
      CHECK(wrong * 10 >= all * (row->op == "quantize" ? 3 : 6));
    }
  }
}

// I, C: bytes of an input, output pixel; W: pixels of a row.
TEST_CASE("distances of convolutions by hand") {
  SECTION("1x1, C <= I: the last channel of the first pixel") {
    // C - 1 = 3 bytes are written when pixel 0 is read for the last time; for
    // later ones it is less.
    auto c = convolution("conv_2d", {1, 1, 5, 6}, {4, 1, 1, 6}, {1, 1, 5, 4}, {});
    CHECK(portableRule(c->op).ascending == 3);
    // Down: channel 0 of the last pixel, byte 16, is computed when 17 to 19 are
    // written and 0 to 29 are needed.
    CHECK(portableRule(c->op).descending == 30 - 17);
  }
  SECTION("3x3, stride 1, C = I") {
    Conv2DOptions same;
    same.padding = {1, 1, 1, 1};
    auto c = convolution("conv_2d", {1, 6, 5, 4}, {4, 3, 3, 4}, {1, 6, 5, 4}, same);
    // A window begins W + 1 = 6 pixels above: 24 bytes, and 3 channels are
    // written before the last is computed. Down: the window ends 7 pixels
    // behind the pixel's beginning, of which 3 channels are written.
    CHECK(portableRule(c->op).ascending == 27);
    CHECK(portableRule(c->op).descending == 27);
  }
  SECTION("depthwise 3x3, stride 1: channels do not need each other") {
    Conv2DOptions same;
    same.padding = {1, 1, 1, 1};
    auto c = convolution("depthwise_conv_2d", {1, 6, 5, 4}, {1, 3, 3, 4}, {1, 6, 5, 4}, same);
    CHECK(portableRule(c->op).ascending == 24);
    CHECK(portableRule(c->op).descending == 24);
  }
  SECTION("fully connected, one row") {
    OperatorDesc op;
    op.op = "fully_connected";
    auto c = convolution("", {1, 10}, {4, 10}, {1, 4}, {});
    op.inputs = c->op.inputs;
    op.outputs = c->op.outputs;
    op.options = FullyConnectedOptions{};
    // All but one result are written when the input is read for the last time.
    CHECK(portableRule(op).ascending == 3);
    // 1 to 3 are written, 0 to 9 needed.
    CHECK(portableRule(op).descending == 9);
  }
}

TEST_CASE("distances of broadcast and concatenated operands by hand") {
  auto tensor = [](std::vector<int64_t> shape) {
    TensorDesc desc;
    desc.type = DType::s8;
    desc.shape = std::move(shape);
    desc.quant = {{0.5}, {0}, -1};
    return desc;
  };
  OperatorDesc op;
  op.op = "add";
  op.inputs = {tensor({2, 3, 4}), tensor({4})};
  op.outputs = {tensor({2, 3, 4})};
  op.options = BinaryOptions{};
  // The last element of both is read when 23 results are written: 23 - 3 for
  // the second operand. Down, it may start where the result starts.
  const KernelRow *row = nullptr;
  for (const KernelRow &each : allKernels())
    if (each.op == "add" && each.reject(op).empty())
      row = &each;
  REQUIRE(row);
  llvm::Expected<KernelCall> call = row->prepare(op);
  REQUIRE(bool(call));
  CHECK(call->overlaps.at(0).ascending == 0);
  CHECK(call->overlaps.at(0).descending == 0);
  CHECK(call->overlaps.at(1).ascending == 20);
  CHECK(call->overlaps.at(1).descending == 0);

  op.op = "concatenation";
  op.inputs = {tensor({2, 3}), tensor({2, 5})};
  op.outputs = {tensor({2, 8})};
  op.options = ConcatOptions{1, Activation::none};
  // Row 1 of the first operand (bytes 3 to 5) is read when 8 are written; of
  // the second one (5 to 9), when 11 are. Down, the second's row 0 (0 to 4) is
  // read when 8 to 15 are written, and the first's (0 to 2) when 3 to 15 are.
  const OperatorDesc joined = op;
  for (const KernelRow &each : allKernels())
    if (each.op == "concatenation" && each.reject(joined).empty())
      row = &each;
  llvm::Expected<KernelCall> concat = row->prepare(joined);
  REQUIRE(bool(concat));
  CHECK(concat->overlaps.at(0).ascending == 5);
  CHECK(concat->overlaps.at(0).descending == 0);
  CHECK(concat->overlaps.at(1).ascending == 6);
  CHECK(concat->overlaps.at(1).descending == -3);
}
