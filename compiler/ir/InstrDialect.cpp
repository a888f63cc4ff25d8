// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/InstrDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace aotc;
using namespace aotc::instr;

#include "compiler/ir/InstrDialect.cpp.inc"
#include "compiler/ir/InstrEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "compiler/ir/InstrAttributes.cpp.inc"
#include "compiler/ir/InstrInterfaces.cpp.inc"
#define GET_OP_CLASSES
#include "compiler/ir/InstrOps.cpp.inc"

void InstrDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "compiler/ir/InstrAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "compiler/ir/InstrOps.cpp.inc"
      >();
}

bool instr::isBufferType(MemRefType type) {
  Type element = type.getElementType();
  if (auto integer = dyn_cast<IntegerType>(element)) {
    unsigned width = integer.getWidth();
    if (width != 1 && (width < 8 || width > 64 || !llvm::isPowerOf2_32(width)))
      return false;
  } else if (!element.isF16() && !element.isF32()) {
    return false;
  }
  return nn::storageBytes(type).has_value();
}

int64_t instr::byteSize(MemRefType type) { return *nn::storageBytes(type); }

int64_t instr::rowPointers(RowsAttr rows) {
  int64_t block = rows.getBlockRows();
  return (block - 1) * rows.getStride() + rows.getWindowRows() + block;
}

BufferRef instr::resolveBuffer(Value value) {
  BufferRef ref;
  while (auto view = value.getDefiningOp<ViewOp>()) {
    ref.offset += view.getByteOffset();
    value = view.getSource();
  }
  ref.root = value.getDefiningOp();
  return ref;
}

LogicalResult RegionAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError, StringRef name,
                                 std::optional<int64_t> capacity, int64_t cost, int64_t align,
                                 std::optional<int64_t> base, StringRef section,
                                 std::optional<int64_t> used) {
  if (name.empty())
    return emitError() << "a region has no name";
  if (capacity.value_or(0) < 0 || cost < 0 || base.value_or(0) < 0 || used.value_or(0) < 0)
    return emitError() << "region '" << name << "' has a negative number";
  if (align < 1 || !llvm::isPowerOf2_64(align))
    return emitError() << "alignment " << align << " of region '" << name
                       << "' is not a power of two";
  // It becomes a string of the C header.
  if (!llvm::all_of(section, llvm::isPrint) || section.find_first_of("\"\\") != StringRef::npos)
    return emitError() << "section of region '" << name << "' is no section's name";
  if (base && !section.empty())
    return emitError() << "region '" << name << "' has both a base and a section";
  return success();
}

FailureOr<SmallVector<RegionAttr>> instr::regionsOf(Operation *function) {
  Attribute attr = function->getDiscardableAttr(kRegionsAttr);
  if (!attr) {
    std::optional<int64_t> used;
    if (auto bytes = function->getAttrOfType<IntegerAttr>(kArenaBytesAttr))
      used = bytes.getInt();
    return SmallVector<RegionAttr>{
        RegionAttr::get(function->getContext(), "arena", {}, 0, 1, {}, "", used)};
  }
  SmallVector<RegionAttr> regions;
  auto list = dyn_cast<ArrayAttr>(attr);
  for (Attribute element : list ? list.getValue() : ArrayRef<Attribute>()) {
    auto region = dyn_cast<RegionAttr>(element);
    if (!region)
      return function->emitError() << kRegionsAttr << " holds " << element << ", no region";
    for (RegionAttr other : regions)
      if (other.getName() == region.getName())
        return function->emitError()
               << kRegionsAttr << " has two regions '" << region.getName() << "'";
    regions.push_back(region);
  }
  if (regions.empty())
    return function->emitError() << kRegionsAttr << " is no list of regions, or an empty one";
  return regions;
}

IoMode instr::ioModeOf(AllocOp alloc) {
  auto mode = alloc->getAttrOfType<StringAttr>(kIoModeAttr);
  return mode ? parseIoMode(mode.getValue()).value_or(IoMode::arena) : IoMode::arena;
}

int64_t AllocOp::getBytes() { return byteSize(getBuffer().getType()); }

bool AllocOp::livesFromStart() { return getRole() == Role::input || getRole() == Role::state; }

bool AllocOp::livesToEnd() {
  return getRole() == Role::output || getRole() == Role::state || getPreserved();
}

LogicalResult AllocOp::verify() {
  if (getAlign() < 1 || !llvm::isPowerOf2_64(getAlign()))
    return emitOpError("alignment ") << getAlign() << " is not a power of two";
  bool isIo = getRole() == Role::input || getRole() == Role::output;
  if (isIo != getPosition().has_value())
    return emitOpError("inputs and outputs, and only they, carry a position");
  if (getPreserved() && getRole() == Role::scratch)
    return emitOpError("scratch cannot be preserved");
  if (auto offset = getOffset(); offset && *offset % getAlign())
    return emitOpError("offset ") << *offset << " is not a multiple of " << getAlign();
  if (static_cast<int64_t>(getOffset().value_or(0)) > nn::kLargestBytes)
    return emitOpError("offset ") << *getOffset() << " is above " << nn::kLargestBytes;
  return success();
}

LogicalResult DeallocOp::verify() {
  if (!getBuffer().getDefiningOp<AllocOp>())
    return emitOpError("operand must be the result of instr.alloc");
  return success();
}

Value ViewOp::getViewSource() { return getSource(); }

LogicalResult ViewOp::verify() {
  int64_t bytes = byteSize(getResult().getType());
  int64_t size = byteSize(getSource().getType()), offset = getByteOffset();
  if (offset < 0 || offset > size - bytes)
    return emitOpError() << bytes << " bytes from " << offset << " on lie outside the source of "
                         << size;
  return success();
}

LogicalResult ConstantOp::verify() {
  auto type = getBuffer().getType();
  if (getValue().getShapedType().getShape() != type.getShape() ||
      getValue().getElementType() != type.getElementType())
    return emitOpError("value and buffer differ in shape or element type");
  return success();
}

SmallVector<OverlapAttr> CopyOp::getOverlapRules() {
  return {OverlapAttr::get(getContext(), 0, 0, 0, 0, 1)};
}

SmallVector<MoveAttr> CopyOp::getMoveList() {
  return {MoveAttr::get(getContext(), 0, 0, 0, 0, byteSize(getSource().getType()))};
}

LogicalResult CopyOp::verify() {
  int64_t from = byteSize(getSource().getType());
  int64_t to = byteSize(getTarget().getType());
  if (from != to)
    return emitOpError("copies ") << from << " bytes to " << to;
  return success();
}

SmallVector<OverlapAttr> KernelOp::getOverlapRules() {
  if (auto rules = getOverlaps())
    return llvm::to_vector(rules->getAsRange<OverlapAttr>());
  return {};
}

SmallVector<MoveAttr> KernelOp::getMoveList() {
  if (auto moves = getMoves())
    return llvm::to_vector(moves->getAsRange<MoveAttr>());
  return {};
}

/// The moves lie inside their operands and write every output byte once.
static LogicalResult verifyMoves(KernelOp op) {
  SmallVector<MoveAttr> moves = op.getMoveList();
  if (moves.empty())
    return success();
  if (!op.getInouts().empty())
    return op.emitOpError("a kernel that only moves bytes has no inouts");
  auto inside = [](OperandRange operands, int64_t index, int64_t offset, int64_t bytes) {
    if (index < 0 || index >= static_cast<int64_t>(operands.size()) || offset < 0 || bytes < 1)
      return false;
    int64_t size = byteSize(cast<MemRefType>(operands[index].getType()));
    return offset <= size && bytes <= size - offset;
  };
  for (MoveAttr move : moves)
    if (!inside(op.getIns(), move.getInput(), move.getInputOffset(), move.getBytes()) ||
        !inside(op.getOuts(), move.getOutput(), move.getOutputOffset(), move.getBytes()))
      return op.emitOpError("move outside the operands: ") << move;
  llvm::sort(moves, [](MoveAttr a, MoveAttr b) {
    return std::make_pair(a.getOutput(), a.getOutputOffset()) <
           std::make_pair(b.getOutput(), b.getOutputOffset());
  });
  for (auto [index, out] : llvm::enumerate(op.getOuts())) {
    int64_t end = 0;
    for (MoveAttr move : moves)
      if (move.getOutput() == static_cast<int64_t>(index)) {
        if (move.getOutputOffset() != end)
          return op.emitOpError("moves do not write every byte of output ") << index << " once";
        end += move.getBytes();
      }
    if (end != byteSize(cast<MemRefType>(out.getType())))
      return op.emitOpError("moves do not write every byte of output ") << index << " once";
  }
  return success();
}

LogicalResult KernelOp::verify() {
  if (getOuts().empty() && getInouts().empty())
    return emitOpError("writes nothing");
  for (OverlapAttr rule : getOverlapRules()) {
    if (rule.getInput() < 0 || rule.getInput() >= static_cast<int64_t>(getIns().size()))
      return emitOpError("overlap rule names input ")
             << rule.getInput() << " of " << getIns().size();
    if (rule.getOutput() < 0 || rule.getOutput() >= static_cast<int64_t>(getOuts().size()))
      return emitOpError("overlap rule names output ")
             << rule.getOutput() << " of " << getOuts().size();
    if (rule.getMultiple() < 1)
      return emitOpError("overlap rule has multiple ")
             << rule.getMultiple() << ", which is below 1";
  }
  if (failed(verifyMoves(*this)))
    return failure();
  if (auto rows = getRows()) {
    if (getIns().empty() || getOuts().size() != 1)
      return emitOpError("a row kernel has one output and an input of rows");
    for (auto [what, value, least] : std::initializer_list<std::tuple<StringRef, int64_t, int64_t>>{
             {"batches", rows->getBatches(), 1},
             {"inRows", rows->getInRows(), 1},
             {"inRowBytes", rows->getInRowBytes(), 1},
             {"outRows", rows->getOutRows(), 1},
             {"outRowBytes", rows->getOutRowBytes(), 1},
             {"windowRows", rows->getWindowRows(), 1},
             {"stride", rows->getStride(), 1},
             {"padTop", rows->getPadTop(), 0},
             {"blockRows", rows->getBlockRows(), 1}})
      if (value < least || value > nn::kLargestBytes)
        return emitOpError("row geometry: ") << what << " = " << value << " is not in [" << least
                                             << ", " << nn::kLargestBytes << "]";
    if (rows->getBlockRows() > rows->getOutRows())
      return emitOpError("row geometry: blockRows = ")
             << rows->getBlockRows() << " is more than the " << rows->getOutRows()
             << " output rows";
    auto check = [&](Value buffer, int64_t rowCount, int64_t rowBytes) {
      int64_t imageBytes = rowCount * rowBytes, bytes; // factors have 31 bits
      return !llvm::MulOverflow(rows->getBatches(), imageBytes, bytes) &&
             bytes == byteSize(cast<MemRefType>(buffer.getType()));
    };
    if (!check(getIns()[0], rows->getInRows(), rows->getInRowBytes()))
      return emitOpError("row geometry does not cover the input");
    if (!check(getOuts()[0], rows->getOutRows(), rows->getOutRowBytes()))
      return emitOpError("row geometry does not cover the output");
  }
  return success();
}
