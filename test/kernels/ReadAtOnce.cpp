// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReadAtOnce.h"

#include "targets/arm_a/kernels/depthwise_conv_2d_s8_3x3.h"
#include "targets/arm_a/kernels/fully_connected_f32.h"
#include "targets/arm_a/kernels/fully_connected_s8.h"
#include "targets/arm_m/dsp/kernels/depthwise_conv_2d_dsp.h"
#include "targets/arm_m/kernels/conv_f32.h"
#include "targets/arm_m/kernels/fully_connected_f32.h"
#include "targets/arm_m/mve/kernels/conv_2d_mve.h"
#include "targets/arm_m/thumb1/kernels/conv_2d_thumb1.h"
#include "targets/arm_m/thumb1/kernels/depthwise_conv_2d_thumb1.h"
#include "targets/arm_m/thumb2/kernels/depthwise_conv_2d_thumb2.h"
#include "targets/arm_m/thumb2/kernels/fully_connected_thumb2.h"
#include "targets/generic/kernels/elementwise.h"
#include "targets/generic/kernels/pixel_block.h"
#include "targets/x86/kernels/fully_connected.h"

#include "llvm/ADT/SmallVector.h"

#include <catch2/catch.hpp>

namespace aotc::test {

namespace {

using Rule = ReadAtOnce (*)(const KernelCall &);

ReadAtOnce elements(const KernelCall &) { return {}; }

template <int64_t N> ReadAtOnce lanes(const KernelCall &) { return {.lanes = N}; }

template <int64_t N> ReadAtOnce elementBlocks(const KernelCall &) { return {.elements = N}; }

/// Blocks of pixels; what is left of a row comes one by one, or as one more block.
template <int64_t N> ReadAtOnce pixels(const KernelCall &) { return {.pixels = N}; }
ReadAtOnce blocks(int64_t pixels) { return {.pixels = pixels, .restAtOnce = true}; }
template <int64_t N> ReadAtOnce blocks(const KernelCall &) { return blocks(N); }

/// Groups of channels; if there is scratch, a copy of the whole row is in it.
template <int64_t N, bool Reverse> ReadAtOnce groups(const KernelCall &call) {
  if (call.scratchBytes)
    return {.pixels = 1};
  return {.channels = N, .reverse = Reverse};
}

/// Parameters say how many pixels: those of a block, or those of which groups of
/// `Channels` follow one another.
ReadAtOnce pixelBlock(const KernelCall &call) {
  // The first part of the shape.
  const auto words = llvm::ArrayRef(call.shape).take_front(sizeof(aotc_pixel_block_shape) / 4);
  return blocks(paramsOf<aotc_pixel_block_shape>(words).block);
}
template <typename Shape> ReadAtOnce shapePixels(const KernelCall &call) {
  return blocks(paramsOf<Shape>(call.shape).pixels);
}
template <typename Layer> ReadAtOnce layerPixels(const KernelCall &call) {
  return blocks(paramsOf<Layer>(call.layer).pixels);
}
template <typename Shape, int64_t Channels> ReadAtOnce pixelGroups(const KernelCall &call) {
  return {.pixels = paramsOf<Shape>(call.shape).pixels, .channels = Channels};
}
ReadAtOnce pixelGroupsNeon(const KernelCall &call) {
  return {.pixels = paramsOf<aotc_depthwise_conv_2d_3x3_neon_shape>(call.shape).block,
          .channels = 8};
}

/// A vector of 16 channels, of one pixel or of as many as that is.
ReadAtOnce vectorMve(const KernelCall &) { return {.pixels = 1, .channels = 16}; }

struct Row {
  const char *function; ///< without aotc_ and level
  const char *levels;   ///< comma-separated
  Rule rule;
};

const Row table[] = {
    // Groups of channels in address order, each read before it is written, are as if
    // channels came one by one.
    {"add_s8", "thumb1,thumb2,dsp,mve,neon,avx2", elements},
    {"mul_s8", "neon,avx2", lanes<16>}, // tails: by 8, 4 and 1
    {"average_pool_2d_s8", "thumb1,thumb2,dsp,mve,neon,avx2", elements},
    {"max_pool_2d_s8", "thumb2,dsp,mve,neon,avx2", elements},
    {"mean_s8", "thumb1,thumb2,dsp,neon,avx2", elements},

    {"conv_2d_s8", "thumb2", pixels<2>},
    {"conv_2d_s8", "mve", layerPixels<aotc_conv_2d_mve_layer>},
    {"conv_2d_s8", "neon,neon_dot", pixelBlock},
    {"conv_2d_s8", "avx2,avx512vnni", pixelBlock},
    {"conv_2d_s8_1x1", "dsp", pixels<2>},
    {"conv_2d_s8_1x1", "thumb1", shapePixels<aotc_conv_2d_1x1_thumb1_shape>},
    {"conv_2d_s8_3x3", "dsp", pixels<2>},
    {"conv_2d_s8_gather", "dsp", pixels<2>},
    {"conv_2d_s8_gather", "thumb1", shapePixels<aotc_conv_2d_gather_thumb1_shape>},
    {"conv_2d_f32", "fpu,mve", blocks<AOTC_CONV_F32_PIXELS>},
    {"conv_2d_f32", "neon", pixelBlock},
    {"conv_2d_f32", "avx2,avx512", pixelBlock},

    {"depthwise_conv_2d_s8", "thumb1,thumb2,dsp,mve,avx2,avx512vnni", elements},
    {"depthwise_conv_2d_s8", "neon", pixelBlock},
    {"depthwise_conv_2d_s8_3x3", "thumb1", pixelGroups<aotc_depthwise_conv_2d_3x3_thumb1_shape, 1>},
    {"depthwise_conv_2d_s8_3x3", "thumb2", pixelGroups<aotc_depthwise_conv_2d_3x3_thumb2_shape, 1>},
    {"depthwise_conv_2d_s8_3x3", "dsp", pixelGroups<aotc_depthwise_conv_2d_3x3_dsp_shape, 4>},
    {"depthwise_conv_2d_s8_3x3", "mve", vectorMve},
    {"depthwise_conv_2d_s8_3x3", "neon", pixelGroupsNeon},
    {"depthwise_conv_2d_f32", "fpu,mve", blocks<AOTC_CONV_F32_PIXELS>},
    {"depthwise_conv_2d_f32", "neon", pixelBlock},
    {"depthwise_conv_2d_f32", "avx2,avx512", elements},

    {"fully_connected_s8", "thumb1", groups<4, false>},
    {"fully_connected_s8", "thumb2", groups<aotc_fully_connected_thumb2_group, false>},
    {"fully_connected_s8", "dsp,mve", groups<8, false>},
    {"fully_connected_s8", "neon,neon_dot", groups<AOTC_FULLY_CONNECTED_NEON_GROUP, true>},
    {"fully_connected_s8", "avx2,avx512vnni", groups<AOTC_FULLY_CONNECTED_GROUP, true>},
    {"fully_connected_f32", "fpu,mve", groups<AOTC_FULLY_CONNECTED_F32_ARM_M_GROUP, true>},
    {"fully_connected_f32", "neon", groups<AOTC_FULLY_CONNECTED_F32_NEON_GROUP, true>},
    {"fully_connected_f32", "avx2,avx512", groups<AOTC_FULLY_CONNECTED_GROUP, true>},

    {"table_s8", "neon,avx2", lanes<AOTC_TABLE_BLOCK>},
    {"quantize_f32_s8", "neon,avx2,avx512", elementBlocks<AOTC_QUANTIZE_BLOCK>},

    // generic/kernels/lanes_f32.h
    {"add_f32", "fpu,mve,neon", lanes<4>},
    {"add_f32", "avx2", lanes<8>},
    {"add_f32", "avx512", lanes<16>},
    {"mul_f32", "fpu,mve,neon", lanes<4>},
    {"mul_f32", "avx2", lanes<8>},
    {"mul_f32", "avx512", lanes<16>},
    {"clamp_f32", "fpu,mve,neon", lanes<4>},
    {"clamp_f32", "avx2", lanes<8>},
    {"clamp_f32", "avx512", lanes<16>},
    {"logistic_f32", "mve,neon", lanes<4>},
    {"logistic_f32", "avx2", lanes<8>},
    {"logistic_f32", "avx512", lanes<16>},
    {"softmax_f32", "mve,neon", lanes<4>},
    {"softmax_f32", "avx2", lanes<8>},
    {"softmax_f32", "avx512", lanes<16>},
    {"mean_f32", "fpu,mve,neon", lanes<4>},
    {"mean_f32", "avx2", lanes<8>},
    {"mean_f32", "avx512", lanes<16>},
    {"average_pool_2d_f32", "fpu,mve,neon", lanes<4>},
    {"average_pool_2d_f32", "avx2", lanes<8>},
    {"average_pool_2d_f32", "avx512", lanes<16>},
    {"max_pool_2d_f32", "fpu,mve,neon", lanes<4>},
    {"max_pool_2d_f32", "avx2", lanes<8>},
    {"max_pool_2d_f32", "avx512", lanes<16>},
};

/// Calls each(name, rule) for every function of a row.
template <typename Each> void forFunctions(Each each) {
  for (const Row &row : table) {
    llvm::SmallVector<llvm::StringRef> levels;
    llvm::StringRef(row.levels).split(levels, ',');
    for (llvm::StringRef level : levels)
      each(std::string("aotc_") + row.function + "__" + level.str(), row.rule);
  }
}

} // namespace

ReadAtOnce readAtOnce(const KernelCall &call) {
  if (llvm::StringRef(call.symbol).ends_with("__ref"))
    return {};
  Rule rule = nullptr;
  forFunctions([&](const std::string &name, Rule its) { rule = name == call.symbol ? its : rule; });
  if (!rule)
    FAIL("test/kernels/ReadAtOnce.cpp needs a row that says what "
         << call.symbol << " reads before it writes any of it");
  return rule(call);
}

std::vector<std::string> tabledFunctions() {
  std::vector<std::string> names;
  forFunctions([&](const std::string &name, Rule) { names.push_back(name); });
  return names;
}

} // namespace aotc::test
