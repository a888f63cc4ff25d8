/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reads one handwritten digit on an emulated board and prints the answer over
 * semihosting. */
#include "digits.h"

DIGITS_ARENA(arena);

/* A three from the test set, 8x8 pixels from 0 to 16. */
static const uint8_t picture[DIGITS_INPUT_SIZE] = {
#include "three.inc"
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

int main(void) {
  int8_t *in = digits_input(arena);
  for (int i = 0; i < DIGITS_INPUT_SIZE; ++i)
    in[i] = digits_quantize_input((float)picture[i] / 16.0f);
  if (digits_run(arena, sizeof arena) != AOTC_OK)
    return 1;
  const int8_t *out = digits_output(arena);
  int best = 0;
  for (int i = 1; i < DIGITS_OUTPUT_SIZE; ++i)
    if (out[i] > out[best])
      best = i;
  char text[] = "digit: ?\n";
  text[7] = (char)('0' + best);
  semihosting(0x04 /* SYS_WRITE0 */, text);
  return best == 3 ? 0 : 1;
}
