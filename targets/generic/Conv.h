// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host sides of the portable convolutions; variants for instruction sets reuse
// their checks and constants and repack the weights.
#pragma once

#include "targets/generic/Overlap.h"

namespace aotc {

namespace conv_2d_s8 {
/// Any int8 CONV_2D the portable kernel runs; data: weights, bias, multipliers
/// as in kernels/conv_2d.h.
std::string reject(const OperatorDesc &op);
llvm::Expected<KernelCall> prepare(const OperatorDesc &op);
} // namespace conv_2d_s8

namespace conv_2d_f32 {
/// data: weights; bias if there is one.
std::string reject(const OperatorDesc &op);
llvm::Expected<KernelCall> prepare(const OperatorDesc &op);
} // namespace conv_2d_f32

namespace depthwise_conv_2d_s8 {
std::string reject(const OperatorDesc &op);
llvm::Expected<KernelCall> prepare(const OperatorDesc &op);
} // namespace depthwise_conv_2d_s8

namespace depthwise_conv_2d_f32 {
std::string reject(const OperatorDesc &op);
llvm::Expected<KernelCall> prepare(const OperatorDesc &op);
} // namespace depthwise_conv_2d_f32

/// A DEPTHWISE_CONV_2D of one input channel as the CONV_2D it is: all output
/// channels read that one. It holds its own, reordered weights.
OperatorDesc singleChannelAsConv2D(const OperatorDesc &op);

/// True if each output pixel depends on the input pixel of the same position
/// only (1x1, stride 1, no padding): all pixels may be one long row.
bool isPointwise(const OperatorDesc &op);

/// The windows of a convolution with those rows; one group, pixel by pixel:
/// what else a kernel does is for its host side to fill in.
PixelWalk convolutionWalk(const OperatorDesc &op, const RowGeometry &rows);

/// An input pixel of zero points.
KernelData zeroPoints(const OperatorDesc &op);

} // namespace aotc
