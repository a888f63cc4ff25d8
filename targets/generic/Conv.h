// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host sides of the portable convolutions; variants for instruction sets reuse
// their checks and constants and repack the weights.
#pragma once

#include "targets/generic/Overlap.h"
#include "targets/generic/kernels/window.h"

#include "llvm/ADT/STLFunctionalExtras.h"

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

/// A DEPTHWISE_CONV_2D of one input channel is a CONV_2D: all output channels read
/// that one. Of `most` input channels it is one where the others have weights of 0.
/// What a row for it says that runs the device function of a CONV_2D: `portable` and
/// `conv` are the refusals of the portable row and of that row.
std::string rejectFewChannels(const OperatorDesc &op, int64_t most,
                              llvm::function_ref<std::string(const OperatorDesc &)> portable,
                              llvm::function_ref<std::string(const OperatorDesc &)> conv);

/// The call of that CONV_2D, whose row has this prepare() and `symbol`.
llvm::Expected<KernelCall>
prepareFewChannels(const OperatorDesc &op,
                   llvm::function_ref<llvm::Expected<KernelCall>(const OperatorDesc &)> conv,
                   llvm::StringRef symbol);

/// What kernels for 3x3 windows without dilation and depth multiplier refuse, and
/// the portable one.
std::string rejectDepthwise3x3(const OperatorDesc &op);

/// A horizontal stride above 2, or windows (3 wide) of which more than the first
/// or the last column lies outside the image.
std::string rejectColumns3(const OperatorDesc &op);

/// True if each output pixel depends on the input pixel of the same position
/// only (1x1, stride 1, no padding): all pixels may be one long row.
bool isPointwise(const OperatorDesc &op);

/// "" if a table of the window's taps fits scratch, whose offsets are 32 bits: fewer
/// than 2^16 taps. For operators the portable kernel takes.
std::string rejectTapTable(const OperatorDesc &op);

/// The window's words in the parameters of either operator's kernels.
aotc_window windowOf(const OperatorDesc &op);

/// True if some tap of some window lies outside the image.
bool isPadded(const OperatorDesc &op);

/// The windows of a convolution with those rows; one group, pixel by pixel:
/// what else a kernel does is for its host side to fill in.
PixelWalk convolutionWalk(const OperatorDesc &op, const RowGeometry &rows);

/// An input pixel of zero points, or as many as `least` if it has fewer channels.
KernelData zeroPoints(const OperatorDesc &op, int64_t least = 0);

} // namespace aotc
