# Installs a build of Baltoro into an empty prefix, builds the consumer project against it, runs it.
# cmake -DBUILD=… -DFOLDER=… -DCOMPILER=… [-DSHARED_FROM=source folder] -P run.cmake
# With SHARED_FROM, Baltoro is first built as a shared library in BUILD.

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

if(SHARED_FROM)
  run(${CMAKE_COMMAND} -S ${SHARED_FROM} -B ${BUILD} -G Ninja --log-level=WARNING
      -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=${COMPILER} -DBUILD_SHARED_LIBS=ON
      -DBALTORO_CUDA=OFF -DBALTORO_BUILD_CLI=OFF -DBALTORO_BUILD_TESTS=OFF)
  run(${CMAKE_COMMAND} --build ${BUILD})
endif()

file(REMOVE_RECURSE ${FOLDER})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${FOLDER}/prefix)
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${FOLDER}/build -G Ninja --log-level=WARNING
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_PREFIX_PATH=${FOLDER}/prefix)
run(${CMAKE_COMMAND} --build ${FOLDER}/build)
run(${FOLDER}/build/consumer)
