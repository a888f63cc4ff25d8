// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The image as a Linux program: PROGRAM FILE reads the cases from a file.
#include "Platform.h"

#include <stdio.h>
#include <stdlib.h>

void print(const char *text) { fputs(text, stdout); }
[[noreturn]] void leave(bool good) { exit(good ? 0 : 1); }

int main(int argc, char **argv) {
  FILE *file = argc == 2 ? fopen(argv[1], "rb") : nullptr;
  if (!file || fseek(file, 0, SEEK_END))
    return 1;
  const long size = ftell(file);
  rewind(file);
  char *cases = static_cast<char *>(aligned_alloc(16, (size_t(size) + 15) & ~size_t(15)));
  if (!cases || fread(cases, 1, size_t(size), file) != size_t(size))
    return 1;
  leave(run_all(cases));
}
