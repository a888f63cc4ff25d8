// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host side of a kernel: when it applies, how constants are packed, how
// much scratch it needs, how its input and output may overlap, what it costs.
// Knows no MLIR; `lower` asks it and writes the answers as attributes.
#pragma once

#include "compiler/support/Operator.h"
#include "targets/Target.h"

#include "llvm/Support/Error.h"

#include <cassert>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace aotc {

/// Constants a kernel reads through `data[i]`: packed weights, bias,
/// multipliers, shifts, tables. All are the model's parameters and counted as
/// weights; shape and layer words are part of the call and counted as code.
struct KernelData {
  std::string name;        ///< "weights", "bias", "multipliers", "table"
  std::vector<char> bytes; ///< little-endian, as the target reads them
  int64_t align = 4;       ///< bytes
};

/// May input `input` (dying) and output `output` share memory, and how far
/// apart must they start? Bytes; absent = not in that direction.
/// ascending: legal if in_start - out_start >= ascending when the kernel runs
/// first to last. descending: legal if out_start - in_start >= descending when
/// it runs last to first. 0 = may start at the same byte.
/// `multiple` > 1: holds only if the distance is a multiple of it.
/// Several rules of one input and output are alternatives: one must hold. (An
/// output that a buffer reaches through two inputs needs a rule for both.)
struct OverlapRule {
  int64_t input = 0, output = 0;
  std::optional<int64_t> ascending, descending;
  int64_t multiple = 1;
};

/// `bytes` bytes of operand `input` from `inputOffset` on appear as they are in
/// output `output` from `outputOffset` on.
struct Move {
  int64_t input = 0, inputOffset = 0, output = 0, outputOffset = 0, bytes = 0;
};

/// A spatial kernel computes a block of output rows from row pointers; the
/// loop over rows belongs to the compiler. All sizes of *one* image; rows of
/// images of a batch follow one another.
struct RowGeometry {
  int64_t batches = 1;
  int64_t inRows = 0, inRowBytes = 0;
  int64_t outRows = 0, outRowBytes = 0;
  int64_t windowRows = 1; ///< input rows one output row spans: (kh-1)*dil + 1
  int64_t stride = 1;
  int64_t padTop = 0;
  int64_t blockRows = 1;    ///< output rows per call the kernel likes best
  int64_t maxBlockRows = 0; ///< scratch and overlaps hold up to this; 0: always
};

/// Bytes of scratch for the `pointers` row pointers of a row kernel's call; 0 if
/// they are few enough for the stack, which no plan accounts for.
int64_t rowTableBytes(int64_t pointers, const TargetSpec &target);

/// A prepared call of one kernel.
struct KernelCall {
  std::string function;          ///< "conv_2d_s8": the device function, of every level
  std::string level;             ///< "ref", "dsp", "avx2": its module
  std::string symbol;            ///< "aotc_conv_2d_s8__ref": see KernelRow::prepare
  std::vector<int32_t> shape;    ///< see KernelABI.h
  std::vector<int32_t> layer;    ///< see KernelABI.h
  std::vector<KernelData> data;  ///< see KernelABI.h
  std::vector<int64_t> operands; ///< operator inputs passed at run time, in
                                 ///< order; the others were packed in data
  int64_t scratchBytes = 0, scratchAlign = 4;
  std::vector<OverlapRule> overlaps; ///< `input` indexes `operands`
  /// Not empty: the call does nothing but these copies, which write every byte
  /// of the outputs once. It then may be replaced by them, or by nothing.
  std::vector<Move> moves;         ///< `input` indexes `operands`
  std::optional<RowGeometry> rows; ///< absent: a flat kernel
  int64_t macs = 0;                ///< multiply-accumulates, for reports
};

/// One row of a Kernels.def.
struct KernelRow {
  llvm::StringRef op;      ///< "conv_2d"
  llvm::StringRef variant; ///< "s8_1x1": dtype and restriction
  llvm::StringRef level;   ///< "ref"
  llvm::StringRef symbol;  ///< "aotc_conv_2d_s8_1x1__dsp": its name in remarks
  /// Empty if the kernel can run the operator, else the reason in a few
  /// words ("int16 activations", "stride is not 1"). Must not throw or crash
  /// for any operator of that name.
  std::string (*reject)(const OperatorDesc &);
  /// The kernel's own part of prepare(). Sets `function` only where rows of other
  /// names share it; prepare() sets level and symbol, and else `<op>_<variant>`.
  llvm::Expected<KernelCall> (*prepareCall)(const OperatorDesc &);

  /// Precondition: reject() was empty. Fails only on what the model is to
  /// blame for (a scale that gives no multiplier, …), with the reason.
  llvm::Expected<KernelCall> prepare(const OperatorDesc &op) const;
};

/// All kernels of all folders, portable ones last.
llvm::ArrayRef<KernelRow> allKernels();

/// A row for an operator, as the choice of a kernel sees it.
struct KernelOffer {
  const KernelRow *row = nullptr;
  std::string refusal; ///< why it is not taken, "rejected: stride is not 1"; empty: it can be
  bool accepts() const { return refusal.empty(); }
};
/// All rows for an operator of this type, best first: the target's levels in
/// order, rows in table order. `onlyLevel` restricts them, e.g. to "ref" (empty:
/// all levels).
std::vector<KernelOffer> kernelOffers(const OperatorDesc &op, const TargetSpec &target,
                                      llvm::StringRef onlyLevel = "");

struct KernelChoice {
  const KernelRow *row = nullptr; ///< null: nothing fits, see remark
  std::string remark;             ///< "aotc_x__dsp; y__dsp rejected: stride is not 1", or
                                  ///< why every kernel refused
};
/// The first offer that accepts, with the refusals before it.
KernelChoice chooseKernel(const OperatorDesc &op, llvm::ArrayRef<KernelOffer> offers);
KernelChoice chooseKernel(const OperatorDesc &op, const TargetSpec &target,
                          llvm::StringRef onlyLevel = "");

/// Copies a parameter struct of int32_t fields into a KernelCall vector.
template <typename Params> std::vector<int32_t> paramWords(const Params &p) {
  static_assert(sizeof(Params) % sizeof(int32_t) == 0);
  const auto *words = reinterpret_cast<const int32_t *>(&p);
  return {words, words + sizeof(Params) / sizeof(int32_t)};
}
/// The parameter struct that paramWords made `words` of.
template <typename Params> Params paramsOf(llvm::ArrayRef<int32_t> words) {
  static_assert(std::is_trivially_copyable_v<Params>);
  assert(words.size() * sizeof(int32_t) == sizeof(Params) && "another kernel's parameters");
  Params p;
  std::memcpy(&p, words.data(), sizeof p);
  return p;
}

} // namespace aotc
