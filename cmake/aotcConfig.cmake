# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# find_package(aotc): aotc_add_model(), aotc_share_arena(), aotc::runtime_stub
# (README.md). The same for every CPU the project is built for: aotc itself runs
# on the build machine, the runtime stub is compiled by the project.
get_property(_aotc_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
if(NOT "C" IN_LIST _aotc_languages AND NOT "CXX" IN_LIST _aotc_languages)
  set(aotc_FOUND FALSE)
  set(aotc_NOT_FOUND_MESSAGE "it needs C or C++: call find_package(aotc) after project()")
else()
  include("${CMAKE_CURRENT_LIST_DIR}/AotcModel.cmake")
  # At the end of the current folder, if no model needs it before: compiler flags
  # may follow find_package(), and the stub is compiled with them.
  cmake_language(DEFER CALL _aotc_runtime_stub)
endif()
unset(_aotc_languages)
