// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How weights and constants of the int8 layers for Armv8.1-M with Helium stand in
// memory, and how sums become outputs; shared by host and device.
//
// Stream, per group of four (FULLY_CONNECTED: eight) channels:
//   weights   per step of 16 inputs: 16 bytes of each channel; where a layer has
//             fewer inputs or channels, zeros
//   tail      per four channels vectors of four words, see aotc_mve_tail
#pragma once

#include <stdint.h>

/// How a layer's sums become outputs; chosen by the host. vqrdmulh(a, b) is
/// (2*a*b + 2^31) >> 32.
enum aotc_mve_tail : int32_t {
  /// One rounding, constants fitted at the steps of the output: vectors bias,
  /// mantissa; sat8((vqrdmulh(acc * scale + bias, mantissa) + (zero << 16) +
  /// 2^15) >> 16).
  aotc_mve_fit = 0,
  /// The reference's two roundings, every multiplier shifting right by at least
  /// 1, bounds those of int8: vectors bias, mantissa, -shift. Halves away from
  /// zero: of negative products one is taken before VRSHL, which rounds half up.
  aotc_mve_away = 1,
  /// The same for any multiplier, bounds and number of channels: vectors bias,
  /// left, mantissa, -right.
  aotc_mve_general = 2,
};

/// Vectors of four words per four channels.
static constexpr int32_t aotc_mve_tail_vectors[] = {2, 3, 4};

/// What the tails take beside the stream.
struct aotc_mve_output {
  int32_t scale;            ///< a power of two; 1 but for aotc_mve_fit
  int32_t zero;             ///< aotc_mve_fit: shifted left by 16
  int32_t act_min, act_max; ///< aotc_mve_general
};
