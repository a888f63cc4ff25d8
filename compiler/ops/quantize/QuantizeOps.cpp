// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/NNDialect.h"

using namespace mlir;
using namespace aotc;
using namespace aotc::nn;

OperatorOptions QuantizeOp::describe() { return UnaryOptions{}; }
OperatorOptions DequantizeOp::describe() { return UnaryOptions{}; }

LogicalResult QuantizeOp::verify() { return success(); }
LogicalResult DequantizeOp::verify() { return success(); }
