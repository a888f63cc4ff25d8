// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the int8 layers for Armv7-M share on the host: the cheapest exact
// rounding, the stream of weights (kernels/thumb2_stream.h has its format).
#pragma once

#include "targets/Kernel.h"
#include "targets/arm_m/SharedShift.h"
#include "targets/arm_m/thumb2/kernels/thumb2_stream.h"

#include <array>

namespace aotc {

/// What the device's sum of a channel lacks.
enum class Thumb2Sums {
  bias,      ///< the bias: weights and inputs are signed
  offsetBias ///< also 128 * sum of the weights, for inputs are 128 too large
};

/// A layer's channels and how its sums become outputs. Channels whose output no
/// input changes are found, and have weights of 0.
struct Thumb2Layer {
  std::vector<IntChannel> channels;
  std::vector<int64_t> offsets; ///< accumulator - sum, one per channel
  int32_t zeroPoint = 0;        ///< of the output
  aotc_thumb2_tail tail = aotc_thumb2_general;
  SharedShiftFit fit; ///< aotc_thumb2_fit

  /// The words of a channel's tail: mantissa, round (aotc_thumb2_fit); mantissa,
  /// add, right, bias (aotc_thumb2_away); of none beyond the last: zeros.
  std::vector<int32_t> tailWords(size_t channel) const;
  /// aotc_thumb2_general: what is added to the sums.
  KernelData biasData() const;
};
Thumb2Layer thumb2Layer(std::vector<IntChannel> channels, Thumb2Sums sums, int32_t zeroPoint,
                        ClampRange range);

namespace conv_2d_s8_thumb2 {
std::string reject(const OperatorDesc &op);
llvm::Expected<KernelCall> prepare(const OperatorDesc &op);
} // namespace conv_2d_s8_thumb2

} // namespace aotc
