// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The report for people with a browser: one file that needs no other.
#pragma once

#include "compiler/support/ModelInterface.h"

namespace aotc {

/// Page, style and script of report/ with the memory map's JSON inside. Users'
/// names cannot end the element that holds it.
std::string printReportHtml(const ModelInterface &model);

} // namespace aotc
