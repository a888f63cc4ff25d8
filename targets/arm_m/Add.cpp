// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host side of ADD, int8, for Armv7-M, Armv7E-M and Armv8.1-M. TFLite's seven roundings are looked
// for in one linear form; whether it gives the same bits is checked for all 65,536 pairs of
// operands.
#include "targets/arm_m/kernels/add_linear.h"
#include "targets/generic/ElementwiseBinary.h"
#include "targets/generic/kernels/add_s8.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace aotc {

namespace {

struct LinearForm {
  int32_t shift, lhs, rhs, round;
};

/// out[a + 128][b + 128]
using Sums = std::array<std::array<int8_t, 256>, 256>;

/// The rounding constant for two factors: every pair of operands is a bound on it.
std::optional<int32_t> roundFor(const Sums &sums, int64_t lhs, int64_t rhs, int32_t shift) {
  int64_t low = std::numeric_limits<int64_t>::min(), high = std::numeric_limits<int64_t>::max();
  int64_t least = 0, most = 0;
  for (int64_t a = -128; a <= 127; ++a)
    for (int64_t b = -128; b <= 127; ++b) {
      const int64_t out = sums[a + 128][b + 128], sum = a * lhs + b * rhs;
      least = std::min(least, sum);
      most = std::max(most, sum);
      if (out > -128)
        low = std::max(low, out * (int64_t(1) << shift) - sum);
      if (out < 127)
        high = std::min(high, (out + 1) * (int64_t(1) << shift) - 1 - sum);
      if (low > high)
        return std::nullopt;
    }
  const int64_t round = low == std::numeric_limits<int64_t>::min() ? high : low;
  constexpr int64_t limit = int64_t(1) << 31;
  if (round < -limit || round >= limit || round + least < -limit || round + most >= limit)
    return std::nullopt;
  return int32_t(round);
}

std::optional<LinearForm> findForm(const OperatorDesc &op, const KernelCall &portable) {
  const auto shape = paramsOf<aotc_add_s8_shape>(portable.shape);
  const auto layer = paramsOf<aotc_add_s8_layer>(portable.layer);
  const aotc_adder_s8 add(shape, layer);
  Sums sums;
  for (int a = -128; a <= 127; ++a)
    for (int b = -128; b <= 127; ++b)
      sums[a + 128][b + 128] = add(int8_t(a), int8_t(b));

  const double out = op.outputs[0].quant.scale();
  for (int32_t shift : aotc_add_linear_shifts) {
    const double lhs = std::ldexp(op.inputs[0].quant.scale() / out, shift);
    const double rhs = std::ldexp(op.inputs[1].quant.scale() / out, shift);
    if (!(lhs < std::ldexp(1, 24)) || !(rhs < std::ldexp(1, 24)))
      continue;
    for (int64_t i : {0, 1, -1, 2, -2, 3, -3})
      for (int64_t k : {0, 1, -1, 2, -2, 3, -3}) {
        const int64_t l = std::llround(lhs) + i, r = std::llround(rhs) + k;
        if (std::optional<int32_t> round = roundFor(sums, l, r, shift))
          return LinearForm{shift, int32_t(l), int32_t(r), *round};
      }
  }
  return std::nullopt;
}

} // namespace

namespace add_s8_linear {

std::string reject(const OperatorDesc &op) {
  if (std::string reason = add_s8::rejectRepeated(op); !reason.empty())
    return reason;
  llvm::Expected<KernelCall> base = add_s8::prepare(op);
  if (!base) {
    llvm::consumeError(base.takeError()); // the portable kernel reports it
    return "scales out of range";
  }
  return findForm(op, *base) ? "" : "no linear form gives all 65,536 sums";
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  llvm::Expected<KernelCall> base = add_s8::prepare(op);
  if (!base)
    return base.takeError();
  KernelCall call = std::move(*base);
  const LinearForm form = *findForm(op, call); // reject() found it
  call.shape = paramWords(aotc_add_linear_shape{form.shift});
  call.layer = paramWords(
      aotc_add_linear_layer{int32_t(op.outputs[0].elements()), form.lhs, form.rhs, form.round});
  return call;
}

} // namespace add_s8_linear

} // namespace aotc
