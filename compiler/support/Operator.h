// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plain description of one network operator: what a kernel's host side sees
// of it. Knows neither MLIR nor TFLite, so that kernels build and test alone.
// `nn` operations produce it (NNOpInterface::describe), `targets/` consumes it.
#pragma once

#include "compiler/support/DType.h"
#include "compiler/support/Optimize.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace aotc {

/// Affine quantisation, real = scale * (stored - zeroPoint). One entry is per
/// tensor, several are per channel along `axis`; empty means not quantised.
struct Quantization {
  std::vector<double> scales;
  std::vector<int64_t> zeroPoints;
  int axis = -1;

  bool empty() const { return scales.empty(); }
  bool perChannel() const { return scales.size() > 1; }
  double scale(size_t channel = 0) const { return perChannel() ? scales[channel] : scales[0]; }
  int64_t zeroPoint(size_t channel = 0) const {
    return zeroPoints.size() > 1 ? zeroPoints[channel] : zeroPoints[0];
  }
};

/// One operand or result. `constant` holds its little-endian bytes when the
/// value is known at compile time; it points into the IR, which outlives it, or
/// into `expanded` where the IR stores less than all elements (splats).
struct TensorDesc {
  DType type = DType::none;
  std::vector<int64_t> shape;
  Quantization quant;
  llvm::ArrayRef<char> constant;
  std::shared_ptr<const std::vector<char>> expanded;
  bool isConstant = false;
  std::string name; ///< the user's name, for remarks

  bool present() const { return type != DType::none; }
  int64_t elements() const;
  int64_t bytes() const { return elements() * dtypeSize(type); }
};

/// TFLite's ActivationFunctionType, as far as quantised kernels fuse it.
enum class Activation : uint8_t { none, relu, relu_n1_to_1, relu6 };

/// Zero-point (or zero) padding in elements, resolved from SAME/VALID on import.
struct Padding {
  int64_t top = 0, left = 0, bottom = 0, right = 0;
};

/// CONV_2D (weights OHWI; groups = Cin / I) and DEPTHWISE_CONV_2D (weights
/// 1HWC; output channel = input channel * depthMultiplier + m). Operands:
/// input NHWC, weights, bias (may be absent).
struct Conv2DOptions {
  int64_t strideH = 1, strideW = 1, dilationH = 1, dilationW = 1;
  Padding padding;
  int64_t groups = 1;          ///< CONV_2D only
  int64_t depthMultiplier = 1; ///< DEPTHWISE_CONV_2D only
  Activation activation = Activation::none;
};
/// FULLY_CONNECTED. Operands: input (leading dimensions are rows), weights
/// [out, in], bias (may be absent).
struct FullyConnectedOptions {
  Activation activation = Activation::none;
};
/// AVERAGE_POOL_2D (padding does not count in the divisor), MAX_POOL_2D.
struct Pool2DOptions {
  int64_t filterH = 1, filterW = 1, strideH = 1, strideW = 1;
  Padding padding;
  Activation activation = Activation::none;
};
/// ADD, MUL: two operands, NumPy broadcasting.
struct BinaryOptions {
  Activation activation = Activation::none;
};
/// RELU, RELU6, LOGISTIC, QUANTIZE, DEQUANTIZE: one operand, no attributes.
struct UnaryOptions {};
/// TABLE: the result of the operand's byte x, read without sign, is table[x].
struct TableOptions {
  std::vector<char> table; ///< 256
};
/// SOFTMAX along the last axis: exp(beta * x) / sum.
struct SoftmaxOptions {
  double beta = 1.0;
};
/// MEAN. `axes` are non-negative, ascending and unique.
struct ReduceOptions {
  std::vector<int64_t> axes;
  bool keepDims = false;
};
/// PAD: elements before and after each axis, filled with zero (the zero point).
struct PadOptions {
  std::vector<int64_t> before, after;
};
/// TRANSPOSE: dimension i of the output is dimension perm[i] of the input.
struct TransposeOptions {
  std::vector<int64_t> perm;
};
/// CONCATENATION along a non-negative axis, any number of operands.
struct ConcatOptions {
  int64_t axis = 0;
  Activation activation = Activation::none;
};
/// RESHAPE, SQUEEZE, EXPAND_DIMS: same bytes, other shape.
struct ReshapeOptions {};

using OperatorOptions =
    std::variant<Conv2DOptions, FullyConnectedOptions, Pool2DOptions, BinaryOptions, UnaryOptions,
                 TableOptions, SoftmaxOptions, ReduceOptions, PadOptions, TransposeOptions,
                 ConcatOptions, ReshapeOptions>;

/// One operator: `op` is the `nn` operation's name without prefix, e.g.
/// "conv_2d", "depthwise_conv_2d", "fully_connected", "average_pool_2d".
struct OperatorDesc {
  std::string op;
  std::vector<TensorDesc> inputs;
  std::vector<TensorDesc> outputs;
  OperatorOptions options;
  Optimize optimize = Optimize::balanced; ///< what packing may trade for what

  template <typename T> const T &as() const { return std::get<T>(options); }
};

} // namespace aotc
