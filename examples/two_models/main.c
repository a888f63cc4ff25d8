/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One picture through two instances of the int8 model, each with an arena of
 * its own, and through the float model. */
#include "digits_float.h"
#include "digits_int8.h"

#include <stdio.h>

DIGITS_INT8_ARENA(first);
DIGITS_INT8_ARENA(second);
DIGITS_FLOAT_ARENA(third);

static const unsigned char picture[DIGITS_INT8_INPUT_SIZE] = {
#include "../digits_cortex_m/three.inc"
};

static int best_int8(const int8_t *out) {
  int best = 0;
  for (int i = 1; i < DIGITS_INT8_OUTPUT_SIZE; ++i)
    if (out[i] > out[best])
      best = i;
  return best;
}

static int best_float(const float *out) {
  int best = 0;
  for (int i = 1; i < DIGITS_FLOAT_OUTPUT_SIZE; ++i)
    if (out[i] > out[best])
      best = i;
  return best;
}

int main(void) {
  for (int i = 0; i < DIGITS_INT8_INPUT_SIZE; ++i) {
    float pixel = (float)picture[i] / 16.0f;
    digits_int8_input(first)[i] = digits_int8_quantize_input(pixel);
    digits_int8_input(second)[i] = digits_int8_quantize_input(pixel);
    digits_float_input(third)[i] = pixel;
  }
  if (digits_int8_run(first, sizeof first) != AOTC_OK ||
      digits_int8_run(second, sizeof second) != AOTC_OK ||
      digits_float_run(third, sizeof third) != AOTC_OK)
    return 1;
  printf("int8 %d, int8 %d, float %d\n", best_int8(digits_int8_output(first)),
         best_int8(digits_int8_output(second)), best_float(digits_float_output(third)));
  return 0;
}
