# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Which of aotc's targets the toolchain of a project compiles for: of AotcModel.cmake,
# which finds the program, AOTC_EXECUTABLE.
include_guard(GLOBAL)

# The language of the project that counts, C or else C++, and the flags that the
# toolchain and the current directory give to it, as a list.
function(_aotc_flags language flags)
  set(this C)
  if(NOT CMAKE_C_COMPILER_LOADED)
    set(this CXX)
  endif()
  string(TOUPPER "${CMAKE_BUILD_TYPE}" config)
  separate_arguments(list UNIX_COMMAND "${CMAKE_${this}_FLAGS} ${CMAKE_${this}_FLAGS_${config}}")
  get_directory_property(options COMPILE_OPTIONS)
  string(REGEX REPLACE "(^|;)SHELL:" ";" options "${options}")
  list(JOIN options " " options)
  separate_arguments(options UNIX_COMMAND "${options}")
  set(${language} ${this} PARENT_SCOPE)
  set(${flags} ${list} ${options} PARENT_SCOPE)
endfunction()

# The value of the last of the flags -m<key>=..., also of one that a generator
# expression limits to a language; empty if there is none.
function(_aotc_flag out key)
  _aotc_flags(language flags)
  string(REGEX MATCHALL "-m${key}=[^;>]+" found "${flags}")
  set(value "")
  foreach(flag IN LISTS found)
    string(REGEX REPLACE "^-m${key}=" "" value "${flag}")
  endforeach()
  set(${out} "${value}" PARENT_SCOPE)
endfunction()

# The target for x86-64 whose instructions the flags allow, by what the compiler itself says.
function(_aotc_x86_target out)
  _aotc_flags(language flags)
  list(FILTER flags EXCLUDE REGEX "\\$<|>$") # generator expressions
  execute_process(COMMAND "${CMAKE_${language}_COMPILER}" ${flags} -dM -E -x c /dev/null
    OUTPUT_VARIABLE macros ERROR_QUIET)
  set(needs_v3 AVX2 FMA BMI BMI2 F16C LZCNT MOVBE)
  set(needs_v4 AVX512F AVX512BW AVX512CD AVX512DQ AVX512VL)
  set(needs_v4+vnni AVX512VNNI)
  set(${out} x86-64-v2 PARENT_SCOPE)
  foreach(level v3 v4 v4+vnni) # each includes those before
    foreach(feature IN LISTS needs_${level})
      if(NOT macros MATCHES "#define __${feature}__ ")
        return()
      endif()
    endforeach()
    set(${out} x86-64-${level} PARENT_SCOPE)
  endforeach()
endfunction()

# The names `aotc targets` prints: each at the start of a line.
function(_aotc_known_targets out)
  execute_process(COMMAND "${AOTC_EXECUTABLE}" targets
    OUTPUT_VARIABLE text ERROR_VARIABLE error RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "aotc_add_model: '${AOTC_EXECUTABLE} targets' failed "
      "(${status}) ${error}")
  endif()
  string(REGEX MATCHALL "(^|\n)[^ \n]+" names "${text}")
  string(REPLACE "\n" "" names "${names}")
  set(${out} "${names}" PARENT_SCOPE)
endfunction()

# The aotc target that matches the toolchain; `known`: those there are.
function(_aotc_target_from_toolchain out known)
  _aotc_flag(cpu cpu)
  _aotc_flag(arch arch)
  _aotc_flag(float_abi float-abi)
  string(TOLOWER "${CMAKE_SYSTEM_PROCESSOR}" processor)
  if(processor STREQUAL "" OR NOT CMAKE_CROSSCOMPILING)
    string(TOLOWER "${CMAKE_HOST_SYSTEM_PROCESSOR}" processor)
  endif()
  set(target "")
  if(cpu MATCHES "^cortex-m")
    # As GCC spells it: cortex-m4+nofp has no FPU. Without -mfloat-abi the
    # compiler's default is the soft ABI, or Clang's triple says.
    _aotc_flag(fpu fpu)
    string(REPLACE "+" ";" options "${cpu}")
    list(POP_FRONT options core)
    if(float_abi STREQUAL "" AND
       "${CMAKE_C_COMPILER_TARGET} ${CMAKE_C_FLAGS} ${CMAKE_CXX_FLAGS}" MATCHES "eabihf")
      set(float_abi hard)
    endif()
    set(target "${core}")
    if("nodsp" IN_LIST options)
      string(APPEND target "+nodsp")
    endif()
    if("nofp" IN_LIST options OR float_abi STREQUAL "" OR float_abi STREQUAL "soft")
      # Cores that never have an FPU are known by their plain name.
      if(NOT "${core}" IN_LIST known OR "${core}+nofp" IN_LIST known)
        string(APPEND target "+nofp")
      endif()
    else()
      if("nomve" IN_LIST options OR "nomve.fp" IN_LIST options)
        string(APPEND target "+nomve")
      endif()
      if(float_abi STREQUAL "softfp")
        string(APPEND target "+softfp")
      elseif(("nofp.dp" IN_LIST options OR fpu MATCHES "-sp-") AND
             "${target}+nofp.dp" IN_LIST known)
        string(APPEND target "+nofp.dp")
      endif()
    endif()
  elseif(processor MATCHES "^arm" AND cpu MATCHES "^cortex-a")
    # Linux on Armv7-A, hard-float ABI only: what Debian and Yocto call armhf.
    if(float_abi STREQUAL "hard" OR (float_abi STREQUAL "" AND
       "${CMAKE_C_COMPILER} ${CMAKE_CXX_COMPILER} ${CMAKE_C_COMPILER_TARGET}" MATCHES "eabihf"))
      string(REGEX REPLACE "\\+.*$" "" target "${cpu}")
    endif()
  elseif(processor MATCHES "^(aarch64|arm64)$")
    # Code for cortex-a53 runs on every 64-bit Arm core.
    set(target "cortex-a53")
    string(REGEX REPLACE "\\+.*$" "" core "${cpu}")
    if(core IN_LIST known)
      set(target "${core}")
    endif()
  elseif(processor MATCHES "^(x86_64|amd64)$")
    if(arch STREQUAL "native")
      set(target "host")
    else()
      _aotc_x86_target(target)
    endif()
  endif()
  if(target STREQUAL "")
    list(JOIN known ", " names)
    message(FATAL_ERROR "aotc_add_model: cannot tell the CPU from the toolchain "
      "(processor '${processor}', -mcpu='${cpu}'). Set -mcpu in CMAKE_C_FLAGS or "
      "give TARGET, one of: ${names}")
  endif()
  set(${out} "${target}" PARENT_SCOPE)
endfunction()
