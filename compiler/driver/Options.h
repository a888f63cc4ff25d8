// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the user can choose. Plain data: tools parse into it, tests fill it.
#pragma once

#include "compiler/support/Optimize.h"
#include "compiler/support/ShareMode.h"
#include "targets/Machine.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace aotc {

inline constexpr int64_t kMaxPlanEffort = 1000;

struct CompileOptions {
  std::string target = "host";
  std::string name; ///< symbol prefix; empty: from the file name
  Optimize optimize = Optimize::balanced;
  std::string kernelLevel;    ///< only kernels of this level, e.g. "ref"
  bool keepTensors = false;   ///< no rewriting: every tensor of the file survives
  bool exposeTensors = false; ///< every tensor is an output too (verify --tensors)
  ShareMode share = ShareMode::overlap;
  int64_t blockRows = 0;   ///< rows per kernel call; 0: the kernel's choice
  bool descending = false; ///< run every kernel last to first (tests)
  uint64_t shuffle = 0;    ///< a random schedule by this seed (tests); 0: the best
  /// Where inputs and outputs lie, "MODE" or "NAME=MODE" (ioModeName(); the name
  /// in the model, its symbol or its number); later ones win.
  std::vector<std::string> inputModes, outputModes;
  /// Memory for buffers, in the order in which NAME_run takes it; none: one arena
  /// of any size.
  std::vector<MemoryRegion> regions;
  std::vector<MemoryRegion> readOnly;   ///< for code and weights; none: any size
  std::string machine, machineFile;     ///< they come from, if any: name; path if not built in
  std::vector<std::string> regionEdits; ///< --region, as given
  int64_t planEffort = 1;               ///< factor of the planner's limits; 0: heuristics only
  std::string plan;                     ///< file with the memory plan to take; empty: make one
  std::string savePlan;                 ///< file for the memory plan
  bool stepwise = false;  ///< NAME_step too (EmitOptions), to check memory between layers
  bool hooks = false;     ///< calls around each layer (EmitOptions)
  std::string stopAfter;  ///< phase name: print its IR and stop
  std::string dumpPhases; ///< directory for the IR after each phase
  bool remarks = false;   ///< print the choice of kernels
};

/// An option that differs from its default, as the command line has it.
struct ChosenOption {
  std::string phase; ///< that honours it, by Phase::name
  std::string text;  ///< "--share=none"
  bool changesResult = true;
};
/// Those that passes read, in the order of the phases. One list for what the
/// artefacts record and for what comes too late when IR is resumed.
std::vector<ChosenOption> chosenOptions(const CompileOptions &options);

/// Those of them that later phases honour too.
inline constexpr char kKeepTensors[] = "--keep-tensors";
std::string optimizeOption(Optimize optimize);

} // namespace aotc
