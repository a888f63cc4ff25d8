// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For `aotc verify --tensors`: intermediate results become further results of
// the model, so that one ordinary run shows them all.
#include "compiler/simplify/Passes.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace aotc;

namespace aotc::simplify {
#define GEN_PASS_DEF_EXPOSETENSORS
#include "compiler/simplify/Passes.h.inc"
} // namespace aotc::simplify

namespace {
struct ExposeTensors : simplify::impl::ExposeTensorsBase<ExposeTensors> {
  using ExposeTensorsBase::ExposeTensorsBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    auto returnOp = cast<func::ReturnOp>(function.getBody().front().getTerminator());
    SmallVector<Value> results(returnOp.getOperands());
    llvm::SmallDenseSet<Value> known(results.begin(), results.end());
    SmallVector<DictionaryAttr> attributes;
    function.getAllResultAttrs(attributes);
    attributes.resize(results.size());

    Builder builder(&getContext());
    for (Operation &op : function.getBody().front().without_terminator()) {
      auto node = dyn_cast<nn::NNOpInterface>(op);
      nn::OriginAttr origin = node ? node.getOriginAttr() : nullptr;
      if (!origin)
        continue;
      for (auto [result, tensor, name] :
           llvm::zip(op.getResults(), origin.getTensors(), origin.getNames())) {
        if (tensor < 0 || !known.insert(result).second)
          continue;
        results.push_back(result);
        attributes.push_back(builder.getDictionaryAttr(
            {builder.getNamedAttr(nn::kTensorNameAttr, name),
             builder.getNamedAttr(nn::kTensorIndexAttr, builder.getI64IntegerAttr(tensor))}));
      }
    }
    returnOp.getOperandsMutable().assign(results);
    function.setType(
        builder.getFunctionType(function.getArgumentTypes(), ValueRange(results).getTypes()));
    for (auto [index, dictionary] : llvm::enumerate(attributes))
      function.setResultAttrs(index, dictionary);
  }
};
} // namespace
