// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instruction dialect: explicit memory, one kernel call per operator.
#ifndef AOTC_IR_INSTRDIALECT_TD
#define AOTC_IR_INSTRDIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"
include "compiler/ir/InstrBase.td"
include "compiler/ir/NNDialect.td"

def Instr_OverlapAttr : Instr_Attr<"Overlap", "overlap"> {
  let summary = "an input that dies here may share memory with an output";
  let description = [{
    `input` and `output` index the instruction's ins and outs. `ascending`:
    legal if input start - output start >= that many bytes and the kernel runs
    first to last; `descending`: legal if output start - input start >= that
    many bytes and it runs last to first. A distance that is absent is not
    allowed. `multiple`: the distance must be a multiple of it. Several rules of
    one input and output are alternatives.

    ```mlir
    #instr.overlap<input = 0, output = 0, ascending = 0, descending = 0>
    ```
  }];
  let parameters = (ins "int64_t":$input, "int64_t":$output,
      OptionalParameter<"::std::optional<int64_t>">:$ascending,
      OptionalParameter<"::std::optional<int64_t>">:$descending,
      DefaultValuedParameter<"int64_t", "1">:$multiple);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Instr_MoveAttr : Instr_Attr<"Move", "move"> {
  let summary = "bytes that an instruction copies as they are";
  let description = [{
    `bytes` bytes from `input_offset` in input `input` to `output_offset` in
    output `output`; indices as in `#instr.overlap`, offsets in bytes.

    ```mlir
    #instr.move<input = 1, input_offset = 0, output = 0, output_offset = 64, bytes = 64>
    ```
  }];
  let parameters = (ins "int64_t":$input, "int64_t":$input_offset, "int64_t":$output,
      "int64_t":$output_offset, "int64_t":$bytes);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Instr_RowsAttr : Instr_Attr<"Rows", "rows"> {
  let summary = "row geometry of a spatial kernel (targets/Kernel.h)";
  let parameters = (ins "int64_t":$batches, "int64_t":$inRows, "int64_t":$inRowBytes,
      "int64_t":$outRows, "int64_t":$outRowBytes, "int64_t":$windowRows,
      "int64_t":$stride, "int64_t":$padTop, "int64_t":$blockRows);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Instr_RegionAttr : Instr_Attr<"Region", "region"> {
  let summary = "memory that buffers may lie in";
  let description = [{
    A block of memory that the caller provides. `capacity`: bytes, absent: as
    many as needed. `cost`: of a byte in it; cheap regions fill first.
    `align`: its start is a multiple of that many bytes, if that is more than
    the target asks for. `base` or `section`: where the machine has it.
    `used`: bytes the plan takes, set by plan-memory. A function has a list of
    them, `instr.regions`; without, one region "arena" of any size.

    ```mlir
    #instr.region<name = "dtcm", capacity = 65536, cost = 1, base = 536870912>
    ```
  }];
  let parameters = (ins StringRefParameter<"">:$name,
      OptionalParameter<"::std::optional<int64_t>">:$capacity,
      DefaultValuedParameter<"int64_t", "0">:$cost,
      DefaultValuedParameter<"int64_t", "1">:$align,
      OptionalParameter<"::std::optional<int64_t>">:$base,
      StringRefParameter<"", "\"\"">:$section,
      OptionalParameter<"::std::optional<int64_t>">:$used);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Instr_OpInterface : OpInterface<"InstrOpInterface"> {
  let cppNamespace = "::aotc::instr";
  let description = [{
    All that a pass may know of an instruction that computes (kernel calls,
    copies). Passes name only alloc, dealloc, view and constant besides it.
  }];
  let methods = [
    InterfaceMethod<"Buffers read, in order.", "::mlir::OperandRange", "getIns", (ins)>,
    InterfaceMethod<"Buffers written, in order; fully overwritten.",
                    "::mlir::OperandRange", "getOuts", (ins)>,
    InterfaceMethod<"Buffers read and written in place (state).",
                    "::mlir::OperandRange", "getInouts", (ins)>,
    InterfaceMethod<"Scratch: undefined before, dead after.",
                    "::mlir::OperandRange", "getScratch", (ins)>,
    InterfaceMethod<"Which (in, out) pairs may share memory, and at which distance.",
                    "::llvm::SmallVector<::aotc::instr::OverlapAttr>", "getOverlapRules", (ins)>,
    InterfaceMethod<"Whether it runs last to first.", "bool", "getDescending", (ins)>,
    InterfaceMethod<[{If not empty, the instruction does nothing but copy these
      bytes, which write every byte of its outputs once.}],
      "::llvm::SmallVector<::aotc::instr::MoveAttr>", "getMoveList", (ins)>,
    InterfaceMethod<"Fix the direction the plan chose.", "void", "setDescending",
                    (ins "bool":$descending)>,
    InterfaceMethod<"Bytes live at the instruction, scratch excluded; absent before "
                    "annotate-used-memory.",
                    "::std::optional<uint64_t>", "getUsedMemory", (ins)>,
    InterfaceMethod<"", "void", "setUsedMemory", (ins "::std::optional<uint64_t>":$bytes)>,
    InterfaceMethod<"Bytes of scratch live at the instruction; absent as above.",
                    "::std::optional<uint64_t>", "getScratchMemory", (ins)>,
    InterfaceMethod<"", "void", "setScratchMemory", (ins "::std::optional<uint64_t>":$bytes)>,
    InterfaceMethod<"Multiply-accumulates, 0 if none.", "int64_t", "getCost", (ins)>,
  ];
}

/// Storage types of at most 2^31-1 bytes: byteSize() is defined for nothing else.
def Instr_MemRef : Type<And<[IsMemRefTypePred, HasStaticShapePred,
    CPred<"::aotc::instr::isBufferType(::llvm::cast<::mlir::MemRefType>($_self))">]>,
    "statically shaped memref of i1, i8, i16, i32, i64, f16 or f32, at most 2147483647 bytes",
    "::mlir::MemRefType">;

class Instr_Op<string mnemonic, list<Trait> traits = []> :
    Op<Instr_Dialect, mnemonic, traits>;

def Instr_AllocOp : Instr_Op<"alloc", [MemoryEffects<[MemAlloc]>]> {
  let summary = "begin the life of a buffer";
  let description = [{
    `offset` (bytes from the start of `region`) is set by plan-memory; what
    one already has of the two, it keeps. Inputs
    and outputs carry their `position` in the model's list. `align` is that of
    the offset, in bytes. `tensor` is the tensor's number in the user's file.
    `preserved`: alive to the end of the function, whatever its uses: an input
    the caller wants back, a tensor that a backward pass reads.

    ```mlir
    %0 = instr.alloc "conv/Relu" align 4 : memref<1x4x4x16xi8>
    ```
  }];
  let arguments = (ins StrAttr:$name, I64Attr:$align,
      DefaultValuedAttr<Instr_RoleAttr, "::aotc::instr::Role::internal">:$role,
      OptionalAttr<I64Attr>:$position, OptionalAttr<I64Attr>:$tensor,
      OptionalAttr<StrAttr>:$region, OptionalAttr<I64Attr>:$offset,
      UnitAttr:$preserved);
  let results = (outs Instr_MemRef:$buffer);
  let assemblyFormat = "$name `align` $align attr-dict `:` type($buffer)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Size in bytes, without alignment padding.
    int64_t getBytes();
    /// Written before the first instruction: inputs and state.
    bool livesFromStart();
    /// Read after the last instruction: outputs, state and what is preserved.
    bool livesToEnd();
  }];
}

def Instr_DeallocOp : Instr_Op<"dealloc", [MemoryEffects<[MemFree]>]> {
  let summary = "end the life of a buffer";
  let arguments = (ins Instr_MemRef:$buffer);
  let assemblyFormat = "$buffer attr-dict `:` type($buffer)";
  let hasVerifier = 1;
}

def Instr_ViewOp : Instr_Op<"view", [Pure, DeclareOpInterfaceMethods<ViewLikeOpInterface>]> {
  let summary = "part of a buffer, from a byte offset, as another type";
  let description = [{
    A view with a `name` is a tensor of the user's that lives in another's
    buffer; `origin` is then the operator that for this reason copies nothing.

    ```mlir
    %1 = instr.view %0 at 0 : memref<1x1x64xi8> -> memref<1x64xi8>
    ```
  }];
  let arguments = (ins Instr_MemRef:$source, I64Attr:$byte_offset,
      OptionalAttr<StrAttr>:$name, OptionalAttr<I64Attr>:$tensor,
      OptionalAttr<NN_OriginAttr>:$origin);
  let results = (outs Instr_MemRef:$result);
  let assemblyFormat = "$source `at` $byte_offset attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def Instr_ConstantOp : Instr_Op<"constant", [Pure]> {
  let summary = "read-only data";
  let description = [{`weights` says whether it counts as weights in the report.}];
  let arguments = (ins StrAttr:$name, ElementsAttr:$value, I64Attr:$align, UnitAttr:$weights);
  let results = (outs Instr_MemRef:$buffer);
  let assemblyFormat = "$name `align` $align $value attr-dict `:` type($buffer)";
  let hasVerifier = 1;
}

/// An instruction that computes; the interface's operand groups are the
/// accessors ODS generates for operands named ins, outs, inouts, scratch.
class Instr_ComputeOp<string mnemonic, list<Trait> traits = []> :
    Instr_Op<mnemonic, !listconcat(traits, [Instr_OpInterface,
                                            MemoryEffects<[MemRead, MemWrite]>])> {
  let hasVerifier = 1;
}

def Instr_CopyOp : Instr_ComputeOp<"copy"> {
  let summary = "copy all bytes of a buffer to another of the same size";
  let arguments = (ins Instr_MemRef:$source, Instr_MemRef:$target,
      UnitAttr:$descending, OptionalAttr<I64Attr>:$used_memory,
      OptionalAttr<I64Attr>:$scratch_memory, OptionalAttr<NN_OriginAttr>:$origin);
  let assemblyFormat = "$source `to` $target attr-dict `:` type($source) `to` type($target)";
  let extraClassDeclaration = [{
    ::mlir::OperandRange getIns() { return getODSOperands(0); }
    ::mlir::OperandRange getOuts() { return getODSOperands(1); }
    ::mlir::OperandRange getInouts() { return {operand_end(), operand_end()}; }
    ::mlir::OperandRange getScratch() { return getInouts(); }
    ::llvm::SmallVector<::aotc::instr::OverlapAttr> getOverlapRules();
    ::llvm::SmallVector<::aotc::instr::MoveAttr> getMoveList();
    int64_t getCost() { return 0; }
  }];
}

def Instr_KernelOp : Instr_ComputeOp<"kernel", [AttrSizedOperandSegments]> {
  let summary = "one call of a kernel";
  let description = [{
    `kernel` is the symbol of the device function, `level` its bitcode module
    (targets/KernelABI.h explains shape, layer, data, rows). The remaining
    attributes are the kernel's host side's answers. `scratch` is the kernel's
    own, if it has any, then the table of row pointers if that is too long for
    the stack (rowTableBytes() of targets/Kernel.h). One operation serves all
    kernels, so that a new operator needs no new instruction.

    ```mlir
    instr.kernel "aotc_relu_s8__ref" level "ref" ins(%0) outs(%1)
        shape [64] layer [0, -128, 127]
        {overlaps = [#instr.overlap<input = 0, output = 0, ascending = 0, descending = 0>]}
        : (memref<1x64xi8>, memref<1x64xi8>) -> ()
    ```
  }];
  let arguments = (ins StrAttr:$kernel, StrAttr:$level,
      Variadic<Instr_MemRef>:$ins, Variadic<Instr_MemRef>:$outs,
      Variadic<Instr_MemRef>:$inouts, Variadic<Instr_MemRef>:$scratch,
      Variadic<Instr_MemRef>:$data,
      DenseI32ArrayAttr:$shape, DenseI32ArrayAttr:$layer,
      OptionalAttr<Instr_RowsAttr>:$rows,
      OptionalAttr<TypedArrayAttrBase<Instr_OverlapAttr, "overlap rules">>:$overlaps,
      OptionalAttr<TypedArrayAttrBase<Instr_MoveAttr, "moves">>:$moves,
      DefaultValuedAttr<I64Attr, "0">:$macs,
      OptionalAttr<StrAttr>:$remark,
      UnitAttr:$descending,
      OptionalAttr<I64Attr>:$used_memory,
      OptionalAttr<I64Attr>:$scratch_memory,
      OptionalAttr<NN_OriginAttr>:$origin);
  let assemblyFormat = [{
    $kernel `level` $level (`ins` `(` $ins^ `)`)? (`outs` `(` $outs^ `)`)?
    (`inouts` `(` $inouts^ `)`)? (`scratch` `(` $scratch^ `)`)? (`data` `(` $data^ `)`)?
    `shape` $shape `layer` $layer attr-dict `:` functional-type(operands, results)
  }];
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::aotc::instr::OverlapAttr> getOverlapRules();
    ::llvm::SmallVector<::aotc::instr::MoveAttr> getMoveList();
    int64_t getCost() { return getMacs(); }
  }];
}

#endif // AOTC_IR_INSTRDIALECT_TD
