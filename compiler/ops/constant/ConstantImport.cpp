// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants are tensors of the file, not operators: no reader to register. They
// are built where an operator uses them (buildConstant in compiler/import).
#include "compiler/import/Importer.h"

namespace aotc {

void registerConstantImport(ImportRegistry &) {}

} // namespace aotc
