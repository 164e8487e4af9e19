# What the scripts of this folder share: where things are, and how they talk. To be sourced.
# shellcheck shell=bash

# shellcheck disable=SC2034  # used by the scripts that source this file
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# Tools that the system's packages lack or have in too old a version live in a Python environment.
tools=$repository/build/tools
if [[ -d $tools/bin ]]; then PATH=$tools/bin:$PATH; fi

# shellcheck disable=SC2034  # likewise
python_environment=$repository/build/python # where the Python package is built and tested

say() { printf '%s\n' "$*"; }
heading() { printf '\n== %s\n' "$*"; }
fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

# version_at_least HAVE WANTED, both dotted numbers
version_at_least() { [[ $(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1) == "$2" ]]; }

cores() { nproc 2>/dev/null || echo 2; }

# nvcc is often installed without being on the PATH; CMake reads CUDACXX.
find_nvcc() {
  command -v nvcc 2>/dev/null || { [[ -x /usr/local/cuda/bin/nvcc ]] && echo /usr/local/cuda/bin/nvcc; }
}

# Compilers go through ccache where it is installed; one cache serves every checkout.
use_ccache() {
  if command -v ccache >/dev/null 2>&1; then
    export CMAKE_CXX_COMPILER_LAUNCHER=ccache CMAKE_CUDA_COMPILER_LAUNCHER=ccache
    export CCACHE_BASEDIR=$repository CCACHE_NOHASHDIR=1
    export CCACHE_SLOPPINESS=pch_defines,time_macros # what precompiled headers need
  fi
}
