// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host side of kernels/requantize_s8.h.
#pragma once

#include "targets/generic/Channels.h"

#include "llvm/ADT/ArrayRef.h"

#include <array>

namespace aotc::x86 {

/// The channels of a layer, and how they can be requantised.
class Requantization {
public:
  /// The activation cuts results below `min`.
  Requantization(std::vector<IntChannel> channels, int32_t zeroPoint, int32_t min);

  /// AOTC_REQUANTIZE_*.
  int32_t how() const { return mode; }

  /// Appends the words of eight lanes; lanes[i] is the channel of lane i, one
  /// past the last if absent.
  void append(std::vector<int32_t> &words, const std::array<int64_t, 8> &lanes) const;

  /// Appends the vectors of kernels/bytes_vnni.h, of any number of lanes.
  void appendVectors(std::vector<int32_t> &words, llvm::ArrayRef<int64_t> lanes) const;

private:
  const IntChannel &at(int64_t channel) const;
  /// What is added to h before the last shift; `below`: where h is negative.
  int32_t constant(int64_t channel, bool below) const;
  std::vector<IntChannel> channels;
  int32_t zeroPoint, mode;
};

/// The lanes of `vectors` registers that hold channels from `first` on, such
/// that bytes packed in pairs of registers, a last odd one alone, are in order.
std::vector<std::array<int64_t, 8>> packingOrder(int64_t first, int64_t vectors);

} // namespace aotc::x86
