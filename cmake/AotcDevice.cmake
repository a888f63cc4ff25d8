# Tools and flags for device code: kernels (targets/Bitcode.cmake, and tests that
# build the same kernels as machine code) and the harness of compiler/run.
find_program(AOTC_DEVICE_CLANG NAMES clang-22 clang HINTS ${LLVM_TOOLS_BINARY_DIR} REQUIRED)
find_program(AOTC_DEVICE_CLANGXX NAMES clang++-22 clang++ HINTS ${LLVM_TOOLS_BINARY_DIR} REQUIRED)
find_program(AOTC_DEVICE_LLD NAMES ld.lld-22 ld.lld HINTS ${LLVM_TOOLS_BINARY_DIR} REQUIRED)
find_program(AOTC_DEVICE_LLVM_LINK NAMES llvm-link-22 llvm-link HINTS ${LLVM_TOOLS_BINARY_DIR} REQUIRED)

# Loops stay as they are written: their form was chosen for the target.
set(AOTC_KERNEL_FLAGS -O2 -std=c++20 -ffreestanding -nostdlibinc -fno-exceptions -fno-rtti
  -fno-vectorize -fno-slp-vectorize -fno-unroll-loops -fomit-frame-pointer
  -fno-strict-aliasing -fno-stack-protector -fno-unwind-tables -fno-asynchronous-unwind-tables
  -g0 -Qn -Wall -Wextra -Werror)
# Beside --target and -mcpu, for all Cortex-M.
set(AOTC_KERNEL_FLAGS_ARM_M -fshort-enums -mfloat-abi=soft)
