// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps count the computing instructions; a buffer lives from the step after
// its alloc to the step before its dealloc.
#include "compiler/emit/BuildInterface.h"

#include "compiler/emit/LowerToLLVM.h"
#include "compiler/emit/Memory.h"
#include "compiler/emit/Text.h"
#include "targets/StartUp.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"

using namespace aotc;
using llvm::StringRef;
using llvm::Twine;

namespace {

/// Type, shape and quantisation of an input or output: those of its tensor in
/// the graph, or of its buffer if the alloc does not tell.
void describeType(instr::AllocOp alloc, IoTensor &io) {
  mlir::ShapedType type = alloc.getBuffer().getType();
  if (auto tensor = alloc->getAttrOfType<mlir::TypeAttr>(instr::kTensorTypeAttr))
    if (auto shaped = llvm::dyn_cast<mlir::ShapedType>(tensor.getValue()))
      type = shaped;
  io.type = nn::toDType(type.getElementType());
  io.shape.assign(type.getShape().begin(), type.getShape().end());
  Quantization quant = nn::toQuantization(type.getElementType());
  if (quant.scales.size() == 1) {
    io.scale = quant.scale();
    io.zeroPoint = quant.zeroPoint();
  }
}

llvm::Error checkAlloc(instr::AllocOp alloc, const TargetSpec &target) {
  if (!alloc.getOffset())
    return llvm::createStringError("buffer '" + alloc.getName() +
                                   "' has no offset: run plan-memory first");
  int64_t end;
  if (*alloc.getOffset() < 0 ||
      llvm::AddOverflow<int64_t>(*alloc.getOffset(), alloc.getBytes(), end) ||
      (target.pointerBytes() == 4 && end > INT32_MAX))
    return llvm::createStringError("buffer '" + alloc.getName() + "' of " +
                                   Twine(alloc.getBytes()) +
                                   " bytes lies outside what the target "
                                   "can address");
  return llvm::Error::success();
}

/// Positions must be 0 … n-1; `tensors` and `positions` run in parallel.
llvm::Error sortByPosition(std::vector<std::pair<int64_t, IoTensor>> &found,
                           std::vector<IoTensor> &tensors, StringRef what) {
  llvm::sort(found, [](const auto &a, const auto &b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (auto [i, entry] : llvm::enumerate(found)) {
    if (entry.first != static_cast<int64_t>(i))
      return llvm::createStringError(what + " " + Twine(i) + " of the model has no buffer");
    names.push_back(entry.second.name);
    tensors.push_back(std::move(entry.second));
  }
  for (auto [tensor, symbol] : llvm::zip_equal(tensors, toCIdentifiers(names)))
    tensor.symbol = symbol;
  return llvm::Error::success();
}

/// Which of the regions an alloc lies in, the first if it does not say.
std::optional<size_t> findRegion(llvm::ArrayRef<RegionRecord> regions, instr::AllocOp alloc) {
  StringRef name = alloc.getRegion().value_or(regions.front().name);
  auto found = llvm::find_if(regions, [&](const RegionRecord &r) { return r.name == name; });
  return found == regions.end() ? std::nullopt : std::optional<size_t>(found - regions.begin());
}

/// The bytes the instruction may write, whatever its kernel is; places of the
/// allocs were checked.
std::vector<ByteRange> writtenRanges(instr::InstrOpInterface op,
                                     llvm::ArrayRef<RegionRecord> regions) {
  std::vector<ByteRange> ranges;
  for (mlir::OperandRange group : {op.getOuts(), op.getInouts(), op.getScratch()})
    for (mlir::Value value : group) {
      instr::BufferRef ref = instr::resolveBuffer(value);
      if (auto alloc = llvm::dyn_cast_or_null<instr::AllocOp>(ref.root))
        ranges.push_back({findRegion(regions, alloc).value_or(0),
                          static_cast<int64_t>(*alloc.getOffset()) + ref.offset,
                          instr::byteSize(llvm::cast<mlir::MemRefType>(value.getType()))});
    }
  return ranges;
}

LayerRecord describeLayer(instr::InstrOpInterface op, int64_t step,
                          llvm::ArrayRef<RegionRecord> regions) {
  LayerRecord layer;
  layer.index = step;
  layer.op = "COPY";
  layer.kernel = "memcpy";
  layer.macs = op.getCost();
  for (mlir::Value scratch : op.getScratch())
    layer.scratchBytes += instr::byteSize(llvm::cast<mlir::MemRefType>(scratch.getType()));
  layer.usedMemory = op.getUsedMemory().value_or(0);
  layer.writes = writtenRanges(op, regions);
  if (op.getScratchMemory())
    layer.scratchBytes = *op.getScratchMemory();
  nn::OriginAttr origin;
  if (auto kernel = llvm::dyn_cast<instr::KernelOp>(op.getOperation())) {
    layer.kernel = layer.op = kernel.getKernel();
    layer.remark = kernel.getRemark().value_or("");
    for (mlir::Value value : kernel.getData())
      if (auto data = llvm::dyn_cast_or_null<instr::ConstantOp>(instr::resolveBuffer(value).root);
          data && data.getWeights())
        layer.weightsBytes += instr::byteSize(data.getBuffer().getType());
    origin = kernel.getOriginAttr();
  } else if (auto copy = llvm::dyn_cast<instr::CopyOp>(op.getOperation())) {
    origin = copy.getOriginAttr();
  }
  if (origin) {
    layer.op = origin.getCode().str();
    layer.opIndex = origin.getIndex();
    llvm::copy_if(origin.getTensors(), std::back_inserter(layer.resultTensors),
                  [](int64_t tensor) { return tensor >= 0; });
    if (!origin.getNames().empty())
      layer.name = origin.getNames().front().str();
  }
  return layer;
}

/// The regions a plan may use, before it is known which it does.
llvm::Expected<std::vector<RegionRecord>> listRegions(mlir::func::FuncOp main,
                                                      const TargetSpec &target) {
  auto listed = instr::regionsOf(main);
  if (mlir::failed(listed))
    return llvm::createStringError("the list of memory regions is malformed");
  std::vector<RegionRecord> regions;
  for (instr::RegionAttr region : *listed) {
    RegionRecord &record = regions.emplace_back();
    record.name = region.getName();
    record.align = std::max(target.arenaAlign, region.getAlign());
    record.capacity = region.getCapacity();
    record.base = region.getBase();
    record.section = region.getSection();
  }
  return regions;
}

/// What the parameter of NAME_run for a caller's tensor is called: as the
/// accessor of one in the arena would be.
std::string callersSymbol(const ModelInterface &model, size_t region) {
  for (const auto *list : {&model.inputs, &model.outputs})
    for (const IoTensor &tensor : *list)
      if (tensor.region == region && isCallers(tensor.mode)) {
        std::string kind = list == &model.inputs ? "input" : "output";
        return list->size() == 1 ? kind : kind + "_" + tensor.symbol;
      }
  return "";
}

/// Keeps the regions that hold something, or the first: the caller provides no
/// others. Their symbols stay apart from the header's own names.
void keepUsedRegions(ModelInterface &model) {
  std::vector<size_t> number(model.regions.size(), 0);
  std::vector<RegionRecord> kept;
  std::vector<std::string> names;
  for (auto [i, region] : llvm::enumerate(model.regions)) {
    if (!region.bytes)
      continue;
    number[i] = kept.size();
    kept.push_back(region);
    if (isCallers(region.owner)) {
      names.push_back(callersSymbol(model, i));
      continue;
    }
    std::string lower = StringRef(toCIdentifier(region.name)).lower();
    StringRef name = lower;
    bool taken = name.starts_with("input") || name.starts_with("output") || name == "state" ||
                 name.ends_with("_size") || name.ends_with("_align");
    names.push_back(taken ? "block_" + std::to_string(names.size()) : region.name);
  }
  if (kept.empty()) {
    kept.push_back(model.regions.front());
    names.push_back("");
  }
  // One block of memory: the application needs not know what the machine calls it.
  auto isMemory = [](const RegionRecord &region) { return !isCallers(region.owner); };
  if (llvm::count_if(kept, isMemory) == 1)
    names[llvm::find_if(kept, isMemory) - kept.begin()] = "arena";
  model.regions = std::move(kept);
  for (auto [region, symbol] : llvm::zip_equal(model.regions, toCIdentifiers(names))) {
    region.symbol = symbol;
    model.arenaBytes += isMemory(region) ? region.bytes : 0;
  }
  for (PlannedBuffer &buffer : model.buffers)
    buffer.region = number[buffer.region];
  for (LayerRecord &layer : model.layers)
    for (ByteRange &range : layer.writes)
      range.region = number[range.region];
  for (auto *list : {&model.inputs, &model.outputs})
    for (IoTensor &tensor : *list)
      tensor.region = number[tensor.region];
}

void readPlanAttributes(mlir::func::FuncOp main, ModelInterface &model) {
  auto integer = [&](StringRef name, int64_t &value) {
    if (auto attr = main->getAttrOfType<mlir::IntegerAttr>(name))
      value = attr.getInt();
  };
  for (const auto *list : {&model.inputs, &model.outputs})
    for (const IoTensor &tensor : *list)
      model.ioUsedMemory += tensor.bytes;
  integer(instr::kIoUsedMemoryAttr, model.ioUsedMemory);
  integer(instr::kPlanBoundAttr, model.planBound);
  integer(instr::kArenaWithoutScratchAttr, model.arenaWithoutScratchBytes);
  integer(instr::kOrderPeakAttr, model.orderPeak);
  integer(instr::kOrderGivenPeakAttr, model.orderGivenPeak);
  if (auto optimal = main->getAttrOfType<mlir::BoolAttr>(instr::kPlanOptimalAttr))
    model.planOptimal = optimal.getValue();
  if (auto proved = main->getAttrOfType<mlir::BoolAttr>(instr::kOrderProvedAttr))
    model.orderProved = proved.getValue();
  if (auto changes = main->getAttrOfType<mlir::ArrayAttr>(instr::kAdviceAttr))
    for (auto change : changes.getAsRange<mlir::DictionaryAttr>())
      if (auto what = change.getAs<mlir::StringAttr>("change"))
        if (auto bytes = change.getAs<mlir::IntegerAttr>("arena_bytes"))
          model.advice.push_back({what.str(), bytes.getInt()});
  if (auto text = main->getAttrOfType<mlir::StringAttr>(instr::kAdviceTextAttr))
    model.adviceText = text.str();
}

} // namespace

llvm::Expected<ModelInterface> aotc::buildInterface(mlir::func::FuncOp main,
                                                    const TargetSpec &target,
                                                    const EmitOptions &options) {
  ModelInterface model;
  model.name = toModelName(options.name);
  model.target = target.name;
  model.modelFile = llvm::sys::path::filename(options.modelFile).str();
  model.modelSha256 = options.modelSha256;
  model.compilerVersion = text::compilerVersion().str();
  model.options = options.options;
  model.startUp = startUpNeeds(target);
  model.hooks = options.hooks;
  model.weightsSection = options.weightsSection.empty() ? rodataSection(model.name) + ".weights"
                                                        : options.weightsSection;

  auto regions = listRegions(main, target);
  if (!regions)
    return regions.takeError();
  model.regions = std::move(*regions);
  std::vector<int64_t> withoutScratch(model.regions.size(), 0);

  llvm::DenseMap<mlir::Value, size_t> bufferOf;
  std::vector<std::pair<int64_t, IoTensor>> inputs, outputs;
  int64_t step = 0;
  for (mlir::Operation &op : main.getBody().front()) {
    if (auto alloc = llvm::dyn_cast<instr::AllocOp>(op)) {
      if (llvm::Error error = checkAlloc(alloc, target))
        return std::move(error);
      PlannedBuffer buffer;
      buffer.name = alloc.getName();
      buffer.role = stringifyRole(alloc.getRole());
      std::optional<size_t> number = findRegion(model.regions, alloc);
      if (!number)
        return llvm::createStringError("buffer '" + alloc.getName() + "' lies in memory region '" +
                                       *alloc.getRegion() + "', which @main does not list");
      RegionRecord *region = &model.regions[*number];
      buffer.region = *number;
      buffer.bytes = alloc.getBytes();
      buffer.align = alloc.getAlign();
      buffer.offset = *alloc.getOffset();
      buffer.firstStep = step;
      buffer.lastStep = -1;
      buffer.tensor = alloc.getTensor().value_or(-1);
      int64_t end = buffer.offset + buffer.bytes;
      region->bytes = std::max(region->bytes, end);
      if (alloc.getRole() != instr::Role::scratch)
        withoutScratch[buffer.region] = std::max(withoutScratch[buffer.region], end);
      if (alloc.getRole() == instr::Role::state)
        model.stateBytes += buffer.bytes;
      if (alloc.getPosition()) {
        IoTensor io;
        io.name = buffer.name;
        io.bytes = buffer.bytes;
        io.offset = buffer.offset;
        io.align = buffer.align;
        io.region = buffer.region;
        io.mode = instr::ioModeOf(alloc);
        if (isCallers(io.mode)) {
          region->owner = io.mode;
          region->align = alloc.getAlign();
        }
        io.tensor = buffer.tensor;
        describeType(alloc, io);
        (alloc.getRole() == instr::Role::input ? inputs : outputs)
            .emplace_back(*alloc.getPosition(), std::move(io));
      }
      bufferOf[alloc.getBuffer()] = model.buffers.size();
      model.buffers.push_back(std::move(buffer));
    } else if (auto dealloc = llvm::dyn_cast<instr::DeallocOp>(op)) {
      PlannedBuffer &buffer = model.buffers[bufferOf[dealloc.getBuffer()]];
      buffer.lastStep = std::max(buffer.firstStep, step - 1);
    } else if (auto compute = llvm::dyn_cast<instr::InstrOpInterface>(op)) {
      model.layers.push_back(describeLayer(compute, step++, model.regions));
    }
  }
  for (PlannedBuffer &buffer : model.buffers)
    if (buffer.lastStep < 0) // never freed: alive to the end
      buffer.lastStep = std::max(buffer.firstStep, step - 1);
  describeMemory(main, model);
  if (llvm::Error error = sortByPosition(inputs, model.inputs, "input"))
    return std::move(error);
  if (llvm::Error error = sortByPosition(outputs, model.outputs, "output"))
    return std::move(error);
  // Of this plan, unless its maker knows a better one (readPlanAttributes).
  for (auto [region, bytes] : llvm::zip_equal(model.regions, withoutScratch))
    model.arenaWithoutScratchBytes += isCallers(region.owner) ? 0 : bytes;
  keepUsedRegions(model);
  readPlanAttributes(main, model);
  return model;
}
