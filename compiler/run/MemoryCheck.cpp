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

/// "byte 12 of the arena", or of which block.
std::string placeOf(const ModelInterface &interface, int64_t offset) {
  if (interface.regions.size() == 1)
    return "byte " + std::to_string(offset) + " of the arena";
  Stretch stretch = stretchOf(interface);
  size_t block = stretch.starts.size() - 1;
  while (block > 0 && stretch.starts[block] > offset)
    --block;
  return "byte " + std::to_string(offset - stretch.starts[block]) + " of block '" +
         interface.regions[block].name + "'";
}

/// Where a buffer starts in the stretch.
int64_t startOf(const Stretch &stretch, const PlannedBuffer &buffer) {
  return stretch.starts[buffer.region] + buffer.offset;
}

/// "in 'a', 'b'", the buffers on byte `offset` at `step` (or ever, if -1).
std::string buffersAt(const ModelInterface &interface, int64_t offset, int64_t step) {
  std::string text;
  Stretch stretch = stretchOf(interface);
  for (const PlannedBuffer &buffer : interface.buffers)
    if (int64_t start = startOf(stretch, buffer);
        offset >= start && offset < start + buffer.bytes &&
        (step < 0 || (step >= buffer.firstStep && step <= buffer.lastStep)))
      text += (text.empty() ? "in '" : ", '") + printable(buffer.name) + "'";
  return text.empty() ? "where no live buffer is" : text;
}

/// "dtcm: ", whom a status is about if there are several blocks.
std::string blockOf(const ModelInterface &interface, int32_t status) {
  size_t block = AOTC_STATUS_BLOCK(status);
  bool told = interface.regions.size() > 1 && block < interface.regions.size();
  return told ? interface.regions[block].symbol + ": " : "";
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
  if (size_t at = run.above.find_first_not_of(paint); at != std::string::npos)
    return "wrote outside its arena, " + std::to_string(at) + " bytes behind its end";
  if (size_t at = run.below.find_last_not_of(paint); at != std::string::npos)
    return "wrote outside its arena, " + std::to_string(run.below.size() - at) +
           " bytes before its start";
  if (run.badStep >= 0)
    return layerName(interface, run.badStep) + " changed " + placeOf(interface, run.badOffset) +
           ", which is neither its result nor its scratch (" +
           buffersAt(interface, run.badOffset, run.badStep) + ")";
  if (interface.buffers.empty())
    return ""; // no plan is known
  llvm::BitVector planned(run.arena.size());
  Stretch stretch = stretchOf(interface);
  for (const PlannedBuffer &buffer : interface.buffers)
    add(planned, startOf(stretch, buffer), buffer.bytes);
  planned.flip();
  for (unsigned at : planned.set_bits())
    if (run.arena[at] != paint)
      return "wrote " + placeOf(interface, at) + ", which belongs to no buffer";
  return "";
}

} // namespace

std::vector<uint64_t> aotc::stepTable(const ModelInterface &interface) {
  size_t steps = interface.layers.size();
  Stretch stretch = stretchOf(interface);
  // Not the alloc but the first write makes bytes live.
  std::vector<uint64_t> table = {steps};
  for (size_t step = 0; step < steps; ++step) {
    llvm::BitVector dead(stretch.bytes, true), writes(stretch.bytes), live(stretch.bytes);
    for (const PlannedBuffer &buffer : interface.buffers) {
      bool given = buffer.role == "input" || buffer.role == "state";
      bool defined = given || buffer.firstStep < static_cast<int64_t>(step);
      bool needed = buffer.role == "state" || buffer.lastStep >= static_cast<int64_t>(step);
      if (defined && needed)
        add(live, startOf(stretch, buffer), buffer.bytes);
    }
    dead.reset(live);
    for (const ByteRange &range : interface.layers[step].writes)
      add(writes, stretch.starts[range.region] + range.offset, range.bytes);
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
                      blockOf(interface, run.result.status) +
                      aotc_status_string(run.result.status) + ")");
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
    for (size_t at = 0; at < runs[0].arena.size(); ++at)
      if (runs[0].arena[at] != static_cast<char>(sim_paint(0)) ||
          runs[1].arena[at] != static_cast<char>(sim_paint(1))) {
        if (!written.bytes++)
          written.first = at;
        written.end = at + 1;
      }
  }
  result.flashBytes = interface.codeBytes + interface.weightsBytes;
  return result;
}
