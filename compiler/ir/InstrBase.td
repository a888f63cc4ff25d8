// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instruction dialect itself and its enumerations (apart, because
// mlir-tblgen emits the enumerations of included files too).
#ifndef AOTC_IR_INSTRBASE_TD
#define AOTC_IR_INSTRBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Instr_Dialect : Dialect {
  let name = "instr";
  let cppNamespace = "::aotc::instr";
  let summary = "low-level instructions on buffers";
  let description = [{
    A function is one straight line of instructions on statically shaped
    memrefs of storage types. Every byte of memory, scratch and inputs and
    outputs included, is an `instr.alloc`; a buffer lives from its alloc to its
    dealloc. Inputs are written by the caller before the first instruction and
    outputs read after the last.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect", "::mlir::func::FuncDialect",
                           "::aotc::nn::NNDialect"];
  let useDefaultAttributePrinterParser = 1;
}

class Instr_Attr<string name, string attrMnemonic> : AttrDef<Instr_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Instr_Role : I32EnumAttr<"Role", "what a buffer is for", [
    I32EnumAttrCase<"internal", 0>, I32EnumAttrCase<"scratch", 1>,
    I32EnumAttrCase<"input", 2>, I32EnumAttrCase<"output", 3>,
    I32EnumAttrCase<"state", 4>]> {
  let cppNamespace = "::aotc::instr";
  let genSpecializedAttr = 0;
}
def Instr_RoleAttr : EnumAttr<Instr_Dialect, Instr_Role, "role"> {
  let assemblyFormat = "`<` $value `>`";
}

#endif // AOTC_IR_INSTRBASE_TD
