// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host side of ADD and MUL: broadcasting is reduced to at most six loops, and
// the multipliers are TFLite's.
#include "targets/generic/ElementwiseBinary.h"

#include "targets/generic/Checks.h"
#include "targets/generic/Requantize.h"
#include "targets/generic/kernels/elementwise.h"

#include <algorithm>

namespace aotc {
namespace {

/// A run of neighbouring dimensions along which each operand is either walked
/// or repeated.
struct Run {
  int64_t size;
  bool lhsWalks, rhsWalks;
};

/// The size of `shape` in the i-th dimension of a result of that rank; missing
/// leading dimensions are 1.
int64_t alignedSize(const std::vector<int64_t> &shape, size_t rank, size_t i) {
  size_t missing = rank - shape.size();
  return i < missing ? 1 : shape[i - missing];
}

/// Runs of the result, outermost first; empty if the shapes do not broadcast to
/// the result's.
std::vector<Run> broadcastRuns(const OperatorDesc &op) {
  const std::vector<int64_t> &lhs = op.inputs[0].shape, &rhs = op.inputs[1].shape,
                             &out = op.outputs[0].shape;
  std::vector<Run> runs = {{1, true, true}};
  if (out.size() < std::max(lhs.size(), rhs.size()))
    return {};
  for (size_t i = 0; i < out.size(); ++i) {
    int64_t l = alignedSize(lhs, out.size(), i);
    int64_t r = alignedSize(rhs, out.size(), i);
    if ((l != out[i] && l != 1) || (r != out[i] && r != 1) || out[i] != std::max(l, r))
      return {};
    if (out[i] == 1)
      continue;
    Run run = {out[i], l != 1, r != 1};
    Run &last = runs.back();
    if (last.size == 1)
      last = run;
    else if (last.lhsWalks == run.lhsWalks && last.rhsWalks == run.rhsWalks)
      last.size *= run.size;
    else
      runs.push_back(run);
  }
  return runs;
}

aotc_binary_shape binaryShape(const OperatorDesc &op) {
  std::vector<Run> runs = broadcastRuns(op);
  aotc_binary_shape shape = {};
  std::fill(std::begin(shape.size), std::end(shape.size), 1);
  int32_t lhsStride = 1, rhsStride = 1;
  for (size_t i = 0; i < runs.size(); ++i) {
    const Run &run = runs[runs.size() - 1 - i];
    size_t at = AOTC_BINARY_RANK - 1 - i;
    shape.size[at] = int32_t(run.size);
    shape.lhs_stride[at] = run.lhsWalks ? lhsStride : 0;
    shape.rhs_stride[at] = run.rhsWalks ? rhsStride : 0;
    lhsStride *= run.lhsWalks ? run.size : 1;
    rhsStride *= run.rhsWalks ? run.size : 1;
  }
  return shape;
}

std::string rejectBinary(const OperatorDesc &op, DType type) {
  if (std::string reason = rejectSignature<BinaryOptions>(op, 2, 1); !reason.empty())
    return reason;
  if (std::string reason = firstReason([&] { return rejectTensor(op.inputs[0], type, "input"); },
                                       [&] { return rejectTensor(op.inputs[1], type, "input"); },
                                       [&] { return rejectTensor(op.outputs[0], type, "output"); });
      !reason.empty())
    return reason;
  std::vector<Run> runs = broadcastRuns(op);
  if (runs.empty())
    return "inputs do not broadcast to the output";
  if (runs.size() > AOTC_BINARY_RANK)
    return "broadcast of more than 6 dimensions";
  return "";
}

std::string rejectBinaryS8(const OperatorDesc &op) {
  if (std::string reason = rejectBinary(op, DType::s8); !reason.empty())
    return reason;
  return firstReason([&] { return rejectPerTensorQuant(op.inputs[0], "input"); },
                     [&] { return rejectPerTensorQuant(op.inputs[1], "input"); },
                     [&] { return rejectPerTensorQuant(op.outputs[0], "output"); });
}

KernelCall binaryCall(const OperatorDesc &op) {
  KernelCall call;
  call.shape = paramWords(binaryShape(op));
  call.operands = {0, 1};
  // Results get ahead of an operand that is repeated: first to last, most at
  // the last element; last to first, at the first one, which both have read.
  for (int64_t i = 0; i < 2; ++i)
    call.overlaps.push_back({i, 0, op.outputs[0].bytes() - op.inputs[i].bytes(), 0});
  return call;
}

KernelCall floatCall(const OperatorDesc &op) {
  KernelCall call = binaryCall(op);
  FloatClamp clamp = floatClamp(op.as<BinaryOptions>().activation);
  call.layer = paramWords(aotc_float_clamp_layer{floatBits(clamp.min), floatBits(clamp.max)});
  return call;
}

int32_t zeroPoint(const TensorDesc &tensor) { return int32_t(tensor.quant.zeroPoint()); }

} // namespace

namespace add_s8 {
std::string reject(const OperatorDesc &op) { return rejectBinaryS8(op); }

std::string rejectRepeated(const OperatorDesc &op) {
  if (std::string reason = reject(op); !reason.empty())
    return reason;
  const int64_t elements = op.outputs[0].elements();
  const bool repeated = op.inputs[0].elements() != elements || op.inputs[1].elements() != elements;
  return repeated ? "an operand is repeated" : "";
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  const TensorDesc &lhs = op.inputs[0], &rhs = op.inputs[1], &out = op.outputs[0];
  // At twice the larger scale that operand's multiplier is 1/2 to the bit, and
  // the other's is less: it shifts right.
  double common = 2 * std::max(lhs.quant.scale(), rhs.quant.scale());
  auto operandMultiplier = [&](double scale) {
    FixedMultiplier multiplier = quantizeMultiplier(scale / common);
    multiplier.shift = std::min(multiplier.shift, -1); // not used if 0
    return multiplier;
  };
  FixedMultiplier lhsMultiplier = operandMultiplier(lhs.quant.scale());
  FixedMultiplier rhsMultiplier = operandMultiplier(rhs.quant.scale());
  double outScale = double(1 << AOTC_ADD_S8_LEFT_SHIFT) * out.quant.scale();
  llvm::Expected<FixedMultiplier> outMultiplier =
      checkedMultiplier(common / outScale, "output multiplier");
  if (!outMultiplier)
    return outMultiplier.takeError();
  if (outMultiplier->mantissa == 0) // so small that every result is 0
    outMultiplier->shift = -1;
  if (outMultiplier->shift >= 0)
    return llvm::createStringError("the output scale is less than 2^-18 of an input scale");
  ClampRange clamp = quantizedClamp(op.as<BinaryOptions>().activation, out);
  KernelCall call = binaryCall(op);
  call.shape = paramWords(aotc_add_s8_shape{binaryShape(op), lhs.quant.scale() * 2 == common,
                                            rhs.quant.scale() * 2 == common});
  call.layer = paramWords(
      aotc_add_s8_layer{zeroPoint(lhs), zeroPoint(rhs), zeroPoint(out), lhsMultiplier.mantissa,
                        lhsMultiplier.shift, rhsMultiplier.mantissa, rhsMultiplier.shift,
                        outMultiplier->mantissa, outMultiplier->shift, clamp.min, clamp.max});
  return call;
}
} // namespace add_s8

namespace mul_s8 {
std::string reject(const OperatorDesc &op) { return rejectBinaryS8(op); }

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  const TensorDesc &lhs = op.inputs[0], &rhs = op.inputs[1], &out = op.outputs[0];
  llvm::Expected<FixedMultiplier> multiplier = checkedMultiplier(
      lhs.quant.scale() * rhs.quant.scale() / out.quant.scale(), "output multiplier");
  if (!multiplier)
    return multiplier.takeError();
  ClampRange clamp = quantizedClamp(op.as<BinaryOptions>().activation, out);
  KernelCall call = binaryCall(op);
  call.layer =
      paramWords(aotc_mul_s8_layer{zeroPoint(lhs), zeroPoint(rhs), zeroPoint(out),
                                   multiplier->mantissa, multiplier->shift, clamp.min, clamp.max});
  return call;
}
} // namespace mul_s8

namespace add_f32 {
std::string reject(const OperatorDesc &op) { return rejectBinary(op, DType::f32); }
llvm::Expected<KernelCall> prepare(const OperatorDesc &op) { return floatCall(op); }
} // namespace add_f32

namespace mul_f32 {
std::string reject(const OperatorDesc &op) { return rejectBinary(op, DType::f32); }
llvm::Expected<KernelCall> prepare(const OperatorDesc &op) { return floatCall(op); }
} // namespace mul_f32

} // namespace aotc
