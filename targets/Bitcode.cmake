# Device code of the kernels: every <folder>/kernels/<name>__<level>.cpp is
# compiled by clang to bitcode, once per family its level serves; the files of
# a (level, family) pair are linked into one module, and the modules are
# embedded in aotc_target (README.md, "Bitcode").
#
# Nothing of the building machine may enter a module: no debug information, no
# compiler ident; llvm-link gives its result a name of its own, so the path of
# a source ends with the file's module.

set(_kernel_flags ${AOTC_KERNEL_FLAGS} -emit-llvm -c)

# The pairs: <level> <family> <clang flags>. The portable module of Cortex-M is
# for v6-M, whose data layout all of them share up to v8.1-M; short enums are
# the default of arm-none-eabi-gcc, with whose objects ours must link.
set(_arm_m_flags ${AOTC_KERNEL_FLAGS_ARM_M})
set(_pairs)
macro(_aotc_kernel_pair level family)
  list(APPEND _pairs ${level}:${family})
  set(_flags_${level}_${family} ${ARGN})
endmacro()
_aotc_kernel_pair(ref armM --target=thumbv6m-none-eabi ${_arm_m_flags})
_aotc_kernel_pair(ref armA --target=armv7a-linux-gnueabihf -mfpu=neon -fPIC)
_aotc_kernel_pair(ref aarch64 --target=aarch64-linux-gnu -fPIC)
_aotc_kernel_pair(ref x86 --target=x86_64-linux-gnu -march=x86-64 -fPIC)
_aotc_kernel_pair(dsp armM --target=thumbv7em-none-eabi -mcpu=cortex-m4 ${_arm_m_flags})
# softfp: Helium needs the FPU, and every ABI's callers this calling convention.
_aotc_kernel_pair(mve armM --target=thumbv8.1m.main-none-eabi -mcpu=cortex-m55 ${_arm_m_flags} -mfloat-abi=softfp)
_aotc_kernel_pair(thumb2 armM --target=thumbv7m-none-eabi -mcpu=cortex-m3 ${_arm_m_flags})
_aotc_kernel_pair(thumb1 armM --target=thumbv6m-none-eabi -mcpu=cortex-m0plus ${_arm_m_flags})
_aotc_kernel_pair(neon armA --target=armv7a-linux-gnueabihf -mfpu=neon -fPIC)
_aotc_kernel_pair(neon aarch64 --target=aarch64-linux-gnu -fPIC)
_aotc_kernel_pair(neon_dot aarch64 --target=aarch64-linux-gnu -march=armv8.2-a+dotprod -fPIC)
_aotc_kernel_pair(avx2 x86 --target=x86_64-linux-gnu -march=x86-64-v3 -fPIC)
_aotc_kernel_pair(avx512 x86 --target=x86_64-linux-gnu -march=x86-64-v4 -mprefer-vector-width=512 -fPIC)
_aotc_kernel_pair(avx512vnni x86 --target=x86_64-linux-gnu -march=x86-64-v4 -mavx512vnni
  -mprefer-vector-width=512 -fPIC)

set(_embedded)
set(_rows "")
foreach(_pair IN LISTS _pairs)
  string(REPLACE ":" ";" _pair ${_pair})
  list(GET _pair 0 _level)
  list(GET _pair 1 _family)
  file(GLOB _sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
    ${CMAKE_CURRENT_SOURCE_DIR}/*/kernels/*__${_level}.cpp
    ${CMAKE_CURRENT_SOURCE_DIR}/*/*/kernels/*__${_level}.cpp)
  if(NOT _sources)
    continue()
  endif()
  list(SORT _sources)
  set(_dir ${CMAKE_CURRENT_BINARY_DIR}/bitcode/${_level}-${_family})
  file(MAKE_DIRECTORY ${_dir})
  set(_modules)
  foreach(_source IN LISTS _sources)
    get_filename_component(_name ${_source} NAME_WE)
    set(_module ${_dir}/${_name}.bc)
    add_custom_command(OUTPUT ${_module}
      COMMAND ${AOTC_DEVICE_CLANGXX} ${_kernel_flags} ${_flags_${_level}_${_family}} -I${PROJECT_SOURCE_DIR}
        -MD -MF ${_module}.d -MT ${_module} -o ${_module} ${PROJECT_SOURCE_DIR}/${_source}
      DEPENDS ${PROJECT_SOURCE_DIR}/${_source}
      DEPFILE ${_module}.d
      COMMENT "Kernel ${_name} for ${_family}"
      VERBATIM)
    list(APPEND _modules ${_module})
  endforeach()
  add_custom_command(OUTPUT ${_dir}.bc
    COMMAND ${AOTC_DEVICE_LLVM_LINK} -o ${_dir}.bc ${_modules}
    DEPENDS ${_modules}
    COMMENT "Kernel module ${_level} for ${_family}"
    VERBATIM)
  set(_symbol aotc_kernels_${_level}_${_family})
  list(APPEND _embedded ${_symbol}=${_dir}.bc)
  string(APPEND _rows "AOTC_KERNEL_BITCODE(\"${_level}\", ${_family}, ${_symbol})\n")
endforeach()

file(CONFIGURE OUTPUT KernelBitcode.inc CONTENT "${_rows}" @ONLY)
aotc_embed(_embedded_source KernelBitcode ${_embedded})
target_sources(aotc_target PRIVATE ${_embedded_source})
