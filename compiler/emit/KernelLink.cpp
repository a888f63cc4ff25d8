// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernel modules are built for the lowest CPU of their level; here they become
// code of the chosen one. A function whose attributes differ from its
// caller's is silently not inlined, or keeps instructions the CPU lacks.
#include "compiler/emit/KernelLink.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace aotc;
using llvm::StringRef;

namespace {

/// Collects what the linker reports; it knows no other way.
struct LinkDiagnostics : llvm::DiagnosticHandler {
  explicit LinkDiagnostics(std::string &messages) : messages(messages) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    llvm::raw_string_ostream os(messages);
    llvm::DiagnosticPrinterRawOStream printer(os);
    info.print(printer);
    os << "; ";
    return true;
  }
  std::string &messages;
};

llvm::Expected<std::unique_ptr<llvm::Module>> readLevel(StringRef bitcode,
                                                        const llvm::Module &model) {
  auto module =
      llvm::getLazyBitcodeModule(llvm::MemoryBufferRef(bitcode, "kernels"), model.getContext());
  if (!module)
    return module.takeError();
  if (llvm::Error error = (*module)->materializeMetadata())
    return std::move(error);
  // Flags speak of the building compiler's ABI, PIC level and frame pointers;
  // ours are in the target machine.
  for (StringRef name : {"llvm.module.flags", "llvm.ident"})
    if (llvm::NamedMDNode *node = (*module)->getNamedMetadata(name))
      node->eraseFromParent();
  (*module)->setTargetTriple(model.getTargetTriple());
  (*module)->setDataLayout(model.getDataLayout());
  return module;
}

/// All string attributes go (CPU, features, soft float, frame pointer, stack
/// protector, no-builtins), the target row's come.
void setTargetAttributes(llvm::Function &function, const TargetSpec &target) {
  llvm::AttributeMask remove;
  for (llvm::Attribute attribute : function.getAttributes().getFnAttrs())
    if (attribute.isStringAttribute())
      remove.addAttribute(attribute.getKindAsString());
  function.removeFnAttrs(remove);
  function.removeFnAttr(llvm::Attribute::UWTable);
  function.removeFnAttr(llvm::Attribute::StackProtect);
  function.removeFnAttr(llvm::Attribute::StackProtectStrong);
  function.addFnAttr("target-cpu", target.cpu);
  if (!target.features.empty())
    function.addFnAttr("target-features", target.features);
  function.addFnAttr("frame-pointer", "none");
  function.addFnAttr("no-trapping-math", "true");
  function.addFnAttr(llvm::Attribute::NoUnwind);
}

} // namespace

llvm::Error aotc::linkKernels(llvm::Module &model, llvm::ArrayRef<KernelUse> kernels,
                              const TargetSpec &target,
                              llvm::function_ref<StringRef(StringRef level, Family)> bitcode) {
  llvm::SetVector<StringRef> levels;
  for (const KernelUse &use : kernels)
    levels.insert(use.level);

  std::string messages;
  auto previous = model.getContext().getDiagnosticHandler();
  model.getContext().setDiagnosticHandler(std::make_unique<LinkDiagnostics>(messages));
  bool failed = false;
  for (StringRef level : levels) {
    StringRef bytes = bitcode(level, target.family);
    if (bytes.empty())
      continue; // its kernels are reported below
    auto module = readLevel(bytes, model);
    if (!module)
      return module.takeError();
    failed |= llvm::Linker::linkModules(model, std::move(*module), llvm::Linker::LinkOnlyNeeded);
  }
  model.getContext().setDiagnosticHandler(std::move(previous));
  if (failed || !messages.empty())
    return llvm::createStringError("linking kernels: " + messages);

  for (const KernelUse &use : kernels) {
    llvm::Function *kernel = model.getFunction(use.symbol);
    if (kernel->isDeclaration())
      return llvm::createStringError("kernel '" + use.symbol +
                                     "' is not in the modules of level '" + use.level +
                                     "' for target " + target.name);
    kernel->removeFnAttr(llvm::Attribute::NoInline);
    kernel->removeFnAttr(llvm::Attribute::OptimizeNone);
    kernel->addFnAttr(llvm::Attribute::AlwaysInline);
  }
  llvm::StripDebugInfo(model);
  for (llvm::Function &function : model)
    setTargetAttributes(function, target);
  llvm::internalizeModule(model, [&](const llvm::GlobalValue &value) {
    return llvm::isa<llvm::GlobalAlias>(value) ||
           value.getName() == model.getModuleIdentifier() + "_run" ||
           value.getName() == model.getModuleIdentifier() + "_step";
  });
  for (llvm::GlobalObject &object : model.global_objects())
    object.setComdat(nullptr);
  return llvm::Error::success();
}
