/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reads 64 pixels from 0 to 16 and prints which digit they show. */
#include "aotc/runtime.h" /* aotc_status_string() */
#include "digits.h"

#include <stdio.h>

DIGITS_ARENA(arena);

int main(void) {
  for (int i = 0; i < DIGITS_INPUT_SIZE; ++i) {
    int pixel;
    if (scanf("%d", &pixel) != 1)
      return 2;
    digits_input(arena)[i] = digits_quantize_input((float)pixel / 16.0f);
  }
  aotc_status status = digits_run(arena, sizeof arena);
  if (status != AOTC_OK) {
    printf("%s\n", aotc_status_string(status));
    return 1;
  }
  int best = 0;
  for (int i = 1; i < DIGITS_OUTPUT_SIZE; ++i)
    if (digits_output(arena)[i] > digits_output(arena)[best])
      best = i;
  printf("digit %d\n", best);
  return 0;
}
