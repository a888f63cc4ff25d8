// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the int8 layers for Armv8.1-M with Helium share on the host: the cheapest
// exact rounding, the stream of weights (kernels/mve_stream.h has its format).
#pragma once

#include "targets/Kernel.h"
#include "targets/arm_m/mve/kernels/mve_stream.h"
#include "targets/generic/Channels.h"
#include "targets/generic/RequantizeFit.h"

#include <vector>

namespace aotc {

/// A layer's channels, those whose output no input changes found, and how their
/// sums become outputs.
struct MveLayer {
  std::vector<IntChannel> channels;
  int32_t zeroPoint = 0; ///< of the output
  aotc_mve_tail tail = aotc_mve_general;
  std::vector<ScaledFit> fits; ///< aotc_mve_fit: one per channel
  aotc_mve_output output = {};
};

/// `group`: channels the kernel stores together; if they do not divide the
/// layer's, only aotc_mve_general stores fewer.
MveLayer mveLayer(std::vector<IntChannel> channels, int32_t zeroPoint, ClampRange range,
                  int64_t group);

/// The word of each of the tail's vectors for one channel; zeros behind the last.
std::array<int32_t, 4> mveTailWords(const MveLayer &layer, size_t channel);

/// Little-endian, behind what `data` has.
void appendWord(KernelData &data, int32_t word);

/// The stream of a layer, `group` channels at a time: taps in the order of the
/// model, `order` says which; -1 where there is none. A multiple of 16.
KernelData mveStream(const MveLayer &layer, llvm::ArrayRef<int32_t> order, size_t group);

} // namespace aotc
