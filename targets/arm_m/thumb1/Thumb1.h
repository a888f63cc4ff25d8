// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the int8 layers for Armv6-M share on the host: an exact rounding of two
// short products, and the stream of weights (kernels/thumb1_stream.h).
#pragma once

#include "targets/Kernel.h"
#include "targets/arm_m/thumb1/kernels/thumb1_stream.h"
#include "targets/generic/Channels.h"

#include <optional>
#include <string>
#include <vector>

namespace aotc {

/// How a channel's sum becomes its output (kernels/thumb1_stream.h).
struct Thumb1Tail {
  int32_t start = 0; ///< bias, less the last accumulator of the least output
  int64_t mantissa = 0;
  int32_t round = 0;
  int32_t top = 0;   ///< the first accumulator of the greatest output
  int32_t zero = 0;  ///< the first accumulator that is not negative
  int32_t below = 0; ///< what to add to `round` below `zero`
};

/// Channels whose output no input changes are found, and have weights of 0.
struct Thumb1Layer {
  std::vector<IntChannel> channels;
  std::vector<Thumb1Tail> tails; ///< one per channel
  aotc_thumb1_tail kind = aotc_thumb1_fit;
};

/// "" if two products of neighbours fit 16 bits, whatever the order of the taps.
std::string rejectThumb1Weights(const std::vector<IntChannel> &channels);

/// Nothing if some channel has no exact tail: its accumulators leave 30 bits, its
/// multiplier is above 1 or so small that its outputs span 2^20 accumulators.
std::optional<Thumb1Layer> thumb1Layer(std::vector<IntChannel> channels, int32_t zeroPoint,
                                       ClampRange range);

/// The words of a channel's tail in the order of the stream.
std::vector<int32_t> thumb1TailWords(const Thumb1Layer &layer, size_t channel);

/// The stream of a convolution. `order` has the taps as the device reads them, -1
/// where there is none; a multiple of four.
KernelData thumb1Stream(const Thumb1Layer &layer, llvm::ArrayRef<int32_t> order);

namespace conv_2d_s8_gather_thumb1 {
std::string reject(const OperatorDesc &op);
llvm::Expected<KernelCall> prepare(const OperatorDesc &op);
} // namespace conv_2d_s8_gather_thumb1

} // namespace aotc
