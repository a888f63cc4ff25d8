// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each layer of a model costs: `aotc run --profile`.
#pragma once

#include "compiler/driver/Execution.h"

#include "llvm/Support/JSON.h"

namespace aotc {

struct Profile {
  bool isTime = false;         ///< nanoseconds on this machine, else instructions
  std::vector<int64_t> layers; ///< by step
  int64_t total = 0;           ///< of the inference, without hooks
  /// Checks of the arguments and calls.
  int64_t outside() const;
};

/// Measures the layers of what was executed, by a second bundle with hooks.
/// Nothing after a message on stderr.
std::optional<Profile> profile(const InferenceCommand &command, llvm::StringRef modelBytes,
                               const Execution &execution);

/// A table, in order of execution.
void printProfile(llvm::raw_ostream &os, const ModelInterface &model, const Profile &profile);
/// The attribute "profile".
void jsonProfile(llvm::json::OStream &json, const ModelInterface &model, const Profile &profile);

} // namespace aotc
