// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What code counts on that only the start-up code of a board can have done.
#pragma once

#include <string>

namespace aotc {

/// One such thing. targets/StartUp.h says which a target has.
struct StartUpNeed {
  std::string name; ///< for tools: "unaligned-access", "fpu"
  std::string text; ///< for people, a sentence without its full stop
};

} // namespace aotc
