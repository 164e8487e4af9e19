# The command, run as users run it (tests/cli). Needs pytest, NumPy, SciPy and networkx, which need
# not belong to the first Python in the search path.
if(NOT BALTORO_BUILD_CLI)
  return()
endif()
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(baltoro_python ${Python3_EXECUTABLE})
foreach(candidate ${Python3_EXECUTABLE} /usr/bin/python3)
  execute_process(COMMAND ${candidate} -c "import networkx, numpy, pytest, scipy"
                  RESULT_VARIABLE missing OUTPUT_QUIET ERROR_QUIET)
  if(missing EQUAL 0)
    set(baltoro_python ${candidate})
    break()
  endif()
endforeach()
add_test(NAME cli COMMAND ${baltoro_python} -m pytest -q -p no:cacheprovider
                          ${CMAKE_CURRENT_LIST_DIR})
set_tests_properties(
  cli PROPERTIES TIMEOUT 1500 ENVIRONMENT
  "BALTORO_COMMAND=$<TARGET_FILE:baltoro_command>;BALTORO_SHARED_DATA=${PROJECT_SOURCE_DIR}/../shared/data;BALTORO_SANITIZED=${BALTORO_SANITIZE};PYTHONDONTWRITEBYTECODE=1")
