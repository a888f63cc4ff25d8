// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Classifies a digit with the fastest code this processor can execute, or with
// that of the level given as argument. All give the same bits.
#include "digits_v2.h"
#include "digits_v3.h"
#include "digits_v4.h"
#include "digits_v4_vnni.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

// A three from the test set, 8x8 pixels from 0 to 16.
static constexpr unsigned char picture[DIGITS_V2_INPUT_SIZE] = {
#include "../digits_cortex_m/three.inc"
};

template <class Model> static int classify() {
  static Model model;
  std::transform(picture, picture + sizeof picture, model.input(),
                 [](unsigned char pixel) { return model.quantize_input(float(pixel) / 16); });
  if (model.run() != AOTC_OK)
    return -1;
  const auto *out = model.output();
  return int(std::max_element(out, out + DIGITS_V2_OUTPUT_SIZE) - out);
}

struct Level {
  const char *name;
  bool here;
  int (*classify)();
};

int main(int argc, char **argv) {
  __builtin_cpu_init();
  const bool v4 = __builtin_cpu_supports("x86-64-v4");
  const Level levels[] = {
      {"x86-64-v4+vnni", v4 && __builtin_cpu_supports("avx512vnni"),
       classify<digits_v4_vnni::Model>},
      {"x86-64-v4", v4, classify<digits_v4::Model>},
      {"x86-64-v3", bool(__builtin_cpu_supports("x86-64-v3")), classify<digits_v3::Model>},
      {"x86-64-v2", bool(__builtin_cpu_supports("x86-64-v2")), classify<digits_v2::Model>}};
  for (const Level &level : levels)
    if (level.here && (argc < 2 || !std::strcmp(argv[1], level.name))) {
      std::printf("%s: digit %d\n", level.name, level.classify());
      return 0;
    }
  std::printf("this processor has no level that was asked for\n");
  return 1;
}
