// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// digits::Model is the network with an arena of its own: no pointers to hand
// round, sizes known to the compiler, no heap and no exceptions. Its functions
// are those of the C header, inline.
#include "aotc/runtime.h"
#include "digits.h"

#include <algorithm>
#include <cstdio>
#include <iterator>

// A three from the test set, 8x8 pixels from 0 to 16.
static constexpr unsigned char picture[DIGITS_INPUT_SIZE] = {
#include "../digits_cortex_m/three.inc"
};

// As large as the arena: static, a member or in memory of your choice, not on a
// small stack. Two of them are two independent instances.
static digits::Model model;

int main() {
  std::transform(std::begin(picture), std::end(picture), model.input(),
                 [](unsigned char pixel) { return model.quantize_input(float(pixel) / 16); });
  if (aotc_status status = model.run(); status != AOTC_OK) {
    std::printf("%s\n", aotc_status_string(status));
    return 1;
  }
  const auto *best = std::max_element(model.output(), model.output() + DIGITS_OUTPUT_SIZE);
  std::printf("digit %d, probability %.2f, %zu bytes of RAM\n", int(best - model.output()),
              double(model.dequantize_output(*best)), sizeof model);
}
