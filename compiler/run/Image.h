// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs for emulators: the harness (harness/), a table of cases and the
// bundles' objects, linked by lld with a script written here.
#pragma once

#include "compiler/run/Run.h"
#include "targets/Target.h"

#include "llvm/ADT/SmallVector.h"

namespace aotc {

/// Address range of an emulated board.
struct AddressRange {
  uint64_t base = 0, bytes = 0;
};

/// Where a program may lie and what the harness must know of the machine.
struct Board {
  llvm::StringRef machine;
  AddressRange code, ram, extra;
  uint64_t timer = 0; ///< CMSDK timer; 0: a plug-in counts instructions
  int64_t instructionsPerTick = 0, stackBytes = 0;
};

/// The board of that name, or null.
const Board *findBoard(llvm::StringRef machine);

/// One case's object, ready to be linked beside others: its entry is renamed
/// to `sim_run_<index>` (NAME_step if the case is stepwise) and every other symbol made local.
struct CaseObject {
  std::string path;
  std::vector<std::string> readOnlySections; ///< to be loaded, by name
  int64_t readOnlyBytes = 0;                 ///< of them, with alignment
  int64_t writableBytes = 0;                 ///< of the others
  std::vector<uint64_t> stepTable;           ///< MemoryCheck.h, if stepwise
};

/// Prepares `runCase.object` and writes it to `path`.
llvm::Expected<CaseObject> prepareObject(const RunCase &runCase, size_t index,
                                         llvm::StringRef path);

/// The cases [first, first + count) of one program.
struct ImageRange {
  size_t first = 0, count = 0;
};

/// Splits the cases into programs that fit the board (`board` null: a Linux
/// program, always one). `inputBytes` are those embedded in the image. An
/// error names the case that does not fit an image of its own.
llvm::Expected<std::vector<ImageRange>> splitCases(llvm::ArrayRef<RunCase> cases,
                                                   llvm::ArrayRef<CaseObject> objects,
                                                   const TargetSpec &target, const Board *board,
                                                   int64_t inputBytes);

/// Links cases [range) into `directory`/image.elf; inputs come from the file
/// `inputsFile` when not empty (embedded), else at run time from the directory.
llvm::Error linkImage(llvm::ArrayRef<RunCase> cases, llvm::ArrayRef<CaseObject> objects,
                      ImageRange range, const TargetSpec &target, const Board *board, int fillings,
                      llvm::StringRef inputsFile, llvm::StringRef directory);

/// Address and names of functions in an image.
llvm::Expected<uint64_t> symbolAddress(llvm::StringRef elf, llvm::StringRef name);
/// "name + 0x12" for a code address, or "" when none is near.
std::string symbolAt(llvm::StringRef elf, uint64_t address);

} // namespace aotc
