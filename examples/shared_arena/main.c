/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A quick int8 model looks at a picture first; where it is not sure, a float
 * model looks again. They never run at the same time, so both use one arena: it
 * is as large as the larger model's, the other's memory costs nothing. */
#include "pool.h" /* brings digits_int8.h and digits_float.h */

POOL_ARENA(arena);

/* A three from the test set, 8x8 pixels from 0 to 16. */
static const uint8_t picture[DIGITS_INT8_INPUT_SIZE] = {
#include "../digits_cortex_m/three.inc"
};

static int semihosting(int operation, const void *argument) {
  register int r0 __asm("r0") = operation;
  register const void *r1 __asm("r1") = argument;
  __asm volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

void board_exit(int status) {
  const uint32_t reason[2] = {0x20026 /* application exit */, (uint32_t)status};
  semihosting(0x20 /* SYS_EXIT_EXTENDED */, reason);
}

/* Each function is one turn: fill the inputs, run, take what is needed from the
 * outputs. After it, the arena holds nothing of the model any more. */
static int quick(float *certainty) {
  int8_t *in = digits_int8_input(arena);
  for (int i = 0; i < DIGITS_INT8_INPUT_SIZE; ++i)
    in[i] = digits_int8_quantize_input((float)picture[i] / 16.0f);
  if (digits_int8_run(arena, sizeof arena) != AOTC_OK)
    return -1;
  const int8_t *out = digits_int8_output(arena);
  int best = 0;
  for (int i = 1; i < DIGITS_INT8_OUTPUT_SIZE; ++i)
    if (out[i] > out[best])
      best = i;
  *certainty = digits_int8_dequantize_output(out[best]);
  return best;
}

static int careful(void) {
  float *in = digits_float_input(arena);
  for (int i = 0; i < DIGITS_FLOAT_INPUT_SIZE; ++i)
    in[i] = (float)picture[i] / 16.0f;
  if (digits_float_run(arena, sizeof arena) != AOTC_OK)
    return -1;
  const float *out = digits_float_output(arena);
  int best = 0;
  for (int i = 1; i < DIGITS_FLOAT_OUTPUT_SIZE; ++i)
    if (out[i] > out[best])
      best = i;
  return best;
}

int main(void) {
  float certainty = 0.0f;
  int first = quick(&certainty), second = first;
  if (certainty < 0.9f)
    second = careful();
  if (first < 0 || second < 0)
    return 1;
  char text[] = "quick ?, careful ?\n";
  text[6] = (char)('0' + first);
  text[17] = (char)('0' + second);
  semihosting(0x04 /* SYS_WRITE0 */, text);
  return 0;
}
