// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs bundles on this machine: each object becomes a shared object (so any
// relocation a real program may use works here too), is loaded into a forked
// child, and runs there on a painted stack with inaccessible pages around the
// arena. A crash or a hang ends the child, not the compiler.

#include "compiler/run/Linker.h"
#include "compiler/run/MemoryCheck.h"
#include "compiler/run/Process.h"
#include "compiler/run/Runners.h"
#include "compiler/run/harness/protocol.h"
#include "compiler/run/harness/step_check.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

using namespace aotc;
using Clock = std::chrono::steady_clock;
/// NAME_run: one block by address and size, several in arrays.
using RunFn = int32_t (*)(uintptr_t, uintptr_t);

// harness/host_hooks.c, built for this host and embedded by CMake.
extern "C" const char aotc_host_hooks_data[], aotc_host_hooks_end[];

namespace {

constexpr size_t hostStackBytes = 1 << 20;

/// Zeroed pages, shared with a forked child, an inaccessible one on each side.
class Pages {
public:
  explicit Pages(size_t bytes) {
    size_t page = llvm::sys::Process::getPageSizeEstimate();
    usable = (bytes + page - 1) / page * page;
    mapped = usable + 2 * page;
    void *at = mmap(nullptr, mapped, PROT_NONE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED)
      return;
    base = static_cast<uint8_t *>(at);
    if (mprotect(base + page, usable, PROT_READ | PROT_WRITE))
      release();
  }
  Pages(const Pages &) = delete;
  ~Pages() { release(); }
  Pages(Pages &&other) noexcept
      : base(std::exchange(other.base, nullptr)), usable(other.usable), mapped(other.mapped) {}
  explicit operator bool() const { return base; }
  uint8_t *begin() const { return base + (mapped - usable) / 2; }
  uint8_t *end() const { return begin() + usable; }

private:
  void release() {
    if (base)
      munmap(base, mapped);
    base = nullptr;
  }
  uint8_t *base = nullptr;
  size_t usable = 0, mapped = 0;
};

/// What the child reports of one filling; the nanoseconds of each layer of a
/// bundle with hooks and the outputs follow in the same pages.
struct Report {
  int32_t status, done;
  int64_t stackBytes, nanoseconds;
  int64_t badStep, badOffset; ///< step by step: a wrong write, or -1
};

/// The memory of a bundle, shared by parent and child.
struct HostMemory {
  Pages arena, stack, copy; ///< copy: what a stepwise run compares with
  uint8_t *base;            ///< the stretch of all blocks starts here
  MemoryLayout layout;
  std::vector<uint8_t *> starts; ///< of the blocks
  std::vector<size_t> sizes;
  bool several() const { return starts.size() > 1; }
  /// As the bundle takes them: one by address and size, several in arrays.
  uintptr_t first() const {
    return several() ? reinterpret_cast<uintptr_t>(starts.data())
                     : reinterpret_cast<uintptr_t>(starts[0]);
  }
  uintptr_t second() const {
    return several() ? reinterpret_cast<uintptr_t>(sizes.data()) : sizes[0];
  }
};

/// run(first, second) with the stack pointer at `top`, so that all the bundle
/// uses lies below (x86-64: below the return address).
__attribute__((noinline)) int32_t callOnStack(RunFn run, uintptr_t first, uintptr_t second,
                                              uint8_t *top) {
#if defined(__x86_64__)
  int64_t status;
  __asm__ volatile("movq %%rsp, %%rbx\n\t"
                   "movq %[top], %%rsp\n\t"
                   "callq *%[run]\n\t"
                   "movq %%rbx, %%rsp"
                   : "=a"(status), "+D"(first), "+S"(second)
                   : [run] "r"(run), [top] "r"(top)
                   : "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "memory", "cc", "xmm0", "xmm1",
                     "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
                     "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
  return int32_t(status);
#elif defined(__aarch64__)
  register uintptr_t x0 __asm__("x0") = first;
  register uintptr_t x1 __asm__("x1") = second;
  register RunFn x9 __asm__("x9") = run;
  register uint8_t *x10 __asm__("x10") = top;
  __asm__ volatile("mov x19, sp\n\t"
                   "mov sp, x10\n\t"
                   "blr x9\n\t"
                   "mov sp, x19"
                   : "+r"(x0), "+r"(x1), "+r"(x9), "+r"(x10)
                   :
                   : "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x11", "x12", "x13", "x14", "x15",
                     "x16", "x17", "x19", "x30", "memory", "cc", "v0", "v1", "v2", "v3", "v4", "v5",
                     "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17",
                     "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28",
                     "v29", "v30", "v31");
  return int32_t(x0);
#else
#error "host runner: add a stack switch for this processor"
#endif
}

/// Bytes the call itself puts on the new stack.
constexpr int64_t callBytes =
#if defined(__x86_64__)
    8;
#else
    0;
#endif

int64_t nanoseconds(Clock::duration time) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
}

/// Nanoseconds of one call, and of its layers if the bundle has hooks.
struct TimedCall {
  int64_t total = 0;
  std::vector<int64_t> layers;
};

/// When a layer of the present call began or ended; the hooks note it, in the child.
std::vector<Clock::time_point> layerMarks;
void markLayer() { layerMarks.push_back(Clock::now()); }

/// The call in the middle, by its total, of repeated ones: at least three and 20 ms,
/// unless one takes a second. Inputs are fed anew each time, they may be overwritten.
template <typename Feed, typename Call>
TimedCall timeCalls(const Feed &feed, const Call &call, size_t layers) {
  constexpr int64_t enough = 20'000'000, slow = 1'000'000'000;
  std::vector<TimedCall> calls;
  int64_t sum = 0;
  while (calls.size() < 1000 && sum < slow && (calls.size() < 3 || sum < enough)) {
    feed();
    layerMarks.clear();
    Clock::time_point start = Clock::now();
    call();
    TimedCall timed{nanoseconds(Clock::now() - start), std::vector<int64_t>(layers)};
    for (size_t i = 0; i < layers && 2 * i + 1 < layerMarks.size(); ++i)
      timed.layers[i] = nanoseconds(layerMarks[2 * i + 1] - layerMarks[2 * i]);
    sum += timed.total;
    calls.push_back(std::move(timed));
  }
  auto middle = calls.begin() + calls.size() / 2;
  std::nth_element(calls.begin(), middle, calls.end(),
                   [](const TimedCall &a, const TimedCall &b) { return a.total < b.total; });
  return std::move(*middle);
}

/// The same call without what its hooks took: of each pair one reading of the clock
/// lies inside the layer and one outside. What is left outside is not negative.
TimedCall withoutHooks(TimedCall call) {
  layerMarks.clear();
  TimedCall pair = timeCalls([] {}, [] { markLayer(), markLayer(); }, 1);
  const int64_t reading = pair.layers[0];
  int64_t outside = call.total;
  TimedCall result;
  for (int64_t layer : call.layers) {
    outside -= layer + reading;
    result.layers.push_back(std::max<int64_t>(0, layer - reading));
    result.total += result.layers.back();
  }
  result.total += std::max<int64_t>(0, outside);
  return result;
}

/// Where the stretch starts in its pages: as close to the inaccessible one behind
/// as the alignment promised allows, and no better aligned than that.
uint8_t *arenaStart(const Pages &pages, int64_t bytes, int64_t align) {
  uintptr_t end = reinterpret_cast<uintptr_t>(pages.end());
  uintptr_t start = (end - bytes) / align * align;
  if (start % (2 * align) == 0)
    start -= align;
  return reinterpret_cast<uint8_t *>(start);
}

/// One inference, step by step, until one fails.
int32_t runSteps(RunFn step, const std::vector<uintptr_t> &table, const HostMemory &memory,
                 uint8_t paint, Report &report) {
  sim_step_check check{memory.base, memory.copy.begin(),
                       static_cast<uintptr_t>(memory.layout.bytes), paint, table.data() + 1};
  int32_t status = 0;
  for (uintptr_t number = 0; number < table[0] && !status; ++number) {
    sim_before_step(&check);
    status = callOnStack(step, memory.first(), number, memory.stack.end());
    intptr_t bad = sim_after_step(&check);
    if (bad >= 0 && report.badStep < 0) {
      report.badStep = static_cast<int64_t>(number);
      report.badOffset = bad;
    }
  }
  return status;
}

/// Everything that happens in the child.
void runInChild(const RunCase &runCase, RunFn run, const std::vector<uintptr_t> &table,
                const HostMemory &memory, unsigned filling, Report &report, int64_t *layers,
                uint8_t *output) {
  const ModelInterface &interface = *runCase.interface;
  uint8_t paint = sim_paint(filling);
  std::fill(memory.arena.begin(), memory.arena.end(), paint);
  std::fill(memory.stack.begin(), memory.stack.end(), paint);
  report.badStep = -1;

  const std::vector<IoTensor> after = tensorsAfterCall(interface);
  auto feed = [&](int64_t call) {
    for (auto [tensor, data] : llvm::zip(interface.inputs, runCase.inputs))
      std::memcpy(memory.starts[tensor.region] + tensor.offset, data.data() + call * tensor.bytes,
                  tensor.bytes);
  };
  auto invoke = [&] {
    report.status = runCase.stepwise
                        ? runSteps(run, table, memory, paint, report)
                        : callOnStack(run, memory.first(), memory.second(), memory.stack.end());
  };
  for (int64_t call = 0; call < runCase.invocations; ++call) {
    feed(call);
    invoke();
    for (const IoTensor &tensor : after)
      output = std::copy_n(memory.starts[tensor.region] + tensor.offset, tensor.bytes, output);
  }
  const uint8_t *lowest = std::find_if(memory.stack.begin(), memory.stack.end(),
                                       [paint](uint8_t byte) { return byte != paint; });
  report.stackBytes = std::max<int64_t>(0, memory.stack.end() - lowest - callBytes);
  if (!runCase.stepwise && filling == 0) {
    int32_t status = report.status;
    // Other inputs than the last might come in between: keep what is judged.
    TimedCall timed = withoutHooks(
        timeCalls([&] { feed(runCase.invocations - 1); }, invoke, hookedLayers(runCase)));
    report.nanoseconds = timed.total;
    std::copy(timed.layers.begin(), timed.layers.end(), layers);
    report.status = status;
  }
  report.done = 1;
}

/// Forks, runs, waits: one filling of one case.
llvm::Expected<FilledRun> fillAndRun(const RunCase &runCase, RunFn run,
                                     const std::vector<uintptr_t> &table, const HostMemory &memory,
                                     const Pages &shared, unsigned filling,
                                     int64_t timeoutSeconds) {
  const ModelInterface &interface = *runCase.interface;
  auto &report = *reinterpret_cast<Report *>(shared.begin());
  auto *layers = reinterpret_cast<int64_t *>(&report + 1);
  uint8_t *outputs = reinterpret_cast<uint8_t *>(layers + hookedLayers(runCase));
  report = {};
  pid_t pid = fork();
  if (pid < 0)
    return runError("cannot fork: " + llvm::Twine(std::strerror(errno)));
  if (!pid) {
    // Handlers of the parent (LLVM prints a stack trace) are of no use here.
    for (int number : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGALRM, SIGTRAP})
      std::signal(number, SIG_DFL);
    alarm(static_cast<unsigned>(timeoutSeconds));
    runInChild(runCase, run, table, memory, filling, report, layers, outputs);
    _exit(0);
  }
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
    return runError(timeoutText(timeoutSeconds));
  if (WIFSIGNALED(status))
    return runError("signal " + llvm::Twine(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) +
                    "): an access outside arena or stack, or an instruction this machine lacks");
  if (!report.done)
    return runError("the process ended before the bundle did");

  FilledRun result;
  result.result.status = report.status;
  result.result.stackBytes = report.stackBytes;
  if (!runCase.stepwise)
    result.result.nsPerInference = report.nanoseconds;
  result.result.layers.assign(layers, layers + hookedLayers(runCase));
  result.badStep = report.badStep;
  result.badOffset = report.badOffset;
  uint8_t *end = memory.base + memory.layout.bytes;
  result.below.assign(memory.arena.begin(), memory.base);
  result.arena.assign(memory.base, end);
  result.above.assign(end, memory.arena.end());
  const std::vector<IoTensor> after = tensorsAfterCall(interface);
  result.result.outputs.assign(after.size(), "");
  const char *from = reinterpret_cast<const char *>(outputs);
  for (int64_t call = 0; call < runCase.invocations; ++call)
    for (auto [tensor, output] : llvm::zip(after, result.result.outputs)) {
      output.append(from, tensor.bytes);
      from += tensor.bytes;
    }
  return result;
}

llvm::Expected<RunResult> runCaseOnHost(const RunCase &runCase, const TargetSpec &target,
                                        const RunOptions &options, const std::string &file) {
  const ModelInterface &interface = *runCase.interface;
  void *library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return runError("cannot load the bundle: " + llvm::Twine(dlerror()));
  llvm::scope_exit unload([&] { dlclose(library); });
  std::string entry = entryName(runCase);
  auto run = reinterpret_cast<RunFn>(dlsym(library, entry.c_str()));
  if (!run)
    return runError("the object does not define '" + entry + "'");
  if (interface.hooks)
    *static_cast<void (**)()>(dlsym(library, "sim_layer_mark")) = markLayer;

  int64_t outputBytes = 0;
  for (const IoTensor &tensor : tensorsAfterCall(interface))
    outputBytes += tensor.bytes * runCase.invocations;
  MemoryLayout layout = layOutBlocks(interface);
  // A page in front takes what a bundle writes below its memory.
  HostMemory memory{
      Pages(layout.bytes + 2 * layout.align + llvm::sys::Process::getPageSizeEstimate()),
      Pages(hostStackBytes),
      Pages(runCase.stepwise ? layout.bytes : 1),
      nullptr,
      layout,
      {},
      {}};
  Pages shared(sizeof(Report) + hookedLayers(runCase) * sizeof(int64_t) + outputBytes);
  if (!memory.arena || !memory.stack || !memory.copy || !shared)
    return runError("out of memory");
  memory.base = arenaStart(memory.arena, layout.bytes, layout.align);
  for (auto [region, start] : llvm::zip(interface.regions, layout.starts)) {
    memory.starts.push_back(memory.base + start);
    memory.sizes.push_back(region.bytes);
  }
  std::vector<uintptr_t> table;
  if (runCase.stepwise)
    for (uint64_t word : stepTable(interface))
      table.push_back(word);

  std::vector<FilledRun> runs;
  for (int filling = 0; filling < options.fillings; ++filling) {
    auto filled = fillAndRun(runCase, run, table, memory, shared, filling, options.timeoutSeconds);
    if (!filled)
      return filled.takeError();
    runs.push_back(std::move(*filled));
  }
  return judgeRun(runCase, runs);
}

} // namespace

llvm::Expected<std::vector<RunResult>> aotc::runOnHost(llvm::ArrayRef<RunCase> cases,
                                                       const TargetSpec &target,
                                                       const RunOptions &options) {
  std::string missing = missingOnHost(target);
  if (!missing.empty())
    return runError("target '" + target.name + "' does not run on this machine, which lacks " +
                    missing);
  auto temp = TempDir::create();
  if (!temp)
    return temp.takeError();
  std::string hooks = temp->file("hooks.o");
  if (llvm::Error error = writeFile(
          hooks, {aotc_host_hooks_data, size_t(aotc_host_hooks_end - aotc_host_hooks_data)}))
    return std::move(error);
  std::vector<RunResult> results;
  for (auto [i, runCase] : llvm::enumerate(cases)) {
    std::string object = temp->file(llvm::formatv("case{0}.o", i));
    std::string library = temp->file(llvm::formatv("case{0}.so", i));
    if (llvm::Error error = writeFile(object, runCase.object))
      return std::move(error);
    if (llvm::Error error =
            linkElf({"-shared", "-Bsymbolic", "--build-id=none", "-o", library, object, hooks}))
      return runError(target.name + ": " + runCase.interface->name + ": " +
                      llvm::toString(std::move(error)));
    if (!options.saveElf.empty()) {
      std::string path = options.saveElf + (i ? "." + std::to_string(i) : "");
      if (std::error_code code = llvm::sys::fs::copy_file(library, path))
        return runError("cannot write '" + path + "': " + code.message());
    }
    llvm::Expected<RunResult> result = runCaseOnHost(runCase, target, options, library);
    if (!result)
      return runError(target.name + ": " + runCase.interface->name + ": " +
                      llvm::toString(result.takeError()));
    results.push_back(std::move(*result));
    llvm::sys::fs::remove(library);
  }
  return results;
}
