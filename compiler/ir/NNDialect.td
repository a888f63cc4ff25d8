// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The graph dialect: one operation per network operator, TFLite's arithmetic,
// NHWC, quantised element types. The operations themselves live with their
// family in compiler/ops/.
#ifndef AOTC_IR_NNDIALECT_TD
#define AOTC_IR_NNDIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def NN_Dialect : Dialect {
  let name = "nn";
  let cppNamespace = "::aotc::nn";
  let summary = "neural networks as graphs of tensors";
  let description = [{
    SSA values are statically shaped ranked tensors. Quantised tensors have
    `!quant.uniform` element types (activations and weights only; biases are
    plain i32 or i64). The result of every operation is, bit for bit, what
    TFLite's reference kernel computes.
  }];
  let dependentDialects = ["::mlir::quant::QuantDialect", "::mlir::func::FuncDialect"];
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
}

class NN_Attr<string name, string attrMnemonic> : AttrDef<NN_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def NN_OriginAttr : NN_Attr<"Origin", "origin"> {
  let summary = "where in the user's file an operation comes from";
  let description = [{
    `index` counts the operators of the file, `code` is TFLite's or ONNX's name
    of it, `tensors` and `names` are those of the results that survive.

    ```mlir
    #nn.origin<index = 3, code = "CONV_2D", tensors = [17], names = ["conv/Relu"]>
    ```
  }];
  let parameters = (ins "int64_t":$index, "::mlir::StringAttr":$code,
      ArrayRefParameter<"int64_t">:$tensors,
      ArrayRefParameter<"::mlir::StringAttr">:$names);
  let assemblyFormat = [{
    `<` `index` `=` $index `,` `code` `=` $code `,` `tensors` `=` `[` $tensors `]`
    `,` `names` `=` `[` $names `]` `>`
  }];
}

def NN_Activation : I32EnumAttr<"ActivationKind", "fused activation", [
    I32EnumAttrCase<"none", 0>, I32EnumAttrCase<"relu", 1>,
    I32EnumAttrCase<"relu_n1_to_1", 2>, I32EnumAttrCase<"relu6", 3>]> {
  let cppNamespace = "::aotc::nn";
  let genSpecializedAttr = 0;
}
def NN_ActivationAttr : EnumAttr<NN_Dialect, NN_Activation, "act"> {
  let assemblyFormat = "`<` $value `>`";
}

def NN_OpInterface : OpInterface<"NNOpInterface"> {
  let cppNamespace = "::aotc::nn";
  let description = [{What passes and `lower` may know of a graph operation.}];
  let methods = [
    InterfaceMethod<[{The operator's attributes as plain data; `lower` hands
      them, with the tensors, to the kernels.}],
      "::aotc::OperatorOptions", "describe", (ins)>,
    InterfaceMethod<[{True if the result is the operand's bytes under another
      shape: lowered to a view, never to a kernel.}],
      "bool", "isReshape", (ins), [{}], [{ return false; }]>,
    InterfaceMethod<[{True if the kernels clamp the result as the attribute
      `activation` says: a RELU behind the operation may move into it. (The
      reference refuses CONCATENATION with an activation.)}],
      "bool", "fusesActivation", (ins), [{}], [{ return false; }]>,
    InterfaceMethod<[{Where the operation comes from, or null.}],
      "::aotc::nn::OriginAttr", "getOriginAttr", (ins)>,
  ];
}

/// A graph operation: pure, one attribute for its origin.
class NN_Op<string mnemonic, list<Trait> traits = []> :
    Op<NN_Dialect, mnemonic, !listconcat(traits, [Pure,
       DeclareOpInterfaceMethods<NN_OpInterface, ["describe"]>])> {
  let hasVerifier = 1;
}

/// What every operand and result is. The last predicates keep sizes within 32
/// bits, and quantised types to the ranges TFLite's arithmetic has.
def NN_Tensor : Type<And<[IsRankedTensorTypePred, HasStaticShapePred,
    CPred<"::aotc::nn::storageBytes(::llvm::cast<::mlir::ShapedType>($_self)).has_value()">,
    CPred<"::aotc::nn::hasWholeRange(::llvm::cast<::mlir::ShapedType>($_self).getElementType())">]>,
    "statically shaped tensor of integers, floats or whole-range quantised integers, "
    "at most 2147483647 bytes", "::mlir::RankedTensorType">;
def NN_OptionalTensor : Optional<NN_Tensor>;

#endif // AOTC_IR_NNDIALECT_TD
