// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the int8 layers for Armv7E-M share on the host: what the packed sums can
// hold, the cheapest exact rounding, the stream of weights (kernels/dsp_stream.h
// has its format).
#pragma once

#include "targets/Kernel.h"
#include "targets/arm_m/dsp/kernels/dsp_stream.h"
#include "targets/generic/Channels.h"
#include "targets/generic/RequantizeFit.h"

#include <string>
#include <vector>

namespace aotc {

/// "" if the sums of all channels fit the packed form: |sum| < 2^23 without
/// bias, and 16 bits hold 256*u + v for each pair of channels (`pairs`).
std::string rejectDspSums(const std::vector<IntChannel> &channels, bool pairs);

/// How a layer's sums become outputs.
struct DspTail {
  aotc_dsp_tail kind = aotc_dsp_general;
  int32_t up = 0;              ///< aotc_dsp_fit: the shift
  std::vector<AffineFit> fits; ///< aotc_dsp_fit: one per channel
};

/// Channels whose output no input changes are found, and have weights of 0.
struct DspLayer {
  std::vector<IntChannel> channels;
  int32_t zeroPoint = 0; ///< of the output
  DspTail tail;          ///< the cheapest one that gives the reference's bits
};
DspLayer dspLayer(std::vector<IntChannel> channels, int32_t zeroPoint, ClampRange range);

/// Words in the order in which the device reads them.
class DspStream {
public:
  void word(uint32_t value) { words.push_back(int32_t(value)); }
  void halves(int low, int high) { word(uint32_t(uint16_t(low)) | uint32_t(uint16_t(high)) << 16); }
  llvm::ArrayRef<int32_t> all() const { return words; }

private:
  std::vector<int32_t> words;
};

/// The first value of a channel's sum, and the words of its tail: mantissa and
/// round (aotc_dsp_fit), or mantissa, add and right (aotc_dsp_away).
struct DspParameters {
  int32_t start = 0;
  std::array<int32_t, 3> words = {};
};
DspParameters dspParameters(const DspLayer &layer, size_t channel);

/// The stream of a layer, `group` (4 or 8) channels at a time. `order` has the
/// taps of the loop, two per half-step, -1 where there is none.
KernelData dspStream(const DspLayer &layer, llvm::ArrayRef<int32_t> order, int group);

} // namespace aotc
