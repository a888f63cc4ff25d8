// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CPUs aotc compiles for. One row each in Targets.def; nothing else in the
// compiler names a CPU.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace aotc {

/// Decides which portable kernel module is linked, the object's relocation
/// model (Cortex-M static, others position-independent) and how `run` starts
/// a program. Kernel bitcode exists once per (level, family).
enum class Family : uint8_t { armM, armA, aarch64, x86 };

/// 32-bit Arm, whose run-time ABI has the __aeabi_ helpers.
inline bool isArm32(Family family) { return family == Family::armM || family == Family::armA; }

/// Calling convention of floats; armM and armA (always hard), `none` elsewhere.
enum class FloatAbi : uint8_t { none, soft, softfp, hard };

/// How `aotc run` executes a program of a target.
enum class Runner : uint8_t { inProcess, qemuSystem, qemuUser };

/// One CPU. All strings are static or owned by `host`'s one instance.
struct TargetSpec {
  std::string name; ///< as the user writes it, e.g. "cortex-m4+nofp"
  Family family;
  std::string triple;   ///< normalised by llvm::Triple::normalize
  std::string cpu;      ///< LLVM's -mcpu
  std::string features; ///< LLVM's -mattr, e.g. "+fp-armv8,-neon"
  FloatAbi floatAbi = FloatAbi::none;
  std::string levels; ///< kernel levels, best first, e.g. "dsp,ref"
  Runner runner = Runner::inProcess;
  std::string machine;     ///< QEMU board or program, e.g. "mps2-an386"
  int64_t arenaAlign = 16; ///< of the arena's base address, in bytes
  int64_t tensorAlign = 4; ///< of tensors inside the arena, in bytes
  std::string summary;     ///< one line for `aotc targets`

  /// The levels as a list.
  llvm::SmallVector<llvm::StringRef, 4> levelList() const;
  bool hasLevel(llvm::StringRef level) const;
  /// Size and alignment of a data pointer.
  int64_t pointerBytes() const { return isArm32(family) ? 4 : 8; }
};

/// All targets in table order; `host` is resolved for this machine.
llvm::ArrayRef<TargetSpec> allTargets();

/// The target of that name (exact), or null.
const TargetSpec *findTarget(llvm::StringRef name);

/// The known names nearest to `name`, for "did you mean".
llvm::SmallVector<llvm::StringRef, 3> similarTargets(llvm::StringRef name);

/// Why this machine cannot execute code of `target` in process: the first
/// missing CPU feature ("avx512f") or "aarch64 processor"; empty if it can.
std::string missingOnHost(const TargetSpec &target);

/// The bitcode of a kernel level for a family ("ref", "dsp", "avx2"), built
/// by clang with the compiler and embedded; empty when that pair is not built.
llvm::StringRef kernelBitcode(llvm::StringRef level, Family family);

} // namespace aotc
