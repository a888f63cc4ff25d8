/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Soft-float for `aotc run` (softfloat.h). Inside, a significand stands with
 * its leading one at bit 30; the seven bits below the result's last place are
 * guard bits, of which bit 0 is sticky (set if anything was shifted out).
 */
#include "softfloat.h"

enum { GUARD_BITS = 7, BIAS = 127, EXP_MAX = 255 };
#define SIGN 0x80000000u
#define INFINITE 0x7f800000u
#define QUIET_NAN 0x7fc00000u
#define HIDDEN 0x00800000u /* the implicit leading one */

static uint32_t magnitude(uint32_t a) { return a & ~SIGN; }
static int is_nan(uint32_t a) { return magnitude(a) > INFINITE; }
static int is_inf(uint32_t a) { return magnitude(a) == INFINITE; }
static int32_t exponent(uint32_t a) { return (int32_t)(magnitude(a) >> 23); }

static uint32_t propagate(uint32_t a, uint32_t b) { return (is_nan(a) ? a : b) | 0x00400000u; }

static uint32_t shift_sticky(uint32_t a, int32_t by) {
  if (by == 0)
    return a;
  if (by > 31)
    return a != 0;
  return a >> by | ((a << (32 - by)) != 0);
}

/* sign * sig * 2^(exp - BIAS - 30), rounded; sig in [2^30, 2^31). */
static uint32_t pack(uint32_t sign, int32_t exp, uint32_t sig) {
  if (exp >= EXP_MAX)
    return sign | INFINITE;
  uint32_t base = 0;
  if (exp <= 0)
    sig = shift_sticky(sig, 1 - exp); /* subnormal: no hidden one */
  else
    base = (uint32_t)(exp - 1) << 23; /* the hidden one adds the 1 */
  uint32_t rest = sig & ((1u << GUARD_BITS) - 1), half = 1u << (GUARD_BITS - 1);
  sig >>= GUARD_BITS;
  sig += rest > half || (rest == half && (sig & 1));
  /* A carry out of the significand moves on into the exponent, as it should. */
  return sign | (base + sig);
}

/* Moves the leading one of sig (not 0) to bit 30, then packs. */
static uint32_t normalize_pack(uint32_t sign, int32_t exp, uint32_t sig) {
  int32_t left = __builtin_clz(sig) - 1;
  if (left < 0)
    return pack(sign, exp + 1, shift_sticky(sig, 1));
  return pack(sign, exp - left, sig << left);
}

/* The significand with its hidden one at bit 23, also of a subnormal (not
 * zero), whose exponent then becomes zero or negative. */
static uint32_t significand(uint32_t a, int32_t *exp) {
  uint32_t sig = a & (HIDDEN - 1);
  *exp = exponent(a);
  if (*exp)
    return sig | HIDDEN;
  int32_t left = __builtin_clz(sig) - 8;
  *exp = 1 - left;
  return sig << left;
}

uint32_t sim_f32_add(uint32_t a, uint32_t b) {
  if (magnitude(a) < magnitude(b)) {
    uint32_t t = a;
    a = b;
    b = t;
  }
  if (magnitude(a) >= INFINITE) {
    if (is_nan(a) || is_nan(b))
      return propagate(a, b);
    return is_inf(b) && a != b ? QUIET_NAN : a;
  }
  int32_t ea = exponent(a), eb = exponent(b);
  uint32_t sa = (a & (HIDDEN - 1)) | (ea ? HIDDEN : 0);
  uint32_t sb = (b & (HIDDEN - 1)) | (eb ? HIDDEN : 0);
  ea += !ea; /* a subnormal has the exponent of the smallest normal number */
  eb += !eb;
  sa <<= GUARD_BITS;
  sb = shift_sticky(sb << GUARD_BITS, ea - eb);
  uint32_t sign = a & SIGN, same = !((a ^ b) & SIGN);
  uint32_t sum = same ? sa + sb : sa - sb;
  if (!sum)
    return same ? sign : 0;
  return normalize_pack(sign, ea, sum);
}

uint32_t sim_f32_sub(uint32_t a, uint32_t b) { return sim_f32_add(a, is_nan(b) ? b : b ^ SIGN); }

uint32_t sim_f32_rsub(uint32_t a, uint32_t b) { return sim_f32_sub(b, a); }

uint32_t sim_f32_mul(uint32_t a, uint32_t b) {
  uint32_t sign = (a ^ b) & SIGN;
  if (is_nan(a) || is_nan(b))
    return propagate(a, b);
  if (is_inf(a) || is_inf(b))
    return magnitude(a) && magnitude(b) ? sign | INFINITE : QUIET_NAN;
  if (!magnitude(a) || !magnitude(b))
    return sign;
  int32_t ea, eb;
  uint32_t sa = significand(a, &ea), sb = significand(b, &eb);
  /* In [2^46, 2^48): bit 46 is the place of the leading one of 1.0 * 1.0. */
  uint64_t product = (uint64_t)sa * sb;
  uint32_t sig = (uint32_t)(product >> 16) | (((uint32_t)product & 0xffffu) != 0);
  return normalize_pack(sign, ea + eb - BIAS, sig);
}

uint32_t sim_f32_div(uint32_t a, uint32_t b) {
  uint32_t sign = (a ^ b) & SIGN;
  if (is_nan(a) || is_nan(b))
    return propagate(a, b);
  if (is_inf(a))
    return is_inf(b) ? QUIET_NAN : sign | INFINITE;
  if (is_inf(b))
    return sign;
  if (!magnitude(b))
    return magnitude(a) ? sign | INFINITE : QUIET_NAN;
  if (!magnitude(a))
    return sign;
  int32_t ea, eb;
  uint32_t sa = significand(a, &ea), sb = significand(b, &eb);
  int32_t exp = ea - eb + BIAS;
  if (sa < sb) {
    sa <<= 1;
    --exp;
  }
  /* Long division: bits 30 to 0 of a quotient in [1, 2). */
  uint32_t quotient = 0;
  for (int i = 0; i < 31; ++i, sa <<= 1) {
    quotient <<= 1;
    if (sa >= sb) {
      sa -= sb;
      quotient |= 1;
    }
  }
  return pack(sign, exp, quotient | (sa != 0));
}

int32_t sim_f32_un(uint32_t a, uint32_t b) { return is_nan(a) || is_nan(b); }

int32_t sim_f32_eq(uint32_t a, uint32_t b) {
  return !sim_f32_un(a, b) && (a == b || !magnitude(a | b));
}

int32_t sim_f32_lt(uint32_t a, uint32_t b) {
  if (sim_f32_un(a, b) || !magnitude(a | b))
    return 0;
  if ((a ^ b) & SIGN)
    return a >> 31;
  return a & SIGN ? a > b : a < b;
}

int32_t sim_f32_le(uint32_t a, uint32_t b) { return sim_f32_lt(a, b) || sim_f32_eq(a, b); }

int32_t sim_f32_ge(uint32_t a, uint32_t b) { return sim_f32_le(b, a); }

int32_t sim_f32_gt(uint32_t a, uint32_t b) { return sim_f32_lt(b, a); }

/* |a| truncated, for |a| < 2^64. */
static uint64_t truncated(uint32_t a) {
  int32_t exp = exponent(a) - BIAS;
  uint64_t sig = (a & (HIDDEN - 1)) | HIDDEN;
  if (exp < 0)
    return 0;
  return exp <= 23 ? sig >> (23 - exp) : sig << (exp - 23);
}

int32_t sim_f32_to_s32(uint32_t a) {
  if (is_nan(a))
    return 0;
  if (exponent(a) >= BIAS + 31)
    return a & SIGN ? INT32_MIN : INT32_MAX;
  int32_t value = (int32_t)truncated(a);
  return a & SIGN ? -value : value;
}

uint32_t sim_f32_to_u32(uint32_t a) {
  if (is_nan(a) || a & SIGN)
    return 0;
  return exponent(a) >= BIAS + 32 ? UINT32_MAX : (uint32_t)truncated(a);
}

int64_t sim_f32_to_s64(uint32_t a) {
  if (is_nan(a))
    return 0;
  if (exponent(a) >= BIAS + 63)
    return a & SIGN ? INT64_MIN : INT64_MAX;
  int64_t value = (int64_t)truncated(a);
  return a & SIGN ? -value : value;
}

uint64_t sim_f32_to_u64(uint32_t a) {
  if (is_nan(a) || a & SIGN)
    return 0;
  return exponent(a) >= BIAS + 64 ? UINT64_MAX : truncated(a);
}

static uint32_t from_magnitude(uint32_t sign, uint64_t value) {
  int32_t exp = BIAS + 30;
  /* Bits above 31 first, so that the rest is 32-bit work. */
  uint32_t high = (uint32_t)(value >> 32), low = (uint32_t)value;
  if (high) {
    int32_t right = 32 - __builtin_clz(high);
    uint32_t lost = right == 32 ? low : low & ((1u << right) - 1);
    low = (uint32_t)(value >> right) | (lost != 0);
    exp += right;
  }
  return low ? normalize_pack(sign, exp, low) : 0;
}

uint32_t sim_s32_to_f32(int32_t a) {
  return from_magnitude(a < 0 ? SIGN : 0, a < 0 ? 0u - (uint32_t)a : (uint32_t)a);
}

uint32_t sim_u32_to_f32(uint32_t a) { return from_magnitude(0, a); }

uint32_t sim_s64_to_f32(int64_t a) {
  return from_magnitude(a < 0 ? SIGN : 0, a < 0 ? 0u - (uint64_t)a : (uint64_t)a);
}

uint32_t sim_u64_to_f32(uint64_t a) { return from_magnitude(0, a); }

#ifdef __arm__
/* RTABI32, sections 4.1.2 and 4.1.3: floats travel in integer registers. */
#define SIM_ALIAS(target) __attribute__((alias(#target)))
uint32_t __aeabi_fadd(uint32_t, uint32_t) SIM_ALIAS(sim_f32_add);
uint32_t __aeabi_fsub(uint32_t, uint32_t) SIM_ALIAS(sim_f32_sub);
uint32_t __aeabi_frsub(uint32_t, uint32_t) SIM_ALIAS(sim_f32_rsub);
uint32_t __aeabi_fmul(uint32_t, uint32_t) SIM_ALIAS(sim_f32_mul);
uint32_t __aeabi_fdiv(uint32_t, uint32_t) SIM_ALIAS(sim_f32_div);
int32_t __aeabi_fcmpeq(uint32_t, uint32_t) SIM_ALIAS(sim_f32_eq);
int32_t __aeabi_fcmplt(uint32_t, uint32_t) SIM_ALIAS(sim_f32_lt);
int32_t __aeabi_fcmple(uint32_t, uint32_t) SIM_ALIAS(sim_f32_le);
int32_t __aeabi_fcmpge(uint32_t, uint32_t) SIM_ALIAS(sim_f32_ge);
int32_t __aeabi_fcmpgt(uint32_t, uint32_t) SIM_ALIAS(sim_f32_gt);
int32_t __aeabi_fcmpun(uint32_t, uint32_t) SIM_ALIAS(sim_f32_un);
int32_t __aeabi_f2iz(uint32_t) SIM_ALIAS(sim_f32_to_s32);
uint32_t __aeabi_f2uiz(uint32_t) SIM_ALIAS(sim_f32_to_u32);
int64_t __aeabi_f2lz(uint32_t) SIM_ALIAS(sim_f32_to_s64);
uint64_t __aeabi_f2ulz(uint32_t) SIM_ALIAS(sim_f32_to_u64);
uint32_t __aeabi_i2f(int32_t) SIM_ALIAS(sim_s32_to_f32);
uint32_t __aeabi_ui2f(uint32_t) SIM_ALIAS(sim_u32_to_f32);
uint32_t __aeabi_l2f(int64_t) SIM_ALIAS(sim_s64_to_f32);
uint32_t __aeabi_ul2f(uint64_t) SIM_ALIAS(sim_u64_to_f32);
#endif
