// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bias and constant weights of a float32 layer in the order in which vectors of
// output channels read them.
#pragma once

#include "compiler/support/Operator.h"
#include "targets/Kernel.h"

namespace aotc {

/// Output channels side by side, `group` of them; the last group ends at a multiple
/// of `vector`. Absent channels are 0.
struct FloatPacking {
  int64_t group, vector;
  int64_t align = 4;      ///< of the data; bytes
  bool depthwise = false; ///< weights are 1HWC, else O...
};

/// The biases of all channels, 0 where there are none.
KernelData packBias(const OperatorDesc &op, const FloatPacking &packing);

/// Of each group, tap by tap, the weights of its channels.
KernelData packWeights(const OperatorDesc &op, const FloatPacking &packing);

/// Of each group first the biases, then the weights.
KernelData packBiasAndWeights(const OperatorDesc &op, const FloatPacking &packing);

} // namespace aotc
