// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the verbs of `aotc` do, apart from reading the command line. Each
// returns the exit status: 0 done, 1 the model or the data is at fault, 2 the
// options are (one clear message on stderr).
#pragma once

#include "compiler/driver/Options.h"

#include <cstdint>
#include <string>
#include <vector>

namespace aotc {

struct CompileCommand {
  std::vector<std::string> models;
  std::vector<std::string> names; ///< of the models, in order; none: from the file names
  std::string sharedArena;        ///< name of an arena for all of them; empty: each has its own
  std::string outputDir = ".";
  CompileOptions options;  ///< of every model, but for the name
  bool targetGiven = true; ///< else the default was taken, and is told
  bool printName = false;  ///< print the prefix of files and symbols and stop
};
int compileCommand(const CompileCommand &command);

struct ShareArenaCommand {
  std::vector<std::string> maps; ///< NAME.map.json of the models
  std::string name;              ///< of the arena
  std::string outputDir = ".";
  bool printName = false; ///< print the prefix of files and symbols and stop
};
int shareArenaCommand(const ShareArenaCommand &command);

/// What `run` and `verify` have in common: a model, executed on inputs.
struct InferenceCommand {
  std::string model;
  CompileOptions options;
  std::vector<std::string> inputs; ///< .bin or .npy, one per model input; none:
                                   ///< pseudo-random bytes from `seed`
  uint32_t seed = 1;
  std::string saveElf;          ///< keep the linked image here
  int64_t timeoutSeconds = 120; ///< of the bundle's execution
  bool checkMemory = false;     ///< two fillings; then again, step by step (RunCase)
};

struct RunCommand : InferenceCommand {
  std::string outputDir; ///< outputs as .bin files; empty: not kept
  std::string json;      ///< figures as JSON; "-" is stdout
  bool profile = false;  ///< also what each layer costs
};
int runCommand(const RunCommand &command);

struct VerifyCommand : InferenceCommand {
  std::vector<std::string> expect;         ///< .bin or .npy, one per model output
  std::string tensors;                     ///< NAME.tensors.json: find the first wrong layer
  double absolute = 1e-5, relative = 1e-5; ///< floats only
};
int verifyCommand(const VerifyCommand &command);

struct InspectCommand {
  std::string model;
  bool json = false; ///< instead of text
};
int inspectCommand(const InspectCommand &command);
int targetsCommand();

} // namespace aotc
