// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/NNDialect.h"

using namespace mlir;
using namespace aotc;
using namespace aotc::nn;

OperatorOptions ReluOp::describe() { return UnaryOptions{}; }
OperatorOptions Relu6Op::describe() { return UnaryOptions{}; }
OperatorOptions LogisticOp::describe() { return UnaryOptions{}; }

LogicalResult ReluOp::verify() { return success(); }
LogicalResult Relu6Op::verify() { return success(); }
LogicalResult LogisticOp::verify() { return success(); }
