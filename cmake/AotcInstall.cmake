# What `cmake --install build --prefix PREFIX` leaves: the programs, and a CMake
# package that may be moved as a whole. Runtime stub and toolchain files are
# installed as sources: a firmware project compiles them with its own compiler.
include(CMakePackageConfigHelpers)

# LLVM's libraries stay where they are, not always on the loader's path.
set_target_properties(aotc aotc-plan PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
install(TARGETS aotc aotc-plan RUNTIME DESTINATION bin)

# Not CMAKE_INSTALL_LIBDIR: lib/<architecture> is searched for one architecture only.
set(_package lib/cmake/aotc)
set(_version ${PROJECT_BINARY_DIR}/cmake/aotcConfigVersion.cmake)
write_basic_package_version_file(${_version} COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES ${_version} cmake/aotcConfig.cmake cmake/AotcModel.cmake
  cmake/AotcToolchain.cmake cmake/README.md DESTINATION ${_package})
install(DIRECTORY cmake/toolchains runtime-stub DESTINATION ${_package})
install(FILES LICENSE README.md DESTINATION share/doc/aotc)
