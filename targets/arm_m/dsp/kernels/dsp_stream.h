// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How weights and constants of the packed int8 layers for Armv7E-M stand in
// memory, and how sums become outputs; shared by host and device.
//
// The weights of two output channels u, v share a halfword 256*u + v. SMLAD with
// such words sums 256*U + V over two inputs; SXTB16 of the same word leaves v,
// and a second SMLAD sums V. 256*U = (256*U + V) - V is exact modulo 2^32 while
// |U| < 2^23, which the host checks.
//
// Stream, per group of four (FULLY_CONNECTED: eight) channels u, v, s, t:
//   first values   256*U + V, V, 256*S + T, T
//   weights        per two taps a, b: halfwords (a, b) of pair uv, then of pair
//                  st; where a layer has fewer taps or channels, zeros
//   tail           aotc_dsp_fit: per pair mantissa_u, mantissa_v, round_u,
//                  round_v; aotc_dsp_away: per channel mantissa, add, right;
//                  aotc_dsp_general: nothing, and all first values are 0
#pragma once

#include <stdint.h>

/// How a layer's sums become outputs; chosen by the host.
enum aotc_dsp_tail : int32_t {
  /// One rounding, constants fitted at the steps of the output:
  /// sat8((round + (256*acc * mantissa >> 32)) >> up). Two instructions.
  aotc_dsp_fit = 0,
  /// Two roundings, every multiplier shifting right by 1 ... 22:
  /// sat8(SMMLAR(2*acc, mantissa, add - (acc < 0)) >> right) with add =
  /// half + (zero point << right), half = 1 << (right - 1). The first rounding
  /// is what SMMLAR does. Of the second, halves away from zero, the sign may be
  /// that of the accumulator: it differs from the product's only where the
  /// product rounds to 0, and (half - 1) >> right is 0.
  aotc_dsp_away = 1,
  /// fixed_point.h itself, for any multiplier, bias and bounds.
  aotc_dsp_general = 2,
};

/// The shifts `up` of aotc_dsp_fit there is code for, in the order of
/// preference: layers that agree share code. On the layers of ad01, kws, vww96,
/// ResNet-8 and person_detect the first fits nearly always; 4 of 76 ReLU layers
/// fit none of the three.
static constexpr int32_t aotc_dsp_shifts[] = {12, 10, 9};
