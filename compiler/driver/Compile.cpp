// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/driver/Compile.h"

#include "compiler/driver/Pipeline.h"
#include "compiler/emit/Emit.h"
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
  DiagnosticPrinter(MLIRContext &context, llvm::StringRef file,
                    llvm::raw_ostream &stream, bool remarks)
      : handler(&context, [&stream, remarks, file = file.str()](Diagnostic &diagnostic) {
          print(diagnostic, file, stream, remarks);
          return success();
        }) {}

private:
  static void print(Diagnostic &diagnostic, llvm::StringRef file,
                    llvm::raw_ostream &stream, bool remarks) {
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
    stream << kind << ": " << file << ": " << diagnostic.str() << '\n';
    for (Diagnostic &note : diagnostic.getNotes())
      print(note, file, stream, remarks);
  }

  ScopedDiagnosticHandler handler;
};

/// The options that change the result, as the artefacts record them.
std::string canonicalOptions(const CompileOptions &options) {
  std::string text;
  auto add = [&text](llvm::StringRef option) {
    text += text.empty() ? "" : " ";
    text += option;
  };
  if (!options.kernelLevel.empty())
    add("--kernels=" + options.kernelLevel);
  if (options.keepTensors)
    add("--keep-tensors");
  if (options.share != Sharing::overlap)
    add(options.share == Sharing::none ? "--share=none" : "--share=in-place");
  if (options.blockRows)
    add("--rows-per-call=" + std::to_string(options.blockRows));
  if (options.descending)
    add("--descending");
  return text;
}

/// IR text, e.g. of --dump-phases, goes on where it left off.
bool isIRText(llvm::StringRef fileName) {
  return llvm::sys::path::extension(fileName) == ".mlir";
}

} // namespace

std::optional<Bundle> compileModel(llvm::StringRef modelBytes,
                                   llvm::StringRef modelFileName,
                                   const CompileOptions &options,
                                   llvm::raw_ostream &errors,
                                   llvm::raw_ostream &ir) {
  llvm::StringRef file = llvm::sys::path::filename(modelFileName);
  const TargetSpec *target = findTarget(options.target);
  if (!target) {
    errors << "error: unknown target '" << options.target << "'";
    auto similar = similarTargets(options.target);
    if (!similar.empty())
      errors << "; did you mean " << llvm::join(similar, ", ") << "?";
    errors << " (`aotc targets` lists them)\n";
    return std::nullopt;
  }
  if (!options.stopAfter.empty() && !findPhase(options.stopAfter)) {
    errors << "error: unknown phase '" << options.stopAfter << "'; the phases are";
    for (const Phase &phase : phases())
      errors << ' ' << phase.name;
    errors << '\n';
    return std::nullopt;
  }

  DialectRegistry registry;
  registry.insert<nn::NNDialect, instr::InstrDialect, func::FuncDialect,
                  memref::MemRefDialect, quant::QuantDialect>();
  // Many models may be compiled at a time; one thread each.
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  DiagnosticPrinter printer(context, file, errors, options.remarks);

  OwningOpRef<ModuleOp> module =
      isIRText(file) ? parseSourceString<ModuleOp>(modelBytes, ParserConfig(&context))
                     : importTFLite(context, modelBytes, file);
  if (!module)
    return std::nullopt;
  bool stopped = false;
  if (failed(runPhases(*module, options, *target, ir, stopped)) || stopped)
    return std::nullopt;

  EmitOptions emit;
  emit.name = options.name.empty() ? llvm::sys::path::stem(file).str() : options.name;
  emit.modelFile = file.str();
  emit.modelSha256 =
      llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(modelBytes)),
                  /*LowerCase=*/true);
  emit.options = canonicalOptions(options);
  llvm::Expected<EmitResult> result = emitBundle(*module, *target, emit);
  if (!result) {
    errors << "error: " << file << ": " << llvm::toString(result.takeError()) << '\n';
    return std::nullopt;
  }
  Bundle bundle;
  bundle.interface = std::move(result->interface);
  bundle.object = std::move(result->object);
  bundle.header = std::move(result->header);
  bundle.mapJson = std::move(result->mapJson);
  bundle.mapText = std::move(result->mapText);
  return bundle;
}

} // namespace aotc
