# The Python package, from the build (tests/python) and as pip installs it.
if(NOT BALTORO_BUILD_PYTHON)
  return()
endif()
set(python_environment
    "BALTORO_SHARED_DATA=${PROJECT_SOURCE_DIR}/../shared/data;PYTHONDONTWRITEBYTECODE=1;MPLBACKEND=Agg")
# On an emulated GPU only what has to do with one, under the sanitizers of the build.
if(BALTORO_CUDA STREQUAL "EMULATED")
  nanobind_add_module(emulated_gpu NB_STATIC FREE_THREADED NOMINSIZE ${CMAKE_CURRENT_LIST_DIR}/emulated_gpu.cpp)
  set_target_properties(emulated_gpu PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/python)
  target_link_libraries(emulated_gpu PRIVATE gpu_emulation baltoro_flags)
  add_test(NAME python.gpu
           COMMAND ${Python_EXECUTABLE} -m pytest -q -p no:cacheprovider ${CMAKE_CURRENT_LIST_DIR}/test_emulated_gpu.py
                   ${CMAKE_CURRENT_LIST_DIR}/test_emulated_graphs.py)
  set(preload "")
  if(BALTORO_SANITIZE)
    # The interpreter has no sanitizer, so its runtime must come first; leaks of the interpreter are not ours.
    foreach(library asan ubsan stdc++)
      execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=lib${library}.so
                      OUTPUT_VARIABLE file OUTPUT_STRIP_TRAILING_WHITESPACE)
      string(APPEND preload "${file} ")
    endforeach()
    string(STRIP "${preload}" preload)
    list(APPEND python_environment "LD_PRELOAD=${preload}" "ASAN_OPTIONS=detect_leaks=0")
  endif()
  set_tests_properties(
    python.gpu PROPERTIES TIMEOUT 1500 ENVIRONMENT
                          "PYTHONPATH=${PROJECT_BINARY_DIR}/python:${CMAKE_CURRENT_BINARY_DIR}/python;${python_environment}")
  return()
endif()

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
