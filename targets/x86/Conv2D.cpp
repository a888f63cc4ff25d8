// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host side of CONV_2D for AVX2, AVX-512 and AVX-512 VNNI (kernels/conv_2d.h).
#include "targets/generic/PackFloats.h"
#include "targets/generic/PixelBlock.h"
#include "targets/generic/Requantize.h"
#include "targets/generic/kernels/conv_2d.h"
#include "targets/x86/Requantize.h"
#include "targets/x86/kernels/conv_2d.h"
#include "targets/x86/kernels/requantize_s8.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>

namespace aotc {
namespace x86 {
namespace {

/// Output pixels of a block, `most` at most: the number that costs least over a
/// row. cost(n): of an element of a block of n pixels.
template <typename Cost> int32_t bestBlock(int64_t outW, int64_t most, Cost cost) {
  int32_t best = 1;
  auto total = [&](int64_t n) { return outW / n * cost(n) + (outW % n ? cost(outW % n) : 0); };
  for (int32_t n = 2; n <= std::min<int64_t>(outW, most); ++n)
    if (total(n) <= total(best))
      best = n;
  return best;
}

/// A block of n pixels takes as long as n pairs of multiplications, or as 4 + 5n
/// instructions of which six start at once.
int64_t pairCost(int64_t n) { return std::max(6 * n, 4 + 5 * n); }

/// Two VPDPBUSD start in a cycle, and each waits five for its sum; two loads start,
/// a pixel's and the weights'. `vectors` of sums to a pixel.
int64_t vnniCost(int64_t n, int64_t vectors) {
  return std::max({n * vectors, n + vectors, int64_t(10)});
}

/// All but `requantize`; elements of a run padded to a multiple of `multiple`.
aotc_conv_2d_x86_shape shapeOf(const OperatorDesc &op, int32_t block, int32_t multiple) {
  aotc_conv_2d_x86_shape shape = {};
  static_cast<aotc_window &>(shape) = windowOf(op);
  shape.padded = isPadded(op);
  shape.block = block;
  auto padded = [&](int64_t n) { return int32_t((n + multiple - 1) / multiple * multiple); };
  shape.whole_rows =
      shape.kernel_w > 1 && shape.dilation_w == 1 && shape.stride_w <= shape.kernel_w;
  if (shape.whole_rows) {
    shape.runs = shape.kernel_h;
    shape.run_length = shape.kernel_w * shape.in_c;
    shape.pixel_step = shape.stride_w * shape.in_c;
    // The last pixel's last elements may reach beyond the window.
    shape.run_step = (shape.block - 1) * shape.pixel_step + padded(shape.run_length);
  } else {
    shape.runs = 1;
    shape.run_length = shape.kernel_h * shape.kernel_w * shape.in_c;
    shape.pixel_step = padded(shape.run_length);
    shape.run_step = shape.block * shape.pixel_step;
  }
  return shape;
}

/// Calls visit(first, vectors) for each group of output channels, two vectors of
/// `lanes` or one.
template <typename Visit> void forGroups(int64_t outC, int64_t lanes, Visit visit) {
  for (int64_t c = 0; c < outC; c += 2 * lanes)
    visit(c, outC - c > lanes ? 2 : 1);
}

std::string rejectGroups(const OperatorDesc &op) {
  const auto &options = op.as<Conv2DOptions>();
  if (options.groups != 1)
    return "has groups";
  // Offsets in scratch are 32 bits.
  const auto &w = op.inputs[1].shape;
  if (w[1] * w[2] * w[3] * AOTC_CONV_2D_MOST_PIXELS_VNNI * std::max(options.strideW, int64_t(1)) >=
      int64_t(1) << 24)
    return "window is too large";
  return "";
}

/// For pairs of elements and vectors of eight words.
KernelData packWeights(llvm::ArrayRef<char> weights, const aotc_conv_2d_x86_shape &shape) {
  KernelData packed;
  packed.name = "weights";
  packed.align = 16;
  const int64_t filter = int64_t(shape.runs) * shape.run_length;
  forGroups(shape.out_c, 8, [&](int64_t first, int64_t vectors) {
    const auto order = packingOrder(first, vectors);
    for (int64_t r = 0; r < shape.runs; ++r)
      for (int64_t i = 0; i < shape.run_length; i += 2)
        for (const auto &lanes : order)
          for (int64_t c : lanes)
            for (int64_t k = i; k < i + 2; ++k)
              packed.bytes.push_back(c < shape.out_c && k < shape.run_length
                                         ? weights[c * filter + r * shape.run_length + k]
                                         : 0);
  });
  return packed;
}

} // namespace
} // namespace x86

static int64_t outWidth(const OperatorDesc &op) { return op.outputs[0].shape[2]; }

namespace conv_2d_s8_avx2 {

std::string reject(const OperatorDesc &op) {
  std::string reason = conv_2d_s8::reject(op);
  return reason.empty() ? x86::rejectGroups(op) : reason;
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  llvm::Expected<KernelCall> base = conv_2d_s8::prepare(op);
  if (!base)
    return base.takeError();
  KernelCall call = std::move(*base);
  const auto layer = paramsOf<aotc_conv_2d_s8_layer>(call.layer);

  aotc_conv_2d_x86_shape shape =
      x86::shapeOf(op, x86::bestBlock(outWidth(op), AOTC_CONV_2D_MOST_PIXELS, x86::pairCost), 2);
  const llvm::ArrayRef<char> weights = op.inputs[1].constant;
  const x86::Requantization requantization(
      intChannels(weights, shape.out_c, call.data[1].bytes, call.data[2].bytes),
      layer.out_zero_point, layer.act_min);
  shape.requantize = requantization.how();
  std::vector<int32_t> channels;
  x86::forGroups(shape.out_c, 8, [&](int64_t first, int64_t vectors) {
    for (const auto &lanes : x86::packingOrder(first, vectors))
      requantization.append(channels, lanes);
  });
  call.data = {x86::packWeights(weights, shape), wordData("bias", channels)};
  call.data[1].align = 16;
  call.shape = paramWords(shape);
  call.scratchBytes = int64_t(shape.runs) * shape.run_step * 2;
  call.scratchAlign = 16;
  call.overlaps = {pixelBlockOverlap(op, call, shape.block)};
  return call;
}

} // namespace conv_2d_s8_avx2

namespace conv_2d_s8_avx512vnni {

constexpr int64_t lanes = 16;

std::string reject(const OperatorDesc &op) { return conv_2d_s8_avx2::reject(op); }

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  llvm::Expected<KernelCall> base = conv_2d_s8::prepare(op);
  if (!base)
    return base.takeError();
  KernelCall call = std::move(*base);
  const auto layer = paramsOf<aotc_conv_2d_s8_layer>(call.layer);

  const int64_t outC = op.outputs[0].shape[3];
  const int32_t block = x86::bestBlock(outWidth(op), AOTC_CONV_2D_MOST_PIXELS_VNNI, [&](int64_t n) {
    return x86::vnniCost(n, outC > lanes ? 2 : 1);
  });
  aotc_conv_2d_x86_shape shape = x86::shapeOf(op, block, 4);
  const llvm::ArrayRef<char> weights = op.inputs[1].constant;
  const int64_t filter = int64_t(weights.size()) / outC;
  const x86::Requantization requantization(
      intChannels(weights, outC, call.data[1].bytes, call.data[2].bytes), layer.out_zero_point,
      layer.act_min);
  shape.requantize = requantization.how();
  KernelData packed;
  packed.name = "weights";
  packed.align = 64;
  std::vector<int32_t> channels;
  x86::forGroups(outC, lanes, [&](int64_t first, int64_t vectors) {
    const int64_t end = first + vectors * lanes;
    for (int64_t r = 0; r < shape.runs; ++r)
      for (int64_t i = 0; i < shape.run_length; i += 4)
        for (int64_t c = first; c < end; ++c)
          for (int64_t k = i; k < i + 4; ++k)
            packed.bytes.push_back(c < outC && k < shape.run_length
                                       ? weights[c * filter + r * shape.run_length + k]
                                       : 0);
    for (int64_t c = first; c < end; c += lanes)
      requantization.appendVectors(channels, llvm::to_vector(llvm::seq(c, c + lanes)));
  });
  call.data = {std::move(packed), wordData("bias", channels)};
  call.data[1].align = 64;
  call.shape = paramWords(shape);
  call.scratchBytes = int64_t(shape.runs) * shape.run_step;
  call.scratchAlign = 16;
  call.overlaps = {pixelBlockOverlap(op, call, shape.block)};
  return call;
}

} // namespace conv_2d_s8_avx512vnni

/// For vectors of `lanes` floats.
static llvm::Expected<KernelCall> prepareF32(const OperatorDesc &op, int64_t lanes) {
  llvm::Expected<KernelCall> base = conv_2d_f32::prepare(op);
  if (!base)
    return base.takeError();
  KernelCall call = std::move(*base);
  const aotc_conv_2d_x86_shape shape =
      x86::shapeOf(op, x86::bestBlock(outWidth(op), AOTC_CONV_2D_MOST_PIXELS, x86::pairCost), 1);
  const FloatPacking groups = {2 * lanes, lanes, 4 * lanes};
  call.data = {packWeights(op, groups), packBias(op, groups)};
  call.shape = paramWords(shape);
  call.scratchBytes = int64_t(shape.runs) * shape.run_step * 4;
  call.scratchAlign = 16;
  call.overlaps = {pixelBlockOverlap(op, call, shape.block)};
  return call;
}

namespace conv_2d_f32_avx2 {

std::string reject(const OperatorDesc &op) {
  std::string reason = conv_2d_f32::reject(op);
  return reason.empty() ? x86::rejectGroups(op) : reason;
}
llvm::Expected<KernelCall> prepare(const OperatorDesc &op) { return prepareF32(op, 8); }

} // namespace conv_2d_f32_avx2

namespace conv_2d_f32_avx512 {

std::string reject(const OperatorDesc &op) { return conv_2d_f32_avx2::reject(op); }
llvm::Expected<KernelCall> prepare(const OperatorDesc &op) { return prepareF32(op, 16); }

} // namespace conv_2d_f32_avx512

namespace depthwise_conv_2d_s8_few_avx2 {

std::string reject(const OperatorDesc &op) {
  return rejectFewChannels(op, 1, depthwise_conv_2d_s8::reject, conv_2d_s8_avx2::reject);
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  return prepareFewChannels(op, conv_2d_s8_avx2::prepare, "conv_2d_s8");
}

} // namespace depthwise_conv_2d_s8_few_avx2

namespace depthwise_conv_2d_s8_few_avx512vnni {

std::string reject(const OperatorDesc &op) {
  return rejectFewChannels(op, 1, depthwise_conv_2d_s8::reject, conv_2d_s8_avx512vnni::reject);
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  return prepareFewChannels(op, conv_2d_s8_avx512vnni::prepare, "conv_2d_s8");
}

} // namespace depthwise_conv_2d_s8_few_avx512vnni

} // namespace aotc
