// Two images of 5 rows of 4 bytes. Steps: scale (in place), column sums of
// three rows in blocks of two (the last block has one), scale again with the
// same code, a copy to the output.
module {
  func.func @main() {
    %bias = instr.constant "conv/weights" align 16 dense<[1, 0, -1, 2]> : tensor<4xi8> {weights} : memref<4xi8>
    %zero = instr.constant "zero bias" align 4 dense<0> : tensor<4xi8> : memref<4xi8>
    %in = instr.alloc "serving_default_x:0" align 4 {role = #instr.role<input>, position = 0 : i64, tensor = 0 : i64, offset = 0 : i64, nn.type = tensor<2x5x4x1x!quant.uniform<i8:f32, 2.500000e-01:-3>>} : memref<2x5x4x1xi8>
    %a = instr.alloc "scaled" align 4 {tensor = 1 : i64, offset = 0 : i64} : memref<2x5x4x1xi8>
    instr.kernel "aotc_scale_s8__ref" level "ref" ins(%in) outs(%a) data(%bias) shape [40] layer [2]
        {overlaps = [#instr.overlap<input = 0, output = 0, ascending = 0, descending = 0>], macs = 40 : i64, used_memory = 40 : i64,
         origin = #nn.origin<index = 0, code = "MUL", tensors = [1], names = ["scaled"]>}
        : (memref<2x5x4x1xi8>, memref<2x5x4x1xi8>, memref<4xi8>) -> ()
    instr.dealloc %in : memref<2x5x4x1xi8>
    %b = instr.alloc "sums" align 4 {tensor = 2 : i64, offset = 40 : i64} : memref<2x5x4x1xi8>
    %s = instr.alloc "sums scratch" align 4 {role = #instr.role<scratch>, offset = 80 : i64} : memref<8xi8>
    instr.kernel "aotc_column_sum_s8__ref" level "ref" ins(%a) outs(%b) scratch(%s) shape [4, 3, 1] layer [100]
        {rows = #instr.rows<batches = 2, inRows = 5, inRowBytes = 4, outRows = 5, outRowBytes = 4, windowRows = 3, stride = 1, padTop = 1, blockRows = 2>,
         macs = 120 : i64, used_memory = 80 : i64, scratch_memory = 8 : i64,
         origin = #nn.origin<index = 1, code = "CONV_2D", tensors = [2], names = ["sums"]>}
        : (memref<2x5x4x1xi8>, memref<2x5x4x1xi8>, memref<8xi8>) -> ()
    instr.dealloc %a : memref<2x5x4x1xi8>
    instr.dealloc %s : memref<8xi8>
    %c = instr.alloc "last" align 4 {tensor = 3 : i64, offset = 0 : i64} : memref<2x5x4x1xi8>
    instr.kernel "aotc_scale_s8__ref" level "ref" ins(%b) outs(%c) data(%zero) shape [40] layer [3]
        {overlaps = [#instr.overlap<input = 0, output = 0, ascending = 0, descending = 0>], macs = 40 : i64, used_memory = 80 : i64,
         origin = #nn.origin<index = 2, code = "MUL", tensors = [3], names = ["last"]>}
        : (memref<2x5x4x1xi8>, memref<2x5x4x1xi8>, memref<4xi8>) -> ()
    instr.dealloc %b : memref<2x5x4x1xi8>
    %view = instr.view %c at 20 : memref<2x5x4x1xi8> -> memref<20xi8>
    %out = instr.alloc "Identity" align 4 {role = #instr.role<output>, position = 0 : i64, tensor = 4 : i64, offset = 40 : i64, nn.type = tensor<20x!quant.uniform<i8:f32, 5.000000e-01:7>>} : memref<20xi8>
    instr.copy %view to %out {used_memory = 60 : i64, origin = #nn.origin<index = 3, code = "SLICE", tensors = [4], names = ["Identity"]>} : memref<20xi8> to memref<20xi8>
    instr.dealloc %c : memref<2x5x4x1xi8>
    instr.dealloc %out : memref<20xi8>
    return
  }
}
