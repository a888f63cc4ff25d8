# Internal build helpers. Public CMake functions are in AotcModel.cmake.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set_property(GLOBAL PROPERTY JOB_POOLS aotc_link=1)

find_program(AOTC_CCACHE ccache)
if(AOTC_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${AOTC_CCACHE})
endif()

# Flags and include root of everything of ours.
add_library(aotc_flags INTERFACE)
target_include_directories(aotc_flags INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
target_compile_options(aotc_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wno-unused-parameter -fno-exceptions>
  $<$<BOOL:${AOTC_WERROR}>:-Werror>)
if(AOTC_SANITIZE)
  list(JOIN AOTC_SANITIZE "," _sanitizers)
  target_compile_options(aotc_flags INTERFACE -fsanitize=${_sanitizers} -fno-omit-frame-pointer)
  target_link_options(aotc_flags INTERFACE -fsanitize=${_sanitizers})
endif()

# aotc_library(<name> LAYER <n> [USES_MLIR] SOURCES <file>... [LINK <target>...]
#              [DEPENDS <target>...])
# A static library of layer n (compiler/README.md, "Layers"): it may link only
# libraries of lower layers, and those of its own folder. USES_MLIR: includes MLIR headers (system includes,
# -fno-rtti, the shared precompiled header).
function(aotc_library name)
  cmake_parse_arguments(ARG "USES_MLIR" "LAYER" "SOURCES;LINK;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  set_property(TARGET ${name} PROPERTY AOTC_LAYER ${ARG_LAYER})
  foreach(used IN LISTS ARG_LINK)
    if(NOT used MATCHES "^aotc_")
      continue()
    endif()
    if(NOT TARGET ${used})
      message(FATAL_ERROR "${name} links ${used}, which no folder listed before it defines")
    endif()
    get_target_property(layer ${used} AOTC_LAYER)
    get_target_property(folder ${used} SOURCE_DIR)
    if(NOT layer LESS ARG_LAYER AND NOT folder STREQUAL CMAKE_CURRENT_SOURCE_DIR)
      message(FATAL_ERROR "${name} of layer ${ARG_LAYER} links ${used} of layer ${layer}")
    endif()
  endforeach()
  target_link_libraries(${name} PUBLIC aotc_flags ${ARG_LINK})
  target_include_directories(${name} SYSTEM PUBLIC ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
  target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  if(ARG_USES_MLIR)
    aotc_use_mlir_pch(${name})
  endif()
endfunction()

# The precompiled header of all MLIR users: built once, with aotc_ir.
function(aotc_use_mlir_pch name)
  if(NOT TARGET aotc_mlir_pch)
    file(WRITE ${PROJECT_BINARY_DIR}/cmake/pch_anchor.cpp "")
    add_library(aotc_mlir_pch OBJECT ${PROJECT_BINARY_DIR}/cmake/pch_anchor.cpp)
    target_link_libraries(aotc_mlir_pch PUBLIC aotc_flags)
    target_include_directories(aotc_mlir_pch SYSTEM PUBLIC ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
    target_compile_options(aotc_mlir_pch PRIVATE -fno-rtti)
    target_precompile_headers(aotc_mlir_pch PRIVATE
      <mlir/Dialect/Func/IR/FuncOps.h> <mlir/Dialect/MemRef/IR/MemRef.h>
      <mlir/Dialect/Quant/IR/Quant.h> <mlir/Dialect/Quant/IR/QuantTypes.h>
      <mlir/IR/Builders.h> <mlir/IR/BuiltinOps.h> <mlir/IR/DialectImplementation.h>
      <mlir/IR/OpImplementation.h> <mlir/IR/PatternMatch.h> <mlir/Pass/Pass.h>
      <map> <optional> <string> <vector>)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
      # A time stamp in the header would defeat ccache.
      target_compile_options(aotc_mlir_pch PUBLIC "SHELL:-Xclang -fno-pch-timestamp")
    endif()
  endif()
  target_precompile_headers(${name} REUSE_FROM aotc_mlir_pch)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_compile_options(${name} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endfunction()

# aotc_tablegen(<target> <td file> <output> <mlir-tblgen option>...)...
# Generates one .inc under the build tree; collect with add_dependencies.
function(aotc_tablegen target td output)
  set(LLVM_TARGET_DEFINITIONS ${td})
  file(RELATIVE_PATH _relative ${CMAKE_CURRENT_BINARY_DIR} ${PROJECT_BINARY_DIR}/${output})
  mlir_tablegen(${_relative} ${ARGN} EXTRA_INCLUDES ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR} ${MLIR_INCLUDE_DIRS})
  set_property(GLOBAL APPEND PROPERTY ${target}_outputs ${PROJECT_BINARY_DIR}/${output})
endfunction()

# aotc_embed(<output.S variable> <symbol>=<file>...): assembly that carries
# files byte for byte as <symbol>_data and <symbol>_end.
function(aotc_embed var name)
  set(asm "${CMAKE_CURRENT_BINARY_DIR}/${name}.S")
  set(text "    .section .rodata\n")
  set(files)
  foreach(pair IN LISTS ARGN)
    string(REGEX MATCH "^([^=]+)=(.*)$" _ ${pair})
    string(APPEND text "    .balign 16\n    .global ${CMAKE_MATCH_1}_data\n    .global ${CMAKE_MATCH_1}_end\n"
      "${CMAKE_MATCH_1}_data:\n    .incbin \"${CMAKE_MATCH_2}\"\n${CMAKE_MATCH_1}_end:\n    .byte 0\n")
    list(APPEND files ${CMAKE_MATCH_2})
  endforeach()
  string(APPEND text "    .section .note.GNU-stack,\"\",%progbits\n")
  file(GENERATE OUTPUT ${asm} CONTENT "${text}")
  set_property(SOURCE ${asm} PROPERTY OBJECT_DEPENDS "${files}")
  set_property(SOURCE ${asm} PROPERTY GENERATED ON)
  set(${var} ${asm} PARENT_SCOPE)
endfunction()

# aotc_lit_suite(): registers the *.mlir and *.test files of the current folder
# of test/ in CTest as `lit-<folder>`, labelled <folder>. Tests find the tools in
# build/bin and LLVM's FileCheck, not, split-file on their PATH (test/lit.cfg.py).
function(aotc_lit_suite)
  find_program(AOTC_LIT NAMES lit lit-22 llvm-lit HINTS ${LLVM_TOOLS_BINARY_DIR} NO_CACHE REQUIRED)
  get_filename_component(folder ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  configure_file(${PROJECT_SOURCE_DIR}/test/lit.site.cfg.py.in
    ${PROJECT_BINARY_DIR}/test/lit.site.cfg.py @ONLY)
  add_test(NAME lit-${folder} COMMAND ${AOTC_LIT} -v --no-progress-bar ${CMAKE_CURRENT_BINARY_DIR})
  set_tests_properties(lit-${folder} PROPERTIES LABELS ${folder})
endfunction()
