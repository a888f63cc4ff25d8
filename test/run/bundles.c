/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Hand-made bundles that behave well or badly in a known way. Built for every
 * runner by clang (CMakeLists.txt); the tests pick one by its name.
 */
#include "aotc/abi.h"
#include "aotc/hooks.h"

/* out[16 + i] = 2 * in[i], the arena being 32 bytes or more. */
aotc_status twice_run(void *arena, size_t arena_size) {
  int8_t *p = arena;
  for (int i = 0; i < 16; ++i)
    p[16 + i] = (int8_t)(2 * p[i]);
  return arena_size >= 32 ? AOTC_OK : AOTC_ERROR_ARENA_TOO_SMALL;
}

/* Adds the input byte to a count that the arena keeps between calls. */
aotc_status counter_run(void *arena, size_t arena_size) {
  uint8_t *p = arena;
  if (p[2] != 0x5a) { /* first call */
    p[2] = 0x5a;
    p[1] = 0;
  }
  p[1] = (uint8_t)(p[1] + p[0]);
  return arena_size == 3 ? AOTC_OK : AOTC_ERROR_ARENA_TOO_SMALL;
}

/* 1.0f / in[0] + in[1] in float: helper calls where there is no FPU. */
aotc_status floats_run(void *arena, size_t arena_size) {
  float *p = arena;
  p[2] = 1.0f / p[0] + p[1];
  (void)arena_size;
  return AOTC_OK;
}

/* 64-bit division and remainder: __aeabi_ldivmod on Arm. */
aotc_status divide_run(void *arena, size_t arena_size) {
  int64_t *p = arena;
  p[2] = p[0] / p[1];
  p[3] = p[0] % p[1];
  (void)arena_size;
  return AOTC_OK;
}

aotc_status above_run(void *arena, size_t arena_size) {
  ((volatile uint8_t *)arena)[arena_size + 2] = 1;
  return AOTC_OK;
}

aotc_status below_run(void *arena, size_t arena_size) {
  (void)arena_size;
  ((volatile uint8_t *)arena)[-4] = 1;
  return AOTC_OK;
}

/* Reads a word from an odd address. */
aotc_status unaligned_run(void *arena, size_t arena_size) {
  (void)arena_size;
  uint8_t *p = arena;
  *(volatile uint32_t *)(p + 4) = *(volatile uint32_t *)(p + (p[0] | 1));
  return AOTC_OK;
}

/* An access nowhere: 0xe8000000 is unmapped on the boards, page 0 on Linux. */
aotc_status fault_run(void *arena, size_t arena_size) {
  (void)arena, (void)arena_size;
#ifdef __arm__
  *(volatile uint32_t *)0xe8000000 = 1;
#else
  *(volatile uint32_t *)16 = 1;
#endif
  return AOTC_OK;
}

aotc_status endless_run(void *arena, size_t arena_size) {
  (void)arena, (void)arena_size;
  for (;;)
    __asm__ volatile("");
}

/* Exactly 512 bytes of stack, the lowest of them written. */
__attribute__((naked)) aotc_status stack512_run(void *arena, size_t arena_size) {
#if defined(__arm__)
  __asm__("sub sp, #508\nsub sp, #4\nmovs r0, #0\nstr r0, [sp]\n"
          "add sp, #508\nadd sp, #4\nbx lr");
#elif defined(__aarch64__)
  __asm__("sub sp, sp, #512\nstr xzr, [sp]\nmov w0, #0\nadd sp, sp, #512\nret");
#else
  __asm__("subq $512, %rsp\nmovq $0, (%rsp)\nxorl %eax, %eax\naddq $512, "
          "%rsp\nretq");
#endif
}

/* `n` times two instructions. */
static void loop(unsigned long n) {
#if defined(__arm__)
  __asm__ volatile(".p2align 2\n0: subs %0, %0, #1\nbne 0b" : "+l"(n) : : "cc");
#elif defined(__aarch64__)
  __asm__ volatile("0: subs %0, %0, #1\nb.ne 0b" : "+r"(n) : : "cc");
#else
  __asm__ volatile("0: subq $1, %0\njne 0b" : "+r"(n) : : "cc");
#endif
}

/* 2,000,000 instructions. */
aotc_status million_run(void *arena, size_t arena_size) {
  (void)arena, (void)arena_size;
  loop(1000000);
  return AOTC_OK;
}

/* Three layers of 400,000, 0 and 1,000,000 instructions; 200,000 between them. */
aotc_status layers_run(void *arena, size_t arena_size) {
  (void)arena, (void)arena_size;
  aotc_layer_begin("layers", 0);
  loop(200000);
  aotc_layer_end("layers", 0);
  loop(100000);
  aotc_layer_begin("layers", 1);
  aotc_layer_end("layers", 1);
  aotc_layer_begin("layers", 2);
  loop(500000);
  aotc_layer_end("layers", 2);
  return AOTC_OK;
}

/* in[0] of memcpy, memmove, memset on the 64 bytes at 4: to in[1], from in[2]
 * (memset: the value), in[3] bytes. */
aotc_status memory_run(void *arena, size_t arena_size) {
  uint8_t *in = arena, *data = in + 4;
  if (in[0] == 0)
    __builtin_memcpy(data + in[1], data + in[2], in[3]);
  else if (in[0] == 1)
    __builtin_memmove(data + in[1], data + in[2], in[3]);
  else
    __builtin_memset(data + in[1], in[2], in[3]);
  (void)arena_size;
  return AOTC_OK;
}

/* out[0] = the low byte of the arena's address. */
aotc_status address_run(void *arena, size_t arena_size) {
  *(uint8_t *)arena = (uint8_t)(uintptr_t)arena;
  (void)arena_size;
  return AOTC_OK;
}

/* More stack than any harness gives. */
aotc_status overflow_run(void *arena, size_t arena_size) {
  volatile uint8_t big[8 << 20];
  for (size_t i = sizeof big; i; i -= 64)
    big[i - 64] = (uint8_t)arena_size;
  (void)arena;
  return big[0] == (uint8_t)arena_size ? AOTC_OK : AOTC_ERROR_NULL_ARENA;
}

/* A constant and a copy through memcpy. */
static const uint8_t table[64] = {3, 1, 4, 1, 5, 9, 2, 6};
aotc_status constant_run(void *arena, size_t arena_size) {
  __builtin_memcpy(arena, table, arena_size < 64 ? arena_size : 64);
  return AOTC_OK;
}

/* Refuses every arena. */
aotc_status small_run(void *arena, size_t arena_size) {
  (void)arena, (void)arena_size;
  return AOTC_ERROR_ARENA_TOO_SMALL;
}

/* Writes byte 9 of its arena too, which the plan gives to nobody. */
aotc_status gap_run(void *arena, size_t arena_size) {
  ((uint8_t *)arena)[9] = 1;
  return twice_run(arena, arena_size);
}

/* out[1] = in[0] + what byte 2 held before. */
aotc_status unset_run(void *arena, size_t arena_size) {
  uint8_t *p = arena;
  p[1] = (uint8_t)(p[0] + p[2]);
  (void)arena_size;
  return AOTC_OK;
}

/* Three steps on in 0..4, a 4..8, b 8..12, out 0..4: a = in + 1, b = a + 1,
 * out = b + 1. */
static aotc_status steps(uint8_t *p, size_t step) {
  const uint8_t *from = p + 4 * step;
  uint8_t *to = step == 2 ? p : p + 4 * step + 4;
  for (int i = 0; i < 4; ++i)
    to[i] = (uint8_t)(from[i] + 1);
  return AOTC_OK;
}
aotc_status steps_step(void *arena, size_t step) { return steps(arena, step); }

/* Step 1 also changes byte 5, its input. */
aotc_status spoils_step(void *arena, size_t step) {
  steps(arena, step);
  if (step == 1)
    ((uint8_t *)arena)[5] ^= 1;
  return AOTC_OK;
}

/* Step 2 reads what step 0 wrote. */
aotc_status late_step(void *arena, size_t step) {
  uint8_t *p = arena;
  steps(arena, step);
  if (step == 2)
    p[0] = (uint8_t)(p[4] + 2);
  return AOTC_OK;
}
