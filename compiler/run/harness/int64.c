/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Integer helpers (int64.h) and their names in the Arm run-time ABI (RTABI32,
 * section 4.2). Written on 32-bit halves, so that none of them calls itself.
 */
#include "int64.h"

static uint32_t high(uint64_t a) { return (uint32_t)(a >> 32); }
static uint64_t join(uint32_t hi, uint32_t lo) { return (uint64_t)hi << 32 | lo; }

/* 32 x 32 -> 64 from four products of 16-bit halves. */
static uint64_t mul32(uint32_t a, uint32_t b) {
  uint32_t al = a & 0xffff, ah = a >> 16, bl = b & 0xffff, bh = b >> 16;
  uint32_t low = al * bl, mid1 = ah * bl, mid2 = al * bh;
  uint32_t mid = (low >> 16) + (mid1 & 0xffff) + (mid2 & 0xffff);
  return join(ah * bh + (mid1 >> 16) + (mid2 >> 16) + (mid >> 16), mid << 16 | (low & 0xffff));
}

uint64_t sim_mul64(uint64_t a, uint64_t b) {
  uint64_t low = mul32((uint32_t)a, (uint32_t)b);
  uint32_t cross = high(a) * (uint32_t)b + (uint32_t)a * high(b);
  return join(high(low) + cross, (uint32_t)low);
}

uint64_t sim_shl64(uint64_t a, int32_t by) {
  uint32_t lo = (uint32_t)a;
  if (by == 0)
    return a;
  if (by >= 32)
    return join(lo << (by - 32), 0);
  return join(high(a) << by | lo >> (32 - by), lo << by);
}

uint64_t sim_lshr64(uint64_t a, int32_t by) {
  uint32_t hi = high(a);
  if (by == 0)
    return a;
  if (by >= 32)
    return hi >> (by - 32);
  return join(hi >> by, (uint32_t)a >> by | hi << (32 - by));
}

int64_t sim_ashr64(int64_t a, int32_t by) {
  int32_t hi = (int32_t)high((uint64_t)a);
  if (by == 0)
    return a;
  if (by >= 32)
    return (int64_t)join((uint32_t)(hi >> 31), (uint32_t)(hi >> (by - 32)));
  return (int64_t)join((uint32_t)(hi >> by), (uint32_t)a >> by | (uint32_t)hi << (32 - by));
}

static int32_t leading_zeros(uint64_t a) {
  return high(a) ? __builtin_clz(high(a)) : 32 + __builtin_clz((uint32_t)a);
}

/* Shift and subtract, starting where the leading ones meet. */
uint64_t sim_udivmod64(uint64_t a, uint64_t b, uint64_t *remainder) {
  uint64_t quotient = 0;
  if (b && a >= b) {
    int32_t shift = leading_zeros(b) - leading_zeros(a);
    uint64_t d = sim_shl64(b, shift);
    for (; shift >= 0; --shift, d >>= 1) {
      quotient <<= 1;
      if (a >= d) {
        a -= d;
        quotient |= 1;
      }
    }
  }
  *remainder = a;
  return quotient;
}

int64_t sim_sdivmod64(int64_t a, int64_t b, int64_t *remainder) {
  uint64_t r, ua = a < 0 ? 0 - (uint64_t)a : (uint64_t)a;
  uint64_t q = sim_udivmod64(ua, b < 0 ? 0 - (uint64_t)b : (uint64_t)b, &r);
  *remainder = (int64_t)(a < 0 ? 0 - r : r);
  return (int64_t)((a ^ b) < 0 ? 0 - q : q);
}

uint64_t sim_udivmod32(uint32_t a, uint32_t b) {
  uint32_t quotient = 0;
  if (b && a >= b) {
    int32_t shift = __builtin_clz(b) - __builtin_clz(a);
    uint32_t d = b << shift;
    for (; shift >= 0; --shift, d >>= 1) {
      quotient <<= 1;
      if (a >= d) {
        a -= d;
        quotient |= 1;
      }
    }
  }
  return join(a, quotient);
}

uint64_t sim_sdivmod32(int32_t a, int32_t b) {
  uint32_t ua = a < 0 ? 0 - (uint32_t)a : (uint32_t)a;
  uint64_t result = sim_udivmod32(ua, b < 0 ? 0 - (uint32_t)b : (uint32_t)b);
  uint32_t q = (uint32_t)result, r = high(result);
  return join(a < 0 ? 0 - r : r, (a ^ b) < 0 ? 0 - q : q);
}

#ifdef __arm__
#define SIM_ALIAS(target) __attribute__((alias(#target)))
uint64_t __aeabi_lmul(uint64_t, uint64_t) SIM_ALIAS(sim_mul64);
uint64_t __aeabi_llsl(uint64_t, int32_t) SIM_ALIAS(sim_shl64);
uint64_t __aeabi_llsr(uint64_t, int32_t) SIM_ALIAS(sim_lshr64);
int64_t __aeabi_lasr(int64_t, int32_t) SIM_ALIAS(sim_ashr64);
uint64_t __aeabi_uidivmod(uint32_t, uint32_t) SIM_ALIAS(sim_udivmod32);
uint64_t __aeabi_idivmod(int32_t, int32_t) SIM_ALIAS(sim_sdivmod32);
uint32_t __aeabi_uidiv(uint32_t a, uint32_t b) { return (uint32_t)sim_udivmod32(a, b); }
int32_t __aeabi_idiv(int32_t a, int32_t b) { return (int32_t)sim_sdivmod32(a, b); }

#if !__ARM_FEATURE_CLZ
/* What clang calls for __builtin_clz on Armv6-M. */
int32_t __clzsi2(uint32_t a) {
  int32_t zeros = 32;
  for (int32_t step = 16; step; step >>= 1)
    if (a >> step) {
      zeros -= step;
      a >>= step;
    }
  return zeros - (int32_t)a;
}
#endif

/* Quotient in r0:r1, remainder in r2:r3, which C cannot say. The remainder
 * goes to sp + 8, its address is the fifth argument, at sp. */
#define SIM_DIVMOD(name, target)                                                                   \
  __attribute__((naked)) void name(void) {                                                         \
    __asm__("push {r4, lr}\n"                                                                      \
            "sub sp, #16\n"                                                                        \
            "add r4, sp, #8\n"                                                                     \
            "str r4, [sp]\n"                                                                       \
            "bl " #target "\n"                                                                     \
            "ldr r2, [sp, #8]\n"                                                                   \
            "ldr r3, [sp, #12]\n"                                                                  \
            "add sp, #16\n"                                                                        \
            "pop {r4, pc}");                                                                       \
  }
SIM_DIVMOD(__aeabi_uldivmod, sim_udivmod64)
SIM_DIVMOD(__aeabi_ldivmod, sim_sdivmod64)
#endif
