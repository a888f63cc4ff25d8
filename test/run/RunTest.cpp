// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// runBundles on every kind of runner with bundles of known behaviour
// (bundles.c). Expected figures follow from that file.
#include <catch2/catch.hpp>

#include "compiler/run/Image.h"
#include "compiler/run/Run.h"
#include "targets/Target.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>

using namespace aotc;
using Catch::Matchers::Contains;

extern "C" {
extern const char bundles_host_data[], bundles_host_end[];
extern const char bundles_cortex_m4_data[], bundles_cortex_m4_end[];
extern const char bundles_cortex_m4_nofp_data[], bundles_cortex_m4_nofp_end[];
extern const char bundles_cortex_m0_data[], bundles_cortex_m0_end[];
extern const char bundles_aarch64_data[], bundles_aarch64_end[];
}

namespace {

struct Device {
  TargetSpec target;
  llvm::StringRef object;
  const char *needs; ///< program, or null
};

// A Cortex-M that the table need not know.
TargetSpec cortexM(const char *name, const char *triple, const char *machine) {
  TargetSpec target = *findTarget("cortex-m4+nofp");
  target.name = name;
  target.triple = triple;
  target.machine = machine;
  return target;
}

#define OBJECT(name) llvm::StringRef(name##_data, size_t(name##_end - name##_data))
const Device devices[] = {
    {*findTarget("host"), OBJECT(bundles_host), nullptr},
    {*findTarget("cortex-m4"), OBJECT(bundles_cortex_m4), "qemu-system-arm"},
    {*findTarget("cortex-m4+nofp"), OBJECT(bundles_cortex_m4_nofp), "qemu-system-arm"},
    {*findTarget("cortex-a53"), OBJECT(bundles_aarch64), "qemu-aarch64"},
    {cortexM("test-m0", "thumbv6m-unknown-none-eabi", "microbit"), OBJECT(bundles_cortex_m0),
     "qemu-system-arm"},
    {*findTarget("cortex-m0"), OBJECT(bundles_cortex_m0), "qemu-system-arm"},
    {*findTarget("cortex-m3"), OBJECT(bundles_cortex_m0), "qemu-system-arm"},
    {*findTarget("cortex-m7"), OBJECT(bundles_cortex_m4), "qemu-system-arm"},
    {*findTarget("cortex-m23"), OBJECT(bundles_cortex_m0), "qemu-system-arm"},
    {*findTarget("cortex-m33"), OBJECT(bundles_cortex_m4), "qemu-system-arm"},
    {*findTarget("cortex-m55"), OBJECT(bundles_cortex_m4), "qemu-system-arm"},
};

/// Whether the device is to be tested: $AOTC_TEST_RUNNER chooses those in process
/// ("host") or of one emulator, so that CTest shows each of them as passed or skipped.
bool available(const Device &device) {
  const char *runner = std::getenv("AOTC_TEST_RUNNER");
  if (runner && runner != llvm::StringRef(device.needs ? device.needs : "host"))
    return false;
  if (!device.needs || llvm::sys::findProgramByName(device.needs))
    return true;
  std::cout << "skipped: needs " << device.needs << "\n";
  return false;
}

IoTensor tensor(const char *name, DType type, int64_t elements, int64_t offset) {
  IoTensor result;
  result.name = result.symbol = name;
  result.type = type;
  result.shape = {elements};
  result.bytes = elements * dtypeSize(type);
  result.offset = offset;
  return result;
}

ModelInterface model(const char *name, int64_t arenaBytes, std::vector<IoTensor> inputs = {},
                     std::vector<IoTensor> outputs = {}) {
  ModelInterface result;
  result.name = name;
  result.arenaBytes = arenaBytes;
  result.regions = {{"arena", "arena", arenaBytes, 16, {}, {}, ""}};
  result.inputs = std::move(inputs);
  result.outputs = std::move(outputs);
  result.codeBytes = 100;
  result.weightsBytes = 28;
  return result;
}

PlannedBuffer buffer(const char *name, const char *role, int64_t offset, int64_t bytes,
                     int64_t firstStep = 0, int64_t lastStep = 0) {
  PlannedBuffer result;
  result.name = name;
  result.role = role;
  result.offset = offset;
  result.bytes = bytes;
  result.firstStep = firstStep;
  result.lastStep = lastStep;
  return result;
}

ModelInterface twice() {
  return model("twice", 32, {tensor("in", DType::s8, 16, 0)}, {tensor("out", DType::s8, 16, 16)});
}

template <typename T> std::string bytesOf(std::vector<T> values) {
  return std::string(reinterpret_cast<const char *>(values.data()), values.size() * sizeof(T));
}

std::vector<RunResult> run(const Device &device, llvm::ArrayRef<RunCase> cases,
                           const RunOptions &options = {}) {
  auto results = runBundles(cases, device.target, options);
  if (!results)
    FAIL(llvm::toString(results.takeError()));
  REQUIRE(results->size() == cases.size());
  return *results;
}

std::string errorOf(const Device &device, llvm::ArrayRef<RunCase> cases,
                    const RunOptions &options = {}) {
  auto results = runBundles(cases, device.target, options);
  REQUIRE(!bool(results));
  return llvm::toString(results.takeError());
}

} // namespace

TEST_CASE("inputs and outputs, several invocations, one arena", "[devices]") {
  for (const Device &device : llvm::make_filter_range(devices, available)) {
    INFO(device.target.name);
    ModelInterface two = twice();
    ModelInterface counter =
        model("counter", 3, {tensor("in", DType::u8, 1, 0)}, {tensor("sum", DType::u8, 1, 1)});
    std::string in, out;
    for (int i = 0; i < 32; ++i) {
      in += char(i - 16);
      out += char(2 * (i - 16));
    }
    // The counter sees 1, 2, 3: sums 1, 3, 6, as the arena is not reset.
    auto results =
        run(device, {{&two, device.object, {in}, 2}, {&counter, device.object, {"\1\2\3"}, 3}});
    CHECK(results[0].outputs == std::vector<std::string>{out});
    CHECK(results[1].outputs == std::vector<std::string>{"\1\3\6"});
    for (const RunResult &result : results) {
      CHECK(result.status == 0);
      CHECK(result.flashBytes == 128);
      CHECK(result.stackBytes < 256);
      bool host = device.needs == nullptr;
      CHECK(result.nsPerInference.has_value() == host);
      CHECK(result.instructions.has_value() == !host);
    }
  }
}

TEST_CASE("a bundle's status is an error, constants and memcpy work", "[devices]") {
  for (const Device &device : llvm::make_filter_range(devices, available)) {
    INFO(device.target.name);
    ModelInterface constant = model("constant", 64, {}, {tensor("out", DType::u8, 8, 0)});
    auto results = run(device, {{&constant, device.object, {}, 1}});
    CHECK(results[0].outputs[0] == "\3\1\4\1\5\x9\2\6");
    ModelInterface small = model("small", 64, {}, {tensor("out", DType::u8, 8, 0)});
    CHECK_THAT(errorOf(device, {{&small, device.object, {}, 1}}),
               Contains(": small: the bundle returned status 3 (arena is too small)"));
  }
}

TEST_CASE("floats and 64-bit division on every target", "[devices]") {
  for (const Device &device : llvm::make_filter_range(devices, available)) {
    INFO(device.target.name);
    ModelInterface floats =
        model("floats", 12, {tensor("in", DType::f32, 2, 0)}, {tensor("out", DType::f32, 1, 8)});
    ModelInterface divide =
        model("divide", 32, {tensor("in", DType::s64, 2, 0)}, {tensor("out", DType::s64, 2, 16)});
    // 1/8 + 3 = 3.125, 1/-0.5 + 1 = -1: exact. -10^15 / 7 by arithmetic:
    // 7 * 142857142857142 = 999999999999994, remainder 6 with the dividend's
    // sign.
    auto results =
        run(device, {{&floats, device.object, {bytesOf<float>({8, 3, -0.5, 1})}, 2},
                     {&divide, device.object, {bytesOf<int64_t>({-1000000000000000, 7})}, 1}});
    CHECK(results[0].outputs[0] == bytesOf<float>({3.125f, -1}));
    CHECK(results[1].outputs[0] == bytesOf<int64_t>({-142857142857142, -6}));
  }
}

TEST_CASE("the harness's memory routines at every alignment", "[devices]") {
  std::string inputs, expected;
  int64_t calls = 0;
  for (int operation = 0; operation < 3; ++operation)
    for (int to : {0, 1, 2, 3, 4, 7, 8})
      for (int from : {0, 1, 2, 3, 5, 6, 8, 40})
        for (int bytes : {0, 1, 3, 4, 5, 8, 17, 20}) {
          // memcpy's operands must not overlap; memset has none.
          if (operation == 0 && std::abs(to - from) < bytes)
            continue;
          std::string data;
          for (int i = 0; i < 64; ++i)
            data += char(100 + i);
          inputs += {char(operation), char(to), char(from), char(bytes)};
          inputs += data;
          data.replace(to, bytes,
                       operation == 2 ? std::string(bytes, char(from)) : data.substr(from, bytes));
          expected += data;
          ++calls;
        }
  for (const Device &device : llvm::make_filter_range(devices, available)) {
    INFO(device.target.name);
    ModelInterface memory =
        model("memory", 68, {tensor("in", DType::u8, 68, 0)}, {tensor("out", DType::u8, 64, 4)});
    auto results = run(device, {{&memory, device.object, {inputs}, calls}});
    const std::string &got = results[0].outputs[0];
    size_t wrong = std::mismatch(got.begin(), got.end(), expected.begin()).first - got.begin();
    INFO("call " << wrong / 64 << ": operation, to, from, bytes " << int(inputs[wrong / 64 * 68])
                 << ' ' << int(inputs[wrong / 64 * 68 + 1]) << ' '
                 << int(inputs[wrong / 64 * 68 + 2]) << ' ' << int(inputs[wrong / 64 * 68 + 3]));
    CHECK(wrong == expected.size());
  }
}

TEST_CASE("stack mark and instruction count are exact", "[devices]") {
  for (const Device &device : llvm::make_filter_range(devices, available)) {
    INFO(device.target.name);
    ModelInterface stack = model("stack512", 16), million = model("million", 16);
    auto results = run(device, {{&stack, device.object, {}, 1}, {&million, device.object, {}, 2}});
    CHECK(results[0].stackBytes == 512);
    if (!device.needs)
      continue;
    // 2,000,000 in the loop and a few around it; boards count in ticks of 40 or 50.
    int64_t slack = (device.target.family == Family::armM) ? 2 * 50 + 20 : 20;
    CHECK(*results[1].instructions >= 2'000'000 - 50);
    CHECK(*results[1].instructions <= 2'000'000 + slack);
  }
}

TEST_CASE("layers are measured by the hooks of a bundle", "[devices]") {
  for (const Device &device : llvm::make_filter_range(devices, available)) {
    INFO(device.target.name);
    ModelInterface layers = model("layers", 16), million = model("million", 16);
    layers.layers.resize(3);
    layers.hooks = true;
    RunOptions options;
    options.exactCounts = true;
    options.fillings = 2;
    auto results = run(device,
                       {{&million, device.object, {}, 1},
                        {&layers, device.object, {}, 2},
                        {&million, device.object, {}, 1}},
                       options);
    CHECK(results[0].layers.empty());
    REQUIRE(results[1].layers.size() == 3);
    if (!device.needs) { // in time: nothing takes less than a loop of 200,000
      CHECK(results[1].layers[1] < results[1].layers[0]);
      CHECK(results[1].layers[0] < results[1].layers[2]);
      continue;
    }
    CHECK(*results[0].instructions == *results[2].instructions);
    // Calls, returns and arguments of the hooks and of the loop.
    const int64_t expected[] = {400'000, 0, 1'000'000};
    for (int i = 0; i < 3; ++i) {
      CHECK(results[1].layers[i] >= expected[i]);
      CHECK(results[1].layers[i] <= expected[i] + 20);
    }
    CHECK(*results[1].instructions >= 1'600'000);
    CHECK(*results[1].instructions <= 1'600'000 + 100);
  }
}

TEST_CASE("many cases in one image", "[devices]") {
  for (const Device &device : llvm::make_filter_range(devices, available)) {
    INFO(device.target.name);
    ModelInterface two = twice();
    std::vector<RunCase> cases;
    for (int i = 0; i < 40; ++i)
      cases.push_back({&two, device.object, {std::string(16, char(i))}, 1});
    auto results = run(device, cases);
    for (int i = 0; i < 40; ++i)
      CHECK(results[i].outputs[0] == std::string(16, char(2 * i)));
  }
}

TEST_CASE("writes outside the arena are found", "[devices]") {
  for (const Device &device : llvm::make_filter_range(devices, available)) {
    INFO(device.target.name);
    ModelInterface two = twice(), above = model("above", 30), below = model("below", 30);
    std::string in(16, 1);
    RunCase good{&two, device.object, {in}, 1};
    CHECK_THAT(errorOf(device, {good, {&above, device.object, {}, 1}}),
               Contains("above: wrote outside its arena, 2 bytes behind its end"));
    CHECK_THAT(errorOf(device, {good, {&below, device.object, {}, 1}}),
               Contains("below: wrote outside its arena, 4 bytes before its start"));
  }
}

TEST_CASE("a write between the buffers of the plan is found", "[devices]") {
  for (const Device &device : llvm::make_filter_range(devices, available)) {
    INFO(device.target.name);
    // twice's arena with eight bytes put in between: nobody's.
    ModelInterface gap =
        model("gap", 40, {tensor("in", DType::s8, 8, 0)}, {tensor("out", DType::s8, 16, 16)});
    gap.buffers = {buffer("in", "input", 0, 8), buffer("out", "output", 16, 24)};
    CHECK_THAT(errorOf(device, {{&gap, device.object, {std::string(8, 1)}, 1}}),
               Contains("gap: wrote byte 9 of its arena, which belongs to no buffer"));
    gap.name = "twice";
    run(device, {{&gap, device.object, {std::string(8, 1)}, 1}});
  }
}

TEST_CASE("two fillings tell what was read unwritten, and which bytes were written", "[devices]") {
  RunOptions options;
  options.fillings = 2;
  for (const Device &device : llvm::make_filter_range(devices, available)) {
    INFO(device.target.name);
    ModelInterface unset =
        model("unset", 6, {tensor("in", DType::u8, 1, 0)}, {tensor("sum", DType::u8, 1, 1)});
    RunCase reads{&unset, device.object, {"\1"}, 1};
    run(device, reads);
    CHECK_THAT(errorOf(device, reads, options),
               Contains("unset: its output depends on what its memory held before: byte 0 of "
                        "'sum' is not the same after another filling"));
    // 16 bytes of input, 16 of output, 8 that nobody touches; a second case
    // and several invocations keep in step. -91 and 90 are the two paints.
    ModelInterface two =
        model("twice", 40, {tensor("in", DType::s8, 16, 0)}, {tensor("out", DType::s8, 16, 16)});
    std::string data = std::string(16, char(-91)) + std::string(16, char(45));
    auto results =
        run(device, {{&two, device.object, {data}, 2}, {&two, device.object, {data}, 2}}, options);
    for (const RunResult &result : results) {
      CHECK(result.outputs[0] == std::string(16, char(74)) + std::string(16, char(90)));
      REQUIRE(result.written.has_value());
      CHECK(result.written->first == 0);
      CHECK(result.written->end == 32);
      CHECK(result.written->bytes == 32);
      CHECK(result.instructions.has_value() == (device.needs != nullptr));
    }
  }
}

TEST_CASE("step by step, each may change only its own", "[devices]") {
  RunOptions options;
  options.fillings = 2;
  for (const Device &device : llvm::make_filter_range(devices, available)) {
    INFO(device.target.name);
    ModelInterface steps =
        model("steps", 12, {tensor("in", DType::u8, 4, 0)}, {tensor("out", DType::u8, 4, 0)});
    steps.buffers = {buffer("in", "input", 0, 4), buffer("a", "internal", 4, 4, 0, 1),
                     buffer("b", "internal", 8, 4, 1, 2), buffer("out", "output", 0, 4, 2, 2)};
    for (int64_t offset : {4, 8, 0}) {
      LayerRecord layer;
      layer.op = "ADD";
      layer.kernel = "test";
      layer.writes = {{0, offset, 4}};
      steps.layers.push_back(layer);
    }
    ModelInterface spoils = steps, late = steps, two = twice();
    spoils.name = "spoils", late.name = "late";
    auto stepwise = [&](const ModelInterface &interface) {
      RunCase result{&interface, device.object, {std::string("\1\2\3\4")}, 1};
      result.stepwise = true;
      return result;
    };
    auto results =
        run(device, {stepwise(steps), {&two, device.object, {std::string(16, 1)}, 1}}, options);
    CHECK(results[0].outputs[0] == "\4\5\6\7");
    CHECK(!results[0].instructions);
    CHECK(results[1].outputs[0] == std::string(16, 2));
    CHECK(results[1].instructions.has_value() == (device.needs != nullptr));
    CHECK_THAT(errorOf(device, stepwise(spoils)),
               Contains("spoils: step 1 (ADD, kernel test) changed byte 5 of the arena, which is "
                        "neither its result nor its scratch (in 'a')"));
    CHECK_THAT(errorOf(device, stepwise(late), options),
               Contains("late: its output depends on what its memory held before"));
    // The plan wrong, not the bundle: 'a' said to be dead after step 0.
    steps.buffers[1].lastStep = 0;
    CHECK_THAT(errorOf(device, stepwise(steps), options),
               Contains("steps: its output depends on what its memory held before"));
  }
}

TEST_CASE("faults, overflows and endless loops name the case", "[devices]") {
  for (const Device &device : llvm::make_filter_range(devices, available)) {
    INFO(device.target.name);
    ModelInterface two = twice(), fault = model("fault", 16), endless = model("endless", 16),
                   overflow = model("overflow", 16);
    std::string in(16, 1);
    RunCase good{&two, device.object, {in}, 1};
    std::string text = errorOf(device, {good, {&fault, device.object, {}, 1}});
    CHECK_THAT(text, Contains(": fault: "));
    if (device.target.family == Family::armM)
      CHECK_THAT(text, Contains("HardFault at pc") && Contains("(sim_run_1 + "));
    else
      CHECK_THAT(text, Contains("signal 11"));
    CHECK_THAT(errorOf(device, {good, {&overflow, device.object, {}, 1}}),
               Contains(": overflow: "));
    RunOptions options;
    options.timeoutSeconds = 1;
    CHECK_THAT(
        // Alone: on a busy machine another case might take the second.
        errorOf(device, {{&endless, device.object, {}, 1}}, options),
        Contains(": endless: no end after 1 s; allow it more with --timeout SECONDS"));
  }
}

TEST_CASE("unaligned accesses of cores that have none are faults, whatever the board's core",
          "[devices]") {
  for (const Device &device : llvm::make_filter_range(devices, available)) {
    INFO(device.target.name);
    ModelInterface unaligned =
        model("unaligned", 16, {tensor("in", DType::s8, 4, 0)}, {tensor("out", DType::s8, 4, 4)});
    std::vector<RunCase> cases = {{&unaligned, device.object, {std::string("\1\2\3\4", 4)}, 1}};
    llvm::StringRef triple = device.target.triple;
    if (triple.starts_with("thumbv6m") || triple.starts_with("thumbv8m.base"))
      CHECK_THAT(errorOf(device, cases), Contains("HardFault at pc"));
    else
      CHECK(run(device, cases)[0].outputs[0].substr(0, 3) == "\2\3\4");
  }
}

TEST_CASE("a saved image carries its inputs", "[devices]") {
  for (const Device &device : llvm::make_filter_range(devices, available)) {
    INFO(device.target.name);
    llvm::SmallString<128> path;
    REQUIRE(!llvm::sys::fs::createTemporaryFile("aotc-run-test", "elf", path));
    ModelInterface two = twice();
    RunOptions options;
    options.saveElf = path.str().str();
    auto results = run(device, {{&two, device.object, {std::string(16, 21)}, 1}}, options);
    CHECK(results[0].outputs[0] == std::string(16, 42));
    uint64_t size = 0;
    CHECK(!llvm::sys::fs::file_size(path, size));
    CHECK(size > 300);
    llvm::sys::fs::remove(path);
  }
}

TEST_CASE("more than a board's memory is split over several images", "[devices]") {
  const Device &device = devices[1];
  if (!available(device))
    return;
  ModelInterface two = twice();
  // Two arenas of 10 MB never lie in one 16 MB memory, but they share a
  // window; two bundles with 10 MB of inputs each need no memory for them.
  ModelInterface big = model("twice", 10 << 20, {tensor("in", DType::s8, 10 << 20, 0)},
                             {tensor("out", DType::s8, 16, 16)});
  RunCase bigCase{&big, device.object, {std::string(10 << 20, 3)}, 1};
  auto results = run(device, {bigCase, {&two, device.object, {std::string(16, 4)}, 1}, bigCase});
  CHECK(results[0].outputs[0] == std::string(16, 6));
  CHECK(results[1].outputs[0] == std::string(16, 8));
  CHECK(results[2].outputs[0] == std::string(16, 6));

  const Board *board = findBoard("mps2-an386");
  REQUIRE(board);
  // 24 MB in all: five constants of 7 MB fit in twos and one.
  std::vector<CaseObject> objects(5);
  for (CaseObject &object : objects)
    object.readOnlyBytes = 7 << 20;
  std::vector<RunCase> cases(5, {&two, "", {}, 1});
  auto images = splitCases(cases, objects, *findTarget("cortex-m4"), board, 0);
  REQUIRE(bool(images));
  REQUIRE(images->size() == 3);
  CHECK((*images)[2].first == 4);
  CHECK((*images)[2].count == 1);
  objects[3].readOnlyBytes = 30 << 20;
  images = splitCases(cases, objects, *findTarget("cortex-m4"), board, 0);
  REQUIRE(!bool(images));
  CHECK_THAT(llvm::toString(images.takeError()),
             Contains("twice: does not fit the emulated board mps2-an386"));
}

TEST_CASE("a bundle without its entry point is an error", "[devices]") {
  ModelInterface other = model("other", 16);
  for (const Device &device : llvm::make_filter_range(devices, available))
    CHECK_THAT(errorOf(device, {{&other, device.object, {}, 1}}),
               Contains("does not define 'other_run'"));
}

TEST_CASE("wrong requests are errors") {
  const Device &device = devices[0];
  ModelInterface two = twice();
  CHECK_THAT(errorOf(device, {{&two, device.object, {}, 1}}),
             Contains("0 inputs given, the model has 1"));
  CHECK_THAT(errorOf(device, {{&two, device.object, {"abc"}, 1}}),
             Contains("input 0 ('in') has 3 bytes, 16 are needed"));
  ModelInterface outside = twice();
  outside.outputs[0].offset = 17;
  CHECK_THAT(errorOf(device, {{&outside, device.object, {std::string(16, 0)}, 1}}),
             Contains("leaves the arena of 32 bytes"));
  ModelInterface any = model("twice", 32);
  CHECK_THAT(errorOf(devices[1], {{&any, "junk", {}, 1}}), Contains("not an object file"));
  auto unknown = runBundles({}, llvm::StringRef("cortex-q9"));
  REQUIRE(!bool(unknown));
  CHECK_THAT(llvm::toString(unknown.takeError()), Contains("unknown target 'cortex-q9'"));
}

TEST_CASE("a missing emulator is named with its package") {
  std::string path = std::getenv("PATH");
  setenv("PATH", "/nonexistent", 1);
  ModelInterface two = twice();
  std::string system = errorOf(devices[1], {{&two, devices[1].object, {std::string(16, 0)}, 1}});
  std::string user = errorOf(devices[3], {{&two, devices[3].object, {std::string(16, 0)}, 1}});
  setenv("PATH", path.c_str(), 1);
  CHECK_THAT(system, Contains("install qemu-system-arm"));
  CHECK_THAT(user, Contains("install qemu-user"));
}

TEST_CASE("the arena is aligned as promised, and no better", "[devices]") {
  for (const Device &device : llvm::make_filter_range(devices, available)) {
    INFO(device.target.name);
    ModelInterface address = model("address", 64, {}, {tensor("out", DType::u8, 1, 0)});
    for (int64_t align : {4, 16, 64}) {
      address.regions[0].align = align;
      auto results = run(device, {{&address, device.object, {}, 1}});
      // The low byte of the address: an odd multiple of the alignment.
      CHECK(uint8_t(results[0].outputs[0][0]) % (2 * align) == align);
    }
  }
}

#ifdef __x86_64__
TEST_CASE("a CPU this machine is not is an error, not a SIGILL") {
  TargetSpec target = *findTarget("x86-64-v2");
  target.name = "test-cpu";
  target.cpu = "bdver4"; // XOP and FMA4: in no CPU of the last years
  ModelInterface any = model("million", 16);
  auto results = runBundles(RunCase{&any, devices[0].object, {}, 1}, target);
  if (results) {
    std::cout << "skipped: needs a CPU without XOP\n";
    return;
  }
  CHECK_THAT(llvm::toString(results.takeError()),
             Contains("does not run on this machine, which lacks "));
}
#endif
