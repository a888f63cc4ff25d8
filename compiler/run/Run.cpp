// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/run/Run.h"
#include "compiler/run/Process.h"
#include "compiler/run/Runners.h"
#include "compiler/run/harness/protocol.h"

using namespace aotc;

Stretch aotc::stretchOf(const ModelInterface &interface) {
  Stretch stretch;
  for (const RegionRecord &region : interface.regions)
    stretch.align = std::max(stretch.align, region.align);
  for (const RegionRecord &region : interface.regions) {
    int64_t coarse = 2 * stretch.align, start = 0;
    if (!stretch.starts.empty())
      start = (stretch.bytes + SIM_GUARD + coarse - 1) / coarse * coarse;
    // From an odd multiple of the coarsest to one of its own.
    start += region.align == stretch.align ? 0 : region.align;
    stretch.starts.push_back(start);
    stretch.bytes = start + region.bytes;
  }
  return stretch;
}

std::string aotc::entryName(const RunCase &runCase) {
  return runCase.interface->name + (runCase.stepwise ? "_step" : "_run");
}

llvm::Error aotc::checkCase(const RunCase &runCase) {
  const ModelInterface &interface = *runCase.interface;
  if (runCase.invocations < 1)
    return runError(interface.name + ": no invocation asked for");
  if (runCase.inputs.size() != interface.inputs.size())
    return runError(interface.name + ": " + llvm::Twine(runCase.inputs.size()) +
                    " inputs given, the model has " + llvm::Twine(interface.inputs.size()));
  for (size_t i = 0; i < interface.inputs.size(); ++i) {
    int64_t expected = interface.inputs[i].bytes * runCase.invocations;
    if (int64_t(runCase.inputs[i].size()) != expected)
      return runError(interface.name + ": input " + llvm::Twine(i) + " ('" +
                      interface.inputs[i].name + "') has " + llvm::Twine(runCase.inputs[i].size()) +
                      " bytes, " + llvm::Twine(expected) + " are needed for " +
                      llvm::Twine(runCase.invocations) + " invocations");
  }
  if (interface.regions.empty())
    return runError(interface.name + ": the interface lists no memory");
  for (const auto *tensors : {&interface.inputs, &interface.outputs})
    for (const IoTensor &tensor : *tensors) {
      if (tensor.region >= interface.regions.size())
        return runError(interface.name + ": tensor '" + tensor.name + "' is in no block");
      const RegionRecord &region = interface.regions[tensor.region];
      if (tensor.offset < 0 || tensor.bytes < 0 || tensor.offset > region.bytes - tensor.bytes)
        return runError(interface.name + ": tensor '" + tensor.name + "' at offset " +
                        llvm::Twine(tensor.offset) + " leaves the " + region.symbol + " of " +
                        llvm::Twine(region.bytes) + " bytes");
    }
  return llvm::Error::success();
}

llvm::Expected<std::vector<RunResult>> aotc::runBundles(llvm::ArrayRef<RunCase> cases,
                                                        const TargetSpec &target,
                                                        const RunOptions &options) {
  for (const RunCase &runCase : cases)
    if (llvm::Error error = checkCase(runCase))
      return std::move(error);
  if (cases.empty())
    return std::vector<RunResult>();
  return target.runner == Runner::inProcess ? runOnHost(cases, target, options)
                                            : runEmulated(cases, target, options);
}

llvm::Expected<std::vector<RunResult>>
aotc::runBundles(llvm::ArrayRef<RunCase> cases, llvm::StringRef target, const RunOptions &options) {
  const TargetSpec *spec = findTarget(target);
  if (!spec)
    return runError("unknown target '" + target + "'; `aotc targets` lists them");
  return runBundles(cases, *spec, options);
}
