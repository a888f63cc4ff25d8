// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs on an emulated CPU: compares every fast kernel of a level with the
// portable one for all cases of a blob (floats: ../SameFloats.h). Tensors of bytes lie at odd
// addresses, between bytes that must not change; then input and output overlap at exactly the
// distances the host side states.
#include "Blob.h"
#include "Platform.h"

#include "../SameFloats.h"

#include "targets/KernelABI.h"

// kernels.inc has a line for each device function in the image.
#define BOARD_KERNEL(name) AOTC_KERNEL_FN(name);
#include "kernels.inc"
#undef BOARD_KERNEL

struct NamedKernel {
  const char *name;
  aotc_kernel_fn function;
};
#define BOARD_KERNEL(name) {#name, name},
static const NamedKernel kernels[] = {
#include "kernels.inc"
};

namespace {

char *blob;

void print_number(uint32_t value) {
  char digits[11];
  char *p = digits + 10;
  *p = 0;
  do
    *--p = (char)('0' + value % 10);
  while (value /= 10);
  print(p);
}

aotc_kernel_fn find(uint32_t symbol) {
  for (const NamedKernel &kernel : kernels) {
    const char *a = kernel.name, *b = blob + symbol;
    while (*a && *a == *b)
      ++a, ++b;
    if (*a == *b)
      return kernel.function;
  }
  print(blob + symbol);
  print(" is not in the image\n");
  leave(false);
}

#if defined(BOARD_FLUSHES)
constexpr bool flushes = true;
#else
constexpr bool flushes = false;
#endif

uint32_t float_bits(const int8_t *p) { return *reinterpret_cast<const uint32_t *>(p); }

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
  void run(const BlobCall &call, bool flat, const int8_t *const *inputs, int8_t *output,
           int32_t block, int32_t descending) {
    const aotc_kernel_fn function = find(call.symbol);
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
    print(blob + c.fast.symbol);
    print(" case ");
    print_number(c.index);
    print(": ");
    print(what);
    print("\n");
  }

  /// The output is the expected one.
  bool equal(const int8_t *output) {
    if (c.float_output) {
      for (int32_t i = 0; i < c.out_bytes; i += 4)
        if (!aotc::test::same_float(float_bits(output + i), float_bits(expected + i),
                                    {c.weights != 0, flushes}))
          return false;
      return true;
    }
    for (int32_t i = 0; i < c.out_bytes; ++i)
      if (output[i] != expected[i])
        return false;
    return true;
  }

  /// The fast kernel on `near` of its inputs and output in the arena; the other
  /// input, if any, lies behind both.
  void compare(int32_t in_at, int32_t out_at, unsigned near, int32_t block, int32_t descending,
               const char *what) {
    // Both tensors with a margin around them.
    const int32_t in_end = in_at + c.input[near].bytes, out_end = out_at + c.out_bytes;
    const int32_t begin = (in_at < out_at ? in_at : out_at) - margin;
    const int32_t end = (in_end > out_end ? in_end : out_end) + margin;
    __builtin_memset(arena + begin, poison, (unsigned)(end - begin));
    __builtin_memset(scratch_space, poison, c.fast.scratch_bytes + margin);
    const int8_t *inputs[max_inputs];
    for (unsigned i = 0; i < c.inputs; ++i)
      inputs[i] = reinterpret_cast<const int8_t *>(blob + c.input[i].bytes_at);
    __builtin_memcpy(arena + in_at, inputs[near], (unsigned)c.input[near].bytes);
    inputs[near] = arena + in_at;
    run(c.fast, c.flat, inputs, arena + out_at, block, descending);
    if (!equal(arena + out_at))
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
  if (flushes && c.float_output)
    for (unsigned i = 0; i < c.inputs; ++i) {
      int8_t *copy = arena + i * capacity;
      for (int32_t k = 0; k < c.input[i].bytes; k += 4)
        *reinterpret_cast<uint32_t *>(copy + k) = aotc::test::flushed(float_bits(inputs[i] + k));
      inputs[i] = copy;
    }
  __builtin_memset(expected, 0, sizeof expected);
  runner.run(c.reference, c.flat_reference, inputs, expected, 1, 0);

  // Elements of more than a byte are aligned.
  const int32_t odd = c.aligned ? 0 : (int32_t)c.index & 3;
  const int32_t in_at = margin + odd;
  const int32_t out_at = in_at + c.input[0].bytes + margin + (c.float_output ? 0 : odd ^ 1);
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

bool run_all(char *cases_blob) {
  blob = cases_blob;
  const BlobHeader &header = *reinterpret_cast<const BlobHeader *>(blob);
  if (header.magic != blob_magic) {
    print("no cases were loaded\n");
    return false;
  }
  uint32_t offset = header.first_case, cases = 0, runs = 0, bad = 0;
  for (; offset; ++cases) {
    const BlobCase &c = *reinterpret_cast<const BlobCase *>(blob + offset);
    check(c, runs, bad);
    offset = c.next;
  }
  print_number(cases);
  print(" cases, ");
  print_number(runs);
  print(" runs, ");
  print_number(bad);
  print(" wrong\n");
  return bad == 0 && cases == header.cases;
}
