// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes between the graph and the instructions.
#ifndef AOTC_LOWER_PASSES_TD
#define AOTC_LOWER_PASSES_TD

include "mlir/Pass/PassBase.td"

def LowerToInstr : Pass<"aotc-lower", "::mlir::ModuleOp"> {
  let summary = "choose a kernel per operator and make memory explicit";
  let description = [{
    The function of tensors becomes a function of `instr` operations without
    arguments and results: inputs, outputs, intermediate results and scratch
    are `instr.alloc`s, each operator is one `instr.kernel`, a reshape is an
    `instr.view`, everything the kernels' host sides packed is an
    `instr.constant` (equal ones once). A buffer is allocated before its first
    use and freed at the end of the function; `tighten-lifetimes` does better.

    A result that is an input, a constant, or the bytes of another result is
    copied to an output of its own.

    Operators without a kernel for the target are reported all at once, each
    with the reasons of every kernel; then the pass fails.

    before:
    ```mlir
    func.func @main(%x: tensor<1x4xf32> {nn.name = "x", nn.tensor = 0 : i64})
        -> (tensor<1x4xf32> {nn.name = "y", nn.tensor = 1 : i64}) {
      %0 = nn.relu %x : (tensor<1x4xf32>) -> tensor<1x4xf32>
      return %0 : tensor<1x4xf32>
    }
    ```
    after:
    ```mlir
    func.func @main() {
      %0 = instr.alloc "x" align 4 {…, position = 0 : i64, role = #instr.role<input>, tensor = 0 : i64} : memref<1x4xf32>
      %1 = instr.alloc "y" align 4 {…, position = 0 : i64, role = #instr.role<output>, tensor = 1 : i64} : memref<1x4xf32>
      instr.kernel "aotc_clamp_f32__fpu" level "fpu" ins(%0) outs(%1) …
      instr.dealloc %0 : memref<1x4xf32>
      instr.dealloc %1 : memref<1x4xf32>
      return
    }
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "\"host\"",
           "the CPU to compile for, as `aotc targets` names it (default: host)">,
    Option<"kernelLevel", "kernel-level", "std::string", "\"\"",
           "use kernels of this level only, e.g. ref (default: all of the target)">,
    Option<"blockRows", "block-rows", "int64_t", "0",
           "output rows per call of a row kernel, as far as the kernel can "
           "(default 0: the kernel's choice)">,
    Option<"optimize", "optimize", "::aotc::Optimize", "::aotc::Optimize::balanced",
           "what kernels are chosen for",
      [{::llvm::cl::values(
          clEnumValN(::aotc::Optimize::balanced, "balanced", "cycles, if the arena hardly grows"),
          clEnumValN(::aotc::Optimize::speed, "speed", "cycles, also within tensors that share nothing"),
          clEnumValN(::aotc::Optimize::size, "size", "code and memory"))}]>,
  ];
  let statistics = [
    Statistic<"numKernels", "kernels", "kernel calls">,
    Statistic<"numSharedConstants", "shared-constants", "constants equal to an earlier one">,
  ];
  let dependentDialects = ["::aotc::instr::InstrDialect", "::mlir::func::FuncDialect",
                           "::mlir::memref::MemRefDialect"];
}

def VerifyLowered : Pass<"aotc-verify-lowered", "::mlir::ModuleOp"> {
  let summary = "check what lowering guarantees";
  let description = [{
    The module holds one function `main` without arguments and results, of
    `instr` operations and `func.return` only; every alloc has exactly one
    dealloc, after its last use; positions of inputs and outputs count from 0
    without gaps. Errors name the operation; nothing is changed.

    error:
    ```mlir
    func.func @main() {
      // error: buffer 'lost' is never freed
      %0 = instr.alloc "lost" align 4 : memref<4xi8>
      return
    }
    ```
  }];
}

#endif // AOTC_LOWER_PASSES_TD
