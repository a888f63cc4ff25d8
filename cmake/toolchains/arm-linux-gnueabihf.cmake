# Toolchain file for 32-bit Arm Linux (Armv7-A, hard float) with GCC; the CPU
# decides which target aotc_add_model() takes.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR armv7l)
set(CMAKE_C_COMPILER arm-linux-gnueabihf-gcc)
set(CMAKE_CXX_COMPILER arm-linux-gnueabihf-g++)
set(CMAKE_C_FLAGS_INIT "-mcpu=cortex-a9")
set(CMAKE_CXX_FLAGS_INIT "-mcpu=cortex-a9")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
# Tests run the project's programs under QEMU, with the libraries of Debian's cross compiler.
if(NOT DEFINED CMAKE_CROSSCOMPILING_EMULATOR)
  set(CMAKE_CROSSCOMPILING_EMULATOR qemu-arm -L /usr/arm-linux-gnueabihf)
endif()
