// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs bundles under QEMU: links programs (Image.h), starts them, reads what
// they wrote (harness/protocol.h).

#include "compiler/run/Image.h"
#include "compiler/run/MemoryCheck.h"
#include "compiler/run/Process.h"
#include "compiler/run/Runners.h"
#include "compiler/run/harness/protocol.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <cstring>

using namespace aotc;

// The plug-in that counts instructions (harness/insn_count.c), built for this
// host and embedded by CMake.
extern "C" const char aotc_insn_count_data[], aotc_insn_count_end[];

namespace {

/// QEMU and lld are not light on memory, and build machines have few cores.
constexpr unsigned parallelEmulators = 2;

/// A mark this close to the end of the stack is an overflow: not every word of
/// a frame is written, and QEMU swallows what goes below the boards' RAM.
constexpr int64_t stackMargin = 256;

/// The order of sim-inputs.bin.
std::string inputFile(llvm::ArrayRef<RunCase> cases, int fillings) {
  std::string content;
  for (const RunCase &runCase : cases)
    for (int filling = 0; filling < fillings; ++filling)
      for (int64_t call = 0; call < runCase.invocations; ++call)
        for (auto [tensor, data] : llvm::zip(runCase.interface->inputs, runCase.inputs))
          content.append(data, call * tensor.bytes, tensor.bytes);
  return content;
}

llvm::Expected<std::string> findEmulator(const TargetSpec &target) {
  bool system = target.runner == Runner::qemuSystem;
  llvm::StringRef program = system ? "qemu-system-arm" : llvm::StringRef(target.machine);
  if (auto path = llvm::sys::findProgramByName(program))
    return *path;
  return runError("'" + program + "' not found: target '" + target.name +
                  "' runs under QEMU; install " + (system ? "qemu-system-arm" : "qemu-user"));
}

struct Program {
  ImageRange range;
  Command command;
  std::string elf;
};

/// "cortex-m4: kws: …", the case being the first without a record.
llvm::Error caseError(const TargetSpec &target, const RunCase &runCase, const llvm::Twine &text) {
  return runError(target.name + ": " + runCase.interface->name + ": " + text);
}

/// Takes what one filling of a case wrote from `data`; false if there is less.
bool readFilling(llvm::StringRef &data, const RunCase &runCase, FilledRun &run,
                 sim_record &record) {
  const ModelInterface &interface = *runCase.interface;
  const std::vector<IoTensor> after = tensorsAfterCall(interface);
  int64_t stretch = layOutBlocks(interface).bytes;
  uint64_t bytes = 0;
  for (const IoTensor &tensor : after)
    bytes += tensor.bytes * runCase.invocations;
  bytes += stretch + 2 * SIM_GUARD + sizeof record;
  if (data.size() < bytes)
    return false;
  auto take = [&data](int64_t count) {
    llvm::StringRef taken = data.take_front(count);
    data = data.drop_front(count);
    return taken;
  };
  run.result.outputs.assign(after.size(), "");
  for (int64_t call = 0; call < runCase.invocations; ++call)
    for (auto [tensor, output] : llvm::zip(after, run.result.outputs))
      output.append(take(tensor.bytes));
  run.below = take(SIM_GUARD);
  run.arena = take(stretch);
  run.above = take(SIM_GUARD);
  std::memcpy(&record, take(sizeof record).data(), sizeof record);
  return true;
}

/// Outputs and records of as many cases as the program finished.
llvm::Expected<size_t> readOutputs(llvm::StringRef data, llvm::ArrayRef<RunCase> cases,
                                   const TargetSpec &target, const Board *board, int fillings,
                                   llvm::MutableArrayRef<RunResult> results) {
  size_t done = 0;
  for (const RunCase &runCase : cases) {
    std::vector<FilledRun> runs(fillings);
    for (FilledRun &run : runs) {
      sim_record record;
      if (!readFilling(data, runCase, run, record))
        return done;
      if (record.magic != SIM_MAGIC)
        return caseError(target, runCase, "the harness wrote no valid record");
      if (board && record.stack_bytes + stackMargin >= board->stackBytes)
        return caseError(target, runCase,
                         "used all of the " + llvm::Twine(board->stackBytes) + " bytes of stack");
      run.badStep = int32_t(record.bad_step);
      run.badOffset = record.bad_offset;
      run.result.status = int32_t(record.status);
      run.result.stackBytes = record.stack_bytes;
      if (board && board->timer && !runCase.stepwise)
        run.result.instructions =
            (uint64_t(record.ticks_high) << 32 | record.ticks_low) * board->instructionsPerTick;
    }
    llvm::Expected<RunResult> result = judgeRun(runCase, runs);
    if (!result)
      return caseError(target, runCase, llvm::toString(result.takeError()));
    results[done++] = std::move(*result);
  }
  return done;
}

/// The totals of a log of lines "MARK n total T".
std::vector<int64_t> readMarks(llvm::StringRef log) {
  std::vector<int64_t> totals;
  llvm::SmallVector<llvm::StringRef> lines;
  log.split(lines, '\n', -1, false);
  for (llvm::StringRef line : lines)
    if (int64_t total; !line.rsplit(' ').second.getAsInteger(10, total))
      totals.push_back(total);
  return totals;
}

/// Marks are a pair around nothing, then a pair around every call; inside the
/// calls of a bundle with hooks a pair around each layer.
void readCounts(llvm::StringRef log, llvm::ArrayRef<RunCase> cases, int fillings,
                llvm::MutableArrayRef<RunResult> results) {
  const std::vector<int64_t> totals = readMarks(log);
  if (totals.size() < 2)
    return;
  const int64_t nothing = totals[1] - totals[0];
  llvm::ArrayRef<int64_t> left = llvm::ArrayRef(totals).drop_front(2);
  for (auto [runCase, result] : llvm::zip(cases, results)) {
    if (runCase.stepwise)
      continue;
    size_t marks = 2 + 2 * hookedLayers(runCase);
    size_t calls = fillings * runCase.invocations;
    if (left.size() < calls * marks)
      return;
    llvm::ArrayRef<int64_t> last = left.slice((calls - 1) * marks, marks);
    result.instructions = last.back() - last.front() - nothing;
    for (size_t i = 1; i + 1 < marks; i += 2)
      result.layers.push_back(last[i + 1] - last[i]);
    left = left.drop_front(calls * marks);
  }
}

std::string describeFault(const Program &program) {
  auto data = readFile(program.command.directory + "/sim-fault.bin");
  if (!data) {
    llvm::consumeError(data.takeError());
    return "";
  }
  sim_fault fault;
  if (data->size() != sizeof fault)
    return "fault";
  std::memcpy(&fault, data->data(), sizeof fault);
  // Exception numbers of the Armv6-M to Armv8-M architectures.
  const char *names[] = {"",         "",           "NMI",        "HardFault", "MemManage fault",
                         "BusFault", "UsageFault", "SecureFault"};
  std::string text = fault.exception < std::size(names)
                         ? names[fault.exception]
                         : llvm::formatv("exception {0}", fault.exception).str();
  if (!fault.pc)
    return text + " with a stack pointer outside the stack (stack overflow?)";
  text += llvm::formatv(" at pc {0:x8}", fault.pc);
  std::string symbol = symbolAt(program.elf, fault.pc);
  if (!symbol.empty())
    text += " (" + symbol + ")";
  text += llvm::formatv(", lr {0:x8}, CFSR {1:x8}", fault.lr, fault.cfsr);
  if (fault.cfsr & 1u << 15) // BFARVALID
    text += llvm::formatv(", address {0:x8}", fault.fault_address);
  return text;
}

/// Boards with a timer may count by it, all others do by the plug-in.
bool needsPlugin(const Board *board, const RunOptions &options) {
  return !board || !board->timer || options.exactCounts;
}

/// The emulator's command line; `plugin` is the path of the plug-in, or empty.
llvm::Expected<Command> emulatorCommand(const Program &program, const std::string &emulator,
                                        const Board *board, llvm::StringRef plugin) {
  Command command{emulator, {}, program.command.directory};
  std::vector<std::string> &args = command.args;
  if (!plugin.empty()) {
    llvm::Expected<uint64_t> mark = symbolAddress(program.elf, "sim_mark");
    if (!mark)
      return mark.takeError();
    args = {"-plugin", llvm::formatv("{0},mark={1:x},log=counts.txt", plugin,
                                     // Thumb functions carry bit 0 set.
                                     board ? *mark & ~uint64_t(1) : *mark)};
  }
  if (board)
    args.insert(args.end(), {"-M", board->machine.str(), "-display", "none", "-monitor", "none",
                             "-serial", "none", "-semihosting-config", "enable=on,target=native",
                             "-icount", "shift=0", "-kernel"});
  else
    args.insert(args.end(), {"-cpu", "max"});
  args.push_back("image.elf");
  return command;
}

llvm::Error saveImage(const Program &program, llvm::StringRef to, size_t number) {
  std::string path = to.str();
  if (number)
    path += "." + std::to_string(number);
  if (std::error_code code = llvm::sys::fs::copy_file(program.elf, path))
    return runError("cannot write '" + path + "': " + code.message());
  llvm::sys::fs::setPermissions(path, llvm::sys::fs::all_read | llvm::sys::fs::owner_write |
                                          llvm::sys::fs::all_exe);
  return llvm::Error::success();
}

/// The programs linked in directories of their own.
llvm::Expected<std::vector<Program>> buildPrograms(llvm::ArrayRef<RunCase> cases,
                                                   const TargetSpec &target, const Board *board,
                                                   const RunOptions &options, const TempDir &temp) {
  std::vector<CaseObject> objects;
  for (auto [i, runCase] : llvm::enumerate(cases)) {
    auto object = prepareObject(runCase, i, temp.file(llvm::formatv("case{0:06}.o", i)));
    if (!object)
      return object.takeError();
    objects.push_back(std::move(*object));
  }
  bool embed = !options.saveElf.empty();
  auto ranges = splitCases(cases, objects, target, board,
                           embed ? inputFile(cases, options.fillings).size() : 0);
  if (!ranges)
    return ranges.takeError();
  std::vector<Program> programs;
  for (ImageRange range : *ranges) {
    Program program{range, {}, ""};
    std::string directory = temp.file("image" + llvm::Twine(programs.size()));
    if (std::error_code code = llvm::sys::fs::create_directory(directory))
      return runError("cannot create '" + directory + "': " + code.message());
    program.elf = directory + "/image.elf";
    program.command.directory = directory;
    std::string inputs = directory + "/sim-inputs.bin";
    if (llvm::Error error =
            writeFile(inputs, inputFile(cases.slice(range.first, range.count), options.fillings)))
      return std::move(error);
    if (llvm::Error error = linkImage(cases, objects, range, target, board, options.fillings,
                                      embed ? inputs : "", directory))
      return caseError(target, cases[range.first], llvm::toString(std::move(error)));
    if (embed)
      if (llvm::Error error = saveImage(program, options.saveElf, programs.size()))
        return std::move(error);
    programs.push_back(std::move(program));
  }
  return programs;
}

/// What the programs left behind, for the cases they ran.
llvm::Error collect(const Program &program, const ProcessResult &process,
                    llvm::ArrayRef<RunCase> cases, const TargetSpec &target, const Board *board,
                    const RunOptions &options, llvm::MutableArrayRef<RunResult> results) {
  std::string data;
  std::string path = program.command.directory + "/sim-outputs.bin";
  if (llvm::sys::fs::exists(path)) {
    llvm::Expected<std::string> content = readFile(path);
    if (!content)
      return content.takeError();
    data = std::move(*content);
  }
  llvm::Expected<size_t> done = readOutputs(data, cases, target, board, options.fillings, results);
  if (!done)
    return done.takeError();
  if (*done < cases.size() || !process.ok()) {
    std::string text = describeFault(program);
    if (text.empty())
      text = process.exitStatus == SIM_EXIT_FILE ? "the harness could not read or write its files"
                                                 : process.describe(options.timeoutSeconds);
    return caseError(target, cases[std::min(*done, cases.size() - 1)], text);
  }
  if (!needsPlugin(board, options))
    return llvm::Error::success();
  if (auto log = readFile(program.command.directory + "/counts.txt"))
    readCounts(*log, cases, options.fillings, results);
  else
    llvm::consumeError(log.takeError()); // not counted
  return llvm::Error::success();
}

} // namespace

llvm::Expected<std::vector<RunResult>> aotc::runEmulated(llvm::ArrayRef<RunCase> cases,
                                                         const TargetSpec &target,
                                                         const RunOptions &options) {
  const Board *board = nullptr;
  if (target.runner == Runner::qemuSystem) {
    board = findBoard(target.machine);
    if (!board)
      return runError(target.name + ": no emulated board '" + target.machine + "'");
  }
  auto temp = TempDir::create();
  if (!temp)
    return temp.takeError();
  // Images come first: saving one needs no emulator.
  auto programs = buildPrograms(cases, target, board, options, *temp);
  if (!programs)
    return programs.takeError();
  auto emulator = findEmulator(target);
  if (!emulator)
    return emulator.takeError();

  std::string plugin;
  if (needsPlugin(board, options)) {
    plugin = temp->file("insn_count.so");
    if (llvm::Error error = writeFile(
            plugin, {aotc_insn_count_data, size_t(aotc_insn_count_end - aotc_insn_count_data)}))
      return std::move(error);
  }
  std::vector<Command> commands;
  for (Program &program : *programs) {
    auto command = emulatorCommand(program, *emulator, board, plugin);
    if (!command)
      return command.takeError();
    program.command = *command;
    commands.push_back(std::move(*command));
  }
  auto processes = runProcesses(commands, parallelEmulators, options.timeoutSeconds);
  if (!processes)
    return processes.takeError();

  std::vector<RunResult> results(cases.size());
  for (auto [program, process] : llvm::zip(*programs, *processes)) {
    if (!plugin.empty() && !llvm::sys::fs::exists(program.command.directory + "/sim-outputs.bin")) {
      // It did not start: an emulator without plug-ins, most likely.
      auto command = emulatorCommand(program, *emulator, board, "");
      if (!command)
        return command.takeError();
      auto again = runProcesses(*command, 1, options.timeoutSeconds);
      if (!again)
        return again.takeError();
      process = (*again)[0];
    }
    auto [first, count] = program.range;
    if (llvm::Error error = collect(program, process, cases.slice(first, count), target, board,
                                    options, llvm::MutableArrayRef(results).slice(first, count)))
      return std::move(error);
  }
  return results;
}
