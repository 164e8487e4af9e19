# Every switch of the build, with the compile flags they stand for.

option(BALTORO_BUILD_CLI "Build the command 'baltoro'" ${PROJECT_IS_TOP_LEVEL})
option(BALTORO_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(BALTORO_BUILD_BENCHMARKS "Build the benchmarks" OFF)
option(BALTORO_BUILD_FUZZERS "Build the fuzz targets with libFuzzer (needs clang)" OFF)
option(BALTORO_BUILD_PYTHON "Build the Python package" OFF)
option(BALTORO_BUILD_DOCS "Build the API reference with Doxygen" OFF)
set(BALTORO_COMMIT "" CACHE STRING "The commit that `baltoro bench` says its results are of")
option(BALTORO_WARNINGS_AS_ERRORS "Fail on compiler warnings" OFF)
set(BALTORO_CUDA AUTO CACHE STRING
  "The GPU backend: AUTO (where nvcc is found), ON, OFF, or EMULATED (for tests: kernels run on the CPU)")
set_property(CACHE BALTORO_CUDA PROPERTY STRINGS AUTO ON OFF EMULATED)
set(BALTORO_SANITIZE "" CACHE STRING "Sanitizers, as given to -fsanitize=, for instance address,undefined")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# The flags every target of this project (and none of its users) is compiled with.
add_library(baltoro_flags INTERFACE)
target_compile_options(
  baltoro_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion
                          -Wno-sign-conversion>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 sees overlaps in std::string's own code.
  target_compile_options(baltoro_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
endif()
if(BALTORO_WARNINGS_AS_ERRORS)
  target_compile_options(baltoro_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  # popcnt: every x86-64 processor since 2009 has it, and rank is made of it.
  target_compile_options(baltoro_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-march=x86-64-v2>)
endif()
if(BALTORO_SANITIZE)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${BALTORO_SANITIZE}>
                      $<$<COMPILE_LANGUAGE:CXX>:-fno-omit-frame-pointer>
                      $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize-recover=all>)
  add_link_options(-fsanitize=${BALTORO_SANITIZE})
endif()
