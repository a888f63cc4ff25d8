// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How input and output of a DEPTHWISE_CONV_2D may overlap, for kernels that
// compute blocks of neighbouring pixels, a group of channels at a time.
#pragma once

#include "compiler/support/Operator.h"
#include "targets/Kernel.h"

namespace aotc {

/// Rows and their blocks first to last or last to first; the last block of a row
/// moves back into it. Of a block, groups of `group` channels follow one another
/// first to last: each reads its part of all windows, then writes. One rule for
/// any distance, and, where there are several groups, one for multiples of a
/// pixel: there a group overwrites only itself.
/// Precondition: no depth multiplier, outputs are no narrower than `block`.
/// The last group of a pixel may have fewer channels.
std::vector<OverlapRule> depthwiseBlockOverlaps(const OperatorDesc &op, int64_t block,
                                                int64_t group);

} // namespace aotc
