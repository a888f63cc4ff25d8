// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host side of SOFTMAX and MEAN: the fixed-point parameters of TFLite's
// reference kernels.
#include "targets/generic/kernels/reduce.h"
#include "targets/generic/Checks.h"
#include "targets/generic/Overlap.h"
#include "targets/generic/Requantize.h"
#include "targets/generic/kernels/softmax_s8.h"

#include <algorithm>
#include <cmath>

namespace aotc {
namespace {

std::string rejectSoftmax(const OperatorDesc &op, DType type) {
  if (std::string reason = rejectInOut<SoftmaxOptions>(op, type, type); !reason.empty())
    return reason;
  const TensorDesc &in = op.inputs[0], &out = op.outputs[0];
  if (std::string reason = rejectShapeChange(in, out); !reason.empty())
    return reason;
  if (in.shape.empty())
    return "scalar input";
  double beta = op.as<SoftmaxOptions>().beta;
  return std::isfinite(float(beta)) && beta >= 0 ? "" : "beta";
}

KernelCall softmaxCall(const OperatorDesc &op) {
  const TensorDesc &in = op.inputs[0];
  int64_t depth = in.shape.back();
  KernelCall call;
  call.shape = paramWords(aotc_softmax_shape{int32_t(in.elements() / depth), int32_t(depth)});
  call.operands = {0};
  // A row is read in full, at the latest element by element as it is written.
  call.overlaps = {
      overlapOf(pixelByPixel(in.elements(), dtypeSize(in.type), dtypeSize(in.type), 1))};
  return call;
}

/// e^-x, 31 fraction bits, of every difference x from a row's maximum, from 0 on
/// and up to the first from which on none has a part in any result; there stands 0.
/// A difference times `multiplier` (its shift not negative) is beta * x.
std::vector<int32_t> softmaxExponentials(FixedMultiplier multiplier, int integerBits) {
  // Products of larger differences would exceed the integer bits: they count as 0.
  const int64_t largest = ((int64_t(1) << integerBits) - 1) << (31 - integerBits);
  const int64_t most = std::min<int64_t>(largest >> multiplier.shift, 255);
  std::vector<int32_t> exponentials;
  for (int64_t x = 0; x <= most; ++x)
    exponentials.push_back(aotc_softmax_exp(
        aotc_softmax_mul(int32_t(-x * (int64_t(1) << multiplier.shift)), multiplier.mantissa)));
  // One below 2^11 adds nothing to a sum, which is rounded to steps of 2^12. It is
  // less than 2^11 * 2^-31 = 2^-20, and the sum at least 1: its result, 256 times
  // the quotient, is less than 2^-12 of a step and rounds to 0.
  while (exponentials.back() < 1 << 11)
    exponentials.pop_back();
  if (exponentials.size() < 256)
    exponentials.push_back(0);
  return exponentials;
}

/// Neighbouring axes that are both averaged or both kept.
struct Run {
  int64_t size;
  bool reduced;
};

/// Outermost first, without axes of size 1.
std::vector<Run> meanRuns(const OperatorDesc &op) {
  const std::vector<int64_t> &shape = op.inputs[0].shape;
  const std::vector<int64_t> &axes = op.as<ReduceOptions>().axes;
  std::vector<Run> runs;
  for (size_t i = 0; i < shape.size(); ++i) {
    bool reduced = std::find(axes.begin(), axes.end(), int64_t(i)) != axes.end();
    if (shape[i] == 1)
      continue;
    if (!runs.empty() && runs.back().reduced == reduced)
      runs.back().size *= shape[i];
    else
      runs.push_back({shape[i], reduced});
  }
  return runs;
}

/// Elements that one result is the mean of.
int64_t meanElements(const OperatorDesc &op) {
  return op.inputs[0].elements() / op.outputs[0].elements();
}

std::string rejectMean(const OperatorDesc &op, DType type) {
  if (std::string reason = rejectInOut<ReduceOptions>(op, type, type); !reason.empty())
    return reason;
  const TensorDesc &in = op.inputs[0], &out = op.outputs[0];
  int64_t last = -1;
  for (int64_t axis : op.as<ReduceOptions>().axes) {
    if (axis <= last || axis >= int64_t(in.shape.size()))
      return "axes out of range or order";
    last = axis;
  }
  int64_t kept = 1, keptRuns = 0, reducedRuns = 0;
  for (const Run &run : meanRuns(op)) {
    kept *= run.reduced ? 1 : run.size;
    ++(run.reduced ? reducedRuns : keptRuns);
  }
  if (kept != out.elements())
    return "axes do not give the output's shape";
  if (std::max(keptRuns, reducedRuns) > AOTC_MEAN_RANK)
    return "mean over more than 4 separate axes";
  return "";
}

/// Results are written one by one, each when its elements have been read. In
/// elements: the result at index i of every kept axis begins to read at
/// i * keep_stride and is written to i * the product of the sizes below.
OverlapRule meanOverlap(const OperatorDesc &op, const aotc_mean_shape &shape) {
  const int64_t size = dtypeSize(op.inputs[0].type);
  const int64_t inBytes = op.inputs[0].bytes(), outBytes = op.outputs[0].bytes();
  int64_t span = 0; // from the first to the last element of one result
  for (int d = 0; d < AOTC_MEAN_RANK; ++d)
    span += int64_t(shape.reduce[d] - 1) * shape.reduce_stride[d];
  // Reads lead writes by ever more, so that the second result of the nearest
  // axis decides; last to first, the last but one.
  std::optional<int64_t> least;
  int64_t all = 0, below = 1;
  for (int d = AOTC_MEAN_RANK; d-- > 0;) {
    const int64_t lead = shape.keep_stride[d] - below;
    if (shape.keep[d] > 1)
      least = std::min(least.value_or(lead), lead);
    all += (shape.keep[d] - 1) * lead;
    below *= shape.keep[d];
  }
  OverlapRule rule;
  const int64_t any = anyDistance(inBytes, outBytes);
  rule.ascending = least ? -*least * size : any;
  rule.descending = least ? (span + all - *least) * size : any;
  return rule;
}

KernelCall meanCall(const OperatorDesc &op) {
  aotc_mean_shape shape = {};
  for (int i = 0; i < AOTC_MEAN_RANK; ++i)
    shape.keep[i] = shape.reduce[i] = 1;
  std::vector<Run> runs = meanRuns(op);
  int keep = AOTC_MEAN_RANK, reduce = AOTC_MEAN_RANK;
  int64_t stride = 1;
  for (size_t i = runs.size(); i-- > 0;) {
    if (runs[i].reduced) {
      shape.reduce[--reduce] = int32_t(runs[i].size);
      shape.reduce_stride[reduce] = int32_t(stride);
    } else {
      shape.keep[--keep] = int32_t(runs[i].size);
      shape.keep_stride[keep] = int32_t(stride);
    }
    stride *= runs[i].size;
  }
  KernelCall call;
  call.shape = paramWords(shape);
  call.operands = {0};
  call.overlaps = {meanOverlap(op, shape)};
  return call;
}

} // namespace

namespace softmax_s8 {
std::string reject(const OperatorDesc &op) {
  if (std::string reason = rejectSoftmax(op, DType::s8); !reason.empty())
    return reason;
  const TensorDesc &out = op.outputs[0];
  if (std::string reason = firstReason([&] { return rejectPerTensorQuant(op.inputs[0], "input"); },
                                       [&] { return rejectPerTensorQuant(out, "output"); });
      !reason.empty())
    return reason;
  // A term is up to 2^19, their sum 32 bits wide.
  if (op.inputs[0].shape.back() >= int64_t(1) << 13)
    return "rows of more than 8,191 elements";
  // The kernel computes in steps of 1/256; so do all converters.
  if (float(out.quant.scale()) != 1.0f / 256 || out.quant.zeroPoint() != -128)
    return "output is not in steps of 1/256 from -128";
  return "";
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  const int integerBits = 5;
  double real = std::min(op.as<SoftmaxOptions>().beta * op.inputs[0].quant.scale() *
                             (int64_t(1) << (31 - integerBits)),
                         double(INT32_MAX));
  FixedMultiplier multiplier = quantizeMultiplier(real);
  if (multiplier.shift < 0)
    return llvm::createStringError("the input scale is less than 2^-27");
  std::vector<int32_t> exponentials = softmaxExponentials(multiplier, integerBits);
  KernelCall call = softmaxCall(op);
  call.layer = paramWords(aotc_softmax_s8_layer{int32_t(exponentials.size()) - 1});
  call.data.push_back(wordData("exponentials", exponentials));
  return call;
}
} // namespace softmax_s8

namespace softmax_f32 {
std::string reject(const OperatorDesc &op) { return rejectSoftmax(op, DType::f32); }
llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  KernelCall call = softmaxCall(op);
  call.layer = paramWords(aotc_softmax_f32_layer{floatBits(float(op.as<SoftmaxOptions>().beta))});
  return call;
}
} // namespace softmax_f32

namespace mean_s8 {
std::string reject(const OperatorDesc &op) {
  if (std::string reason = rejectMean(op, DType::s8); !reason.empty())
    return reason;
  // Sums of 2^23 elements, 8 bits each and their offset, fit an int32.
  if (meanElements(op) > int64_t(1) << 23)
    return "mean over more than 2^23 elements";
  return firstReason([&] { return rejectPerTensorQuant(op.inputs[0], "input"); },
                     [&] { return rejectPerTensorQuant(op.outputs[0], "output"); });
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  const Quantization &in = op.inputs[0].quant, &out = op.outputs[0].quant;
  llvm::Expected<FixedMultiplier> ratio =
      checkedMultiplier(in.scale() / out.scale(), "ratio of the scales");
  if (!ratio)
    return ratio.takeError();
  // The division by the number of elements is folded into the mantissa, which
  // is truncated; what room the shift has left keeps it long.
  int64_t elements = meanElements(op);
  int32_t room = 0;
  while (int64_t(2) << room <= elements)
    ++room;
  room = std::min(room, 31 + ratio->shift);
  int32_t mantissa = int32_t((int64_t(ratio->mantissa) << room) / elements);
  KernelCall call = meanCall(op);
  call.layer = paramWords(aotc_mean_s8_layer{int32_t(-in.zeroPoint() * elements), mantissa,
                                             ratio->shift - room, int32_t(out.zeroPoint())});
  return call;
}
} // namespace mean_s8

/// Sums of 16 bits of neighbouring channels over one run of axes.
namespace mean_s8_columns {
static std::string rejectAxes(const aotc_mean_shape &shape) {
  constexpr int inner = AOTC_MEAN_RANK - 1;
  if (shape.keep[inner] == 1 || shape.keep_stride[inner] != 1)
    return "the innermost axis does not stay";
  // Unused axes have size 1.
  if (shape.reduce[inner - 1] > 1 || shape.keep[inner - 2] > 1)
    return "several separate runs of axes";
  if (shape.reduce[inner] > 1 && shape.reduce_stride[inner] != shape.keep[inner])
    return "several separate runs of axes";
  return rejectTaps(shape.reduce[inner]);
}

std::string reject(const OperatorDesc &op) {
  if (std::string reason = mean_s8::reject(op); !reason.empty())
    return reason;
  return rejectPrepared(mean_s8::prepare(op), [](const KernelCall &call) {
    return rejectAxes(paramsOf<aotc_mean_shape>(call.shape));
  });
}
llvm::Expected<KernelCall> prepare(const OperatorDesc &op) { return mean_s8::prepare(op); }
} // namespace mean_s8_columns

namespace mean_f32 {
std::string reject(const OperatorDesc &op) { return rejectMean(op, DType::f32); }
llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  KernelCall call = meanCall(op);
  call.layer = paramWords(aotc_mean_f32_layer{floatBits(float(meanElements(op)))});
  return call;
}
} // namespace mean_f32

/// kernels/lanes_f32.h: neighbours of the operand belong to different results.
namespace mean_f32_lanes {
std::string reject(const OperatorDesc &op) {
  if (std::string reason = mean_f32::reject(op); !reason.empty())
    return reason;
  const std::vector<Run> runs = meanRuns(op);
  return runs.empty() || runs.back().reduced ? "the innermost axis is averaged" : "";
}
llvm::Expected<KernelCall> prepare(const OperatorDesc &op) { return mean_f32::prepare(op); }
} // namespace mean_f32_lanes

} // namespace aotc
