// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/driver/MachineChoice.h"

#include "compiler/driver/ModelFile.h"
#include "targets/Target.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"

namespace aotc {

static llvm::Expected<Machine> loadMachine(llvm::StringRef text) {
  if (const Machine *known = findMachine(text))
    return *known;
  if (!text.ends_with(".yaml") && !text.ends_with(".yml")) {
    std::string message = ("unknown machine '" + text + "'").str();
    if (auto similar = similarMachines(text); !similar.empty()) {
      message += "; did you mean " + llvm::join(similar, ", ") + "?";
    } else {
      auto name = [](const Machine &machine) { return machine.name; };
      message += "; there are " + llvm::join(llvm::map_range(allMachines(), name), ", ");
    }
    return llvm::createStringError(message + " (`aotc targets` tells more; a file ends in .yaml)");
  }
  auto file = llvm::MemoryBuffer::getFile(text);
  if (!file)
    return llvm::createStringError("cannot read '" + text + "': " + file.getError().message());
  return parseMachine((*file)->getBuffer(), llvm::sys::path::filename(text));
}

/// "cortex-m4" of "cortex-m4+nofp": the core, whatever its float ABI.
static llvm::StringRef coreOf(llvm::StringRef target) { return target.split('+').first; }

static llvm::Error apply(const MachineChoice &choice, CompileOptions &options) {
  std::vector<MemoryRegion> regions;
  if (!choice.machine.empty()) {
    llvm::Expected<Machine> machine = loadMachine(choice.machine);
    if (!machine)
      return machine.takeError();
    if (!findTarget(machine->target))
      return llvm::createStringError("machine '" + machine->name + "' has a " + machine->target +
                                     ", which is no target of this aotc (`aotc targets` lists "
                                     "them)");
    if (!choice.targetGiven)
      options.target = machine->target;
    else if (coreOf(options.target) != coreOf(machine->target))
      return llvm::createStringError("--target " + options.target + " does not suit machine '" +
                                     machine->name + "', which has a " + machine->target +
                                     "; give no target");
    options.machine = machine->name;
    if (!findMachine(choice.machine))
      options.machineFile = choice.machine;
    regions = std::move(machine->regions);
  }
  auto known = [&regions](llvm::StringRef name) {
    return llvm::any_of(regions, [&](const MemoryRegion &region) { return region.name == name; });
  };
  auto holdsCode = [](const MemoryRegion &region) { return region.access == Access::rx; };
  const bool hadCode = llvm::any_of(regions, holdsCode);
  llvm::StringSet<> edited;
  for (const std::string &text : choice.regions) {
    llvm::StringRef name = llvm::StringRef(text).split('=').first;
    if (!edited.insert(name).second)
      return llvm::createStringError("--region says twice what '" + name + "' is");
    const bool added = !choice.machine.empty() && !known(name);
    if (llvm::Error error = editRegions(regions, text))
      return error;
    if (added)
      llvm::errs() << "note: machine '" << options.machine << "' has no region '" << name
                   << "'; it is added, for buffers\n";
    options.regionEdits.push_back(text);
  }
  if (std::string problem = addressProblem(regions); !problem.empty())
    return llvm::createStringError("with --region, " + problem);
  if (hadCode && llvm::none_of(regions, holdsCode))
    return llvm::createStringError("no memory region is left for the code");
  for (MemoryRegion &region : regions)
    (region.access == Access::rw ? options.regions : options.readOnly).push_back(region);
  if (options.regions.empty() && !(choice.machine.empty() && choice.regions.empty()))
    return llvm::createStringError("no memory region is left for the buffers");
  return llvm::Error::success();
}

bool applyMachine(const MachineChoice &choice, CompileOptions &options) {
  llvm::Error error = apply(choice, options);
  if (!error)
    return true;
  reportError(std::move(error));
  return false;
}

} // namespace aotc
