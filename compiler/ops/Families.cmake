# The one list of operator families. Each is a folder compiler/ops/<folder>/
# with <Name>.td, <Name>Ops.cpp (verifiers, describe) and <Name>Import.cpp
# (readers). AllOps.td and AllOps.inc are generated from it.
set(AOTC_OP_FAMILIES
  constant:Constant
  conv:Conv
  fully_connected:FullyConnected
  pool:Pool
  elementwise:Elementwise
  activation:Activation
  softmax:Softmax
  shape:Shape
  reduce:Reduce
  quantize:Quantize)
