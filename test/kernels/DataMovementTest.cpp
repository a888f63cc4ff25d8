// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PAD, TRANSPOSE and CONCATENATION: every element of the result is found at its place in
// an operand, or is padding.
#include "Values.h"

using namespace aotc;
using namespace aotc::test;

static const std::initializer_list<DType> types = {DType::s8,  DType::u8,  DType::s16,
                                                   DType::s32, DType::s64, DType::f32};

TEST_CASE("pad surrounds a tensor with its zero point") {
  auto type = GENERATE(values(types));
  Random random(41);
  for (int round = 0; round < 150; ++round) {
    auto c = randomCase("pad", type, random);
    const TensorDesc &in = c->op.inputs[0], &out = c->op.outputs[0];
    const PadOptions &options = c->op.as<PadOptions>();
    std::vector<double> got = results(*c);
    for (size_t i = 0; i < got.size(); ++i) {
      std::vector<int64_t> at = unflatten(int64_t(i), out.shape);
      bool inside = true;
      for (size_t d = 0; d < at.size(); ++d) {
        at[d] -= options.before[d];
        inside &= at[d] >= 0 && at[d] < in.shape[d];
      }
      double expected = inside              ? inputValue(*c, 0, flatten(at, in.shape))
                        : out.quant.empty() ? 0
                                            : double(out.quant.zeroPoint());
      // Random bits may be a NaN, which equals nothing.
      if (got[i] != expected && !(got[i] != got[i] && expected != expected))
        FAIL("round " << round << ", element " << i << ": " << got[i] << " is not " << expected);
    }
  }
}

TEST_CASE("pad may be given its operand inside its result") {
  // 2x3 padded by 1 before and 2 after the rows, 1 after each row: 20 bytes,
  // the last element is followed by 1 + 2 * 4 = 9. First to last the operand
  // must lie 20 - 6 - 9 = 5 bytes up, last to first 4 (where its first row
  // goes) or less.
  std::vector<int8_t> x = {1, 2, 3, 4, 5, 6};
  TensorDesc in = described(DType::s8, 1, 0), out = in;
  in.shape = {2, 3};
  out.shape = {5, 4};
  auto c = unaryCase("pad", in, out, x, PadOptions{{1, 0}, {2, 1}});
  llvm::Expected<KernelCall> call = preparePortable(*c);
  REQUIRE(bool(call));
  REQUIRE(call->overlaps.size() == 1);
  CHECK(call->overlaps[0].ascending == 5);
  CHECK(call->overlaps[0].descending == -4);
}

TEST_CASE("transpose finds every element at its permuted place") {
  auto type = GENERATE(values(types));
  Random random(59);
  for (int round = 0; round < 300; ++round) {
    auto c = randomCase("transpose", type, random);
    const TensorDesc &in = c->op.inputs[0], &out = c->op.outputs[0];
    const std::vector<int64_t> &perm = c->op.as<TransposeOptions>().perm;
    std::vector<double> got = results(*c);
    for (size_t i = 0; i < got.size(); ++i) {
      std::vector<int64_t> at = unflatten(int64_t(i), out.shape), from(at.size());
      for (size_t d = 0; d < at.size(); ++d)
        from[perm[d]] = at[d];
      double expected = inputValue(*c, 0, flatten(from, in.shape));
      if (got[i] != expected && !(got[i] != got[i] && expected != expected))
        FAIL("round " << round << ", element " << i << ": " << got[i] << " is not " << expected);
    }
  }
}

TEST_CASE("transpose of a matrix may be given its operand a little above or below its result") {
  // 2x3 to 3x2. In order of the result, the elements read are 0 3 1 4 2 5;
  // element 2 is read when four have been written, so the operand must begin 2
  // higher. Last to first they are 5 2 4 1 3 0, seen from the end 0 3 1 4 2 5.
  std::vector<int8_t> x = {1, 2, 3, 4, 5, 6};
  TensorDesc in = described(DType::s8, 1, 0), out = in;
  in.shape = {2, 3};
  out.shape = {3, 2};
  auto c = unaryCase("transpose", in, out, x, TransposeOptions{{1, 0}});
  llvm::Expected<KernelCall> call = preparePortable(*c);
  REQUIRE(bool(call));
  REQUIRE(call->overlaps.size() == 1);
  CHECK(call->overlaps[0].ascending == 2);
  CHECK(call->overlaps[0].descending == 2);
  CHECK(results(*c) == std::vector<double>{1, 4, 2, 5, 3, 6});
}

TEST_CASE("transpose of more than six dimensions that cannot be joined is refused") {
  TensorDesc in = described(DType::s8, 1, 0), out = in;
  in.shape.assign(7, 2), out.shape = in.shape;
  std::vector<int8_t> x(128);
  auto reversed = unaryCase("transpose", in, out, x, TransposeOptions{{6, 5, 4, 3, 2, 1, 0}});
  llvm::Expected<KernelCall> call = preparePortable(*reversed);
  REQUIRE(!call);
  CHECK(llvm::toString(call.takeError()) == "transposition of more than 6 dimensions");
  // The last two stay together: six.
  auto joined = unaryCase("transpose", in, out, x, TransposeOptions{{5, 6, 4, 3, 2, 1, 0}});
  CHECK(bool(preparePortable(*joined)));
}

TEST_CASE("concatenation joins operands along an axis") {
  auto type = GENERATE(values(types));
  Random random(43);
  for (int round = 0; round < 150; ++round) {
    auto c = randomCase("concatenation", type, random);
    const TensorDesc &out = c->op.outputs[0];
    int64_t axis = c->op.as<ConcatOptions>().axis;
    std::vector<double> got = results(*c);
    for (size_t i = 0; i < got.size(); ++i) {
      std::vector<int64_t> at = unflatten(int64_t(i), out.shape);
      size_t operand = 0;
      while (at[axis] >= c->op.inputs[operand].shape[axis])
        at[axis] -= c->op.inputs[operand++].shape[axis];
      double expected = inputValue(*c, operand, flatten(at, c->op.inputs[operand].shape));
      if (got[i] != expected && !(got[i] != got[i] && expected != expected))
        FAIL("round " << round << ", element " << i << ": " << got[i] << " is not " << expected);
    }
  }
}

TEST_CASE("int8 concatenation refuses to rescale") {
  Random random(47);
  auto c = randomCase("concatenation", DType::s8, random);
  c->op.inputs[0].quant.scales[0] *= 2;
  TargetSpec target;
  target.levels = "ref";
  KernelChoice choice = chooseKernel(c->op, target);
  CHECK(!choice.row);
  CHECK(choice.remark == "input and output differ in scale or zero point");
}

TEST_CASE("a call that says it only moves bytes does just that") {
  auto op = GENERATE("pad", "transpose", "concatenation");
  Random random(53);
  int moving = 0;
  for (int round = 0; round < 600; ++round) {
    auto c = randomCase(op, DType::s8, random);
    if (round % 4 == 0 && c->op.op == "concatenation" && c->op.as<ConcatOptions>().axis != 0)
      continue; // more of those that do
    if (round % 4 == 0 && c->op.op == "pad") {
      PadOptions &options = std::get<PadOptions>(c->op.options);
      options.before.assign(options.before.size(), 0);
      options.after = options.before;
      c->op.outputs[0].shape = c->op.inputs[0].shape;
    }
    if (round % 4 == 0 && c->op.op == "transpose") {
      std::vector<int64_t> &perm = std::get<TransposeOptions>(c->op.options).perm;
      std::sort(perm.begin(), perm.end());
      c->op.outputs[0].shape = c->op.inputs[0].shape;
    }
    llvm::Expected<KernelCall> call = preparePortable(*c);
    REQUIRE(bool(call));
    if (call->moves.empty())
      continue;
    ++moving;
    std::vector<char> got = runKernel(*call, *c);
    std::vector<char> expected(got.size());
    std::vector<int> written(got.size());
    for (const Move &move : call->moves)
      for (int64_t i = 0; i < move.bytes; ++i) {
        expected.at(move.outputOffset + i) =
            c->inputs.at(call->operands.at(move.input)).at(move.inputOffset + i);
        ++written[move.outputOffset + i];
      }
    REQUIRE(written == std::vector<int>(got.size(), 1));
    REQUIRE(got == expected);
  }
  REQUIRE(moving > 50);
}
