// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/driver/MemoryOptions.h"

#include "compiler/ir/InstrDialect.h"
#include "compiler/support/ModelInterface.h"
#include "compiler/support/Text.h"

using namespace mlir;

namespace aotc {

std::pair<llvm::StringRef, std::optional<IoMode>> splitIoMode(llvm::StringRef text) {
  if (!text.contains('='))
    return {"", parseIoMode(text)};
  auto [name, mode] = text.rsplit('=');
  return {name, name.empty() ? std::nullopt : parseIoMode(mode)};
}

/// By name in the model, by symbol in the header, by number.
static std::optional<size_t> findTensor(llvm::ArrayRef<std::string> names, llvm::StringRef wanted) {
  auto in = [&](llvm::ArrayRef<std::string> list) -> std::optional<size_t> {
    auto found = llvm::find(list, wanted);
    return found == list.end() ? std::nullopt : std::optional<size_t>(found - list.begin());
  };
  if (auto index = in(names))
    return index;
  if (auto index = in(toCIdentifiers(names)))
    return index;
  size_t number;
  if (!wanted.getAsInteger(10, number) && number < names.size())
    return number;
  return std::nullopt;
}

static LogicalResult writeModes(func::FuncOp function, instr::Role role,
                                llvm::ArrayRef<std::string> choices) {
  SmallVector<instr::AllocOp> allocs;
  for (auto alloc : function.getOps<instr::AllocOp>())
    if (alloc.getRole() == role && alloc.getPosition())
      allocs.push_back(alloc);
  llvm::sort(allocs, [](instr::AllocOp a, instr::AllocOp b) {
    return *a.getPosition() < *b.getPosition();
  });
  std::vector<std::string> names;
  for (instr::AllocOp alloc : allocs)
    names.push_back(alloc.getName().str());
  Builder builder(function.getContext());
  for (const std::string &choice : choices) {
    auto [name, mode] = splitIoMode(choice);
    StringAttr attr = builder.getStringAttr(ioModeName(*mode));
    if (name.empty()) {
      for (instr::AllocOp alloc : allocs)
        alloc->setAttr(instr::kIoModeAttr, attr);
      continue;
    }
    if (llvm::count(names, name) > 1)
      return emitError(UnknownLoc::get(function.getContext()))
             << "several " << stringifyRole(role) << "s are called '" << printable(name)
             << "'; say which one by its number, from 0 on, instead of its name";
    std::optional<size_t> index = findTensor(names, name);
    if (!index) {
      InFlightDiagnostic error = emitError(UnknownLoc::get(function.getContext()))
                                 << "the model has no " << stringifyRole(role) << " '" << name
                                 << "'; its " << stringifyRole(role) << "s are";
      for (const std::string &known : names)
        error << " '" << printable(known) << "'";
      return error;
    }
    allocs[*index]->setAttr(instr::kIoModeAttr, attr);
  }
  return success();
}

/// What the planner may use, as it reads it.
static void writeRegions(ModuleOp module, const CompileOptions &options) {
  if (options.regions.empty())
    return;
  SmallVector<Attribute> regions;
  for (const MemoryRegion &region : options.regions)
    regions.push_back(instr::RegionAttr::get(module.getContext(), region.name, region.capacity,
                                             region.cost, region.align, region.base, region.section,
                                             /*used=*/std::nullopt));
  for (auto function : module.getOps<func::FuncOp>())
    function->setAttr(instr::kRegionsAttr, ArrayAttr::get(module.getContext(), regions));
}

LogicalResult writeMemoryOptions(ModuleOp module, const CompileOptions &options) {
  writeRegions(module, options);
  for (auto function : module.getOps<func::FuncOp>())
    if (failed(writeModes(function, instr::Role::input, options.inputModes)) ||
        failed(writeModes(function, instr::Role::output, options.outputModes)))
      return failure();
  return success();
}

} // namespace aotc
