// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device code of the tests: small enough to compute by hand what a call does.
#include "targets/KernelABI.h"

struct scale_shape {
  int32_t count;
};
struct scale_layer {
  int32_t factor;
};

// out[i] = in[i] * factor + data[0][i % 4], flat, in place allowed.
AOTC_KERNEL_FN(aotc_scale_s8__ref) {
  AOTC_KERNEL_ARGS(scale_shape, scale_layer);
  auto *input = static_cast<const int8_t *>(in[0]);
  auto *output = static_cast<int8_t *>(out[0]);
  auto *bias = static_cast<const int8_t *>(data[0]);
  for (int32_t n = 0; n < shape.count; ++n) {
    int32_t i = descending ? shape.count - 1 - n : n;
    output[i] = static_cast<int8_t>(input[i] * layer.factor + bias[i % 4]);
  }
}

struct column_shape {
  int32_t width, window_rows, stride;
};
struct column_layer {
  int32_t outside; // stands for a row outside the image
};

// out[y][x] = sum of the window's rows at x.
AOTC_KERNEL_FN(aotc_column_sum_s8__ref) {
  AOTC_KERNEL_ARGS(column_shape, column_layer);
  for (int32_t r = 0; r < rows; ++r) {
    int32_t y = descending ? rows - 1 - r : r;
    auto *output = static_cast<int8_t *>(out[y]);
    for (int32_t x = 0; x < shape.width; ++x) {
      int32_t sum = 0;
      for (int32_t k = 0; k < shape.window_rows; ++k) {
        auto *row = static_cast<const int8_t *>(in[y * shape.stride + k]);
        sum += row ? row[x] : layer.outside;
      }
      output[x] = static_cast<int8_t>(sum);
    }
  }
}

struct empty {};

// Breaks the rules: asks for a function of the C library.
extern "C" float sinf(float);
AOTC_KERNEL_FN(aotc_sine_f32__ref) {
  static_cast<float *>(out[0])[0] = sinf(static_cast<const float *>(in[0])[0]);
}

// Breaks the rules: remembers something between calls.
AOTC_KERNEL_FN(aotc_counter_s8__ref) {
  static int8_t calls = 0;
  static_cast<int8_t *>(out[0])[0] = ++calls;
}

// Float arithmetic, for the float ABI: out = in * in + in.
AOTC_KERNEL_FN(aotc_square_f32__ref) {
  auto *input = static_cast<const float *>(in[0]);
  auto *output = static_cast<float *>(out[0]);
  for (int32_t i = 0; i < 4; ++i)
    output[i] = input[i] * input[i] + input[i];
}

#ifdef __thumb__
// Assembly with a frame of its own: one says how large it is, one breaks the rules.
__attribute__((naked, noinline)) static void pushes_forty(void) {
  __asm__ volatile("@ aotc.stack=40\n push {r4-r11, lr}\n sub sp, #4\n"
                   "add sp, #4\n pop {r4-r11, pc}\n");
}
AOTC_KERNEL_FN(aotc_pushes_s8__ref) { pushes_forty(); }

__attribute__((naked, noinline)) static void pushes_in_silence(void) {
  __asm__ volatile("push {r4, lr}\n pop {r4, pc}\n");
}
AOTC_KERNEL_FN(aotc_silent_s8__ref) { pushes_in_silence(); }
#endif
