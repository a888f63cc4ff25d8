// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two walks: the first finds every operand's place (Places.h) and groups kernel
// calls by sharing key; then one function per key is written, knowing all its
// callers, and NAME_run calls them in order.
#include "compiler/emit/LowerToLLVM.h"

#include "compiler/emit/LayerHooks.h"
#include "compiler/emit/Places.h"
#include "compiler/emit/RowLoop.h"
#include "compiler/ir/InstrDialect.h"
#include "runtime-stub/include/aotc/abi.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Verifier.h"

using namespace aotc;
using llvm::StringRef;
using llvm::Twine;

std::string aotc::rodataSection(StringRef name) { return (".rodata." + name).str(); }

namespace {

/// One kernel call: the arguments of its shared function, in order. Layer
/// words first (if any), words of the row loop (if it has one), then ins, outs,
/// inouts, scratch, data, and the shape if it is passed.
struct Call {
  instr::KernelOp op;
  std::vector<Place> arguments;
};

struct Shared {
  std::vector<Call> calls;
  llvm::Function *function = nullptr;
};

RowGeometry toGeometry(instr::RowsAttr rows) {
  return {rows.getBatches(), rows.getInRows(),      rows.getInRowBytes(),
          rows.getOutRows(), rows.getOutRowBytes(), rows.getWindowRows(),
          rows.getStride(),  rows.getPadTop(),      rows.getBlockRows()};
}

std::string textKey(instr::KernelOp op, bool withShape) {
  std::string key;
  llvm::raw_string_ostream os(key);
  os << op.getLevel() << '|' << op.getKernel() << "|shape";
  if (withShape)
    for (int32_t word : op.getShape())
      os << ' ' << word;
  if (auto rows = op.getRowsAttr())
    os << "|rows " << rowShapeKey(toGeometry(rows));
  os << '|' << op.getIns().size() << '|' << op.getOuts().size() << '|' << op.getInouts().size()
     << '|' << op.getScratch().size() << '|' << op.getData().size() << '|' << op.getLayer().size()
     << '|' << op.getDescending();
  return key;
}

class Lowering {
public:
  Lowering(const ModelInterface &interface, const TargetSpec &target, llvm::Module &module,
           bool minimizeSize)
      : interface(interface), target(target), module(module), minimizeSize(minimizeSize),
        context(module.getContext()), pointer(llvm::PointerType::get(context, 0)),
        places(module, interface) {}

  llvm::Expected<LoweredModule> run(mlir::func::FuncOp main, bool stepwise);

private:
  /// Bytes of the row pointers if they stand in the last scratch buffer.
  int64_t tableBytes(instr::KernelOp op) const {
    return op.getRows() ? rowTableBytes(instr::rowPointers(*op.getRows()), target) : 0;
  }
  /// The shape is read at run time, so that one function does for all shapes. It
  /// is about as long as three for one shape each.
  bool passesShape(instr::KernelOp op) const {
    auto found = shapes.find(textKey(op, false));
    return found != shapes.end() && found->second.size() > 3;
  }
  llvm::Error collect(instr::KernelOp op);
  void addArgumentAttributes(Shared &shared);
  void writeShared(Shared &shared, unsigned number);
  llvm::Function *startRun();
  llvm::Error writeCopy(llvm::IRBuilder<> &b, instr::CopyOp op);
  /// Markers, views and constants are no code.
  static bool isLayer(mlir::Operation &op) { return llvm::isa<instr::KernelOp, instr::CopyOp>(op); }
  /// One layer; the name of what is called.
  llvm::Expected<std::string> writeInstruction(llvm::IRBuilder<> &b, mlir::Operation &op);
  llvm::Error writeStep(mlir::Block &body);

  const ModelInterface &interface;
  const TargetSpec &target;
  llvm::Module &module;
  bool minimizeSize;
  llvm::LLVMContext &context;
  llvm::Type *pointer;
  Places places;
  std::vector<Shared> shared; // in order of first use
  llvm::StringMap<size_t> sharedByKey;
  llvm::StringMap<llvm::StringSet<>> shapes; ///< of portable kernels, if code is to be small
  llvm::DenseMap<mlir::Operation *, std::pair<size_t, size_t>> callOf;
  std::vector<KernelUse> kernels;
};

llvm::Error Lowering::collect(instr::KernelOp op) {
  int64_t table = tableBytes(op);
  if (op.getScratch().size() > (table ? 2 : 1))
    return llvm::createStringError("kernel '" + op.getKernel() +
                                   "' has more than one scratch buffer");
  if (table && (op.getScratch().empty() || instr::byteSize(llvm::cast<mlir::MemRefType>(
                                               op.getScratch().back().getType())) < table))
    return llvm::createStringError("row kernel '" + op.getKernel() + "' needs " + Twine(table) +
                                   " bytes of scratch for its row pointers");
  if (op.getRows() && op.getIns().size() != 1)
    return llvm::createStringError("row kernel '" + op.getKernel() + "' has more than one input");
  Call call;
  call.op = op;
  if (!op.getLayer().empty())
    call.arguments.push_back(places.ofWords(op.getLayer(), "layer"));
  if (op.getRows())
    call.arguments.push_back(places.ofWords(rowWords(toGeometry(*op.getRows())), "rows"));
  for (mlir::OperandRange group :
       {op.getIns(), op.getOuts(), op.getInouts(), op.getScratch(), op.getData()})
    for (mlir::Value value : group) {
      auto where = places.of(value);
      if (!where)
        return where.takeError();
      call.arguments.push_back(*where);
    }
  if (passesShape(op))
    call.arguments.push_back(places.ofWords(op.getShape(), "shape"));
  size_t number =
      sharedByKey.try_emplace(textKey(op, !passesShape(op)), shared.size()).first->second;
  if (number == shared.size())
    shared.emplace_back();
  Shared &group = shared[number];
  callOf[op] = {number, group.calls.size()};
  group.calls.push_back(std::move(call));
  return llvm::Error::success();
}

/// What holds in every call holds in the function: alignment, and that a
/// buffer shares no byte with any other argument.
void Lowering::addArgumentAttributes(Shared &group) {
  for (size_t i = 0; i < group.calls[0].arguments.size(); ++i) {
    llvm::Align align(1 << 12);
    bool alone = true;
    for (const Call &call : group.calls) {
      const Place &self = call.arguments[i];
      align = std::min(align, places.alignment(self));
      for (size_t j = 0; j < call.arguments.size(); ++j)
        alone &= j == i || !self.sharesBytesWith(call.arguments[j]);
    }
    llvm::Argument *argument = group.function->getArg(i);
    argument->addAttr(llvm::Attribute::getWithAlignment(context, align));
    argument->addAttr(llvm::Attribute::NonNull);
    if (alone)
      argument->addAttr(llvm::Attribute::NoAlias);
  }
}

void Lowering::writeShared(Shared &group, unsigned number) {
  instr::KernelOp op = group.calls[0].op;
  StringRef symbol = op.getKernel();
  llvm::Type *i32 = llvm::Type::getInt32Ty(context);
  llvm::Type *nothing = llvm::Type::getVoidTy(context);
  llvm::FunctionCallee kernel = module.getOrInsertFunction(
      symbol,
      llvm::FunctionType::get(
          nothing, {pointer, pointer, pointer, pointer, pointer, pointer, i32, i32}, false));

  std::vector<llvm::Type *> types(group.calls[0].arguments.size(), pointer);
  StringRef shortName = symbol;
  shortName.consume_front("aotc_");
  group.function = llvm::Function::Create(
      llvm::FunctionType::get(nothing, types, false), llvm::GlobalValue::InternalLinkage,
      interface.name + "_" + shortName + "_" + Twine(number), module);
  // noduplicate keeps IPSCCP from cloning the function for each layer's
  // constants: sharing is the point of it.
  group.function->addFnAttr(llvm::Attribute::NoInline);
  group.function->addFnAttr(llvm::Attribute::NoDuplicate);
  addArgumentAttributes(group);

  llvm::IRBuilder<> b(llvm::BasicBlock::Create(context, "entry", group.function));
  llvm::Value *null = llvm::ConstantPointerNull::get(b.getPtrTy());
  auto *argument = group.function->arg_begin();
  llvm::Value *layer = op.getLayer().empty() ? null : argument++;
  auto takeArray = [&](size_t count, const Twine &name) -> llvm::Value * {
    if (!count)
      return null;
    llvm::Value *array = b.CreateAlloca(pointer, b.getInt32(count), name);
    for (size_t i = 0; i < count; ++i)
      b.CreateStore(argument++, b.CreateConstGEP1_32(pointer, array, i));
    return array;
  };
  llvm::Value *rowSizes = op.getRows() ? argument++ : nullptr;
  llvm::Value *input = op.getRows() ? argument++ : nullptr;
  llvm::Value *ins = input ? nullptr : takeArray(op.getIns().size(), "in");
  llvm::Value *output = op.getRows() ? argument++ : nullptr;
  llvm::Value *outs =
      output ? nullptr : takeArray(op.getOuts().size() + op.getInouts().size(), "out");
  bool hasTable = tableBytes(op);
  llvm::Value *scratch = op.getScratch().size() > (hasTable ? 1 : 0) ? argument++ : null;
  llvm::Value *table = hasTable ? argument++ : nullptr;
  llvm::Value *data = takeArray(op.getData().size(), "data");
  llvm::Value *shape = passesShape(op) ? argument : null;
  if (!passesShape(op) && !op.getShape().empty()) {
    auto *words = llvm::ConstantDataArray::get(
        context, llvm::ArrayRef<uint32_t>(reinterpret_cast<const uint32_t *>(op.getShape().data()),
                                          op.getShape().size()));
    auto *global =
        new llvm::GlobalVariable(module, words->getType(), true, llvm::GlobalValue::InternalLinkage,
                                 words, interface.name + ".shape");
    global->setAlignment(llvm::Align(4));
    shape = global;
  }
  llvm::Value *descending = b.getInt32(op.getDescending());
  if (!op.getRows()) {
    b.CreateCall(kernel, {shape, layer, ins, outs, data, scratch, b.getInt32(0), descending});
  } else {
    emitRowLoop(b, toGeometry(*op.getRows()), op.getDescending(), rowSizes, input, output, table,
                [&](llvm::Value *inRows, llvm::Value *outRows, llvm::Value *rows) {
                  b.CreateCall(kernel,
                               {shape, layer, inRows, outRows, data, scratch, rows, descending});
                });
  }
  b.CreateRetVoid();
}

/// NAME_run up to its checks; leaves `places` with its bases and an empty block to
/// fill. One region is passed as address and size, several as an array of each.
llvm::Function *Lowering::startRun() {
  llvm::Type *i32 = llvm::Type::getInt32Ty(context);
  llvm::Type *size = module.getDataLayout().getIntPtrType(context);
  bool several = interface.regions.size() > 1;
  auto *run = llvm::Function::Create(
      llvm::FunctionType::get(i32, {pointer, several ? pointer : size}, false),
      llvm::GlobalValue::ExternalLinkage, interface.name + "_run", module);
  run->setDSOLocal(true);
  llvm::GlobalAlias::create(run->getValueType(), 0, llvm::GlobalValue::ExternalLinkage,
                            interface.abiSymbol(), run, &module)
      ->setDSOLocal(true);

  llvm::IRBuilder<> b(llvm::BasicBlock::Create(context, "entry", run));
  auto check = [&](llvm::Value *bad, int32_t status, const Twine &name) {
    auto *fail = llvm::BasicBlock::Create(context, name, run);
    auto *next = llvm::BasicBlock::Create(context, "", run);
    b.CreateCondBr(bad, fail, next);
    b.SetInsertPoint(fail);
    b.CreateRet(b.getInt32(status));
    b.SetInsertPoint(next);
  };
  std::vector<llvm::Value *> bases;
  for (auto [i, region] : llvm::enumerate(interface.regions)) {
    auto argument = [&, i = i](unsigned number, llvm::Type *type) -> llvm::Value * {
      llvm::Value *whole = run->getArg(number);
      if (!several)
        return whole;
      return b.CreateLoad(type, b.CreateConstInBoundsGEP1_32(type, whole, i));
    };
    auto status = [i = i](int32_t code) { return static_cast<int32_t>(i << 8) | code; };
    llvm::Value *base = argument(0, pointer);
    check(b.CreateIsNull(base), status(AOTC_ERROR_NULL_ARENA), "null");
    llvm::Value *low =
        b.CreateAnd(b.CreatePtrToInt(base, size), llvm::ConstantInt::get(size, region.align - 1));
    check(b.CreateIsNotNull(low), status(AOTC_ERROR_MISALIGNED_ARENA), "misaligned");
    check(b.CreateICmpULT(argument(1, size), llvm::ConstantInt::get(size, region.bytes)),
          status(AOTC_ERROR_ARENA_TOO_SMALL), "small");
    bases.push_back(base);
  }
  places.setBases(std::move(bases));
  return run;
}

llvm::Error Lowering::writeCopy(llvm::IRBuilder<> &b, instr::CopyOp op) {
  auto from = places.of(op.getSource()), to = places.of(op.getTarget());
  if (!from)
    return llvm::joinErrors(from.takeError(), to ? llvm::Error::success() : to.takeError());
  if (!to)
    return to.takeError();
  llvm::Value *source = places.address(b, *from), *destination = places.address(b, *to);
  if (source == destination ||
      (!from->constant && from->region == to->region && from->offset == to->offset))
    return llvm::Error::success(); // planned in place
  if (from->sharesBytesWith(*to))
    b.CreateMemMove(destination, places.alignment(*to), source, places.alignment(*from), to->bytes);
  else
    b.CreateMemCpy(destination, places.alignment(*to), source, places.alignment(*from), to->bytes);
  return llvm::Error::success();
}

llvm::Expected<std::string> Lowering::writeInstruction(llvm::IRBuilder<> &b, mlir::Operation &op) {
  if (auto copy = llvm::dyn_cast<instr::CopyOp>(op)) {
    if (llvm::Error error = writeCopy(b, copy))
      return std::move(error);
    return "memcpy";
  }
  auto [number, call] = callOf.at(&op);
  const Shared &group = shared[number];
  std::vector<llvm::Value *> arguments;
  for (const Place &where : group.calls[call].arguments)
    arguments.push_back(places.address(b, where));
  b.CreateCall(group.function, arguments);
  return group.function->getName().str();
}

/// NAME_step(arena, n), or (blocks, n): instruction n alone.
llvm::Error Lowering::writeStep(mlir::Block &body) {
  llvm::Type *size = module.getDataLayout().getIntPtrType(context);
  auto *function = llvm::Function::Create(
      llvm::FunctionType::get(llvm::Type::getInt32Ty(context), {pointer, size}, false),
      llvm::GlobalValue::ExternalLinkage, interface.name + "_step", module);
  function->setDSOLocal(true);
  auto *entry = llvm::BasicBlock::Create(context, "entry", function);
  auto *done = llvm::BasicBlock::Create(context, "done", function);
  llvm::IRBuilder<> b(done);
  b.CreateRet(b.getInt32(AOTC_OK));
  b.SetInsertPoint(entry);
  std::vector<llvm::Value *> bases;
  llvm::Value *whole = function->getArg(0);
  if (interface.regions.size() == 1)
    bases.push_back(whole);
  else
    for (size_t i = 0; i < interface.regions.size(); ++i)
      bases.push_back(b.CreateLoad(pointer, b.CreateConstInBoundsGEP1_32(pointer, whole, i)));
  places.setBases(std::move(bases));
  llvm::SwitchInst *choice = b.CreateSwitch(function->getArg(1), done);
  uint64_t step = 0;
  for (mlir::Operation &op : llvm::make_filter_range(body, isLayer)) {
    auto *block = llvm::BasicBlock::Create(context, "step", function);
    b.SetInsertPoint(block);
    auto name = writeInstruction(b, op);
    if (!name)
      return name.takeError();
    b.CreateBr(done);
    choice->addCase(llvm::cast<llvm::ConstantInt>(llvm::ConstantInt::get(size, step++)), block);
  }
  return llvm::Error::success();
}

llvm::Expected<LoweredModule> Lowering::run(mlir::func::FuncOp main, bool stepwise) {
  mlir::Block &body = main.getBody().front();
  for (auto op : body.getOps<instr::KernelOp>())
    if (minimizeSize && op.getLevel() == "ref")
      shapes[textKey(op, false)].insert(textKey(op, true));
  for (auto op : body.getOps<instr::KernelOp>())
    if (llvm::Error error = collect(op))
      return std::move(error);

  llvm::StringMap<unsigned> numbers;
  llvm::StringSet<> seen;
  for (Shared &group : shared) {
    instr::KernelOp op = group.calls[0].op;
    writeShared(group, numbers[op.getKernel()]++);
    if (seen.insert(op.getKernel()).second)
      kernels.push_back({op.getKernel().str(), op.getLevel().str()});
  }

  llvm::Function *run = startRun();
  llvm::IRBuilder<> b(&run->back());
  LoweredModule result;
  LayerHooks hooks(module, interface);
  for (mlir::Operation &op : llvm::make_filter_range(body, isLayer)) {
    hooks.begin(b, result.functions.size());
    auto name = writeInstruction(b, op);
    if (!name)
      return name.takeError();
    hooks.end(b, result.functions.size());
    result.functions.push_back(std::move(*name));
  }
  b.CreateRet(b.getInt32(AOTC_OK));
  if (stepwise)
    if (llvm::Error error = writeStep(body))
      return std::move(error);
  result.kernels = std::move(kernels);
  return result;
}

} // namespace

llvm::Expected<LoweredModule>
aotc::lowerToLLVM(mlir::func::FuncOp main, const ModelInterface &interface,
                  const TargetSpec &target, const llvm::DataLayout &layout,
                  llvm::LLVMContext &context, bool stepwise, bool minimizeSize) {
  auto module = std::make_unique<llvm::Module>(interface.name, context);
  module->setSourceFileName(interface.name);
  module->setTargetTriple(llvm::Triple(target.triple));
  module->setDataLayout(layout);
  auto lowered = Lowering(interface, target, *module, minimizeSize).run(main, stepwise);
  if (!lowered)
    return lowered.takeError();
  std::string message;
  llvm::raw_string_ostream os(message);
  if (llvm::verifyModule(*module, &os))
    return llvm::createStringError("internal error: invalid LLVM module: " + message);
  lowered->module = std::move(module);
  return lowered;
}
