# The Python package, from the build (tests/python) and as pip installs it.
if(NOT BALTORO_BUILD_PYTHON)
  return()
endif()
set(python_environment
    "BALTORO_SHARED_DATA=${PROJECT_SOURCE_DIR}/../shared/data;PYTHONDONTWRITEBYTECODE=1;MPLBACKEND=Agg")
add_test(NAME python COMMAND ${Python_EXECUTABLE} -m pytest -q -p no:cacheprovider
                             ${CMAKE_CURRENT_LIST_DIR})
set_tests_properties(
  python PROPERTIES TIMEOUT 1500 ENVIRONMENT
                    "PYTHONPATH=${PROJECT_BINARY_DIR}/python;${python_environment}")

add_test(NAME python.pip_install
         COMMAND ${CMAKE_COMMAND} -DPYTHON=${Python_EXECUTABLE} -DSOURCE=${PROJECT_SOURCE_DIR}
                 -DFOLDER=${CMAKE_CURRENT_BINARY_DIR}/pip_install
                 -DBUILD=${PROJECT_BINARY_DIR}_pip_install -DCOMPILER=${CMAKE_CXX_COMPILER}
                 -P ${CMAKE_CURRENT_LIST_DIR}/pip_install.cmake)
set_tests_properties(python.pip_install PROPERTIES TIMEOUT 1500)
