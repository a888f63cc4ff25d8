// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The choice itself is chooseKernel's (targets/); here it is made for a whole
// graph, and refusals become diagnostics in the user's words.
#include "compiler/lower/KernelSelect.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace aotc;
using namespace aotc::lower;

OperatorDesc lower::describeForKernel(nn::NNOpInterface op) {
  OperatorDesc desc = nn::describeOperator(op);
  for (auto [operand, input] : llvm::zip_equal(op->getOperands(), desc.inputs)) {
    Value root = nn::reshapeRoot(operand);
    if (root == operand)
      continue;
    TensorDesc source = nn::describeTensor(root);
    input.isConstant = source.isConstant;
    input.constant = source.constant;
    input.expanded = source.expanded;
  }
  return desc;
}

/// "operator 3 (CONV_2D) 'name'"; operations that come from no file are
/// counted by `position`.
static std::string operatorLabel(nn::NNOpInterface op, int64_t position) {
  std::string code = op->getName().stripDialect().upper();
  std::string name;
  if (nn::OriginAttr origin = op.getOriginAttr()) {
    position = origin.getIndex();
    code = origin.getCode().str();
    if (!origin.getNames().empty())
      name = " '" + origin.getNames().front().str() + "'";
  }
  return ("operator " + Twine(position) + " (" + code + ")" + name).str();
}

FailureOr<KernelSelection> lower::selectKernels(func::FuncOp function, const TargetSpec &target,
                                                StringRef onlyLevel) {
  KernelSelection selection;
  bool failed = false;
  int64_t position = 0;
  for (Operation &operation : function.getBody().front()) {
    auto op = dyn_cast<nn::NNOpInterface>(operation);
    if (!op || op.isReshape())
      continue;
    std::string label = operatorLabel(op, position++);
    OperatorDesc desc = describeForKernel(op);
    KernelChoice choice = chooseKernel(desc, target, onlyLevel);
    if (!choice.row) {
      failed = true;
      InFlightDiagnostic error = op.emitError("unsupported: ");
      error << label << ": " << (choice.remark.empty() ? "no kernel computes it" : choice.remark);
      if (onlyLevel.empty())
        error << "; convert this part of the model to int8 or float32, or "
                 "compute it in the application";
      else
        error << "; kernels were restricted to level '" << onlyLevel << "', allow all of them";
      continue;
    }
    llvm::Expected<KernelCall> call = choice.row->prepare(desc);
    if (!call) {
      failed = true;
      op.emitError("unsupported: ")
          << label << ": " << llvm::toString(call.takeError())
          << "; convert the model again with sane quantisation parameters";
      continue;
    }
    selection.insert({op, {std::move(*call), std::move(choice.remark)}});
  }
  if (failed)
    return failure();
  return std::move(selection);
}
