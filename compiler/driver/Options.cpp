// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/driver/Options.h"

namespace aotc {

std::string optimizeOption(Optimize optimize) {
  return ("--optimize=" + optimizeName(optimize)).str();
}

std::vector<ChosenOption> chosenOptions(const CompileOptions &options) {
  std::vector<ChosenOption> result;
  auto add = [&](const char *phase, bool chosen, std::string text, bool changesResult = true) {
    if (chosen)
      result.push_back({phase, std::move(text), changesResult});
  };
  add("simplify", options.keepTensors, kKeepTensors);
  add("simplify", options.exposeTensors, "--tensors", false); // of verify: no artefact
  add("lower", options.optimize != Optimize::balanced, optimizeOption(options.optimize));
  add("lower", !options.kernelLevel.empty(), "--kernels=" + options.kernelLevel);
  add("lower", options.blockRows, "--rows-per-call=" + std::to_string(options.blockRows));
  add("memory", options.share != ShareMode::overlap,
      "--share=" + shareModeName(options.share).str());
  add("memory", options.descending, "--descending");
  add("memory", options.shuffle, "--shuffle=" + std::to_string(options.shuffle));
  for (const std::string &mode : options.inputModes)
    add("memory", true, "--input-mode=" + mode);
  for (const std::string &mode : options.outputModes)
    add("memory", true, "--output-mode=" + mode);
  add("memory", !options.machine.empty(), "--machine=" + options.machine);
  for (const std::string &edit : options.regionEdits)
    add("memory", true, "--region=" + edit);
  add("memory", !options.plan.empty(), "--plan");
  add("memory", options.plan.empty() && options.planEffort != 1,
      "--plan-effort=" + std::to_string(options.planEffort));
  add("memory", !options.savePlan.empty(), "--save-plan", false);
  return result;
}

} // namespace aotc
