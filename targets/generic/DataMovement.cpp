// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host side of PAD, TRANSPOSE and CONCATENATION: all become copies of byte runs,
// so one kernel each serves every element type.
#include "targets/Kernel.h"
#include "targets/generic/Checks.h"
#include "targets/generic/kernels/data_movement.h"
#include "targets/generic/kernels/elementwise.h"

#include <algorithm>

namespace aotc {
namespace {

bool isByte(DType type) { return type == DType::s8 || type == DType::u8; }

/// One level of the nest, sizes in units of what lies below it.
struct Level {
  int64_t size, before, after;
};

/// Innermost first; the first level is a run of bytes. A dimension joins the
/// level below it where that one has no padding.
std::vector<Level> padLevels(const OperatorDesc &op) {
  const PadOptions &options = op.as<PadOptions>();
  const TensorDesc &in = op.inputs[0];
  std::vector<Level> levels = {{dtypeSize(in.type), 0, 0}};
  for (size_t i = in.shape.size(); i-- > 0;) {
    Level level = {in.shape[i], options.before[i], options.after[i]};
    Level &below = levels.back();
    if (below.before == 0 && below.after == 0)
      below = {level.size * below.size, level.before * below.size, level.after * below.size};
    else if (level.size != 1 || level.before != 0 || level.after != 0)
      levels.push_back(level);
  }
  return levels;
}

std::string rejectPad(const OperatorDesc &op, DType type) {
  if (std::string reason = rejectInOut<PadOptions>(op, type, type); !reason.empty())
    return reason;
  const TensorDesc &in = op.inputs[0], &out = op.outputs[0];
  const PadOptions &options = op.as<PadOptions>();
  size_t rank = in.shape.size();
  if (out.shape.size() != rank || options.before.size() != rank || options.after.size() != rank)
    return "paddings of another rank";
  for (size_t i = 0; i < rank; ++i) {
    if (options.before[i] < 0 || options.after[i] < 0)
      return "negative padding";
    // Subtracted, as a sum may overflow.
    if (options.before[i] > out.shape[i] ||
        out.shape[i] - options.before[i] - in.shape[i] != options.after[i])
      return "paddings do not give the output's shape";
  }
  if (!out.quant.empty()) {
    if (out.quant.perChannel() || out.quant.zeroPoints.size() != 1)
      return "output with one scale per channel";
    int64_t zeroPoint = out.quant.zeroPoint();
    if (isByte(type) ? zeroPoint < -128 || zeroPoint > 255 : zeroPoint != 0)
      return "zero point of the output";
  }
  if (padLevels(op).size() > AOTC_PAD_RANK)
    return "padding of more than 6 dimensions";
  return "";
}

llvm::Expected<KernelCall> padCall(const OperatorDesc &op) {
  const TensorDesc &in = op.inputs[0], &out = op.outputs[0];
  std::vector<Level> levels = padLevels(op);
  aotc_pad_shape shape = {};
  std::fill(std::begin(shape.count), std::end(shape.count), 1);
  shape.row_bytes = int32_t(levels[0].size);
  int64_t below = 1, leading = 0, trailing = 0; // bytes
  for (size_t i = 0; i < levels.size(); ++i) {
    size_t at = AOTC_PAD_RANK - 1 - i;
    shape.before[at] = int32_t(levels[i].before * below);
    shape.after[at] = int32_t(levels[i].after * below);
    leading += shape.before[at];
    trailing += shape.after[at];
    if (i > 0)
      shape.count[at] = int32_t(levels[i].size);
    below *= levels[i].before + levels[i].size + levels[i].after;
  }

  KernelCall call;
  call.function = "pad_bytes";
  call.shape = paramWords(shape);
  int32_t fill = isByte(in.type) && !out.quant.empty() ? int32_t(out.quant.zeroPoint()) & 0xff : 0;
  call.layer = paramWords(aotc_pad_layer{fill});
  call.operands = {0};
  // First to last, what has been written may reach up to the next byte to be
  // read: the farthest it ever leads is all padding but what follows the last
  // byte. Last to first, likewise, all but what precedes the first byte.
  call.overlaps = {{0, 0, out.bytes() - in.bytes() - trailing, -leading}};
  if (out.bytes() == in.bytes())
    call.moves = {{0, 0, 0, 0, out.bytes()}};
  return call;
}

/// One level of the loops over the result: its size there, and how far it is to
/// the next element in the operand. Bytes for both of the first level, a run.
struct Dimension {
  int64_t size, stride;
};

/// Innermost first. A dimension joins the level below it where the operand has
/// the two side by side as well; those of 1 are left out.
std::vector<Dimension> transposeLevels(const OperatorDesc &op) {
  const TensorDesc &in = op.inputs[0];
  const std::vector<int64_t> &perm = op.as<TransposeOptions>().perm;
  std::vector<int64_t> strides(in.shape.size());
  int64_t bytes = dtypeSize(in.type);
  for (size_t i = in.shape.size(); i-- > 0; bytes *= in.shape[i])
    strides[i] = bytes;
  std::vector<Dimension> levels = {{dtypeSize(in.type), 1}};
  for (size_t i = perm.size(); i-- > 0;) {
    Dimension level = {in.shape[perm[i]], strides[perm[i]]};
    Dimension &below = levels.back();
    if (level.size == 1)
      continue;
    if (level.stride == below.size * below.stride)
      below.size *= level.size;
    else
      levels.push_back(level);
  }
  return levels;
}

std::string rejectTranspose(const OperatorDesc &op, DType type) {
  if (std::string reason = rejectInOut<TransposeOptions>(op, type, type); !reason.empty())
    return reason;
  const TensorDesc &in = op.inputs[0], &out = op.outputs[0];
  const std::vector<int64_t> &perm = op.as<TransposeOptions>().perm;
  if (perm.size() != in.shape.size() || out.shape.size() != perm.size())
    return "permutation of another rank";
  std::vector<bool> seen(perm.size());
  for (size_t i = 0; i < perm.size(); ++i) {
    if (perm[i] < 0 || perm[i] >= int64_t(perm.size()) || seen[perm[i]])
      return "not a permutation";
    seen[perm[i]] = true;
    if (out.shape[i] != in.shape[perm[i]])
      return "permutation does not give the output's shape";
  }
  if (transposeLevels(op).size() > AOTC_TRANSPOSE_RANK + 1)
    return "transposition of more than 6 dimensions";
  return "";
}

llvm::Expected<KernelCall> transposeCall(const OperatorDesc &op) {
  const TensorDesc &in = op.inputs[0], &out = op.outputs[0];
  std::vector<Dimension> levels = transposeLevels(op);
  aotc_transpose_shape shape = {};
  std::fill(std::begin(shape.count), std::end(shape.count), 1);
  shape.run_bytes = int32_t(levels[0].size);
  shape.align = int32_t(dtypeSize(in.type));
  // Where a run is written less where it is read is a sum over the levels: the
  // farthest the one leads, first to last, and the farthest the other does.
  int64_t below = levels[0].size, ahead = 0, behind = 0;
  for (size_t i = 1; i < levels.size(); ++i) {
    shape.count[AOTC_TRANSPOSE_RANK - i] = int32_t(levels[i].size);
    shape.stride[AOTC_TRANSPOSE_RANK - i] = int32_t(levels[i].stride);
    const int64_t lead = (levels[i].size - 1) * (below - levels[i].stride);
    (lead > 0 ? ahead : behind) += lead;
    below *= levels[i].size;
  }

  KernelCall call;
  call.function = "transpose_bytes";
  call.shape = paramWords(shape);
  call.layer = paramWords(aotc_no_layer{0});
  call.operands = {0};
  call.overlaps = {{0, 0, ahead, -behind}};
  if (levels.size() == 1)
    call.moves = {{0, 0, 0, 0, out.bytes()}};
  return call;
}

std::string rejectConcatenation(const OperatorDesc &op, DType type) {
  if (op.inputs.empty())
    return "no inputs";
  if (std::string reason = rejectSignature<ConcatOptions>(op, op.inputs.size(), 1); !reason.empty())
    return reason;
  const TensorDesc &out = op.outputs[0];
  const ConcatOptions &options = op.as<ConcatOptions>();
  if (std::string reason = rejectTensor(out, type, "output"); !reason.empty())
    return reason;
  if (options.activation != Activation::none)
    return "fused activation";
  size_t rank = out.shape.size();
  if (options.axis < 0 || options.axis >= int64_t(rank))
    return "axis out of range";
  int64_t total = 0;
  for (const TensorDesc &in : op.inputs) {
    if (std::string reason = rejectTensor(in, type, "input"); !reason.empty())
      return reason;
    if (in.shape.size() != rank)
      return "inputs of different rank";
    for (size_t i = 0; i < rank; ++i)
      if (int64_t(i) != options.axis && in.shape[i] != out.shape[i])
        return "inputs of different shape";
    total += in.shape[options.axis];
    // Wider integers are copied as they are, as in the reference.
    if (isByte(type) &&
        (in.quant.scales != out.quant.scales || in.quant.zeroPoints != out.quant.zeroPoints))
      return "input and output differ in scale or zero point";
  }
  if (total != out.shape[options.axis])
    return "inputs do not add up to the output";
  return "";
}

llvm::Expected<KernelCall> concatenationCall(const OperatorDesc &op) {
  const TensorDesc &out = op.outputs[0];
  int64_t axis = op.as<ConcatOptions>().axis;
  int64_t outer = 1;
  for (int64_t i = 0; i < axis; ++i)
    outer *= out.shape[i];
  KernelCall call;
  call.function = "concatenation_bytes";
  call.shape = paramWords(aotc_concatenation_shape{int32_t(outer), int32_t(op.inputs.size())});
  call.layer = paramWords(aotc_no_layer{0});
  int64_t before = 0;
  for (size_t i = 0; i < op.inputs.size(); ++i) {
    const int64_t bytes = op.inputs[i].bytes() / outer;
    call.shape.push_back(int32_t(bytes));
    call.operands.push_back(int64_t(i));
    // First to last, the result is farthest ahead at the last row; last to
    // first, at the first one.
    call.overlaps.push_back(
        {int64_t(i), 0, (outer - 1) * (out.bytes() / outer - bytes) + before, -before});
    // Along an inner axis the inputs interleave; each then would be many moves.
    if (outer == 1 && bytes > 0)
      call.moves.push_back({int64_t(i), 0, 0, before, bytes});
    before += bytes;
  }
  return call;
}

} // namespace

#define AOTC_DATA_MOVEMENT(Type)                                                                   \
  namespace pad_##Type {                                                                           \
    std::string reject(const OperatorDesc &op) { return rejectPad(op, DType::Type); }              \
    llvm::Expected<KernelCall> prepare(const OperatorDesc &op) { return padCall(op); }             \
  }                                                                                                \
  namespace transpose_##Type {                                                                     \
    std::string reject(const OperatorDesc &op) { return rejectTranspose(op, DType::Type); }        \
    llvm::Expected<KernelCall> prepare(const OperatorDesc &op) { return transposeCall(op); }       \
  }                                                                                                \
  namespace concatenation_##Type {                                                                 \
    std::string reject(const OperatorDesc &op) { return rejectConcatenation(op, DType::Type); }    \
    llvm::Expected<KernelCall> prepare(const OperatorDesc &op) { return concatenationCall(op); }   \
  }
AOTC_DATA_MOVEMENT(s8)
AOTC_DATA_MOVEMENT(u8)
AOTC_DATA_MOVEMENT(s16)
AOTC_DATA_MOVEMENT(s32)
AOTC_DATA_MOVEMENT(s64)
AOTC_DATA_MOVEMENT(f32)
#undef AOTC_DATA_MOVEMENT

} // namespace aotc
