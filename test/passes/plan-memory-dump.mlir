// RUN: aotc-opt %s --aotc-plan-memory=dump-problem=%t.csv -o /dev/null
// RUN: FileCheck %s --input-file=%t.csv
// RUN: aotc-plan %t.csv -o %t.out.csv | FileCheck %s --check-prefix=PLAN
// RUN: FileCheck %s --check-prefix=OUT --input-file=%t.out.csv

// Step 0 is the caller's, 1 the instruction, 2 the caller's again; [lower, upper).
// CHECK: id,lower,upper,size,name,align,role,overlap
// CHECK-NEXT: 0,0,2,8,"x,""1""",4,input,
// CHECK-NEXT: 1,1,3,8,y,4,output,0:0::1
// PLAN: height=8 bound=8 optimal=yes nodes=0
// OUT: 1,1,3,8,y,4,output,0:0::1,0
func.func @dump() {
  %x = instr.alloc "x,\221\22" align 4 {position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
  %y = instr.alloc "y" align 4 {position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
  instr.kernel "k" level "ref" ins(%x) outs(%y) shape [] layer []
    {instr.shares = [#instr.overlap<input = 0, output = 0, ascending = 0>]}
    : (memref<8xi8>, memref<8xi8>) -> ()
  instr.dealloc %x : memref<8xi8>
  instr.dealloc %y : memref<8xi8>
  return
}
