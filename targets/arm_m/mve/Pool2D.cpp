// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host side of the pools, int8, for Armv8.1-M with Helium. Groups of channels
// are read before they are written, in the order of the portable kernel: its
// distances hold.
#include "targets/generic/Pool2D.h"

namespace aotc {

namespace average_pool_2d_s8_mve {

std::string reject(const OperatorDesc &op) {
  if (std::string reason = pool_2d_s8::reject(op); !reason.empty())
    return reason;
  const auto &options = op.as<Pool2DOptions>();
  return options.filterH * options.filterW <= 4096 ? "" : "window has more than 4096 taps";
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) { return pool_2d_s8::prepare(op); }

} // namespace average_pool_2d_s8_mve

} // namespace aotc
