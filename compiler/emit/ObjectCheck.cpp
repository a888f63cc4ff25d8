// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an object may contain and may ask for; sizes by section.
#include "compiler/emit/ObjectCheck.h"

#include "compiler/emit/LayerHooks.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Object/ELFObjectFile.h"

using namespace aotc;
using llvm::StringRef;

namespace {

constexpr StringRef kMemory[] = {"memcpy", "memmove", "memset"};

// Run-time ABI for the Arm Architecture, IHI 0043: memory (4.3.3, 4.3.4; plain,
// and 4 and 8 for aligned pointers), 64-bit and division helpers (4.2, 4.3.1),
// float and double arithmetic, comparison and conversion (4.1.2), which cores
// without (double-precision) FPU call.
constexpr StringRef kArmMemory[] = {"memcpy", "memmove", "memset", "memclr"};
constexpr StringRef kArmHelpers[] = {
    "lmul",   "ldivmod", "uldivmod", "llsl",   "llsr",   "lasr",   "lcmp",   "ulcmp", "idiv",
    "uidiv",  "idivmod", "uidivmod", "fadd",   "fsub",   "frsub",  "fmul",   "fdiv",  "fcmpeq",
    "fcmplt", "fcmple",  "fcmpge",   "fcmpgt", "fcmpun", "f2iz",   "f2uiz",  "f2lz",  "f2ulz",
    "i2f",    "ui2f",    "l2f",      "ul2f",   "f2d",    "dadd",   "dsub",   "drsub", "dmul",
    "ddiv",   "dcmpeq",  "dcmplt",   "dcmple", "dcmpge", "dcmpgt", "dcmpun", "d2iz",  "d2uiz",
    "d2lz",   "d2ulz",   "i2d",      "ui2d",   "l2d",    "ul2d",   "d2f"};

// Of libgcc and compiler-rt: what the code generator calls on cores without CLZ.
constexpr StringRef kCountLeadingZeros = "__clzsi2";

} // namespace

bool aotc::isAllowedUndefined(StringRef symbol, Family family, bool hooks) {
  if (hooks && (symbol == kLayerBegin || symbol == kLayerEnd))
    return true;
  if (llvm::is_contained(kMemory, symbol))
    return true;
  if (isArm32(family) && symbol == kCountLeadingZeros)
    return true;
  if (!isArm32(family) || !symbol.consume_front("__aeabi_"))
    return false;
  if (llvm::is_contained(kArmHelpers, symbol))
    return true;
  if (symbol.ends_with("4") || symbol.ends_with("8"))
    symbol = symbol.drop_back();
  return llvm::is_contained(kArmMemory, symbol);
}

llvm::Expected<ObjectSizes> aotc::checkObject(StringRef object, const TargetSpec &target,
                                              const ModelInterface &interface) {
  auto file = llvm::object::ObjectFile::createELFObjectFile(
      llvm::MemoryBufferRef(object, interface.name + ".o"));
  if (!file)
    return file.takeError();

  ObjectSizes sizes;
  const std::string &weights = interface.weightsSection;
  for (const llvm::object::SectionRef &ref : (*file)->sections()) {
    llvm::object::ELFSectionRef section(ref);
    if (!(section.getFlags() & llvm::ELF::SHF_ALLOC) || !section.getSize())
      continue;
    auto name = section.getName();
    if (!name)
      return name.takeError();
    if (section.getFlags() & llvm::ELF::SHF_WRITE)
      return llvm::createStringError("internal error: section '" + *name +
                                     "' of the object is writable");
    (*name == weights ? sizes.weightsBytes : sizes.codeBytes) += section.getSize();
  }
  for (const llvm::object::ELFSymbolRef &symbol :
       llvm::cast<llvm::object::ELFObjectFileBase>(**file).symbols()) {
    auto name = symbol.getName();
    if (!name)
      return name.takeError();
    auto flags = symbol.getFlags();
    if (!flags)
      return flags.takeError();
    if (name->empty() || symbol.getBinding() == llvm::ELF::STB_LOCAL)
      continue;
    if (*flags & llvm::object::SymbolRef::SF_Undefined) {
      if (!isAllowedUndefined(*name, target.family, interface.hooks))
        return llvm::createStringError(
            "the object would need '" + *name +
            "', which is outside the documented list; the kernel that calls "
            "it breaks the rules of targets/README.md");
    } else if (!name->starts_with(interface.name + "_")) {
      return llvm::createStringError("internal error: the object exports '" + *name + "'");
    }
  }
  return sizes;
}
