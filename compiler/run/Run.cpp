// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/run/Run.h"
#include "compiler/run/Process.h"
#include "compiler/run/Runners.h"
#include "compiler/run/harness/protocol.h"

using namespace aotc;

std::string aotc::describeBlock(const ModelInterface &interface, size_t block) {
  if (interface.regions.size() == 1 || block >= interface.regions.size())
    return "arena";
  return "block '" + interface.regions[block].name + "'";
}

MemoryLayout aotc::layOutBlocks(const ModelInterface &interface) {
  MemoryLayout layout;
  for (const RegionRecord &region : interface.regions)
    layout.align = std::max(layout.align, region.align);
  for (const RegionRecord &region : interface.regions) {
    // Odd multiples of an alignment that is smaller than the stretch's, whose
    // own start is an odd multiple of that.
    int64_t coarse = 2 * region.align, odd = region.align < layout.align ? region.align : 0;
    int64_t free = layout.starts.empty() ? 0 : layout.bytes + SIM_GUARD;
    layout.starts.push_back((free + coarse - 1) / coarse * coarse + odd);
    layout.bytes = layout.starts.back() + region.bytes;
  }
  return layout;
}

std::string aotc::entryName(const RunCase &runCase) {
  return runCase.interface->name + (runCase.stepwise ? "_step" : "_run");
}

std::vector<IoTensor> aotc::tensorsAfterCall(const ModelInterface &interface) {
  std::vector<IoTensor> tensors = interface.outputs;
  llvm::copy_if(interface.inputs, std::back_inserter(tensors), isKept);
  return tensors;
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
      int64_t bytes =
          tensor.region < interface.regions.size() ? interface.regions[tensor.region].bytes : 0;
      if (tensor.offset < 0 || tensor.bytes < 0 || tensor.offset > bytes - tensor.bytes)
        return runError(interface.name + ": tensor '" + tensor.name + "' at offset " +
                        llvm::Twine(tensor.offset) + " leaves the " +
                        describeBlock(interface, tensor.region) + " of " + llvm::Twine(bytes) +
                        " bytes");
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
