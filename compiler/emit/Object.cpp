// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The new pass manager optimises, the code generator's own (legacy) one
// writes the object. Only memcpy, memmove and memset exist as library
// functions, or LLVM would recognise and call others.
#include "compiler/emit/Object.h"

#include "compiler/emit/LowerToLLVM.h"
#include "compiler/emit/ObjectCheck.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/ObjCopy/ConfigManager.h"
#include "llvm/ObjCopy/ObjCopy.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"

using namespace aotc;
using llvm::StringRef;

namespace {

void initializeCodeGenerators() {
  static const bool done = [] {
    LLVMInitializeARMTargetInfo();
    LLVMInitializeARMTarget();
    LLVMInitializeARMTargetMC();
    LLVMInitializeARMAsmPrinter();
    LLVMInitializeARMAsmParser();
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
    LLVMInitializeAArch64AsmParser();
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();
    return true;
  }();
  (void)done;
}

llvm::TargetLibraryInfoImpl onlyMemoryFunctions(const llvm::Triple &triple) {
  llvm::TargetLibraryInfoImpl library(triple);
  library.disableAllFunctions();
  for (llvm::LibFunc function : {llvm::LibFunc_memcpy, llvm::LibFunc_memmove, llvm::LibFunc_memset})
    library.setAvailable(function);
  return library;
}

/// Symbols and sections of what the optimiser left (and made: switch tables).
llvm::Error finishSymbols(llvm::Module &module, const std::string &name) {
  for (llvm::GlobalVariable &global : module.globals()) {
    if (!global.isConstant())
      return llvm::createStringError("a kernel has writable static memory: '" + global.getName() +
                                     "'");
    if (!global.hasSection())
      global.setSection(rodataSection(name));
    // GlobalOpt marks constants unnamed_addr; bytes that end in a zero would
    // then go to a section of strings, which linkers merge and realign.
    global.setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::None);
    if (!global.getName().starts_with(name))
      global.setName(name + "." + global.getName());
  }
  for (llvm::Function &function : module)
    if (!function.isDeclaration() && !function.getName().starts_with(name))
      function.setName(name + "_" + function.getName());
  return llvm::Error::success();
}

/// Receives the frame sizes ("warn-stack-size") and the code generator's errors.
struct CodegenDiagnostics : llvm::DiagnosticHandler {
  CodegenDiagnostics(llvm::DenseMap<const llvm::Function *, int64_t> &frames, std::string &errors)
      : frames(frames), errors(errors) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (const auto *size = llvm::dyn_cast<llvm::DiagnosticInfoStackSize>(&info)) {
      frames[&size->getFunction()] = size->getStackSize();
    } else if (info.getSeverity() == llvm::DS_Error) {
      llvm::raw_string_ostream os(errors);
      llvm::DiagnosticPrinterRawOStream printer(os);
      info.print(printer);
      os << "; ";
    }
    return true;
  }
  llvm::DenseMap<const llvm::Function *, int64_t> &frames;
  std::string &errors;
};

/// Drops .note.GNU-stack. Objects of bare-metal GCC have none, and GNU ld warns
/// of every one of them as soon as a single object (ours) has one.
llvm::Error removeStackNote(std::string &object) {
  auto file =
      llvm::object::ObjectFile::createELFObjectFile(llvm::MemoryBufferRef(object, "object"));
  if (!file)
    return file.takeError();
  llvm::objcopy::ConfigManager config;
  if (llvm::Error error = config.Common.ToRemove.addMatcher(llvm::objcopy::NameOrPattern::create(
          ".note.GNU-stack", llvm::objcopy::MatchStyle::Literal,
          [](llvm::Error error) { return error; })))
    return error;
  llvm::SmallString<0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  if (llvm::Error error = llvm::objcopy::executeObjcopyOnBinary(config, **file, stream))
    return error;
  object.assign(bytes.begin(), bytes.end());
  return llvm::Error::success();
}

/// The text of a call that is assembly.
std::optional<StringRef> assemblyText(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const auto *text = call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
  return text ? std::optional(text->getAsmString()) : std::nullopt;
}

/// Bytes that assembly pushes by itself, as it says in a comment, "aotc.stack=N".
std::optional<int64_t> assemblyStack(StringRef text) {
  int64_t bytes = 0;
  StringRef said = text.split("aotc.stack=").second.take_while(llvm::isDigit);
  return said.getAsInteger(10, bytes) ? std::nullopt : std::optional(bytes);
}

/// Nobody but the comment knows what a naked function pushes: the code generator
/// gives it no frame. Other assembly rarely moves the stack pointer; what pushes
/// must say so too.
llvm::Error checkAssembly(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    for (const llvm::Instruction &instruction : llvm::instructions(function))
      if (auto text = assemblyText(instruction))
        if ((function.hasFnAttribute(llvm::Attribute::Naked) || text->contains("push")) &&
            !assemblyStack(*text))
          return llvm::createStringError("internal error: the assembly of '" + function.getName() +
                                         "' does not say how much stack it takes, by a comment "
                                         "\"aotc.stack=N\"");
  return llvm::Error::success();
}

/// Bytes from the entry of `function` down its deepest chain of calls.
/// Frames are those of the code generator; x86 adds the return address a call
/// pushes. Helper routines (memcpy, soft float) are not the bundle's.
std::optional<int64_t>
stackDepth(const llvm::Function &function,
           const llvm::DenseMap<const llvm::Function *, int64_t> &frames, int64_t callBytes,
           llvm::DenseMap<const llvm::Function *, std::optional<int64_t>> &known) {
  auto [entry, isNew] = known.try_emplace(&function, std::nullopt);
  if (!isNew)
    return entry->second; // nullopt while on the way: recursion
  int64_t deepest = 0;
  for (const llvm::Instruction &instruction : llvm::instructions(function)) {
    if (const auto *alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      if (!alloca->isStaticAlloca())
        return std::nullopt;
    const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (!call)
      continue;
    if (auto text = assemblyText(instruction)) {
      deepest = std::max(deepest, assemblyStack(*text).value_or(0));
      continue;
    }
    const llvm::Function *callee = call->getCalledFunction();
    if (!callee)
      return std::nullopt;
    if (callee->isDeclaration())
      continue;
    auto depth = stackDepth(*callee, frames, callBytes, known);
    if (!depth)
      return std::nullopt;
    deepest = std::max(deepest, callBytes + *depth);
  }
  int64_t total = frames.lookup(&function) + deepest;
  known[&function] = total;
  return total;
}

} // namespace

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
aotc::createTargetMachine(const TargetSpec &target) {
  initializeCodeGenerators();
  llvm::Triple triple(target.triple);
  std::string message;
  const llvm::Target *generator = llvm::TargetRegistry::lookupTarget(triple, message);
  if (!generator)
    return llvm::createStringError(message);
  llvm::TargetOptions options;
  options.FunctionSections = options.DataSections = true;
  options.NoTrappingFPMath = true;
  options.FloatABIType =
      target.floatAbi == FloatAbi::hard ? llvm::FloatABI::Hard : llvm::FloatABI::Soft;
  if (target.floatAbi == FloatAbi::none)
    options.FloatABIType = llvm::FloatABI::Default;
  std::unique_ptr<llvm::TargetMachine> machine(generator->createTargetMachine(
      triple, target.cpu, target.features, options,
      target.family == Family::armM ? llvm::Reloc::Static : llvm::Reloc::PIC_));
  if (!machine)
    return llvm::createStringError("LLVM has no code generator for " + target.triple);
  // C code carries no unwind tables on a microcontroller (8 bytes of .ARM.exidx
  // per function), and nothing throws through a bundle on Linux either.
  const_cast<llvm::MCAsmInfo *>(machine->getMCAsmInfo())
      ->setExceptionsType(llvm::ExceptionHandling::None);
  return machine;
}

llvm::Error aotc::optimizeModule(llvm::Module &module, llvm::TargetMachine &machine,
                                 const TargetSpec &target, const std::string &name, int level,
                                 bool minimizeSize) {
  if (minimizeSize)
    for (llvm::Function &function : module)
      if (!function.isDeclaration()) {
        function.addFnAttr(llvm::Attribute::MinSize);
        function.addFnAttr(llvm::Attribute::OptimizeForSize);
      }
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = tuning.SLPVectorization = target.family != Family::armM;
  tuning.LoopInterleaving = tuning.LoopVectorization;
  llvm::PassBuilder builder(&machine, tuning);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  functions.registerPass(
      [&] { return llvm::TargetLibraryAnalysis(onlyMemoryFunctions(machine.getTargetTriple())); });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder
      .buildPerModuleDefaultPipeline(level == 3 ? llvm::OptimizationLevel::O3
                                                : llvm::OptimizationLevel::O2)
      .run(module, modules);
  if (llvm::Error error = finishSymbols(module, name))
    return error;
  std::string message;
  llvm::raw_string_ostream os(message);
  if (llvm::verifyModule(module, &os))
    return llvm::createStringError("internal error: optimisation broke the module: " + message);
  return llvm::Error::success();
}

llvm::Expected<ObjectCode> aotc::emitObject(llvm::Module &module, llvm::TargetMachine &machine,
                                            const TargetSpec &target,
                                            const ModelInterface &interface) {
  if (llvm::Error error = checkAssembly(module))
    return std::move(error);
  llvm::DenseMap<const llvm::Function *, int64_t> frames;
  std::string errors;
  module.getContext().setDiagnosticHandler(std::make_unique<CodegenDiagnostics>(frames, errors));
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      function.addFnAttr("warn-stack-size", "0");

  llvm::SmallString<0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  passes.add(
      new llvm::TargetLibraryInfoWrapperPass(onlyMemoryFunctions(machine.getTargetTriple())));
  if (machine.addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile))
    return llvm::createStringError("LLVM cannot write an object for " + target.triple);
  passes.run(module);
  if (!errors.empty())
    return llvm::createStringError("code generation: " + errors);

  ObjectCode result;
  result.bytes.assign(bytes.begin(), bytes.end());
  if (target.family == Family::armM)
    if (llvm::Error error = removeStackNote(result.bytes))
      return std::move(error);
  auto sizes = checkObject(result.bytes, target, interface);
  if (!sizes)
    return sizes.takeError();
  result.codeBytes = sizes->codeBytes;
  result.weightsBytes = sizes->weightsBytes;

  llvm::DenseMap<const llvm::Function *, std::optional<int64_t>> known;
  int64_t callBytes = target.family == Family::x86 ? 8 : 0;
  const llvm::Function *run = module.getFunction(interface.name + "_run");
  result.stackBytes = stackDepth(*run, frames, callBytes, known).value_or(-1);
  return result;
}
