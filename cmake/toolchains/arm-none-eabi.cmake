# Toolchain file for Cortex-M with GCC. Set AOTC_CORTEX_M_FLAGS for another
# core, e.g. -DAOTC_CORTEX_M_FLAGS="-mcpu=cortex-m4 -mfloat-abi=soft".
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_CXX_COMPILER arm-none-eabi-g++)
set(CMAKE_ASM_COMPILER arm-none-eabi-gcc)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(AOTC_CORTEX_M_FLAGS "-mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard"
    CACHE STRING "flags that choose the core")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES AOTC_CORTEX_M_FLAGS)
set(CMAKE_C_FLAGS_INIT "-mthumb ${AOTC_CORTEX_M_FLAGS} -ffunction-sections -fdata-sections")
set(CMAKE_CXX_FLAGS_INIT "${CMAKE_C_FLAGS_INIT} -fno-exceptions -fno-rtti")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,--gc-sections")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
