// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory map, for tools (NAME.map.json) and for people (NAME.map.txt).
#pragma once

#include "compiler/support/ModelInterface.h"

namespace aotc {

/// The schema is in README.md; keys are stable, order and spacing fixed.
std::string printMapJson(const ModelInterface &model, unsigned indent = 2);
std::string printMapText(const ModelInterface &model);

} // namespace aotc
