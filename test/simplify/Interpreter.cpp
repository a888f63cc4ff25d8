// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Interpreter.h"

#include "compiler/lower/KernelSelect.h"
#include "test/kernels/Harness.h"

#include <catch2/catch.hpp>

namespace aotc::test {

using Values = llvm::DenseMap<mlir::Value, std::vector<char>>;

static std::vector<char> runOperator(nn::NNOpInterface op, const Values &values) {
  if (op.isReshape())
    return values.lookup(op->getOperand(0));
  Case c;
  c.op = lower::describeForKernel(op);
  for (mlir::Value operand : op->getOperands())
    c.inputs.push_back(values.lookup(operand));
  KernelChoice choice = chooseKernel(c.op, *findTarget("host"), "ref");
  INFO(choice.remark);
  REQUIRE(choice.row);
  auto call = choice.row->prepare(c.op);
  REQUIRE(bool(call));
  return runKernel(*call, c);
}

std::vector<std::vector<char>> interpret(mlir::func::FuncOp function,
                                         const std::vector<std::vector<char>> &arguments) {
  Values values;
  for (auto [argument, bytes] : llvm::zip_equal(function.getArguments(), arguments))
    values[argument] = bytes;
  std::vector<std::vector<char>> results;
  for (mlir::Operation &op : function.getBody().front()) {
    if (auto constant = llvm::dyn_cast<nn::ConstantOp>(op))
      values[constant.getResult()] =
          nn::denseBytes(llvm::cast<mlir::DenseElementsAttr>(constant.getValue()));
    else if (auto node = llvm::dyn_cast<nn::NNOpInterface>(op))
      values[op.getResult(0)] = runOperator(node, values);
    else
      for (mlir::Value result : op.getOperands())
        results.push_back(values.lookup(result));
  }
  return results;
}

} // namespace aotc::test
