// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// reject() of every kernel takes any operator of its name, however malformed,
// and what it lets through prepares and runs within its buffers.
#include "Harness.h"
#include "Values.h"

#include "llvm/ADT/STLExtras.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace aotc;
using namespace aotc::test;

/// One random fault. Constant bytes stay valid memory, perhaps of another size
/// than the shape says.
static void damage(OperatorDesc &op, Random &random) {
  auto anyTensor = [&]() -> TensorDesc * {
    auto &list = random.oneIn(3) ? op.outputs : op.inputs;
    return list.empty() ? nullptr : &list[random.in(0, int64_t(list.size()) - 1)];
  };
  TensorDesc *tensor = anyTensor();
  switch (random.in(0, 13)) {
  case 0:
    if (tensor)
      tensor->shape.clear();
    break;
  case 1:
    if (tensor)
      tensor->shape.push_back(random.in(0, 3));
    break;
  case 2:
    if (tensor && !tensor->shape.empty())
      tensor->shape.pop_back();
    break;
  case 3:
    if (tensor && !tensor->shape.empty())
      tensor->shape[random.in(0, int64_t(tensor->shape.size()) - 1)] = random.of<int64_t>(
          {0, -1, 1, 2, 1 << 16, int64_t(1) << 31, int64_t(1) << 62, INT64_MAX, INT64_MIN});
    break;
  case 4:
    if (tensor)
      tensor->type = random.of({DType::none, DType::f32, DType::s8, DType::u8, DType::s16,
                                DType::s32, DType::s64, DType::boolean});
    break;
  case 5:
    if (tensor)
      tensor->quant = {};
    break;
  case 6:
    if (tensor)
      tensor->quant.zeroPoints.clear();
    break;
  case 7:
    if (tensor)
      tensor->quant.scales.push_back(random.of({0.0, -1.0, 1e300, 0.1, std::nan(""), HUGE_VAL}));
    break;
  case 8:
    if (tensor)
      tensor->quant.zeroPoints.push_back(random.of<int64_t>({0, 1000, INT64_MIN, INT64_MAX}));
    break;
  case 9:
    if (tensor)
      tensor->isConstant = !tensor->isConstant;
    break;
  case 10:
    if (tensor)
      tensor->constant = tensor->constant.drop_back(tensor->constant.size() / 2);
    break;
  case 11: {
    auto &list = random.oneIn(2) ? op.inputs : op.outputs;
    if (!list.empty() && random.oneIn(2))
      list.pop_back();
    else
      list.emplace_back();
    break;
  }
  case 12:
    op.options =
        random.of<OperatorOptions>({UnaryOptions{}, TableOptions{}, Conv2DOptions{},
                                    Pool2DOptions{}, BinaryOptions{}, PadOptions{}, ReduceOptions{},
                                    TransposeOptions{{0, 1}}, ConcatOptions{7, Activation::none}});
    break;
  case 13: {
    int64_t value = random.of<int64_t>({0, -1, 2, 100, 1 << 20, INT32_MAX, INT64_MAX, INT64_MIN});
    if (auto *conv = std::get_if<Conv2DOptions>(&op.options))
      *random.of({&conv->strideH, &conv->strideW, &conv->dilationH, &conv->dilationW,
                  &conv->padding.top, &conv->padding.left, &conv->groups, &conv->depthMultiplier}) =
          value;
    if (auto *pool = std::get_if<Pool2DOptions>(&op.options))
      *random.of({&pool->filterH, &pool->filterW, &pool->strideH, &pool->strideW,
                  &pool->padding.top, &pool->padding.left}) = value;
    if (auto *table = std::get_if<TableOptions>(&op.options))
      table->table.resize(random.of<size_t>({0, 255, 257}));
    if (auto *reduce = std::get_if<ReduceOptions>(&op.options))
      reduce->axes.push_back(value);
    if (auto *concat = std::get_if<ConcatOptions>(&op.options))
      concat->axis = value;
    if (auto *transpose = std::get_if<TransposeOptions>(&op.options))
      random.oneIn(2) || transpose->perm.empty() ? transpose->perm.push_back(value)
                                                 : void(transpose->perm.back() = value);
    if (auto *pad = std::get_if<PadOptions>(&op.options))
      (random.oneIn(2) ? pad->before : pad->after).push_back(value);
    break;
  }
  }
}

TEST_CASE("windows of 2^16 taps have no table in scratch on Cortex-M") {
  Random random(13);
  int rows = 0;
  for (const KernelRow &row : allKernels()) {
    const bool table = row.op == "depthwise_conv_2d" &&
                       ((row.variant == "s8" &&
                         llvm::is_contained({"thumb1", "thumb2", "dsp", "mve"}, row.level)) ||
                        (row.variant == "f32" && llvm::is_contained({"fpu", "mve"}, row.level)));
    if (!table)
      continue;
    ++rows;
    auto c = randomCase(row.op, typeOfVariant(row.variant), random);
    while (!row.reject(c->op).empty() || c->op.as<Conv2DOptions>().dilationW > 2)
      c = randomCase(row.op, typeOfVariant(row.variant), random);
    // Zeros, so that no sum is too large.
    auto refusal = [&](int64_t kernelH, int64_t kernelW) {
      TensorDesc &weights = c->op.inputs[1];
      weights.shape = {1, kernelH, kernelW, weights.shape[3]};
      c->inputs[1].assign(weights.bytes(), 0);
      weights.constant = c->inputs[1];
      return row.reject(c->op);
    };
    INFO(row.symbol.str());
    CHECK(refusal(255, 257) == ""); // 65,535
    CHECK(refusal(256, 256) == "window is too large");
  }
  CHECK(rows == 6);
}

TEST_CASE("scales of tensors are normal floats") {
  // The least normal float is 2^-126; half of it, and what is 0 as a float, are none.
  auto logistic = [](double scale) {
    auto c =
        unaryCase("logistic", described(DType::s8), described(DType::s8), std::vector<int8_t>{1});
    c->op.inputs[0].quant = {{scale}, {0}, -1};
    c->op.outputs[0].quant = {{1.0 / 256}, {-128}, -1};
    return refusal(*c);
  };
  CHECK(logistic(std::ldexp(1.0, -126)) == "");
  CHECK(logistic(std::ldexp(1.0, -127)) == "input's scale is no normal float");
  CHECK(logistic(1e-60) == "input's scale is no normal float");
}

TEST_CASE("sizes that positions and sums of a window cannot have") {
  auto pool = [](int64_t height, int64_t width, int64_t filterH, int64_t filterW) {
    Pool2DOptions options;
    options.filterH = options.strideH = filterH;
    options.filterW = options.strideW = filterW;
    auto c = unaryCase("average_pool_2d", described(DType::s8, 0.5, 0),
                       described(DType::s8, 0.5, 0), std::vector<int8_t>{1}, options);
    c->op.inputs[0].shape = {1, height, width, 1};
    c->op.outputs[0].shape = {1, height / filterH, width / filterW, 1};
    return refusal(*c);
  };
  const std::string large = "window, stride or padding is too large";
  CHECK(pool(1 << 12, 1 << 11, 1 << 12, 1 << 11) == ""); // 2^23 taps
  CHECK(pool(1 << 12, 1 << 12, 1 << 12, 1 << 12) == large);
  CHECK(pool(1, int64_t(1) << 29, 1, 1) == "");
  CHECK(pool(1, int64_t(1) << 30, 1, 1) == large);
}

TEST_CASE("malformed operators are refused or run") {
  Random random(11);
  int refused = 0, ran = 0;
  for (const KernelRow &row : allKernels())
    for (int round = 0; round < 400; ++round) {
      auto c = randomCase(row.op, typeOfVariant(row.variant), random);
      REQUIRE(c);
      for (int64_t faults = random.in(1, 3); faults > 0; --faults)
        damage(c->op, random);
      INFO(row.symbol.str() << " round " << round);
      if (!row.reject(c->op).empty()) {
        ++refused;
        continue;
      }
      llvm::Expected<KernelCall> call = row.prepare(c->op);
      if (!call) {
        CHECK(llvm::toString(call.takeError()) != "");
        continue;
      }
      int64_t bytes = call->scratchBytes;
      for (const TensorDesc &tensor : c->op.outputs)
        bytes += tensor.bytes();
      for (int64_t operand : call->operands) {
        REQUIRE(size_t(operand) < c->op.inputs.size());
        bytes += c->op.inputs[operand].bytes();
      }
      if (!runsHere(row) || bytes > 1 << 20 || (call->rows && call->rows->windowRows > 1 << 16))
        continue;
      for (int64_t operand : call->operands) // damaged shapes, other sizes
        c->inputs[operand].resize(c->op.inputs[operand].bytes());
      runKernel(*call, *c);
      ++ran;
    }
  CHECK(refused > 0);
  CHECK(ran > 0);
}
