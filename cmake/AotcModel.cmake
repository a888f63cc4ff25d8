# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# aotc_add_model: embed a trained network in a C or C++ program;
# aotc_share_arena: one arena for models that never run at the same time.
#
#   find_package(aotc REQUIRED)   # installed; from a checkout: include(path/to/aotc/cmake/AotcModel.cmake)
#   aotc_add_model(kws MODEL kws.tflite)
#   target_link_libraries(firmware PRIVATE kws)      # and: #include "kws.h"
#
# Full form:
#   aotc_add_model(<name> MODEL <file>
#     [TARGET <cpu>]            default: from the toolchain's flags (-mcpu,
#                               -mfpu, -mfloat-abi, -march); `aotc targets`
#     [TARGETS <cpu>...]        a library <name>_<cpu> for each instead of <name>
#     [MACHINE <name or file>]  whose memory is used: a board of `aotc targets`, or
#                               a .yaml file
#     [REGIONS <region>...]     NAME=SIZE[:COST] or NAME=none: --region
#     [FUNCTION_PREFIX <id>]    prefix of all generated names; default <name>
#     [HEADER <variable>]       set to the generated header's path
#     [MEMORY_MAP <variable>]   set to the memory map's path (JSON; .txt, .html beside)
#     [OPTIONS <option>...]     further options of `aotc compile`, e.g.
#                               --optimize=size (or speed)
#     [TEST <file>... EXPECT <file>... [TOLERANCE <float>]]
#                               CTest entry <name>_test: inputs, and the outputs they must give
#     [BENCH])                  target <name>_bench: prints time or instructions, also of each layer, RAM, flash
#
#   aotc_share_arena(<name> MODELS <model>...   targets of aotc_add_model()
#     [FUNCTION_PREFIX <id>] [HEADER <variable>] [MEMORY_MAP <variable>])
#
# Each makes a library target <name>, rebuilt when the model, the options, a file
# they name (machine, plan) or aotc change; aotc_share_arena's brings the models and the header of their arena.
# aotc runs on the build machine: it is looked for in AOTC_EXECUTABLE, in the
# checkout or installation this file is of, and on the PATH, never linked.
# README.md in this folder is the reference.
include_guard(GLOBAL)
# Paths in a DEPFILE are the generator's business, whatever the project's policies.
cmake_policy(SET CMP0116 NEW)
include("${CMAKE_CURRENT_LIST_DIR}/AotcToolchain.cmake")

# Where the program may be, and the runtime stub. Installed (AotcInstall.cmake),
# the stub is beside this file, PREFIX/lib/cmake/aotc/, and the program in PREFIX/bin.
if(EXISTS "${CMAKE_CURRENT_LIST_DIR}/runtime-stub")
  set(_programs "${CMAKE_CURRENT_LIST_DIR}/../../../bin")
  set(_stub "${CMAKE_CURRENT_LIST_DIR}/runtime-stub")
else()
  set(_programs "${CMAKE_CURRENT_LIST_DIR}/../build/bin")
  set(_stub "${CMAKE_CURRENT_LIST_DIR}/../runtime-stub")
endif()
cmake_path(NORMAL_PATH _programs)
cmake_path(NORMAL_PATH _stub)
set(_AOTC_PROGRAMS "${_programs}" CACHE INTERNAL "where aotc is looked for first")
set(_AOTC_RUNTIME_STUB "${_stub}" CACHE INTERNAL "aotc's runtime stub, in source form")
unset(_programs)
unset(_stub)

# AOTC_EXECUTABLE: as the user set it, or found, and then found again when this file
# is another checkout's or installation's than before.
function(_aotc_find_program)
  if("${AOTC_EXECUTABLE}" STREQUAL "${_AOTC_FOUND}" AND NOT "${_AOTC_FOUND_BY}" STREQUAL "${_AOTC_PROGRAMS}")
    unset(AOTC_EXECUTABLE CACHE)
  endif()
  if(NOT AOTC_EXECUTABLE)
    find_program(AOTC_EXECUTABLE aotc
      HINTS "${_AOTC_PROGRAMS}"
      DOC "the aotc compiler (a program of the build machine)"
      NO_CMAKE_FIND_ROOT_PATH)
    set(_AOTC_FOUND "${AOTC_EXECUTABLE}" CACHE INTERNAL "what AOTC_EXECUTABLE was found as")
    set(_AOTC_FOUND_BY "${_AOTC_PROGRAMS}" CACHE INTERNAL "and by which checkout or installation")
  endif()
  if(NOT AOTC_EXECUTABLE)
    message(FATAL_ERROR "aotc_add_model: cannot find aotc, neither in ${_AOTC_PROGRAMS} nor on the "
      "PATH. Build it ('./dev build' in its checkout) or set -DAOTC_EXECUTABLE=/path/to/aotc")
  endif()
endfunction()

# The runtime stub, with the flags of the current folder. Included, not
# add_subdirectory(): aotcConfig.cmake defers this call, which may not add folders.
function(_aotc_runtime_stub)
  if(NOT TARGET aotc_runtime_stub)
    include("${_AOTC_RUNTIME_STUB}/CMakeLists.txt")
    set_target_properties(aotc_runtime_stub PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
endfunction()

# The prefix of the generated names: `asked`, or made from the target's name. `who`
# begins an error message; the rest is the command of aotc that will use it.
function(_aotc_prefix out who name asked)
  set(wanted "${name}")
  if(asked)
    set(wanted "${asked}")
  endif()
  # The compiler makes the identifier: it knows what C and its library reserve.
  execute_process(
    COMMAND "${AOTC_EXECUTABLE}" ${ARGN} --name "${wanted}" --print-name
    OUTPUT_VARIABLE prefix OUTPUT_STRIP_TRAILING_WHITESPACE
    ERROR_VARIABLE error RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${who}: '${AOTC_EXECUTABLE} --print-name' failed (${status}) ${error}")
  endif()
  if(asked AND NOT prefix STREQUAL asked)
    message(FATAL_ERROR "${who}: FUNCTION_PREFIX '${asked}' is "
      "no identifier of letters, digits and single underscores that C leaves free; "
      "'${prefix}' is one")
  endif()
  set(${out} "${prefix}" PARENT_SCOPE)
endfunction()

# The library `name`: `model` compiled for `cpu`, with further options of `aotc
# compile`. Its files are `name`.aotc/`prefix`.* of the current binary folder.
function(_aotc_library name model cpu prefix)
  set(dir "${CMAKE_CURRENT_BINARY_DIR}/${name}.aotc")
  set(base "${dir}/${prefix}")
  add_custom_command(
    OUTPUT "${base}.o" "${base}.h" "${base}.map.json" "${base}.map.txt" "${base}.html"
    COMMAND "${AOTC_EXECUTABLE}" compile "${model}" --target "${cpu}"
            --name "${prefix}" -o "${dir}" ${ARGN}
    BYPRODUCTS "${base}.d"
    DEPENDS "${model}" "${AOTC_EXECUTABLE}"
    DEPFILE "${base}.d" # also the files that options name
    COMMENT "aotc: ${name} for ${cpu}"
    VERBATIM)
  add_library(${name} STATIC "${base}.o" "${base}.h")
  set_source_files_properties("${base}.o" PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
  # Any language serves to make an archive; the project may have only one.
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if("C" IN_LIST languages)
    set_target_properties(${name} PROPERTIES LINKER_LANGUAGE C)
  else()
    set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  endif()
  target_include_directories(${name} SYSTEM INTERFACE "${dir}")
  set_target_properties(${name} PROPERTIES AOTC_HEADER "${base}.h" AOTC_MEMORY_MAP "${base}.map.json"
    # Two values in what a program links are CMake's error; other programs may have their own.
    COMPATIBLE_INTERFACE_STRING AOTC_ONE_MODEL_OF_FUNCTION_PREFIX_${prefix}
    INTERFACE_AOTC_ONE_MODEL_OF_FUNCTION_PREFIX_${prefix} ${name})
  _aotc_runtime_stub()
  _aotc_flag(cpu cpu)
  _aotc_flag(arch arch)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^arm" AND "${cpu}${arch}" STREQUAL "")
    # For what CPU is not known here: each program compiles the stub with its own flags.
    target_sources(${name} INTERFACE "$<TARGET_PROPERTY:aotc_runtime_stub,SOURCES>")
    target_include_directories(${name} INTERFACE "$<TARGET_PROPERTY:aotc_runtime_stub,INTERFACE_INCLUDE_DIRECTORIES>")
  else()
    target_link_libraries(${name} INTERFACE aotc::runtime_stub)
  endif()
endfunction()

# The model of library `name` executed as it was compiled, by aotc, which needs no
# cross compiler: the CTest entry `name`_test, the target `name`_bench. `command`:
# model and options; inputs, expect, tolerance, bench: arguments of aotc_add_model.
function(_aotc_executions name command inputs expect tolerance bench)
  # The same code without hooks, which `compile` alone takes; what it takes as the
  # short form of --input-mode is data to the others.
  list(REMOVE_ITEM command --hooks)
  list(TRANSFORM command REPLACE "^--(input|output)(=|$)" "--\\1-mode\\2")
  list(TRANSFORM inputs PREPEND "--input=")
  if(expect)
    list(TRANSFORM expect PREPEND "--expect=")
    if(NOT tolerance STREQUAL "")
      list(APPEND expect "--abs=${tolerance}" "--rel=${tolerance}")
    endif()
    add_test(NAME ${name}_test COMMAND "${AOTC_EXECUTABLE}" verify ${command} ${inputs} ${expect})
    # Where aotc says that this machine cannot execute code for the CPU.
    set_tests_properties(${name}_test PROPERTIES LABELS aotc SKIP_REGULAR_EXPRESSION
      "skipped: ;error: 'qemu-[a-z0-9-]*' not found;error: target '[^']*' does not run on this machine")
  endif()
  if(bench)
    add_custom_target(${name}_bench
      COMMAND "${AOTC_EXECUTABLE}" run ${command} ${inputs} --profile USES_TERMINAL VERBATIM)
  endif()
endfunction()

# Ends with an error, which `who` begins, what arguments ARG_... cannot be.
macro(_aotc_check_arguments who known)
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${who}: unknown arguments '${ARG_UNPARSED_ARGUMENTS}'; known: ${known}")
  endif()
  if(ARG_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "${who}: no value after '${ARG_KEYWORDS_MISSING_VALUES}'")
  endif()
endmacro()

# `files` made absolute, relative to the current source folder.
function(_aotc_absolute files)
  set(result "")
  foreach(file IN LISTS ${files})
    cmake_path(ABSOLUTE_PATH file NORMALIZE)
    list(APPEND result "${file}")
  endforeach()
  set(${files} "${result}" PARENT_SCOPE)
endfunction()

# Ends with an error, which `who` begins, unless each of the `files` that `argument`
# names is there or will be made by the build.
function(_aotc_check_files who argument files)
  foreach(file IN LISTS files)
    get_source_file_property(generated "${file}" GENERATED)
    if(IS_DIRECTORY "${file}")
      message(FATAL_ERROR "${who}: ${argument} '${file}' is a folder, not a file")
    elseif(NOT EXISTS "${file}" AND NOT generated)
      message(FATAL_ERROR "${who}: ${argument} '${file}' does not exist, and no custom command of this folder makes it")
    endif()
  endforeach()
endfunction()

# Ends with an error unless `name` can be a library target.
function(_aotc_check_name who name)
  if(NOT name MATCHES "^[A-Za-z0-9_.+-]+$")
    message(FATAL_ERROR "${who}: '${name}' cannot be a target's name: letters, digits, _ . + and - only")
  elseif(TARGET "${name}")
    message(FATAL_ERROR "${who}: there is a target of this name already")
  endif()
endfunction()

# Ends with an error what aotc_add_model's arguments ARG_... cannot be, `known`
# being aotc's targets; makes their paths absolute.
macro(_aotc_check_model who known)
  if(NOT ARG_MODEL)
    message(FATAL_ERROR "${who}: MODEL is missing: give MODEL <file.tflite>")
  endif()
  _aotc_absolute(ARG_MODEL)
  _aotc_check_files("${who}" MODEL "${ARG_MODEL}")
  if(ARG_TARGET AND ARG_TARGETS)
    message(FATAL_ERROR "${who}: TARGET or TARGETS, not both")
  endif()
  foreach(cpu IN LISTS ARG_TARGET ARG_TARGETS)
    if(NOT cpu IN_LIST ${known})
      list(JOIN ${known} ", " names)
      message(FATAL_ERROR "${who}: aotc has no target '${cpu}'; give TARGET, one of ${names}")
    endif()
  endforeach()
  set(cpus ${ARG_TARGETS})
  list(REMOVE_DUPLICATES cpus)
  if(NOT "${cpus}" STREQUAL "${ARG_TARGETS}")
    message(FATAL_ERROR "${who}: TARGETS names a CPU twice: ${ARG_TARGETS}")
  endif()
  if(ARG_TEST AND NOT ARG_EXPECT)
    message(FATAL_ERROR "${who}: TEST needs EXPECT, the outputs to compare with")
  elseif(ARG_EXPECT AND NOT ARG_TEST)
    message(FATAL_ERROR "${who}: EXPECT needs TEST, the inputs that give these outputs")
  elseif(DEFINED ARG_TOLERANCE AND NOT ARG_EXPECT)
    message(FATAL_ERROR "${who}: TOLERANCE needs TEST and EXPECT")
  elseif(DEFINED ARG_TOLERANCE AND NOT ARG_TOLERANCE MATCHES "^([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?$")
    message(FATAL_ERROR "${who}: TOLERANCE is '${ARG_TOLERANCE}', not a number from 0 on like 1e-5")
  endif()
  _aotc_absolute(ARG_TEST)
  _aotc_check_files("${who}" TEST "${ARG_TEST}")
  _aotc_absolute(ARG_EXPECT)
  _aotc_check_files("${who}" EXPECT "${ARG_EXPECT}")
  if(ARG_MACHINE MATCHES "\\.ya?ml$")
    _aotc_absolute(ARG_MACHINE)
    _aotc_check_files("${who}" MACHINE "${ARG_MACHINE}")
  endif()
endmacro()

# `error`: what aotc has against the command line `ARGN`; empty: nothing.
function(_aotc_try_command error)
  execute_process(COMMAND ${ARGN} --print-name WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}"
    OUTPUT_QUIET ERROR_VARIABLE text RESULT_VARIABLE status)
  if(status EQUAL 0)
    set(text "")
  elseif("${text}" STREQUAL "")
    set(text "aotc ends with ${status}")
  endif()
  string(REGEX REPLACE "^error: " "" text "${text}")
  set(${error} "${text}" PARENT_SCOPE)
endfunction()

# Ends with an error, which `who` begins, if aotc's command line, `ARGN`, becomes
# wrong by the caller's ARG_MACHINE, ARG_REGIONS or ARG_OPTIONS. What the build will
# make or evaluate (a machine file, generator expressions) is left to the build.
function(_aotc_check_options who)
  foreach(option IN LISTS ARG_OPTIONS)
    if(option MATCHES "^(-t|--target(=|$))")
      message(FATAL_ERROR "${who}: OPTIONS: '${option}' is this function's to give; use TARGET")
    elseif(option MATCHES "^--name(=|$)")
      message(FATAL_ERROR "${who}: OPTIONS: '${option}' is this function's to give; use FUNCTION_PREFIX")
    elseif(option MATCHES "^(-o|--output-dir(=|$))")
      message(FATAL_ERROR "${who}: OPTIONS: '${option}' is this function's to give; "
        "HEADER and MEMORY_MAP say where the files are")
    elseif(option MATCHES "^(-h|--help|--print-name|--stop-after(=.*)?)$")
      message(FATAL_ERROR "${who}: OPTIONS: with '${option}' aotc makes no library; run it by hand")
    endif()
  endforeach()
  string(REGEX REPLACE "^--machine=" "" file "${ARG_MACHINE}")
  if(file MATCHES "\\.ya?ml$" AND NOT EXISTS "${file}")
    return()
  endif()
  foreach(argument MACHINE REGIONS OPTIONS)
    if("${ARG_${argument}}" MATCHES "\\$<")
      return()
    endif()
  endforeach()
  # All of it, for regions may be those of a machine in OPTIONS; what is wrong with
  # it is told of the first argument that makes it so.
  set(command "${AOTC_EXECUTABLE}" ${ARGN})
  set(whole ${command} ${ARG_MACHINE} ${ARG_REGIONS} ${ARG_OPTIONS})
  _aotc_try_command(error ${whole})
  foreach(argument MACHINE REGIONS OPTIONS)
    if("${error}" STREQUAL "")
      return()
    endif()
    list(APPEND command ${ARG_${argument}})
    _aotc_try_command(wrong ${command})
    if(NOT "${wrong}" STREQUAL "")
      message(FATAL_ERROR "${who}: ${argument}: ${wrong}")
    endif()
  endforeach()
endfunction()

function(aotc_add_model name)
  set(who "aotc_add_model(${name})")
  cmake_parse_arguments(PARSE_ARGV 1 ARG "BENCH"
    "MODEL;TARGET;MACHINE;FUNCTION_PREFIX;HEADER;MEMORY_MAP;TOLERANCE"
    "TARGETS;REGIONS;OPTIONS;TEST;EXPECT")
  list(REMOVE_ITEM ARG_KEYWORDS_MISSING_VALUES OPTIONS REGIONS) # an empty list is fine
  _aotc_check_name("${who}" "${name}")
  _aotc_check_arguments("${who}" "MODEL, TARGET, TARGETS, MACHINE, REGIONS, FUNCTION_PREFIX, \
HEADER, MEMORY_MAP, OPTIONS, TEST, EXPECT, TOLERANCE, BENCH")
  _aotc_find_program()
  _aotc_known_targets(known)
  if(NOT ARG_TARGET AND NOT ARG_TARGETS)
    _aotc_target_from_toolchain(ARG_TARGET "${known}")
  endif()
  _aotc_check_model("${who}" known)
  _aotc_prefix(prefix "${who}" "${name}" "${ARG_FUNCTION_PREFIX}" compile "${ARG_MODEL}")

  list(TRANSFORM ARG_MACHINE PREPEND "--machine=")
  list(TRANSFORM ARG_REGIONS PREPEND "--region=")
  set(options ${ARG_MACHINE} ${ARG_REGIONS} ${ARG_OPTIONS})
  set(libraries)
  set(headers)
  set(maps)
  foreach(cpu IN LISTS ARG_TARGET ARG_TARGETS)
    set(library "${name}")
    if(ARG_TARGETS)
      set(library "${name}_${cpu}")
    endif()
    _aotc_check_options("${who}" compile "${ARG_MODEL}" --target "${cpu}" --name "${prefix}" -o .)
    _aotc_library("${library}" "${ARG_MODEL}" "${cpu}" "${prefix}" ${options})
    _aotc_executions("${library}" "${ARG_MODEL};--target;${cpu};${options}"
      "${ARG_TEST}" "${ARG_EXPECT}" "${ARG_TOLERANCE}" "${ARG_BENCH}")
    get_target_property(header "${library}" AOTC_HEADER)
    get_target_property(map "${library}" AOTC_MEMORY_MAP)
    list(APPEND libraries "${library}")
    list(APPEND headers "${header}")
    list(APPEND maps "${map}")
  endforeach()
  if(ARG_TARGETS)
    add_custom_target(${name} ALL DEPENDS ${libraries})
  endif()
  if(ARG_HEADER)
    set(${ARG_HEADER} "${headers}" PARENT_SCOPE)
  endif()
  if(ARG_MEMORY_MAP)
    set(${ARG_MEMORY_MAP} "${maps}" PARENT_SCOPE)
  endif()
endfunction()

function(aotc_share_arena name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "FUNCTION_PREFIX;HEADER;MEMORY_MAP" "MODELS")
  set(who "aotc_share_arena(${name})")
  _aotc_check_name("${who}" "${name}")
  _aotc_check_arguments("${who}" "MODELS, FUNCTION_PREFIX, HEADER, MEMORY_MAP")
  if(NOT ARG_MODELS)
    message(FATAL_ERROR "${who}: MODELS is missing")
  endif()
  set(maps "")
  foreach(model IN LISTS ARG_MODELS)
    set(map "")
    if(TARGET ${model})
      get_target_property(map ${model} AOTC_MEMORY_MAP)
    endif()
    if(NOT map)
      message(FATAL_ERROR "${who}: '${model}' is no library of aotc_add_model(), which makes "
        "<name>, with TARGETS <name>_<cpu>; add the models first")
    endif()
    list(APPEND maps "${map}")
  endforeach()
  _aotc_find_program()
  _aotc_prefix(prefix "${who}" "${name}" "${ARG_FUNCTION_PREFIX}" share-arena ${maps})

  list(JOIN ARG_MODELS ", " names)
  set(dir "${CMAKE_CURRENT_BINARY_DIR}/${name}.aotc")
  set(base "${dir}/${prefix}")
  # The models may be of another folder, whose maps are no files to this one's
  # make rules: the targets bring the order, the files the time stamps.
  add_custom_command(
    OUTPUT "${base}.h" "${base}.map.json" "${base}.map.txt"
    COMMAND "${AOTC_EXECUTABLE}" share-arena ${maps} --name "${prefix}" -o "${dir}"
    BYPRODUCTS "${base}.d"
    DEPENDS ${ARG_MODELS} ${maps} "${AOTC_EXECUTABLE}"
    COMMENT "aotc: ${name}, one arena for ${names}"
    VERBATIM)
  add_custom_target(${name}.aotc DEPENDS "${base}.h")
  add_library(${name} INTERFACE)
  add_dependencies(${name} ${name}.aotc)
  target_include_directories(${name} SYSTEM INTERFACE "${dir}")
  target_link_libraries(${name} INTERFACE ${ARG_MODELS})
  if(ARG_HEADER)
    set(${ARG_HEADER} "${base}.h" PARENT_SCOPE)
  endif()
  if(ARG_MEMORY_MAP)
    set(${ARG_MEMORY_MAP} "${base}.map.json" PARENT_SCOPE)
  endif()
endfunction()
