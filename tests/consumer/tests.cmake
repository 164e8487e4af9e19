# Registers the consumer project as tests: against this build, and against a shared library.
if(NOT BALTORO_SANITIZE)
  add_test(NAME consumer.this_build
           COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR} -DCOMPILER=${CMAKE_CXX_COMPILER}
                   -DFOLDER=${CMAKE_CURRENT_BINARY_DIR}/consumer -P ${CMAKE_CURRENT_LIST_DIR}/run.cmake)
  if(NOT BALTORO_WITH_CUDA AND NOT BUILD_SHARED_LIBS)
    add_test(NAME consumer.shared_library
             COMMAND ${CMAKE_COMMAND} -DBUILD=${CMAKE_CURRENT_BINARY_DIR}/shared
                     -DSHARED_FROM=${PROJECT_SOURCE_DIR} -DCOMPILER=${CMAKE_CXX_COMPILER}
                     -DFOLDER=${CMAKE_CURRENT_BINARY_DIR}/consumer_of_shared
                     -P ${CMAKE_CURRENT_LIST_DIR}/run.cmake)
    set_tests_properties(consumer.shared_library PROPERTIES TIMEOUT 1500)
  endif()
endif()
