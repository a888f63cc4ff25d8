/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Integer helpers of cores that lack the instructions: 64-bit products,
 * shifts, divisions and, for Armv6-M, 32-bit division. A divisor of 0 gives
 * quotient 0 and the dividend as remainder, as Arm's divide instructions do.
 */
#ifndef AOTC_SIM_INT64_H
#define AOTC_SIM_INT64_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

uint64_t sim_mul64(uint64_t a, uint64_t b);
uint64_t sim_udivmod64(uint64_t a, uint64_t b, uint64_t *remainder);
int64_t sim_sdivmod64(int64_t a, int64_t b, int64_t *remainder);
/* Shifts by 0 to 63. */
uint64_t sim_shl64(uint64_t a, int32_t by);
uint64_t sim_lshr64(uint64_t a, int32_t by);
int64_t sim_ashr64(int64_t a, int32_t by);
/* Quotient in the low half, remainder in the high one. */
uint64_t sim_udivmod32(uint32_t a, uint32_t b);
uint64_t sim_sdivmod32(int32_t a, int32_t b);

#ifdef __cplusplus
}
#endif

#endif
