// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host side of RELU, RELU6, LOGISTIC, TABLE, QUANTIZE and DEQUANTIZE. Every function
// of one 8-bit operand becomes a table of its 256 results, computed here with
// integers or with float steps that round the same on every host.
#include "targets/generic/Checks.h"
#include "targets/generic/Overlap.h"
#include "targets/generic/Requantize.h"
#include "targets/generic/Table.h"
#include "targets/generic/kernels/elementwise.h"
#include "targets/generic/kernels/fixed_point.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cmath>

namespace aotc {
namespace {

std::string rejectUnary(const OperatorDesc &op, DType in, DType out) {
  if (std::string reason = rejectInOut<UnaryOptions>(op, in, out); !reason.empty())
    return reason;
  return rejectShapeChange(op.inputs[0], op.outputs[0]);
}

std::string rejectQuantized(const OperatorDesc &op, DType in, DType out) {
  if (std::string reason = rejectUnary(op, in, out); !reason.empty())
    return reason;
  return firstReason([&] { return rejectPerTensorQuant(op.inputs[0], "input"); },
                     [&] { return rejectPerTensorQuant(op.outputs[0], "output"); });
}

/// `symbol` only of a device function that several rows share.
KernelCall unaryCall(const OperatorDesc &op, std::string symbol = "") {
  KernelCall call;
  call.symbol = std::move(symbol);
  call.shape = paramWords(aotc_unary_shape{int32_t(op.outputs[0].elements())});
  call.layer = paramWords(aotc_no_layer{0});
  call.operands = {0};
  call.overlaps = {overlapOf(pixelByPixel(op.outputs[0].elements(), dtypeSize(op.inputs[0].type),
                                          dtypeSize(op.outputs[0].type), 1))};
  return call;
}

/// A device function's name without its level.
constexpr llvm::StringLiteral kTableFunction = "aotc_table_s8__";

/// out = bytes[in].
KernelCall tableCall(const OperatorDesc &op, std::vector<char> bytes) {
  KernelData table;
  table.name = "table";
  table.align = 1;
  table.bytes = std::move(bytes);
  KernelCall call = unaryCall(op, (kTableFunction + "ref").str());
  call.data.push_back(std::move(table));
  return call;
}

/// out = f(x) for x in the range of the operand's type, clamped to the
/// result's.
KernelCall tableCall(const OperatorDesc &op, llvm::function_ref<int32_t(int32_t)> f) {
  ClampRange from = quantizedClamp(Activation::none, op.inputs[0]);
  std::vector<char> bytes(256);
  for (int32_t x = from.min; x <= from.max; ++x)
    bytes[uint8_t(x)] = char(f(x));
  return tableCall(op, std::move(bytes));
}

/// A table of the operand rescaled to the result and clamped. `ratio` is the
/// quotient of the scales.
llvm::Expected<KernelCall> rescaleCall(const OperatorDesc &op, double ratio,
                                       Activation activation) {
  llvm::Expected<FixedMultiplier> multiplier = checkedMultiplier(ratio, "ratio of the scales");
  if (!multiplier)
    return multiplier.takeError();
  const TensorDesc &in = op.inputs[0], &out = op.outputs[0];
  ClampRange clamp = quantizedClamp(activation, out);
  return tableCall(op, [&](int32_t x) {
    int64_t y =
        aotc_multiply(x - int32_t(in.quant.zeroPoint()), multiplier->mantissa, multiplier->shift);
    y += out.quant.zeroPoint();
    return int32_t(std::min<int64_t>(std::max<int64_t>(y, clamp.min), clamp.max));
  });
}

/// RELU's multiplier is a quotient of floats.
llvm::Expected<KernelCall> reluCall(const OperatorDesc &op, Activation activation) {
  return rescaleCall(op, float(op.inputs[0].quant.scale()) / float(op.outputs[0].quant.scale()),
                     activation);
}

KernelCall clampCall(const OperatorDesc &op, float max) {
  KernelCall call = unaryCall(op, "aotc_clamp_f32__ref");
  call.layer = paramWords(aotc_float_clamp_layer{floatBits(0), floatBits(max)});
  return call;
}

/// e^x within some 1e-16, from operations that IEEE 754 defines to the bit: a
/// libm may differ between hosts. x = n ln 2 + r, Taylor in r; ln 2 in two
/// parts, the first with 32 bits, so that n times it is exact.
double portableExp(double x) {
  if (x < -746)
    return 0;
  if (x > 710)
    return HUGE_VAL;
  double n = std::floor(x * 0x1.71547652b82fep0 + 0.5);
  double r = (x - n * 0x1.62e42feep-1) - n * 0x1.a39ef35793c76p-33;
  double sum = 1;
  for (int k = 16; k > 0; --k) // |r| < 0.35: r^17 / 17! < 2^-74
    sum = 1 + r * sum / k;
  return std::ldexp(sum, int(n));
}

llvm::Expected<KernelCall> quantizeFloat(const OperatorDesc &op, const char *symbol) {
  const TensorDesc &out = op.outputs[0];
  ClampRange clamp = quantizedClamp(Activation::none, out);
  KernelCall call = unaryCall(op, symbol);
  call.layer = paramWords(aotc_quantize_layer{
      floatBits(float(out.quant.scale())), int32_t(out.quant.zeroPoint()), clamp.min, clamp.max});
  return call;
}

/// The sizes before, along and after the axis of the scales.
aotc_dequantize_shape dequantizeShape(const TensorDesc &in) {
  aotc_dequantize_shape shape = {1, 1, int32_t(in.elements())};
  if (!in.quant.perChannel())
    return shape;
  shape.inner = 1;
  for (int i = 0; i < int(in.shape.size()); ++i)
    (i < in.quant.axis    ? shape.outer
     : i == in.quant.axis ? shape.channels
                          : shape.inner) *= int32_t(in.shape[i]);
  return shape;
}

std::string rejectDequantize(const OperatorDesc &op, DType in) {
  if (std::string reason = rejectUnary(op, in, DType::f32); !reason.empty())
    return reason;
  TensorDesc tensor = op.inputs[0];
  const Quantization quant = tensor.quant;
  if (quant.perChannel()) {
    if (quant.axis < 0 || quant.axis >= int(tensor.shape.size()) ||
        tensor.shape[quant.axis] != int64_t(quant.scales.size()))
      return "number of scales";
    if (quant.zeroPoints.size() != 1 && quant.zeroPoints.size() != quant.scales.size())
      return "number of zero points";
  }
  for (size_t c = 0; c < std::max<size_t>(quant.scales.size(), 1); ++c) {
    if (quant.perChannel())
      tensor.quant = {{quant.scale(c)}, {quant.zeroPoint(c)}, -1};
    if (std::string reason = rejectPerTensorQuant(tensor, "input"); !reason.empty())
      return reason;
  }
  return "";
}

llvm::Expected<KernelCall> dequantizeCall(const OperatorDesc &op) {
  const TensorDesc &in = op.inputs[0];
  std::vector<int32_t> scales, zeroPoints;
  for (size_t c = 0; c < in.quant.scales.size(); ++c) {
    scales.push_back(floatBits(float(in.quant.scale(c))));
    zeroPoints.push_back(int32_t(in.quant.zeroPoint(c)));
  }
  KernelCall call = unaryCall(op);
  call.shape = paramWords(dequantizeShape(in));
  call.data = {wordData("scales", scales), wordData("zero_points", zeroPoints)};
  return call;
}

} // namespace

llvm::ArrayRef<char> tableOf(const KernelCall &call) {
  return llvm::StringRef(call.symbol).starts_with(kTableFunction)
             ? llvm::ArrayRef<char>(call.data[0].bytes)
             : llvm::ArrayRef<char>();
}

namespace relu_s8 {
std::string reject(const OperatorDesc &op) { return rejectQuantized(op, DType::s8, DType::s8); }
llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  return reluCall(op, Activation::relu);
}
} // namespace relu_s8

namespace relu6_s8 {
std::string reject(const OperatorDesc &op) { return rejectQuantized(op, DType::s8, DType::s8); }
llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  return reluCall(op, Activation::relu6);
}
} // namespace relu6_s8

namespace relu_f32 {
std::string reject(const OperatorDesc &op) { return rejectUnary(op, DType::f32, DType::f32); }
llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  // Unlike a fused RELU, which ends at the largest finite float.
  return clampCall(op, HUGE_VALF);
}
} // namespace relu_f32

namespace relu6_f32 {
std::string reject(const OperatorDesc &op) { return rejectUnary(op, DType::f32, DType::f32); }
llvm::Expected<KernelCall> prepare(const OperatorDesc &op) { return clampCall(op, 6); }
} // namespace relu6_f32

namespace logistic_s8 {
std::string reject(const OperatorDesc &op) { return rejectQuantized(op, DType::s8, DType::s8); }
llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  // Each step is rounded to float, as in the reference; only its exponential is
  // allowed to be better.
  const Quantization &in = op.inputs[0].quant, &out = op.outputs[0].quant;
  float inverseScale = 1.0f / float(out.scale());
  return tableCall(op, [&](int32_t q) {
    float x = float(in.scale()) * float(q - int32_t(in.zeroPoint()));
    float y = 1.0f / (1.0f + float(portableExp(-double(x))));
    float steps = std::round(y * inverseScale) + float(out.zeroPoint());
    return int32_t(std::min(std::max(steps, -128.0f), 127.0f));
  });
}
} // namespace logistic_s8

namespace logistic_f32 {
std::string reject(const OperatorDesc &op) { return rejectUnary(op, DType::f32, DType::f32); }
llvm::Expected<KernelCall> prepare(const OperatorDesc &op) { return unaryCall(op); }
} // namespace logistic_f32

/// Of one byte, to one byte of any meaning.
static std::string rejectTable(const OperatorDesc &op, DType type) {
  if (std::string reason = rejectSignature<TableOptions>(op, 1, 1); !reason.empty())
    return reason;
  const TensorDesc &in = op.inputs[0], &out = op.outputs[0];
  if (out.type != DType::s8 && out.type != DType::u8)
    return "output has not 8 bits";
  return firstReason([&] { return rejectTensor(in, type, "input"); },
                     [&] { return rejectTensor(out, out.type, "output"); },
                     [&] { return rejectShapeChange(in, out); },
                     [&]() -> std::string {
                       return op.as<TableOptions>().table.size() == 256 ? "" : "size of the table";
                     });
}

#define AOTC_TABLE(In)                                                                             \
  namespace table_##In {                                                                           \
    std::string reject(const OperatorDesc &op) { return rejectTable(op, DType::In); }              \
    llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {                                   \
      return tableCall(op, op.as<TableOptions>().table);                                           \
    }                                                                                              \
  }
AOTC_TABLE(s8)
AOTC_TABLE(u8)
#undef AOTC_TABLE

/// QUANTIZE between 8-bit types.
static llvm::Expected<KernelCall> requantize(const OperatorDesc &op) {
  return rescaleCall(op, op.inputs[0].quant.scale() / op.outputs[0].quant.scale(),
                     Activation::none);
}

static std::string rejectQuantizeFloat(const OperatorDesc &op, DType type) {
  if (std::string reason = rejectUnary(op, DType::f32, type); !reason.empty())
    return reason;
  return rejectPerTensorQuant(op.outputs[0], "output");
}

#define AOTC_QUANTIZE(In, Out)                                                                     \
  namespace quantize_##In##_##Out {                                                                \
    std::string reject(const OperatorDesc &op) {                                                   \
      return rejectQuantized(op, DType::In, DType::Out);                                           \
    }                                                                                              \
    llvm::Expected<KernelCall> prepare(const OperatorDesc &op) { return requantize(op); }          \
  }
AOTC_QUANTIZE(s8, s8)
AOTC_QUANTIZE(s8, u8)
AOTC_QUANTIZE(u8, s8)
AOTC_QUANTIZE(u8, u8)
#undef AOTC_QUANTIZE

#define AOTC_QUANTIZE_F32(Out, Symbol)                                                             \
  namespace quantize_f32_##Out {                                                                   \
    std::string reject(const OperatorDesc &op) { return rejectQuantizeFloat(op, DType::Out); }     \
    llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {                                   \
      return quantizeFloat(op, Symbol);                                                            \
    }                                                                                              \
  }
AOTC_QUANTIZE_F32(s8, "aotc_quantize_f32_s8__ref")
AOTC_QUANTIZE_F32(u8, "aotc_quantize_f32_s8__ref") // a byte is a byte
AOTC_QUANTIZE_F32(s16, "aotc_quantize_f32_s16__ref")
#undef AOTC_QUANTIZE_F32

/// kernels/quantize_f32_lanes.h: a block is read before it is written.
static llvm::Expected<KernelCall> quantizeBlocks(const OperatorDesc &op, const char *symbol) {
  llvm::Expected<KernelCall> call = quantizeFloat(op, symbol);
  if (!call)
    return call;
  PixelWalk walk = pixelByPixel(op.outputs[0].elements(), dtypeSize(DType::f32), 1, 1);
  walk.pixelsAtOnce = AOTC_QUANTIZE_BLOCK;
  call->overlaps = {overlapOf(walk)};
  return call;
}

#define AOTC_QUANTIZE_BLOCKS(Out, Level)                                                           \
  namespace quantize_f32_##Out##_##Level {                                                         \
    std::string reject(const OperatorDesc &op) { return rejectQuantizeFloat(op, DType::Out); }     \
    llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {                                   \
      return quantizeBlocks(op, "aotc_quantize_f32_s8__" #Level);                                  \
    }                                                                                              \
  }
AOTC_QUANTIZE_BLOCKS(s8, neon)
AOTC_QUANTIZE_BLOCKS(u8, neon)
AOTC_QUANTIZE_BLOCKS(s8, avx2)
AOTC_QUANTIZE_BLOCKS(u8, avx2)
AOTC_QUANTIZE_BLOCKS(s8, avx512)
AOTC_QUANTIZE_BLOCKS(u8, avx512)
#undef AOTC_QUANTIZE_BLOCKS

#define AOTC_DEQUANTIZE(In)                                                                        \
  namespace dequantize_##In {                                                                      \
    std::string reject(const OperatorDesc &op) { return rejectDequantize(op, DType::In); }         \
    llvm::Expected<KernelCall> prepare(const OperatorDesc &op) { return dequantizeCall(op); }      \
  }
AOTC_DEQUANTIZE(s8)
AOTC_DEQUANTIZE(u8)
AOTC_DEQUANTIZE(s16)
#undef AOTC_DEQUANTIZE

/// Rows of a level with the host side of the portable ones, several of which share one
/// device function.
#define AOTC_SHARED(Row, Function, Level)                                                          \
  namespace Row##_##Level {                                                                        \
    std::string reject(const OperatorDesc &op) { return Row::reject(op); }                         \
    llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {                                   \
      llvm::Expected<KernelCall> call = Row::prepare(op);                                          \
      if (call)                                                                                    \
        call->symbol = "aotc_" Function "__" #Level;                                               \
      return call;                                                                                 \
    }                                                                                              \
  }

/// kernels/lanes_f32.h
#define AOTC_CLAMPS(Level)                                                                         \
  AOTC_SHARED(relu_f32, "clamp_f32", Level)                                                        \
  AOTC_SHARED(relu6_f32, "clamp_f32", Level)
AOTC_CLAMPS(fpu)
AOTC_CLAMPS(mve)
AOTC_CLAMPS(neon)
AOTC_CLAMPS(avx2)
AOTC_CLAMPS(avx512)
#undef AOTC_CLAMPS

/// kernels/table_s8.h
#define AOTC_TABLES(Level)                                                                         \
  AOTC_SHARED(relu_s8, "table_s8", Level)                                                          \
  AOTC_SHARED(relu6_s8, "table_s8", Level)                                                         \
  AOTC_SHARED(logistic_s8, "table_s8", Level)                                                      \
  AOTC_SHARED(table_s8, "table_s8", Level)                                                         \
  AOTC_SHARED(table_u8, "table_s8", Level)                                                         \
  AOTC_SHARED(quantize_s8_s8, "table_s8", Level)                                                   \
  AOTC_SHARED(quantize_s8_u8, "table_s8", Level)                                                   \
  AOTC_SHARED(quantize_u8_s8, "table_s8", Level)                                                   \
  AOTC_SHARED(quantize_u8_u8, "table_s8", Level)
AOTC_TABLES(neon)
AOTC_TABLES(avx2)
#undef AOTC_TABLES
#undef AOTC_SHARED

} // namespace aotc
