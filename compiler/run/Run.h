// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes bundles: host CPUs in process, others under QEMU, with start-up
// code and harness carried by aotc and linked by lld.
#pragma once

#include "compiler/support/ModelInterface.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace aotc {

struct TargetSpec;

/// Must a bundle leave this input as it is?
inline bool isKept(const IoTensor &input) {
  return input.mode == IoMode::caller || input.mode == IoMode::arenaPreserved;
}

/// One bundle and its data. `inputs[i]` holds `invocations` tensors of input i,
/// one after the other; the calls share one arena, none is reset in between.
struct RunCase {
  const ModelInterface *interface = nullptr;
  llvm::StringRef object;
  std::vector<std::string> inputs;
  int64_t invocations = 1;
  /// The bundle is one with NAME_step (EmitOptions::stepwise) and runs step by
  /// step: what holds nothing live is painted before each, and each may change
  /// only its results and its scratch. No figures but the stack's then.
  bool stepwise = false;
};

/// Bytes of the arena that were written, by the caller or the bundle.
struct WrittenBytes {
  int64_t first = 0, end = 0; ///< the lowest, and one past the highest
  int64_t bytes = 0;          ///< how many
};

struct RunResult {
  std::vector<std::string> outputs;      ///< by output, all invocations
  int32_t status = 0;                    ///< of the last call: AOTC_OK
  int64_t stackBytes = 0;                ///< high-water mark, painted
  std::optional<int64_t> instructions;   ///< of the last call, where counted
  std::optional<int64_t> nsPerInference; ///< the median of some calls
  /// Of a bundle with hooks, by layer: nanoseconds of that median call, without
  /// the hooks' (so is nsPerInference then), or the instructions of the last call,
  /// the call of a hook among them; empty where they were not counted one by one.
  std::vector<int64_t> layers;
  std::optional<WrittenBytes> written; ///< with two fillings
  int64_t flashBytes = 0;              ///< bundle's code and constants
};

struct RunOptions {
  /// Keep the linked image, its inputs embedded (host: the shared object).
  /// Further images of the same call get `.1`, `.2`, … appended.
  std::string saveElf;
  int64_t timeoutSeconds = 120;
  /// 2: every case runs twice, its memory filled in another way, and must give
  /// the same outputs.
  int fillings = 1;
  /// Count instructions one by one also where a board's timer tells how many they
  /// were, but for its ticks.
  bool exactCounts = false;
};

/// Runs all cases on one target; one emulator start serves as many as fit its
/// memory. An error names what is missing (QEMU not found, …) or the case that
/// failed: its bundle returned another status than AOTC_OK, or MemoryCheck.h
/// found it writing what it must not.
llvm::Expected<std::vector<RunResult>>
runBundles(llvm::ArrayRef<RunCase> cases, llvm::StringRef target, const RunOptions &options = {});
/// The same for a target that need not be in the table.
llvm::Expected<std::vector<RunResult>>
runBundles(llvm::ArrayRef<RunCase> cases, const TargetSpec &target, const RunOptions &options = {});

} // namespace aotc
