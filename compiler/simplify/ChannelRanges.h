// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the channels (last dimension) of a function's int8 tensors can hold, and
// how operators pass channels on. An operator unknown here is sound: it may read
// every channel and give any number.
#pragma once

#include "compiler/ir/NNDialect.h"

#include "llvm/ADT/DenseMap.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace aotc::simplify {

/// Stored numbers from `min` to `max`; empty unless something was included.
struct ChannelRange {
  int64_t min = std::numeric_limits<int64_t>::max();
  int64_t max = std::numeric_limits<int64_t>::min();

  bool isConstant() const { return min == max; }
  void include(ChannelRange other) {
    min = std::min(min, other.min);
    max = std::max(max, other.max);
  }
};

/// Channel `from` of operand `operand` goes into channel `to` of the result.
struct ChannelLink {
  unsigned operand, from, to;
};

/// How an operator treats channels.
struct ChannelFlow {
  enum Kind {
    unknown, ///< any way
    linked,  ///< a channel of the result is made of those linked to it alone, and
             ///< would be so if other channels were missing
    mixed,   ///< CONV_2D, FULLY_CONNECTED: each is a weighted sum of all of operand 0;
             ///< weight i of a sum belongs to channel i modulo their number
  };
  Kind kind = unknown;
  unsigned activations = 0;       ///< so many operands have channels, the others are weights
  std::vector<ChannelLink> links; ///< an operand without: all its channels go into all
  /// Some sums lack terms, as if those channels held the zero point.
  bool padded = false;
};

/// True for what has ranges: tensors of int8 numbers, quantised per tensor, of at
/// least one dimension.
bool hasChannels(mlir::Value value);

/// Ranges of all tensors and flows of all operators of a function's only block.
/// The arithmetic is that of the portable kernels, whose constants it asks for.
class ChannelRanges {
public:
  explicit ChannelRanges(mlir::func::FuncOp function);

  /// One range per channel. Precondition: hasChannels(value), and it is no
  /// constant that is used as weights only.
  llvm::ArrayRef<ChannelRange> of(mlir::Value value) const { return ranges.find(value)->second; }
  const ChannelFlow &flow(mlir::Operation *op) const;

private:
  void visit(nn::NNOpInterface op);

  llvm::DenseMap<mlir::Value, std::vector<ChannelRange>> ranges;
  llvm::DenseMap<mlir::Operation *, ChannelFlow> flows;
};

} // namespace aotc::simplify
