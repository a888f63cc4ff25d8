// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The output channels of an int8 layer as its fast kernels' host sides see them:
// weights in one order whatever the operator, sums, and what no input changes.
#pragma once

#include "targets/generic/Requantize.h"

#include <optional>
#include <utility>
#include <vector>

namespace aotc {

/// One output channel.
struct IntChannel {
  std::vector<int8_t> weights; ///< in the order of the model
  int32_t bias = 0;            ///< input zero point folded in
  FixedMultiplier multiplier;

  /// The output, if no input changes it; the weights are then 0.
  std::optional<int32_t> constant;

  int64_t absoluteSum() const; ///< of the weights
  /// Least and largest accumulator, for inputs of any int8 value.
  std::pair<int64_t, int64_t> reach() const;
};

/// `count` channels of weights O... (`depthwise`: ...C), and the portable kernels'
/// bias and multipliers, which may be empty.
std::vector<IntChannel> intChannels(llvm::ArrayRef<char> weights, int64_t count,
                                    llvm::ArrayRef<char> bias, llvm::ArrayRef<char> multipliers,
                                    bool depthwise = false);

/// Finds the channels whose output no input changes. Their multipliers and
/// biases often fit no fast form, and need none.
void foldConstantChannels(std::vector<IntChannel> &channels, int32_t zeroPoint, ClampRange range);

} // namespace aotc
