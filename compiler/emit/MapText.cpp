// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The map for people: sizes, a picture of the arena over time, the peak and
// what is live there, every buffer, every layer.
#include "compiler/emit/MemoryMap.h"
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
/// The table of layers has many columns; so it stays below 120.
constexpr size_t kLayerNameWidth = 30;

/// A table whose columns are as wide as their widest cell; numbers right.
class Table {
public:
  /// `columns`: titles; a leading '>' aligns to the right.
  explicit Table(std::initializer_list<StringRef> columns) {
    std::vector<std::string> titles;
    for (StringRef column : columns) {
      right.push_back(column.consume_front(">"));
      titles.push_back(column.str());
    }
    rows.push_back(std::move(titles));
  }
  void add(std::vector<std::string> cells) { rows.push_back(std::move(cells)); }
  void print(llvm::raw_ostream &os) const {
    std::vector<size_t> width(right.size());
    for (const auto &row : rows)
      for (auto [i, cell] : llvm::enumerate(row))
        width[i] = std::max(width[i], cell.size());
    for (const auto &row : rows) {
      std::string line = " ";
      for (auto [i, cell] : llvm::enumerate(row)) {
        std::string fill(width[i] - cell.size(), ' ');
        line += " " + (right[i] ? fill + cell : cell + fill) + " ";
      }
      os << StringRef(line).rtrim() << '\n';
    }
  }

private:
  std::vector<bool> right;
  std::vector<std::vector<std::string>> rows;
};

/// One letter per buffer, in order; after 62 they start again.
char letter(size_t number) {
  constexpr StringRef letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  return letters[number % letters.size()];
}

/// Every kernel's name starts alike; the table has no room for that.
StringRef kernelName(StringRef kernel) {
  kernel.consume_front("aotc_");
  return kernel;
}

class MapPrinter {
public:
  explicit MapPrinter(const ModelInterface &model)
      : model(model), steps(std::max<int64_t>(1, model.layers.size())), os(text) {}

  std::string print() {
    sizes();
    for (size_t region = 0; region < model.regions.size(); ++region)
      picture(region);
    peak();
    bufferTable();
    layerTable();
    return text;
  }

private:
  void sizes();
  void picture(size_t region);
  void peak();
  void bufferTable();
  void layerTable();
  bool liveAt(const PlannedBuffer &buffer, int64_t step) const {
    return buffer.firstStep <= step && step <= buffer.lastStep;
  }
  /// Highest byte in use at a step, summed over the regions: what the plan pays
  /// there.
  int64_t heightAt(int64_t step) const {
    std::vector<int64_t> heights(model.regions.size(), 0);
    for (const PlannedBuffer &buffer : model.buffers)
      if (liveAt(buffer, step))
        heights[buffer.region] = std::max(heights[buffer.region], buffer.offset + buffer.bytes);
    return std::accumulate(heights.begin(), heights.end(), int64_t(0));
  }
  bool severalRegions() const { return model.regions.size() > 1; }
  /// The letters of the buffers in sharesWith. (Names may be equal.)
  std::string partners(size_t number) const {
    const PlannedBuffer &self = model.buffers[number];
    std::string letters;
    for (auto [i, other] : llvm::enumerate(model.buffers))
      if (i != number && llvm::is_contained(self.sharesWith, other.name) &&
          other.firstStep <= self.lastStep && self.firstStep <= other.lastStep)
        letters += letter(i);
    return letters;
  }
  /// The step at which the arena is fullest, the first of several.
  int64_t peakStep() const {
    int64_t peak = 0;
    for (int64_t step = 1; step < steps; ++step)
      if (heightAt(step) > heightAt(peak))
        peak = step;
    return peak;
  }

  const ModelInterface &model;
  const int64_t steps;
  std::string text;
  llvm::raw_string_ostream os;
};

void MapPrinter::sizes() {
  os << model.name << ": " << printable(model.modelFile) << " for " << printable(model.target)
     << "\n  " << model.compilerVersion << ", model SHA-256 " << printable(model.modelSha256)
     << "\n\n";
  Table table({"", ">bytes", ""});
  table.add({"RAM, arena", grouped(model.arenaBytes),
             "inputs and outputs in it: " + grouped(model.ioUsedMemory) + "; without scratch " +
                 grouped(model.arenaWithoutScratchBytes)});
  for (const RegionRecord &region : model.regions)
    if (severalRegions() || region.capacity)
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

void MapPrinter::picture(size_t number) {
  const RegionRecord &region = model.regions[number];
  int64_t perColumn = llvm::divideCeil(steps, kPictureWidth);
  int64_t columns = llvm::divideCeil(steps, perColumn);
  int64_t stretch = std::clamp<int64_t>(kPictureWidth / columns, 1, 6);
  int64_t rowBytes = std::max<int64_t>(1, llvm::divideCeil(region.bytes, kPictureHeight));
  int64_t rows = llvm::divideCeil(region.bytes, rowBytes);
  os << "\nThe " << (severalRegions() ? "memory '" + printable(region.name) + "'" : "arena")
     << " over time (letters: the buffers below; * two or more share "
        "the bytes; . free)\n\n";
  for (int64_t row = rows - 1; row >= 0; --row) {
    std::string line;
    for (int64_t column = 0; column < columns; ++column) {
      // A cell shows who holds most of it at its first step; shared bytes win.
      int64_t step = column * perColumn;
      int64_t low = row * rowBytes, best = 0, total = 0;
      char shown = '.';
      for (auto [i, buffer] : llvm::enumerate(model.buffers)) {
        int64_t held =
            std::min(low + rowBytes, buffer.offset + buffer.bytes) - std::max(low, buffer.offset);
        if (held <= 0 || buffer.region != number || !liveAt(buffer, step))
          continue;
        total += held;
        if (held > best) {
          best = held;
          shown = letter(i);
        }
      }
      line.append(stretch, total > rowBytes ? '*' : shown);
    }
    os << formatv("  {0,12} |{1}\n", grouped(row * rowBytes), line);
  }
  os << formatv("  {0,12} +{1}\n", "", std::string(columns * stretch, '-'));
  // Step numbers below the columns, with a blank between them at least.
  std::string axis;
  int64_t peak = peakStep() / perColumn;
  for (int64_t column = 0; column < columns; ++column) {
    std::string number = std::to_string(column * perColumn);
    int64_t start = column * stretch;
    if (start > 0 && start < static_cast<int64_t>(axis.size()) + 1)
      continue;
    axis.append(start - axis.size(), ' ');
    axis += number;
  }
  os << formatv("  {0,12}  {1}\n", "step", axis)
     << formatv("  {0,12}  {1}^ peak\n", "", std::string(peak * stretch, ' '));
}

void MapPrinter::peak() {
  int64_t peak = peakStep();
  os << formatv("\nPeak: {0} bytes at step {1}\n", grouped(heightAt(peak)), peak);
  if (peak < static_cast<int64_t>(model.layers.size())) {
    const LayerRecord &layer = model.layers[peak];
    os << "  " << printable(layer.op) << "  " << shortName(layer.name) << "\n";
  }
  os << "  live there:\n";
  Table table({"", ">bytes", "name"});
  for (auto [i, buffer] : llvm::enumerate(model.buffers))
    if (liveAt(buffer, peak))
      table.add({std::string(1, letter(i)), grouped(buffer.bytes), shortName(buffer.name)});
  table.print(os);
  os << "\n";
}

void MapPrinter::bufferTable() {
  os << (severalRegions() ? "Buffers\n" : "Buffers of the arena\n");
  Table table({"", ">offset", ">bytes", ">steps", "role", "shares", "name"});
  for (auto [i, buffer] : llvm::enumerate(model.buffers))
    table.add({std::string(1, letter(i)),
               (severalRegions() ? printable(model.regions[buffer.region].name) + " + " : "") +
                   grouped(buffer.offset),
               grouped(buffer.bytes), formatv("{0}-{1}", buffer.firstStep, buffer.lastStep).str(),
               buffer.role, partners(i), shortName(buffer.name)});
  table.print(os);
  os << "  shares: buffers that are live at the same time on some of its bytes\n";
}

void MapPrinter::layerTable() {
  os << "\nLayers\n";
  Table table({">step", "operator", ">used", ">scratch", ">MACs", ">weights", "kernel", "name"});
  for (const LayerRecord &layer : model.layers)
    table.add({std::to_string(layer.index), printable(layer.op), grouped(layer.usedMemory),
               grouped(layer.scratchBytes), grouped(layer.macs), grouped(layer.weightsBytes),
               kernelName(layer.kernel).str(), shortName(layer.name, kLayerNameWidth)});
  table.print(os);
  os << "  used: bytes of all live buffers at the call, each counted in full; "
        "scratch is beside it\n"
        "  (map.json: full names, why each kernel was chosen)\n";
}

} // namespace

std::string aotc::printMapText(const ModelInterface &model) { return MapPrinter(model).print(); }
