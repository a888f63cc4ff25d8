// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs on an emulated Cortex-M4 (QEMU's mps2-an386): compares every fast kernel
// with the portable one for all cases of a blob that QEMU's loader put into the
// board's external memory. Tensors lie at odd addresses, between
// bytes that must not change; then input and output overlap at exactly the
// distances the host side states.
#include "Blob.h"

#include "targets/KernelABI.h"

// The kernels of this level, in the order of their rows; others are not here.
#define ROW_thumb1(op, variant)
#define ROW_thumb2(op, variant)
#define ROW_mve(op, variant)
#define ROW_dsp(op, variant)                                                                       \
  AOTC_KERNEL_FN(aotc_##op##_##variant##__dsp);                                                    \
  AOTC_KERNEL_FN(aotc_##op##_s8__ref);
#define AOTC_KERNEL(op, variant, level, host) ROW_##level(op, variant)
#include "targets/arm_m/Kernels.def"
#undef ROW_dsp

struct KernelPair {
  const char *name;
  aotc_kernel_fn fast, reference;
};
#define ROW_dsp(op, variant) {#op "_" #variant, aotc_##op##_##variant##__dsp, aotc_##op##_s8__ref},
static const KernelPair kernels[] = {
#include "targets/arm_m/Kernels.def"
};

extern "C" {
// The compiler turns loops into these; plain loops here, kept plain.
__attribute__((no_builtin)) void *memset(void *to, int value, unsigned n) {
  for (unsigned i = 0; i < n; ++i)
    static_cast<volatile char *>(to)[i] = (char)value;
  return to;
}
__attribute__((no_builtin)) void *memcpy(void *to, const void *from, unsigned n) {
  for (unsigned i = 0; i < n; ++i)
    static_cast<volatile char *>(to)[i] = static_cast<const char *>(from)[i];
  return to;
}
void __aeabi_memcpy(void *to, const void *from, unsigned n) { memcpy(to, from, n); }
void __aeabi_memclr(void *to, unsigned n) { memset(to, 0, n); }
void __aeabi_memclr4(void *to, unsigned n) { memset(to, 0, n); }
void __aeabi_memclr8(void *to, unsigned n) { memset(to, 0, n); }
}

namespace {

// ---- the board -----------------------------------------------------------

char *const blob = reinterpret_cast<char *>(0x21000000);

/// Semihosting: the debugger's (here QEMU's) services.
int semihost(int operation, const void *argument) {
  register int r0 __asm__("r0") = operation;
  register const void *r1 __asm__("r1") = argument;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}
void print(const char *text) { semihost(4, text); }
void print(uint32_t value) {
  char digits[11];
  char *p = digits + 10;
  *p = 0;
  do
    *--p = (char)('0' + value % 10);
  while (value /= 10);
  print(p);
}
[[noreturn]] void leave(bool good) {
  for (;;)
    semihost(0x18, reinterpret_cast<const void *>(good ? 0x20026 : 0x20023));
}

// ---- buffers ---------------------------------------------------------------

constexpr int32_t capacity = 96 * 1024, margin = 64, max_window = 64;
alignas(16) int8_t expected[capacity], arena[3 * capacity];
alignas(16) int8_t scratch_space[8 * 1024];
constexpr int8_t poison = 0x5a;

/// `n` bytes at p are poison.
bool untouched(const int8_t *p, int32_t n) {
  for (int32_t i = 0; i < n; ++i)
    if (p[i] != poison)
      return false;
  return true;
}

uint32_t messages = 0;

struct Runner {
  const BlobCase &c;

  /// All rows, `block` per call, in one direction.
  void run(aotc_kernel_fn function, const BlobCall &call, bool flat, const int8_t *const *inputs,
           int8_t *output, int32_t block, int32_t descending) {
    const void *data[max_data];
    for (unsigned i = 0; i < max_data; ++i)
      data[i] = blob + call.data[i];
    const void *in[max_window];
    void *out[8] = {output};
    if (flat) {
      for (unsigned i = 0; i < c.inputs; ++i)
        in[i] = inputs[i];
      function(blob + call.shape, blob + call.layer, in, out, data, scratch_space, 0, descending);
      return;
    }
    const int32_t blocks = (c.out_rows + block - 1) / block;
    for (int32_t i = 0; i < c.batches * blocks; ++i) {
      const int32_t k = descending ? c.batches * blocks - 1 - i : i;
      const int32_t batch = k / blocks, y = k % blocks * block;
      const int32_t rows = c.out_rows - y < block ? c.out_rows - y : block;
      for (int32_t r = 0; r < (rows - 1) * c.stride + c.window_rows; ++r) {
        const int32_t row = y * c.stride - c.pad_top + r;
        in[r] = row < 0 || row >= c.in_rows
                    ? nullptr
                    : inputs[0] + (batch * c.in_rows + row) * c.in_row_bytes;
      }
      for (int32_t r = 0; r < rows; ++r)
        out[r] = output + (batch * c.out_rows + y + r) * c.out_row_bytes;
      function(blob + call.shape, blob + call.layer, in, out, data, scratch_space, rows,
               descending);
    }
  }

  bool good = true;
  void fail(const char *what) {
    // The first of a case, and of twenty cases, say enough.
    if (!good)
      return;
    good = false;
    if (++messages > 20)
      return;
    print(kernels[c.kernel].name);
    print(" case ");
    print(c.index);
    print(": ");
    print(what);
    print("\n");
  }

  /// The fast kernel on `near` of its inputs and output in the arena; the other
  /// input, if any, lies behind both.
  void compare(int32_t in_at, int32_t out_at, unsigned near, int32_t block, int32_t descending,
               const char *what) {
    // Both tensors with a margin around them.
    const int32_t in_end = in_at + c.input[near].bytes, out_end = out_at + c.out_bytes;
    const int32_t begin = (in_at < out_at ? in_at : out_at) - margin;
    const int32_t end = (in_end > out_end ? in_end : out_end) + margin;
    memset(arena + begin, poison, (unsigned)(end - begin));
    memset(scratch_space, poison, c.fast.scratch_bytes + margin);
    const int8_t *inputs[max_inputs];
    for (unsigned i = 0; i < c.inputs; ++i)
      inputs[i] = reinterpret_cast<const int8_t *>(blob + c.input[i].bytes_at);
    memcpy(arena + in_at, inputs[near], (unsigned)c.input[near].bytes);
    inputs[near] = arena + in_at;
    run(kernels[c.kernel].fast, c.fast, c.flat, inputs, arena + out_at, block, descending);
    for (int32_t i = 0; i < c.out_bytes; ++i)
      if (arena[out_at + i] != expected[i])
        return fail(what);
    if (!untouched(arena + begin, margin) ||
        (in_end < out_at && !untouched(arena + in_end, out_at - in_end)))
      fail("wrote before the output");
    if (!untouched(arena + end - margin, margin))
      fail("wrote behind the output");
    if (!untouched(scratch_space + c.fast.scratch_bytes, margin))
      fail("wrote behind its scratch");
  }
};

/// Unaligned by `odd`; of two tensors, at a distance of input - output.
void check(const BlobCase &c, uint32_t &runs, uint32_t &bad) {
  Runner runner{c};
  bool large = c.out_bytes > capacity - 512 ||
               c.fast.scratch_bytes + margin > sizeof scratch_space ||
               3 * c.stride + c.window_rows > max_window;
  const int8_t *inputs[max_inputs];
  for (unsigned i = 0; i < c.inputs; ++i) {
    large |= c.input[i].bytes > capacity - 512;
    inputs[i] = reinterpret_cast<const int8_t *>(blob + c.input[i].bytes_at);
  }
  if (large) {
    runner.fail("is too large for the image");
    ++bad;
    return;
  }
  memset(expected, 0, sizeof expected);
  runner.run(kernels[c.kernel].reference, c.reference, c.flat_reference, inputs, expected, 1, 0);

  const int32_t odd = (int32_t)c.index & 3;
  const int32_t in_at = margin + odd;
  const int32_t out_at = in_at + c.input[0].bytes + margin + (odd ^ 1);
  const int32_t blocks[] = {1, 3};
  for (int32_t block : blocks)
    for (int32_t descending = 0; descending < 2; ++descending) {
      runner.compare(in_at, out_at, 0, block, descending,
                     descending ? "differs, descending" : "differs, ascending");
      ++runs;
    }
  // Overlapping as closely as stated; both start somewhere in the middle.
  const int32_t middle = capacity + odd;
  for (unsigned i = 0; i < c.inputs; ++i)
    for (unsigned rule = 0; rule < c.input[i].rules; ++rule) {
      runner.compare(middle + c.input[i].ascending[rule], middle, i, 1, 0,
                     "differs at its distance, ascending");
      runner.compare(middle, middle + c.input[i].descending[rule], i, 1, 1,
                     "differs at its distance, descending");
      runs += 2;
    }
  bad += !runner.good;
}

} // namespace

extern "C" void run_all() {
  const BlobHeader &header = *reinterpret_cast<const BlobHeader *>(blob);
  if (header.magic != blob_magic) {
    print("no cases were loaded\n");
    leave(false);
  }
  uint32_t offset = header.first_case, cases = 0, runs = 0, bad = 0;
  for (; offset; ++cases) {
    const BlobCase &c = *reinterpret_cast<const BlobCase *>(blob + offset);
    check(c, runs, bad);
    offset = c.next;
  }
  print(cases);
  print(" cases, ");
  print(runs);
  print(" runs, ");
  print(bad);
  print(" wrong\n");
  leave(bad == 0 && cases == header.cases);
}

extern "C" char stack_top[];
extern "C" [[noreturn]] void hang() {
  print("fault\n");
  leave(false);
}
extern "C" [[noreturn]] void reset() {
  run_all();
  leave(false);
}
// The vector table: stack, reset, then every fault ends the run.
__attribute__((section(".vectors"), used)) const void *const vectors[16] = {
    stack_top, (void *)reset, (void *)hang, (void *)hang, (void *)hang, (void *)hang, (void *)hang};
