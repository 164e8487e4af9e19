# install target: headers, library, command and the package that find_package(baltoro) finds.
include(CMakePackageConfigHelpers)

if(NOT PROJECT_IS_TOP_LEVEL OR BALTORO_CUDA STREQUAL "EMULATED")
  return()
endif()

set(BALTORO_INSTALL_CMAKEDIR ${CMAKE_INSTALL_LIBDIR}/cmake/baltoro)
get_target_property(library_type baltoro TYPE)
set(BALTORO_IS_STATIC OFF)
if(library_type STREQUAL "STATIC_LIBRARY")
  set(BALTORO_IS_STATIC ON)
endif()

install(TARGETS baltoro EXPORT baltoroTargets)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/baltoro DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN *.hpp)
install(EXPORT baltoroTargets NAMESPACE baltoro:: DESTINATION ${BALTORO_INSTALL_CMAKEDIR})

configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/baltoroConfig.cmake.in ${PROJECT_BINARY_DIR}/baltoroConfig.cmake
  INSTALL_DESTINATION ${BALTORO_INSTALL_CMAKEDIR} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/baltoroConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/baltoroConfig.cmake ${PROJECT_BINARY_DIR}/baltoroConfigVersion.cmake
        DESTINATION ${BALTORO_INSTALL_CMAKEDIR})
