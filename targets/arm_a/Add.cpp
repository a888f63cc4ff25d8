// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host side of ADD, int8, for NEON: the portable one's parameters.
#include "targets/generic/ElementwiseBinary.h"

namespace aotc::add_s8_neon {

std::string reject(const OperatorDesc &op) { return add_s8::rejectRepeated(op); }
llvm::Expected<KernelCall> prepare(const OperatorDesc &op) { return add_s8::prepare(op); }

} // namespace aotc::add_s8_neon
