// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The map for people: sizes, a picture of the arena over time, the peak and
// what is live there, every buffer, every layer.
#include "compiler/emit/MemoryMap.h"
#include "compiler/emit/Table.h"
#include "compiler/emit/Text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <numeric>

using namespace aotc;
using namespace aotc::text;
using llvm::formatv;
using llvm::StringRef;

namespace {

constexpr int64_t kPictureWidth = 72, kPictureHeight = 20;
/// The table of layers has many columns.
constexpr size_t kLayerNameWidth = 24;

/// One letter per buffer, in order; where they do not suffice, all codes are as
/// much longer as is needed.
class Codes {
public:
  explicit Codes(size_t count) {
    for (size_t words = kLetters.size(); words < count; words *= kLetters.size())
      ++length;
  }
  std::string of(size_t number) const {
    std::string code(length, ' ');
    for (size_t i = length; i-- > 0; number /= kLetters.size())
      code[i] = kLetters[number % kLetters.size()];
    return code;
  }
  size_t size() const { return length; }

private:
  static constexpr StringRef kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  size_t length = 1;
};

class MapPrinter {
public:
  explicit MapPrinter(const ModelInterface &model)
      : model(model), steps(std::max<int64_t>(1, model.layers.size())), codes(model.buffers.size()),
        os(text) {}

  std::string print() {
    sizes();
    startUp();
    for (size_t region = 0; region < model.regions.size(); ++region)
      if (!isCallers(model.regions[region].owner))
        picture(region);
    peak();
    bufferTable();
    sharingTable();
    tensorTable();
    layerTable();
    choiceTable();
    return text;
  }

private:
  void sizes();
  void startUp();
  void picture(size_t region);
  void peak();
  void bufferTable();
  void sharingTable();
  void tensorTable();
  void layerTable();
  void choiceTable();
  /// Of inputs and outputs.
  int64_t ioInArena() const {
    int64_t bytes = 0;
    for (const auto *list : {&model.inputs, &model.outputs})
      for (const IoTensor &tensor : *list)
        bytes += isCallers(tensor.mode) ? 0 : tensor.bytes;
    return bytes;
  }
  bool severalRegions() const { return model.regions.size() > 1; }
  const ModelInterface &model;
  const int64_t steps;
  const Codes codes;
  std::string text;
  llvm::raw_string_ostream os;
};

void MapPrinter::sizes() {
  os << model.name << ": " << printable(model.modelFile) << " for " << printable(model.target)
     << "\n  " << model.compilerVersion << ", model SHA-256 " << printable(model.modelSha256)
     << "\n\n";
  Table table({"", ">bytes", ""});
  table.add({"RAM, arena", grouped(model.arenaBytes),
             "inputs and outputs in it: " + grouped(ioInArena()) + "; without scratch " +
                 grouped(model.arenaWithoutScratchBytes)});
  for (const RegionRecord &region : model.regions)
    if (isCallers(region.owner))
      table.add({"yours, " + printable(region.name), grouped(region.bytes),
                 ioModeName(region.owner).str()});
    else if (severalRegions() || region.capacity)
      table.add({"  in " + printable(region.name), grouped(region.bytes),
                 region.capacity ? "of " + grouped(*region.capacity) : ""});
  if (model.stateBytes)
    table.add({"  of it state", grouped(model.stateBytes), ""});
  std::string bound = model.planOptimal     ? "the plan is proved optimal"
                      : model.planBound > 0 ? "no plan can be below " + grouped(model.planBound)
                                            : "";
  table.add({"RAM, stack", model.stackBytes < 0 ? "unknown" : grouped(model.stackBytes), ""});
  table.add({"flash, weights", grouped(model.weightsBytes), ""});
  table.add({"flash, code", grouped(model.codeBytes), "with constants"});
  table.print(os);
  if (!bound.empty())
    os << "  " << bound << "\n";
  if (model.orderProved)
    os << "  no order of the layers has less than " << grouped(model.orderPeak) << " bytes live\n";
  if (model.orderPeak < model.orderGivenPeak)
    os << "  reordered: up to " << grouped(model.orderPeak) << " bytes live instead of "
       << grouped(model.orderGivenPeak) << "\n";
}

void MapPrinter::startUp() {
  if (model.startUp.empty())
    return;
  os << "\nNeeded from your start-up code\n\n";
  for (const StartUpNeed &need : model.startUp)
    os << wrapped(need.text, "  - ", "    ");
}

void MapPrinter::picture(size_t number) {
  const RegionRecord &region = model.regions[number];
  int64_t width = static_cast<int64_t>(codes.size());
  int64_t perColumn = llvm::divideCeil(steps, kPictureWidth / width);
  int64_t columns = llvm::divideCeil(steps, perColumn);
  int64_t stretch =
      std::clamp<int64_t>(kPictureWidth / columns, width, std::max<int64_t>(width, 6));
  int64_t rowBytes = std::max<int64_t>(1, llvm::divideCeil(region.bytes, kPictureHeight));
  int64_t rows = llvm::divideCeil(region.bytes, rowBytes);
  os << "\nThe " << (severalRegions() ? "memory '" + printable(region.name) + "'" : "arena")
     << " over time (letters: the buffers below; * two or more share "
        "the bytes; . free)\n\n";
  for (int64_t row = rows - 1; row >= 0; --row) {
    std::string line;
    for (int64_t column = 0; column < columns; ++column) {
      // A cell shows who holds most of it at its first step, or at the peak;
      // shared bytes win.
      int64_t step = column * perColumn;
      if (model.peakStep / perColumn == column)
        step = std::max<int64_t>(model.peakStep, 0);
      int64_t low = row * rowBytes, best = 0, total = 0;
      std::string shown = ".";
      for (auto [i, buffer] : llvm::enumerate(model.buffers)) {
        int64_t held =
            std::min(low + rowBytes, buffer.offset + buffer.bytes) - std::max(low, buffer.offset);
        if (held <= 0 || buffer.region != number || !buffer.liveAt(step))
          continue;
        total += held;
        if (held > best) {
          best = held;
          shown = codes.of(i);
        }
      }
      if (total > rowBytes)
        shown = "*";
      for (int64_t i = 0; i < stretch; ++i)
        line += shown[i % shown.size()];
    }
    os << formatv("  {0,12} |{1}\n", grouped(row * rowBytes), line);
  }
  os << formatv("  {0,12} +{1}\n", "", std::string(columns * stretch, '-'));
  // Step numbers below the columns, with a blank between them at least.
  std::string axis;
  for (int64_t column = 0; column < columns; ++column) {
    std::string number = std::to_string(column * perColumn);
    int64_t start = column * stretch;
    if (start > 0 && start < static_cast<int64_t>(axis.size()) + 1)
      continue;
    axis.append(start - axis.size(), ' ');
    axis += number;
  }
  os << formatv("  {0,12}  {1}\n", "step", axis);
  if (model.peakStep >= 0)
    os << formatv("  {0,12}  {1}^ peak\n", "",
                  std::string(model.peakStep / perColumn * stretch, ' '));
}

void MapPrinter::peak() {
  if (model.peakStep >= 0) {
    const LayerRecord &layer = model.layers[model.peakStep];
    os << formatv("\nPeak: {0} bytes at step {1}; footprint {2}, used_memory {3}\n",
                  grouped(layer.heightBytes), layer.index, grouped(layer.footprintBytes),
                  grouped(layer.usedMemory));
    os << "  " << printable(layer.op) << "  " << shortName(layer.name) << "\n";
    os << "  live there:\n";
    Table table({"", ">bytes", "name"});
    for (auto [i, buffer] : llvm::enumerate(model.buffers))
      if (buffer.liveAt(model.peakStep))
        table.add({codes.of(i), grouped(buffer.bytes), shortName(buffer.name)});
    table.print(os);
  }
  if (!model.adviceText.empty())
    os << "  advice: " << printable(model.adviceText) << "\n";
  os << "\n";
}

void MapPrinter::bufferTable() {
  os << (severalRegions() ? "Buffers\n" : "Buffers of the arena\n");
  Table table({"", ">offset", ">bytes", ">steps", "role", "name"});
  for (auto [i, buffer] : llvm::enumerate(model.buffers))
    table.add({codes.of(i),
               (severalRegions() ? printable(model.regions[buffer.region].name) + " + " : "") +
                   grouped(buffer.offset),
               grouped(buffer.bytes), formatv("{0}-{1}", buffer.firstStep, buffer.lastStep).str(),
               buffer.role, shortName(buffer.name)});
  table.print(os);
}

/// Each pair once, from the one that is born later.
void MapPrinter::sharingTable() {
  Table table({"", "on", ">bytes", "because"});
  for (auto [i, buffer] : llvm::enumerate(model.buffers))
    for (const SharedBytes &shared : buffer.shares)
      if (const PlannedBuffer &other = model.buffers[shared.buffer];
          std::pair(other.firstStep, shared.buffer) < std::pair(buffer.firstStep, i))
        table.add({codes.of(i), codes.of(shared.buffer), grouped(shared.bytes),
                   printable(sharingReason(model, shared))});
  if (table.empty())
    return;
  os << "\nBytes that two hold at the same time\n";
  table.print(os);
}

void MapPrinter::tensorTable() {
  Table table({"name", "in", ">from byte", ">bytes", "because"});
  for (const TensorRecord &tensor : model.tensors)
    if (!tensor.dissolved.empty())
      table.add({shortName(tensor.name), codes.of(tensor.buffer), grouped(tensor.offset),
                 grouped(tensor.bytes),
                 formatv("{0} (operator {1}) copies nothing", printable(tensor.dissolved),
                         tensor.dissolvedIndex)
                     .str()});
  if (table.empty())
    return;
  os << "\nTensors that live in another's buffer\n";
  table.print(os);
}

void MapPrinter::layerTable() {
  os << "\nLayers\n";
  Table table({">step", "operator", ">used_memory", ">footprint", ">scratch", ">height", ">MACs",
               ">weights", "kernel", "name"});
  for (const LayerRecord &layer : model.layers)
    table.add({std::to_string(layer.index), printable(layer.op), grouped(layer.usedMemory),
               grouped(layer.footprintBytes), grouped(layer.scratchBytes),
               grouped(layer.heightBytes), grouped(layer.macs), grouped(layer.weightsBytes),
               kernelName(layer.kernel).str(), shortName(layer.name, kLayerNameWidth)});
  table.print(os);
  os << kMemoryLegend
     << "  scratch: how many of them are the kernel's\n"
        "  height: highest byte in use there\n"
        "  (map.json: full names)\n";
}

/// Where the kernel is not the target's first choice.
void MapPrinter::choiceTable() {
  Table table({">step", "kernel", "because"});
  for (const LayerRecord &layer : model.layers)
    if (StringRef others = passedOver(layer); !others.empty())
      table.add({std::to_string(layer.index), kernelName(layer.kernel).str(), printable(others)});
  if (table.empty())
    return;
  os << "\nKernels that are not the first choice of the target\n";
  table.print(os);
}

} // namespace

std::string aotc::printMapText(const ModelInterface &model) { return MapPrinter(model).print(); }
