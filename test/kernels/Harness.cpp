// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Harness.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

namespace aotc::test {

bool hasAvx512() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512vnni");
#else
  return false;
#endif
}

bool runsHere(const KernelRow &row) {
#if defined(__x86_64__)
  if (row.level.starts_with("avx")) // those of AVX-512 as CMakeLists.txt builds them
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
  return row.level == "ref";
}

aotc_kernel_fn deviceFunction(const KernelCall &call) {
  // The executable exports its symbols (CMakeLists.txt). Rows may share
  // functions, so the list of rows is not the list of functions.
  void *function = dlsym(RTLD_DEFAULT, call.symbol.c_str());
  if (!function)
    FAIL("no device function " << call.symbol);
  return reinterpret_cast<aotc_kernel_fn>(function);
}

namespace {

/// Bytes with poison on both sides, aligned to `align` plus `shift`.
class Guarded {
public:
  Guarded(int64_t size, char poison, int64_t align = 16, int64_t shift = 0)
      : size(size), poison(poison), bytes(size + 3 * 64 + align, poison) {
    auto address = reinterpret_cast<uintptr_t>(bytes.data()) + 64;
    start = bytes.data() + 64 + (-address) % align + shift;
  }
  char *data() { return start; }
  /// Poison outside is untouched.
  bool intact() const {
    const char *first = bytes.data(), *last = first + bytes.size();
    auto poisoned = [&](char byte) { return byte == poison; };
    return std::all_of(first, static_cast<const char *>(start), poisoned) &&
           std::all_of(static_cast<const char *>(start) + size, last, poisoned);
  }

private:
  int64_t size;
  char poison;
  std::vector<char> bytes;
  char *start;
};

/// Memory behind whose last byte nothing may be read.
class Fenced {
public:
  explicit Fenced(int64_t size, int64_t align)
      : page(sysconf(_SC_PAGESIZE)), whole((size + page - 1) / page * page),
        base(static_cast<char *>(mmap(nullptr, whole + page, PROT_READ | PROT_WRITE,
                                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    REQUIRE(base != MAP_FAILED);
    REQUIRE(mprotect(base + whole, page, PROT_NONE) == 0);
    start = base + (whole - size) / align * align;
  }
  ~Fenced() { munmap(base, whole + page); }
  Fenced(const Fenced &) = delete;
  char *data() { return start; }

private:
  int64_t page, whole;
  char *base, *start;
};

/// A run in the making: the call's constants and where its tensors lie.
struct Run {
  aotc_kernel_fn function;
  const KernelCall &call;
  const RunOptions &options;
  std::deque<Guarded> buffers;
  std::deque<Fenced> fenced;
  std::vector<const char *> inputs;
  std::vector<char *> outputs;
  std::vector<const void *> data;
  void *scratch = nullptr;

  char *place(int64_t size, int64_t align = 16, int64_t shift = 0) {
    return buffers.emplace_back(size, options.poison, align, shift).data();
  }

  /// Of inputs and scratch.
  char *placeRead(int64_t size, int64_t align, int64_t element) {
    return options.fenced ? fenced.emplace_back(size, element).data() : place(size, align);
  }

  void invoke(const void *const *in, void *const *out, int32_t rows) {
    function(call.shape.data(), call.layer.data(), in, out, data.data(), scratch, rows,
             options.descending);
  }

  /// One block of `count` output rows from `y` of image `batch` on.
  void block(int64_t batch, int64_t y, int64_t count) {
    const RowGeometry &g = *call.rows;
    std::vector<const void *> in;
    std::vector<void *> out;
    std::vector<char *> copies;
    for (int64_t k = 0; k < (count - 1) * g.stride + g.windowRows; ++k) {
      int64_t row = y * g.stride - g.padTop + k;
      if (row < 0 || row >= g.inRows) {
        in.push_back(nullptr);
        continue;
      }
      const char *source = inputs[0] + (batch * g.inRows + row) * g.inRowBytes;
      if (options.scattered) {
        // Rows of elements wider than a byte keep 4-byte alignment.
        int64_t shift = g.inRowBytes % 4 ? k % 4 : 4 * (k % 3);
        char *copy = place(g.inRowBytes, 16, shift);
        memcpy(copy, source, g.inRowBytes);
        source = copy;
      }
      in.push_back(source);
    }
    for (int64_t k = 0; k < count; ++k) {
      char *target = outputs[0] + (batch * g.outRows + y + k) * g.outRowBytes;
      copies.push_back(options.scattered ? place(g.outRowBytes) : target);
      out.push_back(copies.back());
    }
    invoke(in.data(), out.data(), int32_t(count));
    if (options.scattered)
      for (int64_t k = 0; k < count; ++k)
        memcpy(outputs[0] + (batch * g.outRows + y + k) * g.outRowBytes, copies[k], g.outRowBytes);
  }

  void allRows() {
    const RowGeometry &g = *call.rows;
    const int64_t step = options.blockRows ? options.blockRows : g.outRows;
    std::vector<std::pair<int64_t, int64_t>> blocks;
    for (int64_t batch = 0; batch < g.batches; ++batch)
      for (int64_t y = 0; y < g.outRows; y += step)
        blocks.push_back({batch, y});
    if (options.descending)
      std::reverse(blocks.begin(), blocks.end());
    for (auto [batch, y] : blocks)
      block(batch, y, std::min(step, g.outRows - y));
  }
};

} // namespace

std::vector<char> runKernel(const KernelCall &call, const Case &c, const RunOptions &options) {
  Run run{deviceFunction(call), call, options, {}, {}, {}, {}, {}};
  for (const KernelData &blob : call.data) {
    char *copy = run.place(blob.bytes.size(), std::max<int64_t>(blob.align, 1));
    memcpy(copy, blob.bytes.data(), blob.bytes.size());
    run.data.push_back(copy);
  }
  if (call.scratchBytes)
    run.scratch = run.placeRead(call.scratchBytes, call.scratchAlign, call.scratchAlign);
  for (int64_t operand : call.operands) {
    char *copy = run.placeRead(c.inputs[operand].size(), 16,
                               std::max<int64_t>(dtypeSize(c.op.inputs[operand].type), 1));
    memcpy(copy, c.inputs[operand].data(), c.inputs[operand].size());
    run.inputs.push_back(copy);
  }
  for (const TensorDesc &output : c.op.outputs)
    run.outputs.push_back(run.place(output.bytes()));
  if (options.overlap) {
    const std::vector<char> &bytes = c.inputs[call.operands[options.overlapped]];
    const int64_t in = std::max<int64_t>(options.distance, 0);
    const int64_t out = std::max<int64_t>(-options.distance, 0);
    char *shared = run.place(std::max<int64_t>(in + bytes.size(), out + c.op.outputs[0].bytes()));
    memcpy(shared + in, bytes.data(), bytes.size());
    run.inputs[options.overlapped] = shared + in;
    run.outputs[0] = shared + out;
  }

  if (call.rows)
    run.allRows();
  else
    run.invoke(reinterpret_cast<const void *const *>(run.inputs.data()),
               reinterpret_cast<void *const *>(run.outputs.data()), 0);

  for (const Guarded &buffer : run.buffers)
    if (!buffer.intact())
      FAIL(call.symbol << " wrote outside its output");
  std::vector<char> result;
  for (size_t i = 0; i < run.outputs.size(); ++i)
    result.insert(result.end(), run.outputs[i], run.outputs[i] + c.op.outputs[i].bytes());
  return result;
}

} // namespace aotc::test
