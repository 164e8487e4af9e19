# Installs the package into a fresh environment with pip, and uses it there.
# cmake -DPYTHON=… -DSOURCE=… -DFOLDER=… -DBUILD=… -DCOMPILER=… -P pip_install.cmake
# The environment sees the packages of PYTHON, so that nothing but Baltoro is built or downloaded.

function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${FOLDER} RESULT_VARIABLE failed OUTPUT_VARIABLE out
                  ERROR_VARIABLE out)
  if(NOT failed EQUAL 0)
    message(FATAL_ERROR "${ARGN}\n${out}")
  endif()
  set(out "${out}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${FOLDER} ${BUILD})
file(MAKE_DIRECTORY ${FOLDER})
run(${PYTHON} -m venv ${FOLDER}/fresh)
set(print_packages "print(__import__('sysconfig').get_path('purelib'), end='')")
run(${PYTHON} -c "${print_packages}")
set(packages ${out})
run(${FOLDER}/fresh/bin/python -c "${print_packages}")
file(WRITE ${out}/packages_of_the_tests.pth "${packages}\n")

set(ENV{PYTHONPATH} "")
set(ENV{SKBUILD_BUILD_DIR} ${BUILD})
set(ENV{CXX} ${COMPILER})
# As the build that ran before, beside which BUILD lies, so that a compiler cache can serve what it compiled.
set(ENV{CMAKE_ARGS} "-DBALTORO_WARNINGS_AS_ERRORS=ON -DBALTORO_CUDA=OFF -G Ninja")
run(${FOLDER}/fresh/bin/python -m pip install --disable-pip-version-check --no-build-isolation --no-deps
    ${SOURCE})

file(WRITE ${FOLDER}/use.py [[
import importlib.metadata, pathlib, sys
import numpy as np
import baltoro

here = pathlib.Path(baltoro.__file__)
assert here.is_relative_to(sys.prefix), here
assert (here.parent / "py.typed").is_file()
assert "def multiply" in (here.parent / "_core.pyi").read_text()
# The library is in the extension; its headers and itself are for C++, and not installed.
files = {file.parts[0] for file in importlib.metadata.files("baltoro")}
assert {part.split("-")[0] for part in files} == {"baltoro"}, files
assert importlib.metadata.version("baltoro") == baltoro.__version__
A = baltoro.Matrix.from_edges([0, 0, 1, 2], [1, 2, 2, 0])
assert (A @ [1.0, 2.0, 3.0]).tolist() == [5.0, 3.0, 1.0]
print("installed and used")
]])
run(${FOLDER}/fresh/bin/python use.py)
if(NOT out MATCHES "installed and used")
  message(FATAL_ERROR "${out}")
endif()
