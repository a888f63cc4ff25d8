// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/emit/Places.h"

#include "compiler/emit/LowerToLLVM.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace aotc;
using llvm::StringRef;

namespace {

/// "conv2d/Relu;bn/Fused….weights" -> "conv2d/Relu.weights": converters join
/// the names of all operators they fused.
std::string shortName(StringRef name) {
  auto [stem, suffix] = name.rsplit('.');
  std::string result = stem.split(';').first.str();
  return suffix.empty() ? result : result + "." + suffix.str();
}

/// The bytes of a constant as the target reads them (all are little-endian).
std::optional<std::vector<char>> constantBytes(mlir::ElementsAttr value) {
  if (auto resource = llvm::dyn_cast<mlir::DenseResourceElementsAttr>(value)) {
    mlir::AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob)
      return std::nullopt;
    return std::vector<char>(blob->getData().begin(), blob->getData().end());
  }
  auto dense = llvm::dyn_cast<mlir::DenseElementsAttr>(value);
  if (!dense)
    return std::nullopt;
  return nn::denseBytes(dense);
}

} // namespace

llvm::GlobalVariable *Places::bytesGlobal(llvm::ArrayRef<char> bytes, int64_t align, bool weights,
                                          StringRef name) {
  // Equal bytes are stored once (zero biases, tables of equal activations).
  std::string key(bytes.begin(), bytes.end());
  key += weights ? 'w' : 'd';
  llvm::GlobalVariable *&global = globals[key];
  if (!global) {
    auto *value = llvm::ConstantDataArray::getString(module.getContext(),
                                                     StringRef(bytes.data(), bytes.size()),
                                                     /*AddNull=*/false);
    // Not unnamed_addr: mergeable constants would get sections of their own.
    global = new llvm::GlobalVariable(module, value->getType(), /*isConstant=*/true,
                                      llvm::GlobalValue::InternalLinkage, value,
                                      interface.name + "." + toCIdentifier(shortName(name)));
    global->setSection(weights ? interface.weightsSection : rodataSection(interface.name));
    global->setAlignment(llvm::Align(align));
  }
  global->setAlignment(std::max(*global->getAlign(), llvm::Align(align)));
  return global;
}

Place Places::ofWords(llvm::ArrayRef<int32_t> words, StringRef name) {
  auto bytes = static_cast<int64_t>(words.size() * sizeof(int32_t));
  llvm::ArrayRef<char> data(reinterpret_cast<const char *>(words.data()), bytes);
  return {bytesGlobal(data, sizeof(int32_t), /*weights=*/false, name), 0, bytes};
}

llvm::Expected<llvm::GlobalVariable *> Places::constant(instr::ConstantOp op) {
  std::optional<std::vector<char>> bytes = constantBytes(op.getValue());
  if (!bytes)
    return llvm::createStringError("constant '" + op.getName() + "' has no bytes in this module");
  int64_t align = op.getAlign();
  if (align < 1 || !llvm::isPowerOf2_64(align))
    return llvm::createStringError("constant '" + op.getName() +
                                   "': alignment is not a power of two");
  return bytesGlobal(*bytes, align, op.getWeights(), op.getName());
}

llvm::Expected<Place> Places::of(mlir::Value value) {
  instr::BufferRef ref = instr::resolveBuffer(value);
  Place result;
  result.offset = ref.offset;
  result.bytes = instr::byteSize(llvm::cast<mlir::MemRefType>(value.getType()));
  if (auto alloc = llvm::dyn_cast_or_null<instr::AllocOp>(ref.root)) {
    // Both were checked by buildInterface.
    result.offset += *alloc.getOffset();
    for (auto [i, region] : llvm::enumerate(interface.regions))
      if (region.name == alloc.getRegion()) // else it holds no byte, or is the only one
        result.region = i;
    return result;
  }
  auto op = llvm::dyn_cast_or_null<instr::ConstantOp>(ref.root);
  if (!op)
    return llvm::createStringError("an operand is neither a buffer nor a constant");
  auto global = constant(op);
  if (!global)
    return global.takeError();
  result.constant = *global;
  return result;
}

llvm::Align Places::alignment(const Place &place) const {
  llvm::Align base = place.constant ? *place.constant->getAlign()
                                    : llvm::Align(interface.regions[place.region].align);
  return llvm::commonAlignment(base, place.offset);
}

llvm::Value *Places::address(llvm::IRBuilder<> &b, const Place &place) const {
  llvm::Value *base = place.constant ? place.constant : bases[place.region];
  if (!place.offset)
    return base;
  llvm::Type *index = module.getDataLayout().getIndexType(module.getContext(), 0);
  return b.CreateInBoundsGEP(b.getInt8Ty(), base, llvm::ConstantInt::get(index, place.offset));
}
