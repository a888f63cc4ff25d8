// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The emit phase in order: interface, LLVM module, kernels, optimisation,
// object, measured sizes, printed files.
#include "compiler/emit/Emit.h"

#include "compiler/emit/BuildInterface.h"
#include "compiler/emit/Header.h"
#include "compiler/emit/Html.h"
#include "compiler/emit/KernelLink.h"
#include "compiler/emit/LowerToLLVM.h"
#include "compiler/emit/MemoryMap.h"
#include "compiler/emit/Object.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace aotc;

const std::string &Bundle::bytes(llvm::StringRef suffix) const {
  const auto file = llvm::find_if(files, [&](const File &f) { return f.suffix == suffix; });
  assert(file != files.end() && "every bundle has that file");
  return file->bytes;
}

llvm::Expected<Bundle> aotc::emitBundle(mlir::ModuleOp module, const TargetSpec &target,
                                        const EmitOptions &options) {
  auto main = module.lookupSymbol<mlir::func::FuncOp>("main");
  if (!main)
    return llvm::createStringError("the module has no function @main to emit");

  Bundle result;
  auto interface = buildInterface(main, target, options);
  if (!interface)
    return interface.takeError();
  result.interface = std::move(*interface);

  auto machine = createTargetMachine(target);
  if (!machine)
    return machine.takeError();

  llvm::LLVMContext context;
  auto lowered = lowerToLLVM(main, result.interface, target, (*machine)->createDataLayout(),
                             context, options.stepwise, options.minimizeSize);
  if (!lowered)
    return lowered.takeError();
  for (auto [layer, function] : llvm::zip_equal(result.interface.layers, lowered->functions))
    layer.function = function;

  llvm::Module &model = *lowered->module;
  if (llvm::Error error = linkKernels(model, lowered->kernels, target,
                                      options.kernels ? options.kernels : kernelBitcode))
    return std::move(error);
  if (llvm::Error error = optimizeModule(model, **machine, target, result.interface.name,
                                         options.optimizationLevel, options.minimizeSize))
    return std::move(error);
  std::string llvmIR;
  if (options.keepLLVM) {
    llvm::raw_string_ostream stream(llvmIR);
    model.print(stream, nullptr);
  }

  auto object = emitObject(model, **machine, target, result.interface);
  if (!object)
    return object.takeError();
  result.interface.codeBytes = object->codeBytes;
  result.interface.weightsBytes = object->weightsBytes;
  result.interface.stackBytes = object->stackBytes;

  result.files = {{".o", std::move(object->bytes)},
                  {".h", printHeader(result.interface)},
                  {".map.json", printMapJson(result.interface)},
                  {".map.txt", printMapText(result.interface)},
                  {".html", printReportHtml(result.interface)}};
  if (options.keepLLVM)
    result.files.push_back({".ll", std::move(llvmIR)});
  return result;
}
