// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The roundings that int8 layers of Armv7-M and Armv7E-M share: one
// multiplication of 256 times a sum, one saturating shift, the same for all
// channels; or both roundings of the reference in a few instructions.
#pragma once

#include "targets/generic/Channels.h"
#include "targets/generic/RequantizeFit.h"

namespace aotc {

/// Constants of all channels: out = sat8((round + (256*sum * mantissa >> 32)) >>
/// up).
struct SharedShiftFit {
  int32_t up = 0;
  std::vector<AffineFit> fits;
};

/// The first shift of `ups` that fits all channels; nothing if none does. Sums are
/// accumulators less `offsets` (empty: 0), and within 24 bits.
std::optional<SharedShiftFit> fitSharedShift(const std::vector<IntChannel> &channels,
                                             int32_t zeroPoint, ClampRange range,
                                             llvm::ArrayRef<int32_t> ups,
                                             llvm::ArrayRef<int64_t> offsets = {});

/// True if the channel is sat8((SRDHM(acc, mantissa) + add - (acc < 0)) >> right)
/// with add = half + (zero point << right), half = 1 << (right - 1), right = -shift
/// of 1 ... 22, for all accumulators it can have; these are within 24 bits. Bounds
/// narrower than int8 are not looked at.
bool roundsAway(const IntChannel &channel);

} // namespace aotc
