// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/driver/Compile.h"

#include "compiler/driver/Flash.h"
#include "compiler/driver/MemoryOptions.h"
#include "compiler/driver/Pipeline.h"
#include "compiler/emit/Emit.h"
#include "compiler/emit/Text.h"
#include "compiler/import/TFLite.h"
#include "compiler/ir/InstrDialect.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"

using namespace mlir;

namespace aotc {

namespace {

/// Prints MLIR's diagnostics as the user's: one line each, the model first.
class DiagnosticPrinter {
public:
  DiagnosticPrinter(MLIRContext &context, llvm::StringRef file, llvm::raw_ostream &stream,
                    bool remarks)
      : handler(&context, [&stream, remarks, file = file.str()](Diagnostic &diagnostic) {
          print(diagnostic, file, stream, remarks);
          return success();
        }) {}

private:
  static void print(Diagnostic &diagnostic, llvm::StringRef file, llvm::raw_ostream &stream,
                    bool remarks) {
    llvm::StringRef kind = "error";
    switch (diagnostic.getSeverity()) {
    case DiagnosticSeverity::Error:
      break;
    case DiagnosticSeverity::Warning:
      kind = "warning";
      break;
    case DiagnosticSeverity::Note:
      kind = "note";
      break;
    case DiagnosticSeverity::Remark:
      if (!remarks)
        return;
      kind = "remark";
      break;
    }
    stream << kind << ": " << file;
    // IR text has lines, a model file has none.
    if (auto place = dyn_cast<FileLineColLoc>(diagnostic.getLocation()); place && place.getLine())
      stream << ':' << place.getLine() << ':' << place.getColumn();
    stream << ": " << diagnostic.str() << '\n';
    for (Diagnostic &note : diagnostic.getNotes())
      print(note, file, stream, remarks);
  }

  ScopedDiagnosticHandler handler;
};

/// IR text, e.g. of --dump-phases, goes on where it left off.
bool isIRText(llvm::StringRef fileName) { return llvm::sys::path::extension(fileName) == ".mlir"; }

} // namespace

std::string optionsError(const CompileOptions &options) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  const TargetSpec *target = findTarget(options.target);
  if (!target) {
    stream << "unknown target '" << options.target << "'";
    if (auto similar = similarTargets(options.target); !similar.empty())
      stream << "; did you mean " << llvm::join(similar, ", ") << "?";
    stream << " (`aotc targets` lists them)";
  } else if (!options.stopAfter.empty() && !findPhase(options.stopAfter)) {
    stream << "unknown phase '" << options.stopAfter << "'; the phases are";
    for (const Phase &phase : phases())
      stream << ' ' << phase.name;
  } else if (!options.kernelLevel.empty() && !target->hasLevel(options.kernelLevel)) {
    stream << "target '" << target->name << "' has no kernels of level '" << options.kernelLevel
           << "'; its levels are " << target->levels;
  }
  for (const auto *modes : {&options.inputModes, &options.outputModes})
    for (const std::string &choice : *modes)
      if (text.empty() && !splitIoMode(choice).second)
        stream << "'" << choice << "' is no mode of an input or output; write MODE or NAME=MODE, "
               << "MODE one of " << llvm::join(namesIn(kIoModes), ", ");
  return text;
}

std::optional<Bundle> compileModel(llvm::StringRef modelBytes, llvm::StringRef modelFileName,
                                   const CompileOptions &options, llvm::raw_ostream &errors,
                                   llvm::raw_ostream &ir) {
  llvm::StringRef file = llvm::sys::path::filename(modelFileName);
  if (std::string problem = optionsError(options); !problem.empty()) {
    errors << "error: " << problem << '\n';
    return std::nullopt;
  }
  const TargetSpec *target = findTarget(options.target);

  DialectRegistry registry;
  registry.insert<nn::NNDialect, instr::InstrDialect, func::FuncDialect, memref::MemRefDialect,
                  quant::QuantDialect>();
  // Many models may be compiled at a time; one thread each.
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  // Diagnostics name the operator as the user knows it.
  context.printOpOnDiagnostic(false);
  DiagnosticPrinter printer(context, file, errors, options.remarks);

  OwningOpRef<ModuleOp> module =
      isIRText(file) ? parseSourceString<ModuleOp>(modelBytes, ParserConfig(&context), file)
                     : importTFLite(context, modelBytes, file);
  if (!module)
    return std::nullopt;
  bool stopped = false;
  if (failed(runPhases(*module, options, *target, ir, stopped)) || stopped)
    return std::nullopt;

  EmitOptions emit;
  emit.name = options.name.empty() ? llvm::sys::path::stem(file).str() : options.name;
  emit.modelFile = file.str();
  emit.modelSha256 = llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(modelBytes)),
                                 /*LowerCase=*/true);
  emit.options = recordedOptions(*module).str();
  emit.minimizeSize =
      llvm::is_contained(llvm::split(emit.options, ' '), optimizeOption(Optimize::size));
  if (options.hooks)
    emit.options += emit.options.empty() ? "--hooks" : " --hooks";
  emit.hooks = options.hooks;
  emit.stepwise = options.stepwise;
  if (const MemoryRegion *region = weightsRegion(options))
    emit.weightsSection = region->section;
  llvm::Expected<Bundle> bundle = emitBundle(*module, *target, emit);
  if (!bundle) {
    errors << "error: " << file << ": " << llvm::toString(bundle.takeError()) << '\n';
    return std::nullopt;
  }
  if (std::string problem = flashProblem(options, bundle->interface); !problem.empty()) {
    errors << "error: " << file << ": " << problem << '\n';
    return std::nullopt;
  }
  if (options.remarks)
    for (const LayerRecord &layer : bundle->interface.layers) {
      llvm::StringRef others = text::passedOver(layer);
      errors << "remark: " << file << ": operator " << layer.opIndex << " (" << layer.op << ") '"
             << text::shortName(layer.name) << "': " << layer.kernel << ", "
             << (others.empty() ? "the target's first choice" : others) << '\n';
    }
  return std::move(*bundle);
}

} // namespace aotc
