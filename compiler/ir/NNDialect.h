// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `nn` dialect: graph operations on quantised tensors (NNDialect.td), with
// all operator families of compiler/ops/.
#pragma once

#include "compiler/support/Operator.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <optional>

#include "compiler/ir/NNDialect.h.inc"
#include "compiler/ir/NNEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "compiler/ir/NNAttributes.h.inc"
#include "compiler/ir/NNInterfaces.h.inc"
#define GET_OP_CLASSES
#include "compiler/ops/AllOps.h.inc"

namespace aotc::nn {

/// Names of discardable attributes on a function's arguments and results: the
/// user's tensor name (string) and its number in the file (i64).
inline constexpr llvm::StringLiteral kTensorNameAttr = "nn.name";
inline constexpr llvm::StringLiteral kTensorIndexAttr = "nn.tensor";

/// The integer or float type that is stored: i8 for !quant.uniform<i8:f32,…>.
mlir::Type storageType(mlir::Type elementType);
/// `type` with its element type replaced by the storage type.
mlir::RankedTensorType storageTensor(mlir::RankedTensorType type);
/// Element type as a kernel sees it; `none` if kernels know no such type.
DType toDType(mlir::Type elementType);
/// The inverse for types without quantisation; `type` is not none.
mlir::Type plainType(mlir::MLIRContext *context, DType type);
/// The quantisation of an element type; empty if it is not quantised.
Quantization toQuantization(mlir::Type elementType);
/// A quantised element type from plain data. Storage must be s8, u8 or s16.
/// Emits an error and returns null where quant's or our own rules fail (zero
/// point outside the storage type, scale not positive and finite).
mlir::Type makeQuantizedType(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
                             mlir::MLIRContext *context, DType storage, const Quantization &quant);
/// The value behind a chain of reshapes, whose bytes they show: the value
/// itself if no reshape makes it.
mlir::Value reshapeRoot(mlir::Value value);
/// No tensor and no buffer is larger: sizes and offsets fit 32 bits.
inline constexpr int64_t kLargestBytes = (int64_t(1) << 31) - 1;
/// Bytes of a statically shaped tensor or memref of storage or quantised
/// elements, booleans one byte each. Nothing for other element types and for
/// more than kLargestBytes.
std::optional<int64_t> storageBytes(mlir::ShapedType type);
/// Whether a quantised type uses all values of its storage type, as TFLite's
/// do (kernels clamp to nothing narrower); true for other types.
bool hasWholeRange(mlir::Type elementType);
/// The value's constant storage elements, or null.
mlir::ElementsAttr constantValue(mlir::Value value);
/// All elements of a dense constant as little-endian bytes, booleans one byte
/// each. (getRawData() holds one element only where all are equal.)
std::vector<char> denseBytes(mlir::DenseElementsAttr value);
/// Shape, type, quantisation and constant bytes of a value (absent: none).
TensorDesc describeTensor(mlir::Value value);
/// The whole operator as kernels see it.
OperatorDesc describeOperator(NNOpInterface op);
/// The activation of support/Operator.h.
inline Activation toActivation(ActivationKind kind) { return static_cast<Activation>(kind); }

} // namespace aotc::nn
