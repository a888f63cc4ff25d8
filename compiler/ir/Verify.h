// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules that the verifiers of several operator families share. Each emits its
// error on `op` and says which dimension or operand breaks it.
#pragma once

#include "compiler/ir/NNDialect.h"
#include "compiler/support/Text.h"

namespace aotc::nn {

/// All values are float32, or all are quantised with one storage type.
llvm::LogicalResult verifyArithmetic(mlir::Operation *op, mlir::ValueRange values);
/// None is quantised per channel.
llvm::LogicalResult verifyPerTensor(mlir::Operation *op, mlir::ValueRange values);
/// If quantised per channel, then along `axis`.
llvm::LogicalResult verifyChannelAxis(mlir::Operation *op, mlir::Value value, int64_t axis);
/// Absent, or `channels` elements of i32 or i64 (quantised `input`) or f32.
llvm::LogicalResult verifyBias(mlir::Operation *op, mlir::Value bias, mlir::Value input,
                               int64_t channels);
llvm::LogicalResult verifyRank(mlir::Operation *op, mlir::Value value, llvm::StringRef name,
                               int64_t rank);
llvm::LogicalResult verifyShape(mlir::Operation *op, mlir::Value value,
                                llvm::ArrayRef<int64_t> expected);

/// A window that slides over the height and width of `input` (NHWC). `window`,
/// `strides`, `dilations` are [h, w], `padding` is [top, left, bottom, right].
struct SlidingWindow {
  llvm::ArrayRef<int64_t> window, strides, dilations, padding;
};
/// All positive (padding: not negative, less than the dilated window), the
/// padded input holds the window; `output` is NHWC with `channels` channels
/// and the size that follows.
llvm::LogicalResult verifySlidingWindow(mlir::Operation *op, mlir::Value input, mlir::Value output,
                                        int64_t channels, const SlidingWindow &sliding);

} // namespace aotc::nn
