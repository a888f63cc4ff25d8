// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/run/MemoryCheck.h"
#include "compiler/run/Process.h"
#include "compiler/run/Runners.h"
#include "compiler/run/harness/protocol.h"
#include "compiler/support/Text.h"
#include "runtime-stub/include/aotc/runtime.h"

#include "llvm/ADT/BitVector.h"

using namespace aotc;

namespace {

void add(llvm::BitVector &bytes, int64_t offset, int64_t count) {
  int64_t begin = std::max<int64_t>(offset, 0);
  int64_t end = std::min<int64_t>(offset + count, bytes.size());
  if (begin < end)
    bytes.set(begin, end);
}

/// Spans (offset, bytes) of the ones.
std::vector<uint64_t> spans(const llvm::BitVector &bytes) {
  std::vector<uint64_t> result;
  for (int begin = bytes.find_first(); begin >= 0;) {
    int end = bytes.find_next_unset(begin);
    result.push_back(begin);
    result.push_back((end < 0 ? static_cast<int>(bytes.size()) : end) - begin);
    begin = end < 0 ? -1 : bytes.find_next(end);
  }
  return result;
}

/// Of the block that holds the byte, or of the one that ends before it.
size_t blockOf(const MemoryLayout &layout, int64_t at) {
  size_t block = 0;
  while (block + 1 < layout.starts.size() && layout.starts[block + 1] <= at)
    ++block;
  return block;
}

/// "in 'a', 'b'", the buffers on byte `at` at `step` (or ever, if -1).
std::string buffersAt(const ModelInterface &interface, const MemoryLayout &layout, int64_t at,
                      int64_t step) {
  std::string text;
  for (const PlannedBuffer &buffer : interface.buffers)
    if (int64_t start = layout.at(buffer.region, buffer.offset);
        at >= start && at < start + buffer.bytes &&
        (step < 0 || (step >= buffer.firstStep && step <= buffer.lastStep)))
      text += (text.empty() ? "in '" : ", '") + printable(buffer.name) + "'";
  return text.empty() ? "where no live buffer is" : text;
}

std::string layerName(const ModelInterface &interface, int64_t step) {
  const LayerRecord &layer = interface.layers[step];
  std::string text = "step " + std::to_string(step) + " (" + printable(layer.op);
  if (!layer.name.empty())
    text += " '" + printable(layer.name) + "'";
  return text + ", kernel " + layer.kernel + ")";
}

/// What is wrong with the bytes one filling left; empty if nothing.
std::string checkBytes(const ModelInterface &interface, const FilledRun &run, char paint) {
  MemoryLayout layout = layOutBlocks(interface);
  auto block = [&](size_t number) { return describeBlock(interface, number); };
  size_t last = layout.starts.size() - 1;
  if (size_t at = run.above.find_first_not_of(paint); at != std::string::npos)
    return "wrote outside its " + block(last) + ", " + std::to_string(at) + " bytes behind its end";
  if (size_t at = run.below.find_last_not_of(paint); at != std::string::npos)
    return "wrote outside its " + block(0) + ", " + std::to_string(run.below.size() - at) +
           " bytes before its start";
  if (run.badStep >= 0) {
    size_t number = blockOf(layout, run.badOffset);
    return layerName(interface, run.badStep) + " changed byte " +
           std::to_string(run.badOffset - layout.starts[number]) + " of the " + block(number) +
           ", which is neither its result nor its scratch (" +
           buffersAt(interface, layout, run.badOffset, run.badStep) + ")";
  }
  // What no plan is known of may be written, but not what lies between blocks.
  llvm::BitVector planned(run.arena.size());
  if (interface.buffers.empty())
    for (auto [region, start] : llvm::zip(interface.regions, layout.starts))
      add(planned, start, region.bytes);
  for (const PlannedBuffer &buffer : interface.buffers)
    add(planned, layout.at(buffer.region, buffer.offset), buffer.bytes);
  planned.flip();
  for (unsigned at : planned.set_bits()) {
    if (run.arena[at] == paint)
      continue;
    size_t number = blockOf(layout, at);
    int64_t offset = at - layout.starts[number], size = interface.regions[number].bytes;
    if (offset < 0)
      return "wrote outside its " + block(0) + ", " + std::to_string(-offset) +
             " bytes before its start";
    if (offset >= size) // nearer to the next one?
      return number < last && layout.starts[number + 1] - at < offset - size + 1
                 ? "wrote outside its " + block(number + 1) + ", " +
                       std::to_string(layout.starts[number + 1] - at) + " bytes before its start"
                 : "wrote outside its " + block(number) + ", " + std::to_string(offset - size) +
                       " bytes behind its end";
    return "wrote byte " + std::to_string(offset) + " of its " + block(number) +
           ", which belongs to no buffer";
  }
  return "";
}

/// Takes the inputs out of what was read back, which must be what was given.
llvm::Error checkKept(const RunCase &runCase, RunResult &result) {
  const ModelInterface &interface = *runCase.interface;
  size_t next = interface.outputs.size();
  for (auto [input, given] : llvm::zip(interface.inputs, runCase.inputs))
    if (isKept(input) && result.outputs[next++] != given)
      return runError("wrote to input '" + printable(input.name) + "', which is " +
                      ioModeName(input.mode));
  result.outputs.resize(interface.outputs.size());
  return llvm::Error::success();
}

} // namespace

std::vector<uint64_t> aotc::stepTable(const ModelInterface &interface) {
  size_t steps = interface.layers.size();
  MemoryLayout layout = layOutBlocks(interface);
  // Not the alloc but the first write makes bytes live.
  std::vector<uint64_t> table = {steps};
  for (size_t step = 0; step < steps; ++step) {
    llvm::BitVector dead(layout.bytes, true), writes(layout.bytes), live(layout.bytes);
    for (const PlannedBuffer &buffer : interface.buffers) {
      bool given = buffer.role == "input" || buffer.role == "state";
      bool defined = given || buffer.firstStep < static_cast<int64_t>(step);
      bool needed = buffer.role == "state" || buffer.lastStep >= static_cast<int64_t>(step) ||
                    interface.regions[buffer.region].owner == IoMode::caller;
      if (defined && needed)
        add(live, layout.at(buffer.region, buffer.offset), buffer.bytes);
    }
    dead.reset(live);
    for (const ByteRange &range : interface.layers[step].writes)
      add(writes, layout.at(range.region, range.offset), range.bytes);
    std::vector<uint64_t> fills = spans(dead), changes = spans(writes);
    table.push_back(fills.size() / 2);
    table.push_back(changes.size() / 2);
    table.insert(table.end(), fills.begin(), fills.end());
    table.insert(table.end(), changes.begin(), changes.end());
  }
  return table;
}

llvm::Expected<RunResult> aotc::judgeRun(const RunCase &runCase,
                                         llvm::MutableArrayRef<FilledRun> runs) {
  const ModelInterface &interface = *runCase.interface;
  for (auto [filling, run] : llvm::enumerate(runs)) {
    std::string wrong = checkBytes(interface, run, static_cast<char>(sim_paint(filling)));
    if (!wrong.empty())
      return runError(wrong);
    if (run.result.status != AOTC_OK)
      return runError("the bundle returned status " + llvm::Twine(run.result.status) + " (" +
                      (interface.regions.size() > 1
                           ? describeBlock(interface, AOTC_STATUS_BLOCK(run.result.status)) + ": "
                           : "") +
                      aotc_status_string(run.result.status) + ")");
    if (llvm::Error error = checkKept(runCase, run.result))
      return std::move(error);
  }
  RunResult result = std::move(runs.front().result);
  for (FilledRun &other : runs.drop_front()) {
    for (auto [tensor, first, second] :
         llvm::zip(interface.outputs, result.outputs, other.result.outputs))
      if (first != second) {
        size_t at = std::mismatch(first.begin(), first.end(), second.begin()).first - first.begin();
        return runError("its output depends on what its memory held before: byte " +
                        llvm::Twine(at) + " of '" + printable(tensor.name) +
                        "' is not the same after another filling");
      }
    result.stackBytes = std::max(result.stackBytes, other.result.stackBytes);
  }
  if (runs.size() > 1) {
    // A byte that holds the paint of both fillings was not written.
    WrittenBytes &written = result.written.emplace();
    MemoryLayout layout = layOutBlocks(interface);
    for (size_t at = 0; at < runs[0].arena.size(); ++at)
      if (!isCallers(interface.regions[blockOf(layout, at)].owner) &&
          (runs[0].arena[at] != static_cast<char>(sim_paint(0)) ||
           runs[1].arena[at] != static_cast<char>(sim_paint(1)))) {
        if (!written.bytes++)
          written.first = at;
        written.end = at + 1;
      }
  }
  result.flashBytes = interface.codeBytes + interface.weightsBytes;
  return result;
}
