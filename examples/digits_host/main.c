/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Classifies the digits of a text file (../digits/digits.txt: label, then 64
 * pixels from 0 to 16) and counts the right answers. */
#include "digits.h"

#include <stdio.h>

DIGITS_ARENA(arena);

int main(int argc, char **argv) {
  FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
  if (!file) {
    fprintf(stderr, "usage: %s digits.txt\n", argv[0]);
    return 2;
  }
  int label, right = 0, count = 0;
  while (fscanf(file, " #%*[^\n]") == 0 && fscanf(file, "%d:", &label) == 1) {
    int8_t *in = digits_input(arena);
    for (int i = 0; i < DIGITS_INPUT_SIZE; ++i) {
      int pixel = 0;
      if (fscanf(file, "%d", &pixel) != 1)
        return 2;
      in[i] = digits_quantize_input((float)pixel / 16.0f);
    }
    if (digits_run(arena, sizeof arena) != AOTC_OK)
      return 1;
    const int8_t *out = digits_output(arena);
    int best = 0;
    for (int i = 1; i < DIGITS_OUTPUT_SIZE; ++i)
      if (out[i] > out[best])
        best = i;
    printf("digit %d: answer %d\n", label, best);
    right += best == label;
    ++count;
  }
  fclose(file);
  printf("%d of %d right\n", right, count);
  return count > 0 && right * 10 >= count * 8 ? 0 : 1;
}
