// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/simplify/PortableKernel.h"

#include "targets/generic/Table.h"

using namespace mlir;
using namespace aotc;

std::optional<KernelCall> simplify::portableCall(const OperatorDesc &desc) {
  KernelChoice choice = chooseKernel(desc, *findTarget("host"), "ref");
  if (!choice.row)
    return std::nullopt;
  llvm::Expected<KernelCall> call = choice.row->prepare(desc);
  if (call)
    return std::move(*call);
  llvm::consumeError(call.takeError());
  return std::nullopt;
}

std::vector<char> simplify::byteTable(Operation *op) {
  auto node = dyn_cast<nn::NNOpInterface>(op);
  auto bytes = [](Value value) {
    return dtypeSize(nn::toDType(cast<RankedTensorType>(value.getType()).getElementType())) == 1;
  };
  if (!node || node.isReshape() || op->getNumOperands() != 1 || !bytes(op->getOperand(0)) ||
      !bytes(op->getResult(0)))
    return {};
  std::optional<KernelCall> call = portableCall(nn::describeOperator(node));
  return call ? tableOf(*call).vec() : std::vector<char>();
}
