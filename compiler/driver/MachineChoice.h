// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --machine and --region: what memory there is.
#pragma once

#include "compiler/driver/Options.h"

namespace aotc {

struct MachineChoice {
  std::string machine;              ///< a name, or the path of a .yaml file; empty: none
  std::vector<std::string> regions; ///< editRegions(), in order
  bool targetGiven = false;         ///< --target was; must then suit the machine
};

/// Writes the choice into `options`: regions, and the machine's target unless
/// one was given. Prints a message and returns false if it cannot.
bool applyMachine(const MachineChoice &choice, CompileOptions &options);

} // namespace aotc
