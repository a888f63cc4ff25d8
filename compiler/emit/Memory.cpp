// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/emit/Memory.h"

#include "passes/planner/Footprint.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace aotc;
using namespace aotc::instr;
using mlir::Operation;
using mlir::Value;

namespace {

int64_t bytesOf(Value value) { return byteSize(llvm::cast<mlir::MemRefType>(value.getType())); }

class MemoryReader {
public:
  MemoryReader(mlir::func::FuncOp main, ModelInterface &model) : model(model) {
    for (Operation &op : main.getBody().front()) {
      if (llvm::isa<AllocOp>(op))
        bufferOf.insert({&op, bufferOf.size()});
      else if (auto instruction = llvm::dyn_cast<InstrOpInterface>(op)) {
        stepOf.insert({&op, instructions.size()});
        instructions.push_back(instruction);
      }
    }
  }

  void findSharing();
  void findTensors();
  void measureLayers();

private:
  SharedBytes explain(size_t dying, size_t born) const;
  /// Of an operand, in its region.
  int64_t startOf(Value value) const {
    BufferRef ref = resolveBuffer(value);
    return model.buffers[bufferOf.lookup(ref.root)].offset + ref.offset;
  }
  bool isOn(Value value, size_t buffer) const {
    auto found = bufferOf.find(resolveBuffer(value).root);
    return found != bufferOf.end() && found->second == buffer;
  }
  std::vector<size_t> byBirth() const {
    std::vector<size_t> order(model.buffers.size());
    std::iota(order.begin(), order.end(), 0);
    llvm::sort(order, [&](size_t a, size_t b) {
      return std::pair(model.buffers[a].firstStep, a) < std::pair(model.buffers[b].firstStep, b);
    });
    return order;
  }
  /// First and last step that touch a value or a nameless part of it.
  void touch(Value value, TensorRecord &tensor) const;

  ModelInterface &model;
  llvm::DenseMap<Operation *, size_t> bufferOf, stepOf;
  std::vector<InstrOpInterface> instructions;
};

/// Pairs that are live at once on common bytes. In the order of birth, the
/// partners of a buffer that are born later stand right behind it.
void MemoryReader::findSharing() {
  std::vector<size_t> order = byBirth();
  for (size_t i = 0; i < order.size(); ++i)
    for (size_t k = i + 1; k < order.size(); ++k) {
      size_t older = order[i], younger = order[k];
      PlannedBuffer &a = model.buffers[older], &b = model.buffers[younger];
      if (b.firstStep > a.lastStep)
        break;
      if (a.region != b.region || a.offset >= b.offset + b.bytes || b.offset >= a.offset + a.bytes)
        continue;
      SharedBytes shared = explain(older, younger);
      shared.buffer = younger;
      a.shares.push_back(shared);
      shared.buffer = older;
      b.shares.push_back(shared);
    }
  for (PlannedBuffer &buffer : model.buffers)
    llvm::sort(buffer.shares,
               [](const SharedBytes &a, const SharedBytes &b) { return a.buffer < b.buffer; });
}

/// By the rule that the pair of operands comes closest to.
SharedBytes MemoryReader::explain(size_t dying, size_t born) const {
  const PlannedBuffer &in = model.buffers[dying], &out = model.buffers[born];
  SharedBytes shared;
  shared.step = out.firstStep;
  shared.bytes =
      std::min(in.offset + in.bytes, out.offset + out.bytes) - std::max(in.offset, out.offset);
  if (shared.step >= static_cast<int64_t>(instructions.size()))
    return shared;
  InstrOpInterface op = instructions[shared.step];
  shared.descending = op.getDescending();
  int64_t closest = 0;
  for (OverlapAttr rule : op.getOverlapRules()) {
    Value from = op.getIns()[rule.getInput()], to = op.getOuts()[rule.getOutput()];
    auto needed = shared.descending ? rule.getDescending() : rule.getAscending();
    if (!needed || !isOn(from, dying) || !isOn(to, born))
      continue;
    int64_t below = startOf(from) - startOf(to);
    if (below >= bytesOf(to) || -below >= bytesOf(from))
      continue; // these operands have no byte in common
    if (rule.getMultiple() > 1 && below % rule.getMultiple())
      continue;
    int64_t distance = shared.descending ? -below : below, slack = distance - *needed;
    if (slack < 0 || (shared.way != SharedBytes::Way::unread && slack >= closest))
      continue;
    closest = slack;
    shared.distance = distance;
    shared.declared = *needed;
    shared.way = below == 0 && bytesOf(from) == bytesOf(to) ? SharedBytes::Way::inPlace
                                                            : SharedBytes::Way::apart;
  }
  return shared;
}

void MemoryReader::touch(Value value, TensorRecord &tensor) const {
  llvm::SmallVector<Value> parts = {value};
  bool touched = false;
  for (size_t i = 0; i < parts.size(); ++i)
    for (Operation *user : parts[i].getUsers()) {
      if (auto view = llvm::dyn_cast<ViewOp>(user)) {
        if (!view.getName())
          parts.push_back(view.getResult());
      } else if (auto found = stepOf.find(user); found != stepOf.end()) {
        int64_t step = static_cast<int64_t>(found->second);
        tensor.firstStep = touched ? std::min(tensor.firstStep, step) : step;
        tensor.lastStep = touched ? std::max(tensor.lastStep, step) : step;
        touched = true;
      }
    }
}

void MemoryReader::findTensors() {
  for (auto [op, number] : bufferOf) {
    const PlannedBuffer &buffer = model.buffers[number];
    if (buffer.role != "scratch") {
      TensorRecord own;
      own.name = buffer.name;
      own.tensor = buffer.tensor;
      own.buffer = number;
      own.bytes = buffer.bytes;
      own.firstStep = buffer.firstStep;
      own.lastStep = buffer.lastStep;
      model.tensors.push_back(own);
    }
    llvm::SmallVector<Value> values = {op->getResult(0)};
    for (size_t i = 0; i < values.size(); ++i)
      for (Operation *user : values[i].getUsers()) {
        auto view = llvm::dyn_cast<ViewOp>(user);
        if (!view)
          continue;
        values.push_back(view.getResult());
        // Of an operator's result that has another type than the model's
        // output, only one is worth a line.
        if (!view.getName() || *view.getName() == buffer.name)
          continue;
        TensorRecord tensor;
        tensor.name = view.getName()->str();
        tensor.tensor = view.getTensor().value_or(-1);
        tensor.buffer = number;
        tensor.offset = resolveBuffer(view.getResult()).offset;
        tensor.bytes = bytesOf(view.getResult());
        tensor.firstStep = buffer.firstStep;
        tensor.lastStep = buffer.lastStep;
        touch(view.getResult(), tensor);
        tensor.dissolved = "view"; // of IR text without origins
        if (nn::OriginAttr origin = view.getOriginAttr()) {
          tensor.dissolved = origin.getCode().str();
          tensor.dissolvedIndex = origin.getIndex();
        }
        model.tensors.push_back(std::move(tensor));
      }
  }
  // Own first; users and operators are visited in no order that may show.
  llvm::sort(model.tensors, [](const TensorRecord &a, const TensorRecord &b) {
    auto key = [](const TensorRecord &t) {
      return std::tuple(t.buffer, t.offset, -t.bytes, !t.dissolved.empty(), t.dissolvedIndex,
                        t.tensor, t.firstStep, t.lastStep, llvm::StringRef(t.name));
    };
    return key(a) < key(b);
  });
}

void MemoryReader::measureLayers() {
  std::vector<planner::Placed> placed;
  for (const PlannedBuffer &buffer : model.buffers)
    if (const RegionRecord &region = model.regions[buffer.region]; !isCallers(region.owner))
      placed.push_back(
          {region.name, buffer.offset, buffer.bytes, buffer.firstStep, buffer.lastStep});
  auto footprints = planner::footprints(placed, model.layers.size());
  for (auto [layer, footprint] : llvm::zip_equal(model.layers, footprints)) {
    layer.footprintBytes = footprint.occupied;
    layer.heightBytes = footprint.height;
  }
  if (!model.layers.empty())
    model.peakStep = planner::peakStep(footprints);
}

} // namespace

void aotc::describeMemory(mlir::func::FuncOp main, ModelInterface &model) {
  MemoryReader reader(main, model);
  reader.findSharing();
  reader.findTensors();
  reader.measureLayers();
}
