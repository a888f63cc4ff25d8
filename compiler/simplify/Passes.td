// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes of the phase `simplify`: graph to graph, every result bit for bit
// what it was before (floats: contraction aside). They run in this order; see
// compiler/driver/Pipeline.cpp.
#ifndef AOTC_SIMPLIFY_PASSES_TD
#define AOTC_SIMPLIFY_PASSES_TD

include "mlir/Pass/PassBase.td"

class SimplifyPass<string mnemonic> : Pass<mnemonic, "::mlir::func::FuncOp"> {
  let dependentDialects = ["::aotc::nn::NNDialect"];
}

def RemoveDeadOps : SimplifyPass<"aotc-remove-dead-ops"> {
  let summary = "remove operations nobody uses";
  let description = [{
    Graph operations compute and do nothing else, so one without users may go.
    Inputs of the model stay, used or not: they are its signature.

    before:
    ```mlir
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = nn.relu %x : (tensor<4xf32>) -> tensor<4xf32>
      %1 = nn.relu6 %0 : (tensor<4xf32>) -> tensor<4xf32>
      return %x : tensor<4xf32>
    }
    ```
    after:
    ```mlir
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      return %x : tensor<4xf32>
    }
    ```
  }];
  let statistics = [Statistic<"numRemoved", "removed", "operations removed">];
}

def FoldQuantize : SimplifyPass<"aotc-fold-quantize"> {
  let summary = "remove QUANTIZE and DEQUANTIZE that change nothing";
  let description = [{
    QUANTIZE between two equal types copies: the multiplier is exactly one.
    DEQUANTIZE followed by QUANTIZE to the type it came from is the identity
    too: scale * n in float is off by at most half a unit in its last place,
    which a division by the scale and a rounding to an integer below 2^17
    undoes. That needs a scale which neither overflows nor underflows on the
    way; others, and types with one scale per channel, are left alone. Reshapes
    between the two are kept, of the quantised numbers.

    before:
    ```mlir
    !q = !quant.uniform<i8:f32, 5.0e-01:3>
    !r = !quant.uniform<i8:f32, 3.906250e-03:-128>
    func.func @main(%x: tensor<4x!q>) -> tensor<4x!r> {
      %0 = nn.dequantize %x : (tensor<4x!q>) -> tensor<4xf32>
      %1 = nn.quantize %0 : (tensor<4xf32>) -> tensor<4x!q>
      %2 = nn.logistic %1 : (tensor<4x!q>) -> tensor<4x!r>
      return %2 : tensor<4x!r>
    }
    ```
    after:
    ```mlir
    !q = !quant.uniform<i8:f32, 5.0e-01:3>
    !r = !quant.uniform<i8:f32, 3.906250e-03:-128>
    func.func @main(%x: tensor<4x!q>) -> tensor<4x!r> {
      %0 = nn.logistic %x : (tensor<4x!q>) -> tensor<4x!r>
      return %0 : tensor<4x!r>
    }
    ```
  }];
  let statistics = [Statistic<"numFolded", "folded", "operations folded">];
}

def FoldTranspose : SimplifyPass<"aotc-fold-transpose"> {
  let summary = "merge TRANSPOSEs, and move them to where they move least";
  let description = [{
    A TRANSPOSE of a TRANSPOSE is one of the original. One before a QUANTIZE of
    floats goes behind it, one after a DEQUANTIZE before it: the same elements
    in the smaller type. One before a MEAN of integers goes behind it, where
    less is left to move, often nothing; a mean of floats is left alone, whose
    sum depends on the order. What changes places must have no other user.

    before:
    ```mlir
    !q = !quant.uniform<i8:f32, 5.0e-01:3>
    func.func @main(%x: tensor<1x3x8x8xf32>) -> tensor<1x3x!q> {
      %0 = nn.transpose %x {perm = array<i64: 0, 2, 3, 1>}
          : (tensor<1x3x8x8xf32>) -> tensor<1x8x8x3xf32>
      %1 = nn.quantize %0 : (tensor<1x8x8x3xf32>) -> tensor<1x8x8x3x!q>
      %2 = nn.mean %1 {axes = array<i64: 1, 2>, keep_dims = false}
          : (tensor<1x8x8x3x!q>) -> tensor<1x3x!q>
      return %2 : tensor<1x3x!q>
    }
    ```
    after:
    ```mlir
    !q = !quant.uniform<i8:f32, 5.0e-01:3>
    func.func @main(%x: tensor<1x3x8x8xf32>) -> tensor<1x3x!q> {
      %0 = nn.quantize %x : (tensor<1x3x8x8xf32>) -> tensor<1x3x8x8x!q>
      %1 = nn.mean %0 {axes = array<i64: 2, 3>, keep_dims = false}
          : (tensor<1x3x8x8x!q>) -> tensor<1x3x!q>
      %2 = nn.transpose %1 {perm = array<i64: 0, 1>} : (tensor<1x3x!q>) -> tensor<1x3x!q>
      return %2 : tensor<1x3x!q>
    }
    ```
    `aotc-fold-reshape` removes what then moves nothing.
  }];
}

def FoldReshape : SimplifyPass<"aotc-fold-reshape"> {
  let summary = "one reshape instead of several, none where nothing changes";
  let description = [{
    A reshape of a reshape is one of the original; one to the same type goes.
    A PAD of nothing, a CONCATENATION of one tensor and a TRANSPOSE that only
    moves dimensions of 1 count as reshapes.

    before:
    ```mlir
    func.func @main(%x: tensor<2x6xf32>) -> tensor<3x4xf32> {
      %0 = nn.reshape %x : (tensor<2x6xf32>) -> tensor<12xf32>
      %1 = nn.reshape %0 : (tensor<12xf32>) -> tensor<3x4xf32>
      return %1 : tensor<3x4xf32>
    }
    ```
    after:
    ```mlir
    func.func @main(%x: tensor<2x6xf32>) -> tensor<3x4xf32> {
      %0 = nn.reshape %x : (tensor<2x6xf32>) -> tensor<3x4xf32>
      return %0 : tensor<3x4xf32>
    }
    ```
  }];
  let statistics = [Statistic<"numFolded", "folded", "operations folded">];
}

def FoldConstants : SimplifyPass<"aotc-fold-constants"> {
  let summary = "compute at compile time what depends on constants only";
  let description = [{
    RESHAPE, PAD, TRANSPOSE, CONCATENATION, QUANTIZE of floats, DEQUANTIZE, and ADD and
    MUL of floats are evaluated, with the arithmetic of TFLite's reference. Other operators on constants stay and run with the
    model. So does one whose result is more than four times as large as its
    operands (and 1 KB): it is cheaper to compute than to store.

    The operands, now without users, go with the dead operations.

    before:
    ```mlir
    !q = !quant.uniform<i8:f32, 5.0e-01:3>
    func.func @main() -> tensor<2xf32> {
      %0 = nn.constant dense<[1, -5]> : tensor<2xi8> -> tensor<2x!q>
      %1 = nn.dequantize %0 : (tensor<2x!q>) -> tensor<2xf32>
      return %1 : tensor<2xf32>
    }
    ```
    after:
    ```mlir
    !q = !quant.uniform<i8:f32, 5.0e-01:3>
    func.func @main() -> tensor<2xf32> {
      %0 = nn.constant dense<[1, -5]> : tensor<2xi8> -> tensor<2x!q>
      %1 = nn.constant dense<[-1.0, -4.0]> : tensor<2xf32> -> tensor<2xf32>
      return %1 : tensor<2xf32>
    }
    ```
  }];
  let statistics = [Statistic<"numFolded", "folded", "operations folded">];
}

def FoldPad : SimplifyPass<"aotc-fold-pad"> {
  let summary = "fold PAD into the convolutions and max pools behind it";
  let description = [{
    A PAD of rows and columns, whose users all are convolutions or max pools of
    it, becomes part of their padding. It must keep the quantisation, since PAD
    copies raw numbers, and leave every window at least one real row and column
    on each side (padding smaller than the dilated filter), which kernels rely
    on. A convolution's padding is the zero point too; that of a max pool never
    wins, so PAD's must not either: the zero point is the smallest number of
    the type, or the floats come out of RELU or RELU6. (An average pool's does
    not count, PAD's does.)

    before:
    ```mlir
    !q = !quant.uniform<i8:f32, 5.0e-01:-5>
    !w = !quant.uniform<i8:f32, 2.5e-01>
    !r = !quant.uniform<i8:f32, 1.0>
    func.func @main(%x: tensor<1x6x6x2x!q>, %w: tensor<4x3x3x2x!w>) -> tensor<1x6x6x4x!r> {
      %0 = nn.pad %x {before = array<i64: 0, 1, 1, 0>, after = array<i64: 0, 1, 1, 0>}
          : (tensor<1x6x6x2x!q>) -> tensor<1x8x8x2x!q>
      %1 = nn.conv_2d %0, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
          padding = array<i64: 0, 0, 0, 0>}
          : (tensor<1x8x8x2x!q>, tensor<4x3x3x2x!w>) -> tensor<1x6x6x4x!r>
      return %1 : tensor<1x6x6x4x!r>
    }
    ```
    after:
    ```mlir
    !q = !quant.uniform<i8:f32, 5.0e-01:-5>
    !w = !quant.uniform<i8:f32, 2.5e-01>
    !r = !quant.uniform<i8:f32, 1.0>
    func.func @main(%x: tensor<1x6x6x2x!q>, %w: tensor<4x3x3x2x!w>) -> tensor<1x6x6x4x!r> {
      %0 = nn.conv_2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
          padding = array<i64: 1, 1, 1, 1>}
          : (tensor<1x6x6x2x!q>, tensor<4x3x3x2x!w>) -> tensor<1x6x6x4x!r>
      return %0 : tensor<1x6x6x4x!r>
    }
    ```
  }];
  let statistics = [Statistic<"numFolded", "folded", "operations folded">];
}

def FoldActivation : SimplifyPass<"aotc-fold-activation"> {
  let summary = "fold RELU and RELU6 into the operator before them";
  let description = [{
    The operator must have no activation yet and no other user. Floats: always
    exact. int8: only if the activation keeps scale and zero point; then it is
    a clamp to [zero point, 127 or that of 6], the very bounds of the fused
    form, after the operator's own clamp to the whole int8 range, which is
    thereby without effect. Other types are left alone.

    before:
    ```mlir
    !q = !quant.uniform<i8:f32, 5.0e-01:3>
    !r = !quant.uniform<i8:f32, 3.906250e-03:-128>
    func.func @main(%x: tensor<4x!q>, %y: tensor<4x!q>) -> tensor<4x!r> {
      %0 = nn.add %x, %y : (tensor<4x!q>, tensor<4x!q>) -> tensor<4x!r>
      %1 = nn.relu %0 : (tensor<4x!r>) -> tensor<4x!r>
      return %1 : tensor<4x!r>
    }
    ```
    after:
    ```mlir
    !q = !quant.uniform<i8:f32, 5.0e-01:3>
    !r = !quant.uniform<i8:f32, 3.906250e-03:-128>
    func.func @main(%x: tensor<4x!q>, %y: tensor<4x!q>) -> tensor<4x!r> {
      %0 = nn.add %x, %y {activation = #nn.act<relu>} : (tensor<4x!q>, tensor<4x!q>) -> tensor<4x!r>
      return %0 : tensor<4x!r>
    }
    ```
  }];
  let statistics = [Statistic<"numFolded", "folded", "operations folded">];
}

def MergeTables : SimplifyPass<"aotc-merge-tables"> {
  let summary = "one table for functions of one byte after one another";
  let description = [{
    RELU, RELU6, LOGISTIC, QUANTIZE from 8 bits to 8 bits and TABLE itself are, to
    the portable kernels, tables of 256 results. Of two of them, the first without
    another user, the composition is a table too. Reshapes between stay behind it.

    before:
    ```mlir
    !q = !quant.uniform<i8:f32, 1.0>
    !r = !quant.uniform<i8:f32, 5.0e-01>
    func.func @main(%x: tensor<4x!q>) -> tensor<4x!r> {
      %0 = nn.relu %x : (tensor<4x!q>) -> tensor<4x!r>
      %1 = nn.relu6 %0 : (tensor<4x!r>) -> tensor<4x!r>
      return %1 : tensor<4x!r>
    }
    ```
    after:
    ```mlir
      %0 = nn.table %arg0 {table = array<i8: 0, 2, 4, 6, 8, 10, 12, 12, …, 0, 0, 0>}
          : (tensor<4x!quant.uniform<i8:f32, 1.000000e+00>>) -> tensor<4x!quant.uniform<i8:f32, 5.000000e-01>>
      return %0 …
    ```
  }];
  let statistics = [Statistic<"numMerged", "merged", "operations merged">];
}

def RemoveChannels : SimplifyPass<"aotc-remove-channels"> {
  let summary = "remove channels that are constant or that nobody reads";
  let description = [{
    Interval arithmetic through the whole graph (`ChannelRanges.h`) bounds every
    channel of every int8 tensor. One that holds a single number, whatever the
    input, leaves the tensor and the weights that make it; the convolutions and
    FULLY_CONNECTEDs that read it get weight * number added to their biases,
    modulo 2^32 like the sums themselves. Where a convolution pads, this must be
    the zero point, or border sums would differ. A channel whose weights are
    zero in all sums that are needed goes too. Operators between, which treat
    each channel alone, lose it with the others.

    Inputs and outputs of the model keep all channels, as does what an operator
    touches that is not in the list of `ChannelRanges.cpp`. The numbers of
    channels are rounded up to a multiple: the channels that fill get zero
    weights and a bias that gives their constant. (Below 8 stay, as few as may;
    120 = 3 * 5 * 8. Constants without users go with the dead operations.)

    before:
    ```mlir
    !q = !quant.uniform<i8:f32, 1.0>
    func.func @main(%x: tensor<4x2x!q>) -> tensor<4x2x!q> {
      %w = nn.constant dense<0> : tensor<16x2xi8> -> tensor<16x2x!q>
      %b = nn.constant dense<5> : tensor<16xi32> -> tensor<16xi32>
      %0 = nn.fully_connected %x, %w, %b
          : (tensor<4x2x!q>, tensor<16x2x!q>, tensor<16xi32>) -> tensor<4x16x!q>
      %v = nn.constant dense<3> : tensor<2x16xi8> -> tensor<2x16x!q>
      %1 = nn.fully_connected %0, %v
          : (tensor<4x16x!q>, tensor<2x16x!q>) -> tensor<4x2x!q>
      return %1 : tensor<4x2x!q>
    }
    ```
    after:
    ```mlir
    !q = !quant.uniform<i8:f32, 1.0>
    func.func @main(%x: tensor<4x2x!q>) -> tensor<4x2x!q> {
      %w = nn.constant dense<0> : tensor<16x2xi8> -> tensor<16x2x!q>
      %b = nn.constant dense<5> : tensor<16xi32> -> tensor<16xi32>
      %2 = nn.constant dense<0> : tensor<8x2xi8> -> tensor<8x2x!q>
      %3 = nn.constant dense<5> : tensor<8xi32> -> tensor<8xi32>
      %4 = nn.fully_connected %x, %2, %3
          : (tensor<4x2x!q>, tensor<8x2x!q>, tensor<8xi32>) -> tensor<4x8x!q>
      %v = nn.constant dense<3> : tensor<2x16xi8> -> tensor<2x16x!q>
      %6 = nn.constant dense<3> : tensor<2x8xi8> -> tensor<2x8x!q>
      %7 = nn.constant dense<120> : tensor<2xi32> -> tensor<2xi32>
      %8 = nn.fully_connected %4, %6, %7
          : (tensor<4x8x!q>, tensor<2x8x!q>, tensor<2xi32>) -> tensor<4x2x!q>
      return %8 : tensor<4x2x!q>
    }
    ```
  }];
  let options = [Option<"multiple", "multiple", "int64_t", "::aotc::simplify::kChannelMultiple",
                        "channels of a tensor are rounded up to a multiple of this (and to 2)">];
  let statistics = [Statistic<"numRemoved", "removed", "channels removed from tensors">];
}

def MergeConstants : SimplifyPass<"aotc-merge-constants"> {
  let summary = "keep one of several equal constants";
  let description = [{
    Constants of equal type and value become the first of them, which keeps
    its name.

    before:
    ```mlir
    func.func @main() -> tensor<4xf32> {
      %0 = nn.constant dense<1.0> : tensor<4xf32> -> tensor<4xf32>
      %1 = nn.constant dense<1.0> : tensor<4xf32> -> tensor<4xf32>
      %2 = nn.add %0, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      return %2 : tensor<4xf32>
    }
    ```
    after:
    ```mlir
    func.func @main() -> tensor<4xf32> {
      %0 = nn.constant dense<1.0> : tensor<4xf32> -> tensor<4xf32>
      %1 = nn.add %0, %0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      return %1 : tensor<4xf32>
    }
    ```
  }];
  let statistics = [Statistic<"numMerged", "merged", "constants merged">];
}

def ExposeTensors : SimplifyPass<"aotc-expose-tensors"> {
  let summary = "make every surviving tensor a result of the model";
  let description = [{
    For `aotc verify --tensors`, after all folds: every operation's results that
    have an origin and are not results yet become results, in order, with the
    tensor's name and number.

    before:
    ```mlir
    #o = #nn.origin<index = 0, code = "RELU", tensors = [1], names = ["inner"]>
    func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32> {nn.name = "out", nn.tensor = 2 : i64}) {
      %0 = nn.relu %x {origin = #o} : (tensor<4xf32>) -> tensor<4xf32>
      %1 = nn.relu6 %0 : (tensor<4xf32>) -> tensor<4xf32>
      return %1 : tensor<4xf32>
    }
    ```
    after:
    ```mlir
    #o = #nn.origin<index = 0, code = "RELU", tensors = [1], names = ["inner"]>
    func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32> {nn.name = "out", nn.tensor = 2 : i64},
        tensor<4xf32> {nn.name = "inner", nn.tensor = 1 : i64}) {
      %0 = nn.relu %x {origin = #o} : (tensor<4xf32>) -> tensor<4xf32>
      %1 = nn.relu6 %0 : (tensor<4xf32>) -> tensor<4xf32>
      return %1, %0 : tensor<4xf32>, tensor<4xf32>
    }
    ```
  }];
}

def VerifySimplified : SimplifyPass<"aotc-verify-simplified"> {
  let summary = "check what simplification guarantees";
  let description = [{
    No operation is left that one of the passes could still remove: none is
    dead, none folds, no two constants are equal, no channel could go.

    error:
    ```mlir
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      // error: is still there after simplification: it has no user
      %0 = nn.relu %x : (tensor<4xf32>) -> tensor<4xf32>
      return %x : tensor<4xf32>
    }
    ```
  }];
}

#endif // AOTC_SIMPLIFY_PASSES_TD
