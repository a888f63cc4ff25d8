// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All passes on the instruction dialect, in the order in which they run. The
// examples are tests (test/lint/docs_check.py): the block "before" run through
// the pass gives the block "after".
#ifndef AOTC_PASSES_TD
#define AOTC_PASSES_TD

include "mlir/Pass/PassBase.td"

class ShareModeOption<string name, string text>
    : Option<name, name, "::aotc::ShareMode", "::aotc::ShareMode::overlap", text, [{::llvm::cl::values(
        clEnumValN(::aotc::ShareMode::none, "none", "nothing"),
        clEnumValN(::aotc::ShareMode::inPlace, "in-place", "pairs of one size that may start at the same byte"),
        clEnumValN(::aotc::ShareMode::overlap, "overlap", "every legal rule"))}]>;

class AotcPass<string name> : Pass<"aotc-" # name, "::mlir::func::FuncOp"> {
  let dependentDialects = ["::aotc::instr::InstrDialect"];
}

def PlaceIO : AotcPass<"place-io"> {
  let summary = "give the caller's inputs and outputs memory of their own";
  let description = [{
    Acts on `instr.io` of the allocs of inputs and outputs: "arena" (as without),
    "arena-preserved" (an input is alive to the end), "caller" (a region of its
    own, in which plan-memory puts nothing else) or "caller-consumable" (a region
    of its own, in which internal buffers may lie too while the tensor is not
    live). Such regions stand behind the function's others: inputs, then outputs,
    in the order of the model. Without a caller's tensor nothing changes but
    `preserved`.

    before:
    ```mlir
    func.func @example() {
      %0 = instr.alloc "x" align 4 {instr.io = "caller", position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
      %1 = instr.alloc "y" align 4 {position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
      instr.copy %0 to %1 : memref<8xi8> to memref<8xi8>
      return
    }
    ```
    after:
    ```mlir
    func.func @example() attributes {instr.regions = [#instr.region<name = "arena">, #instr.region<name = "input 0", capacity = 8, align = 4>]} {
      %0 = instr.alloc "x" align 4 {instr.io = "caller", offset = 0 : i64, position = 0 : i64, region = "input 0", role = #instr.role<input>} : memref<8xi8>
      %1 = instr.alloc "y" align 4 {position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
      instr.copy %0 to %1 : memref<8xi8> to memref<8xi8>
      return
    }
    ```
  }];
}

def ForwardCopies : AotcPass<"forward-copies"> {
  let summary = "let tensors that are copied live where they are wanted";
  let description = [{
    Gives every value a buffer of its own, breaks up instructions that do
    nothing but move bytes, and removes each copy whose source can be a view of
    its target or the other way round: inputs of a concatenation are computed in
    its buffer, slices are read from the original. A buffer that is input,
    output, state or wanted in two places stays and is copied. Nothing is done
    that makes the largest footprint of the given order grow (`share` as in
    schedule), or that breaks a buffer's alignment.

    before:
    ```mlir
    func.func @example() {
      %0 = instr.alloc "x" align 4 {position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
      %1 = instr.alloc "a" align 4 : memref<8xi8>
      %2 = instr.alloc "b" align 4 : memref<8xi8>
      %3 = instr.alloc "y" align 4 {position = 0 : i64, role = #instr.role<output>} : memref<16xi8>
      instr.kernel "f" level "ref" ins(%0) outs(%1) shape [] layer [] : (memref<8xi8>, memref<8xi8>) -> ()
      instr.kernel "g" level "ref" ins(%0) outs(%2) shape [] layer [] : (memref<8xi8>, memref<8xi8>) -> ()
      instr.kernel "concat" level "ref" ins(%1, %2) outs(%3) shape [] layer [] {moves = [#instr.move<input = 0, input_offset = 0, output = 0, output_offset = 0, bytes = 8>, #instr.move<input = 1, input_offset = 0, output = 0, output_offset = 8, bytes = 8>]} : (memref<8xi8>, memref<8xi8>, memref<16xi8>) -> ()
      return
    }
    ```
    after:
    ```mlir
    func.func @example() {
      %0 = instr.alloc "y" align 4 {position = 0 : i64, role = #instr.role<output>} : memref<16xi8>
      %1 = instr.view %0 at 8 {name = "b"} : memref<16xi8> -> memref<8xi8>
      %2 = instr.view %0 at 0 {name = "a"} : memref<16xi8> -> memref<8xi8>
      %3 = instr.alloc "x" align 4 {position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
      instr.kernel "f" level "ref" ins(%3) outs(%2) shape [] layer [] : (memref<8xi8>, memref<8xi8>) -> ()
      instr.kernel "g" level "ref" ins(%3) outs(%1) shape [] layer [] : (memref<8xi8>, memref<8xi8>) -> ()
      return
    }
    ```
  }];
  let options = [
    ShareModeOption<"share", "which pairs count once while they take turns, as in share-buffers">];
  let statistics = [Statistic<"numRemoved", "copies", "copies removed">];
}

def RemoveDeadBuffers : AotcPass<"remove-dead-buffers"> {
  let summary = "remove what nobody reads";
  let description = [{
    Instructions none of whose written bytes are read later, through any view,
    before they are overwritten; then views, constants and buffers without use.
    Inputs, outputs, state and what is `preserved` stay, and so does what writes
    all but the first.

    before:
    ```mlir
    func.func @example() {
      %0 = instr.alloc "x" align 4 {position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
      %1 = instr.alloc "a" align 4 : memref<8xi8>
      %2 = instr.alloc "y" align 4 {position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
      instr.copy %0 to %1 : memref<8xi8> to memref<8xi8>
      instr.copy %1 to %2 : memref<8xi8> to memref<8xi8>
      instr.copy %0 to %2 : memref<8xi8> to memref<8xi8>
      return
    }
    ```
    after:
    ```mlir
    func.func @example() {
      %0 = instr.alloc "x" align 4 {position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
      %1 = instr.alloc "y" align 4 {position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
      instr.copy %0 to %1 : memref<8xi8> to memref<8xi8>
      return
    }
    ```
  }];
  let statistics = [Statistic<"numInstructions", "instructions", "instructions removed">,
                    Statistic<"numBuffers", "buffers", "buffers removed">];
}

def Schedule : AotcPass<"schedule"> {
  let summary = "order the instructions so that the least memory is live at once";
  let description = [{
    A beam search, then an exact one that visits up to `state-limit` sets of run
    instructions per part (parts end where one instruction alone can come next). The function gets `instr.order_proved`, `instr.order_peak` and
    `instr.order_given_peak`: bytes live during an instruction, scratch
    included, without padding; a dying input and an output count once as far as
    the kernel lets them overlap. Instructions that touch common bytes, one
    writing, keep their order, and without gain all do.

    before:
    ```mlir
    func.func @example() {
      %0 = instr.alloc "x" align 4 {position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
      %1 = instr.alloc "wide" align 4 : memref<32xi8>
      %2 = instr.alloc "wider" align 4 : memref<48xi8>
      %3 = instr.alloc "a" align 4 : memref<4xi8>
      %4 = instr.alloc "b" align 4 : memref<4xi8>
      %5 = instr.alloc "y" align 4 {position = 0 : i64, role = #instr.role<output>} : memref<4xi8>
      instr.kernel "f1" level "ref" ins(%0) outs(%1) shape [] layer [] : (memref<8xi8>, memref<32xi8>) -> ()
      instr.kernel "g1" level "ref" ins(%0) outs(%2) shape [] layer [] : (memref<8xi8>, memref<48xi8>) -> ()
      instr.kernel "f2" level "ref" ins(%1) outs(%3) shape [] layer [] : (memref<32xi8>, memref<4xi8>) -> ()
      instr.kernel "g2" level "ref" ins(%2) outs(%4) shape [] layer [] : (memref<48xi8>, memref<4xi8>) -> ()
      instr.kernel "add" level "ref" ins(%3, %4) outs(%5) shape [] layer [] : (memref<4xi8>, memref<4xi8>, memref<4xi8>) -> ()
      return
    }
    ```
    after:
    ```mlir
    func.func @example() attributes {instr.order_given_peak = 88 : i64, instr.order_peak = 60 : i64, instr.order_proved = true} {
      %0 = instr.alloc "x" align 4 {position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
      %1 = instr.alloc "wide" align 4 : memref<32xi8>
      %2 = instr.alloc "wider" align 4 : memref<48xi8>
      %3 = instr.alloc "a" align 4 : memref<4xi8>
      %4 = instr.alloc "b" align 4 : memref<4xi8>
      %5 = instr.alloc "y" align 4 {position = 0 : i64, role = #instr.role<output>} : memref<4xi8>
      instr.kernel "g1" level "ref" ins(%0) outs(%2) shape [] layer [] : (memref<8xi8>, memref<48xi8>) -> ()
      instr.kernel "g2" level "ref" ins(%2) outs(%4) shape [] layer [] : (memref<48xi8>, memref<4xi8>) -> ()
      instr.kernel "f1" level "ref" ins(%0) outs(%1) shape [] layer [] : (memref<8xi8>, memref<32xi8>) -> ()
      instr.kernel "f2" level "ref" ins(%1) outs(%3) shape [] layer [] : (memref<32xi8>, memref<4xi8>) -> ()
      instr.kernel "add" level "ref" ins(%3, %4) outs(%5) shape [] layer [] : (memref<4xi8>, memref<4xi8>, memref<4xi8>) -> ()
      return
    }
    ```
  }];
  let options = [
    ShareModeOption<"share", "which pairs count once while they take turns, as in share-buffers">,
    Option<"stateLimit", "state-limit", "int64_t", "::aotc::planner::OrderOptions().stateLimit",
      "sets of run instructions the exact search visits per part">,
    Option<"beamWidth", "beam-width", "int64_t", "64",
      "sets kept per instruction by the beam search">,
    Option<"shuffle", "shuffle", "uint64_t", "0",
      "a random order by this seed instead (tests; 0: no)">,
  ];
}

def TightenLifetimes : AotcPass<"tighten-lifetimes"> {
  let summary = "let buffers live no longer than their uses";
  let description = [{
    Each alloc sinks to just before the first instruction that touches the
    buffer, through any view, and each dealloc rises to just after the last; a
    missing dealloc is added. Inputs and state stay allocated from the start,
    outputs, state and what is `preserved` until the end. Views sink to their first use; views and
    buffers that no instruction uses go (inputs, outputs and state stay).

    before:
    ```mlir
    func.func @example() {
      %0 = instr.alloc "x" align 4 {position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
      %1 = instr.alloc "a" align 4 : memref<8xi8>
      %2 = instr.alloc "y" align 4 {position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
      instr.copy %0 to %1 : memref<8xi8> to memref<8xi8>
      instr.copy %1 to %2 : memref<8xi8> to memref<8xi8>
      instr.dealloc %0 : memref<8xi8>
      instr.dealloc %1 : memref<8xi8>
      instr.dealloc %2 : memref<8xi8>
      return
    }
    ```
    after:
    ```mlir
    func.func @example() {
      %0 = instr.alloc "x" align 4 {position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
      %1 = instr.alloc "a" align 4 : memref<8xi8>
      instr.copy %0 to %1 : memref<8xi8> to memref<8xi8>
      instr.dealloc %0 : memref<8xi8>
      %2 = instr.alloc "y" align 4 {position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
      instr.copy %1 to %2 : memref<8xi8> to memref<8xi8>
      instr.dealloc %1 : memref<8xi8>
      instr.dealloc %2 : memref<8xi8>
      return
    }
    ```
  }];
}

def ShareBuffers : AotcPass<"share-buffers"> {
  let summary = "record which outputs may take over bytes of a dying input";
  let description = [{
    Writes `instr.shares` on each instruction: those of its overlap rules that
    are legal where it stands, the distances still between the operands' first
    bytes. Legal means: the input's buffer is not touched later, through any
    view, and is neither output nor state nor preserved; the output's buffer was not touched
    before; every operand of the instruction on the input's buffer is an input
    with such a rule (so that `x + x` needs both). What is really shared is
    decided by plan-memory. Needs tight lifetimes.

    before:
    ```mlir
    func.func @example() {
      %0 = instr.alloc "x" align 4 {position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
      %1 = instr.alloc "y" align 4 {position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
      instr.copy %0 to %1 : memref<8xi8> to memref<8xi8>
      instr.dealloc %0 : memref<8xi8>
      instr.dealloc %1 : memref<8xi8>
      return
    }
    ```
    after:
    ```mlir
    func.func @example() {
      %0 = instr.alloc "x" align 4 {position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
      %1 = instr.alloc "y" align 4 {position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
      instr.copy %0 to %1 {instr.shares = [#instr.overlap<input = 0, output = 0, ascending = 0, descending = 0>]} : memref<8xi8> to memref<8xi8>
      instr.dealloc %0 : memref<8xi8>
      instr.dealloc %1 : memref<8xi8>
      return
    }
    ```
  }];
  let options = [
    ShareModeOption<"mode", "what to record">,
    Option<"direction", "direction", "::aotc::ShareDirection", "::aotc::ShareDirection::any",
      "keep only this direction; descending also makes every kernel that can run that way",
      [{::llvm::cl::values(
          clEnumValN(::aotc::ShareDirection::any, "any", "either"),
          clEnumValN(::aotc::ShareDirection::ascending, "ascending", "first to last"),
          clEnumValN(::aotc::ShareDirection::descending, "descending", "last to first"))}]>,
  ];
}

def AnnotateUsedMemory : AotcPass<"annotate-used-memory"> {
  let summary = "write the live bytes at each instruction into it";
  let description = [{
    `used_memory` is the sum of the sizes of all buffers live before or after
    the instruction, without alignment padding and without scratch;
    `scratch_memory` is that of the scratch. Views are no buffers. A pair that
    share-buffers says may be in place (same size, distance 0) counts once.
    The function gets `instr.io_used_memory`: inputs plus outputs. Nothing else
    changes. Needs tight lifetimes: without, the figures would be too large, so
    it is an error.

    before:
    ```mlir
    func.func @example() {
      %0 = instr.alloc "x" align 4 {position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
      %1 = instr.alloc "y" align 4 {position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
      instr.copy %0 to %1 : memref<8xi8> to memref<8xi8>
      instr.dealloc %0 : memref<8xi8>
      instr.dealloc %1 : memref<8xi8>
      return
    }
    ```
    after:
    ```mlir
    func.func @example() attributes {instr.io_used_memory = 16 : i64} {
      %0 = instr.alloc "x" align 4 {position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
      %1 = instr.alloc "y" align 4 {position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
      instr.copy %0 to %1 {scratch_memory = 0 : i64, used_memory = 16 : i64} : memref<8xi8> to memref<8xi8>
      instr.dealloc %0 : memref<8xi8>
      instr.dealloc %1 : memref<8xi8>
      return
    }
    ```
  }];
}

def PlanMemory : AotcPass<"plan-memory"> {
  let summary = "give every buffer its offset";
  let description = [{
    Builds a planner::Problem from the lifetimes, alignments and
    `instr.shares`, solves it, and writes `offset` and `region` on each alloc.
    Instructions that share get their direction. An alloc that already has an
    offset or a region keeps it. The function gets `instr.arena_bytes` (the sum
    of its regions but the caller's), `instr.arena_without_scratch` (the same of a plan of the
    same buffers without scratch), `instr.plan_bound` and `instr.plan_optimal`.

    `instr.regions` on the function lists the memory there is (`#instr.region`);
    each gets the bytes `used` of it. Cheap ones fill first. What does not fit
    is an error that names the layer, the missing bytes and what would help.

    before:
    ```mlir
    func.func @example() {
      %0 = instr.alloc "x" align 4 {position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
      %1 = instr.alloc "y" align 4 {position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
      instr.copy %0 to %1 {instr.shares = [#instr.overlap<input = 0, output = 0, ascending = 0, descending = 0>]} : memref<8xi8> to memref<8xi8>
      instr.dealloc %0 : memref<8xi8>
      instr.dealloc %1 : memref<8xi8>
      return
    }
    ```
    after:
    ```mlir
    func.func @example() attributes {instr.arena_bytes = 8 : i64, instr.arena_without_scratch = 8 : i64, instr.plan_bound = 8 : i64, instr.plan_optimal = true} {
      %0 = instr.alloc "x" align 4 {offset = 0 : i64, position = 0 : i64, region = "arena", role = #instr.role<input>} : memref<8xi8>
      %1 = instr.alloc "y" align 4 {offset = 0 : i64, position = 0 : i64, region = "arena", role = #instr.role<output>} : memref<8xi8>
      instr.copy %0 to %1 {instr.shares = [#instr.overlap<input = 0, output = 0, ascending = 0, descending = 0>]} : memref<8xi8> to memref<8xi8>
      instr.dealloc %0 : memref<8xi8>
      instr.dealloc %1 : memref<8xi8>
      return
    }
    ```
  }];
  let options = [
    Option<"dumpProblem", "dump-problem", "std::string", "\"\"",
      "write the problem as CSV to this file (for aotc-plan)">,
    ShareModeOption<"share", "what share-buffers recorded, for the message about what does not fit">,
    Option<"effort", "effort", "int64_t", "1",
      "factor of the limits after which the best plan so far stands; 0: heuristics only">,
    Option<"givenPlan", "plan", "std::string", "\"\"",
      "take the plan of this file (CSV, as save-plan writes it); it is only checked">,
    Option<"savePlan", "save-plan", "std::string", "\"\"",
      "write the problem and its plan as CSV to this file">,
  ];
}

def Advise : AotcPass<"advise"> {
  let summary = "find what would lower the peak";
  let description = [{
    Writes `instr.advice` (single changes that make the arena smaller, best first,
    with the bytes it then takes) and `instr.advice_text`. Tried are: each input
    and output in a buffer of the caller's, preserved inputs overwritten, all
    sharing that is legal (unless `share` says it was allowed), the peak instruction without scratch, and with
    each output in place of each input that dies there. The order of
    instructions stays as it is.

    before:
    ```mlir
    func.func @example() attributes {instr.arena_bytes = 12 : i64} {
      %0 = instr.alloc "x" align 4 {offset = 0 : i64, position = 0 : i64, region = "arena", role = #instr.role<input>} : memref<8xi8>
      %1 = instr.alloc "y" align 4 {offset = 8 : i64, position = 0 : i64, region = "arena", role = #instr.role<output>} : memref<4xi8>
      instr.kernel "f" level "ref" ins(%0) outs(%1) shape [] layer [] {origin = #nn.origin<index = 0, code = "MEAN", tensors = [1], names = ["y"]>} : (memref<8xi8>, memref<4xi8>) -> ()
      instr.dealloc %0 : memref<8xi8>
      instr.dealloc %1 : memref<4xi8>
      return
    }
    ```
    after:
    ```mlir
    func.func @example() attributes {instr.advice = […], instr.advice_text = "input 'x' in a buffer of the caller's (8 bytes; --input-mode x=caller): 4 bytes, 8 fewer", instr.arena_bytes = 12 : i64} {
      %0 = instr.alloc "x" align 4 {offset = 0 : i64, position = 0 : i64, region = "arena", role = #instr.role<input>} : memref<8xi8>
      %1 = instr.alloc "y" align 4 {offset = 8 : i64, position = 0 : i64, region = "arena", role = #instr.role<output>} : memref<4xi8>
      instr.kernel "f" level "ref" ins(%0) outs(%1) shape [] layer [] {origin = #nn.origin<index = 0, code = "MEAN", tensors = [1], names = ["y"]>} : (memref<8xi8>, memref<4xi8>) -> ()
      instr.dealloc %0 : memref<8xi8>
      instr.dealloc %1 : memref<4xi8>
      return
    }
    ```
  }];
  let options = [
    ShareModeOption<"share", "what share-buffers was allowed">,
    Option<"nodeLimit", "node-limit", "int64_t", "10000",
      "nodes of the exact search for each change">,
    Option<"bufferLimit", "buffer-limit", "int64_t", "1000",
      "no advice for more buffers than that">,
  ];
}

def VerifyPlan : AotcPass<"verify-plan"> {
  let summary = "check the offsets against the instructions";
  let description = [{
    Changes nothing; an error for each buffer that is not placed, aligned or
    inside its region, for each region fuller than it is large, and for each two that hold live bytes in one place. Works
    from the instructions and their kernels' own rules, not from anything that
    plan-memory or share-buffers concluded, and shares no code with them.
    A caller's tensor (`instr.io`) must fill its region, which holds nothing else
    unless it is consumable, and then only internal buffers and scratch.

    before:
    ```mlir
    func.func @example() attributes {instr.arena_bytes = 16 : i64} {
      %0 = instr.alloc "x" align 4 {offset = 0 : i64, position = 0 : i64, region = "arena", role = #instr.role<input>} : memref<8xi8>
      %1 = instr.alloc "y" align 4 {offset = 8 : i64, position = 0 : i64, region = "arena", role = #instr.role<output>} : memref<8xi8>
      instr.copy %0 to %1 : memref<8xi8> to memref<8xi8>
      instr.dealloc %0 : memref<8xi8>
      instr.dealloc %1 : memref<8xi8>
      return
    }
    ```
    after:
    ```mlir
    func.func @example() attributes {instr.arena_bytes = 16 : i64} {
      %0 = instr.alloc "x" align 4 {offset = 0 : i64, position = 0 : i64, region = "arena", role = #instr.role<input>} : memref<8xi8>
      %1 = instr.alloc "y" align 4 {offset = 8 : i64, position = 0 : i64, region = "arena", role = #instr.role<output>} : memref<8xi8>
      instr.copy %0 to %1 : memref<8xi8> to memref<8xi8>
      instr.dealloc %0 : memref<8xi8>
      instr.dealloc %1 : memref<8xi8>
      return
    }
    ```
  }];
}

#endif // AOTC_PASSES_TD
