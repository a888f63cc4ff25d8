// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One arena for several models that never run at the same time. It is made
// from their memory maps alone, so that bundles compiled elsewhere, or with
// other options, can share as well.
#pragma once

#include "compiler/support/ModelInterface.h"

#include "llvm/Support/Error.h"

namespace aotc {

/// What a member's NAME.map.json says.
struct ArenaMember {
  std::string name; ///< symbol prefix
  std::string target, modelFile;
  std::string abiSymbol;
  std::vector<RegionRecord> regions;
  int64_t arenaBytes = 0, stateBytes = 0, ioUsedMemory = 0;
};

struct SharedArena {
  std::string name; ///< symbol prefix, a valid C identifier
  std::vector<ArenaMember> members;
  std::vector<RegionRecord> regions; ///< each as large as its largest member's
  int64_t arenaBytes = 0;            ///< sum over regions
  int64_t apartBytes = 0;            ///< what the members take without sharing
};

/// Reads a NAME.map.json of any origin. The error says what is wrong in it.
llvm::Expected<ArenaMember> readArenaMember(llvm::StringRef mapJson);

/// Fails if the members cannot share: names that clash in C, targets no program
/// has both of, state that another model would overwrite. `name` is made an
/// identifier. Members keep their order.
llvm::Expected<SharedArena> shareArena(llvm::StringRef name, std::vector<ArenaMember> members);

/// "kws, vww and digits": the members in order.
std::string memberNames(const SharedArena &arena);

/// NAME.h: includes the members' headers, and does not compile with others.
std::string printSharedHeader(const SharedArena &arena);
/// Schema in README.md; printed as the model's own maps are.
std::string printSharedMapJson(const SharedArena &arena);
std::string printSharedMapText(const SharedArena &arena);

} // namespace aotc
