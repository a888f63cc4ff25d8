// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// emit-tool IN.mlir TARGET NAME OUTDIR [--kernels=BITCODE] [--llvm] [--hooks]: writes the
// bundle of a planned instr module, for the tests of this folder.
#include "compiler/emit/Emit.h"
#include "compiler/ir/InstrDialect.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

static int fail(const llvm::Twine &message) {
  llvm::errs() << "error: " << message << '\n';
  return 1;
}

int main(int argc, char **argv) {
  if (argc < 5)
    return fail("usage: emit-tool IN.mlir TARGET NAME OUTDIR [option]...");
  std::string kernels;
  aotc::EmitOptions options;
  for (int i = 5; i < argc; ++i) {
    llvm::StringRef argument = argv[i];
    if (argument.consume_front("--kernels=")) {
      auto file = llvm::MemoryBuffer::getFile(argument);
      if (!file)
        return fail(argument + ": " + file.getError().message());
      kernels = (*file)->getBuffer().str();
    } else if (argument == "--llvm") {
      options.keepLLVM = true;
    } else if (argument == "--hooks") {
      options.hooks = true;
    }
  }
  mlir::MLIRContext context;
  context.loadDialect<mlir::func::FuncDialect, aotc::nn::NNDialect, aotc::instr::InstrDialect>();
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(argv[1], &context);
  const aotc::TargetSpec *target = aotc::findTarget(argv[2]);
  if (!module || !target)
    return fail("bad module or target");
  options.name = argv[3];
  options.modelFile = "some/where/model.tflite";
  options.modelSha256 = std::string(64, '5');
  auto ownKernels = [&](llvm::StringRef, aotc::Family) -> llvm::StringRef { return kernels; };
  if (!kernels.empty())
    options.kernels = ownKernels;

  auto bundle = aotc::emitBundle(*module, *target, options);
  if (!bundle)
    return fail(llvm::toString(bundle.takeError()));
  for (const aotc::Bundle::File &file : bundle->files) {
    llvm::SmallString<128> path(argv[4]);
    llvm::sys::path::append(path, bundle->interface.name + file.suffix);
    std::error_code error;
    llvm::raw_fd_ostream(path, error) << file.bytes;
    if (error)
      return fail("cannot write to the output directory");
  }
  return 0;
}
