/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * IEEE 754 single precision in integer arithmetic, on bit patterns: round to
 * nearest even, subnormals, infinities; a NaN operand is returned quiet,
 * invalid operations give 0x7fc00000. For cores without FPU, under the names
 * of the Arm run-time ABI; test/run compares them with the host's FPU.
 */
#ifndef AOTC_SIM_SOFTFLOAT_H
#define AOTC_SIM_SOFTFLOAT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

uint32_t sim_f32_add(uint32_t a, uint32_t b);
uint32_t sim_f32_sub(uint32_t a, uint32_t b);
uint32_t sim_f32_rsub(uint32_t a, uint32_t b); /* b - a */
uint32_t sim_f32_mul(uint32_t a, uint32_t b);
uint32_t sim_f32_div(uint32_t a, uint32_t b);

/* 1 or 0; all but `un` are 0 when an operand is a NaN. */
int32_t sim_f32_eq(uint32_t a, uint32_t b);
int32_t sim_f32_lt(uint32_t a, uint32_t b);
int32_t sim_f32_le(uint32_t a, uint32_t b);
int32_t sim_f32_ge(uint32_t a, uint32_t b);
int32_t sim_f32_gt(uint32_t a, uint32_t b);
int32_t sim_f32_un(uint32_t a, uint32_t b);

/* Towards zero; out of range saturates and a NaN gives 0, as Arm FPUs do. */
int32_t sim_f32_to_s32(uint32_t a);
uint32_t sim_f32_to_u32(uint32_t a);
int64_t sim_f32_to_s64(uint32_t a);
uint64_t sim_f32_to_u64(uint32_t a);
uint32_t sim_s32_to_f32(int32_t a);
uint32_t sim_u32_to_f32(uint32_t a);
uint32_t sim_s64_to_f32(int64_t a);
uint32_t sim_u64_to_f32(uint64_t a);

#ifdef __cplusplus
}
#endif

#endif
