// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `run` and `verify` have in common: a model compiled and executed.
#pragma once

#include "compiler/driver/Commands.h"
#include "compiler/driver/Compile.h"
#include "compiler/run/Run.h"

#include <optional>

namespace aotc {

/// The inputs of a command, one per model input: from the files given, else
/// pseudo-random bytes of `seed` (floats: in [-1, 1)). All hold the same number
/// of invocations.
struct InputData {
  std::vector<std::string> tensors;
  int64_t invocations = 1;
};
llvm::Expected<InputData> loadInputs(const InferenceCommand &command,
                                     const ModelInterface &interface);

/// The same model once more with another option set, of which the user is told
/// nothing new. Nothing after a message on stderr.
std::optional<Bundle> compileAgain(const InferenceCommand &command, llvm::StringRef modelBytes,
                                   bool CompileOptions::*option);
RunCase makeCase(const Bundle &bundle, const InputData &inputs);

/// Compiles and executes. Nothing after a message on stderr.
struct Execution {
  Bundle bundle;
  InputData inputs;
  RunResult result;
};
/// `checkFirst` is asked between the two: what it refuses is not executed.
std::optional<Execution>
execute(const InferenceCommand &command, llvm::StringRef modelBytes,
        llvm::function_ref<llvm::Error(const ModelInterface &, const InputData &)> checkFirst =
            nullptr);

} // namespace aotc
