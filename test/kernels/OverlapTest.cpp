// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every overlap distance of every kernel this machine can run: device code runs
// with input and output that far apart; a replay of all reads and writes, made
// from the operator alone, says that no smaller distance would do.
#include "EveryKernel.h"
#include "ReadAtOnce.h"
#include "Replay.h"

#include <algorithm>

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

TEST_CASE("every function in the table of what is read at once is a kernel's") {
  std::set<std::string> symbols;
  for (const KernelRow &row : allKernels())
    forCases(row, 4, [&](const Case &, const KernelCall &call) { symbols.insert(call.symbol); });
  for (const std::string &name : tabledFunctions())
    if (!symbols.count(name))
      FAIL_CHECK("no row has " << name << ", for which ReadAtOnce.cpp has one");
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
            const int64_t lanes = readAtOnce(call).lanes;
            // No reads after the first write.
            if (least <= -std::min(in.bytes(), c.op.outputs[0].bytes()) ||
                (lanes > 1 && c.op.outputs[0].elements() <= lanes))
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
      CHECK(all > 0);
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
