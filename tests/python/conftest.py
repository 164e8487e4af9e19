"""Graphs that the tests of the Python package run on."""

import os
from pathlib import Path

import hypothesis
import numpy as np
import pytest
import scipy.sparse

import baltoro

SHARED_DATA = Path(os.environ.get("BALTORO_SHARED_DATA", ""))
LAYOUTS = ("level-order", "adaptive")

# The machines that run this share their cores, so nothing here depends on how long a thing takes.
hypothesis.settings.register_profile("baltoro", deadline=None, max_examples=50, database=None,
                                     derandomize=True)
hypothesis.settings.load_profile("baltoro")


def random_sparse(rows, cols, count, seed=1):
    """A SciPy matrix of ones at about `count` cells."""
    random = np.random.default_rng(seed)
    if rows == 0 or cols == 0:
        return scipy.sparse.csr_array((rows, cols), dtype=np.float64)
    made = scipy.sparse.coo_array(
        (np.ones(count), (random.integers(0, rows, count), random.integers(0, cols, count))),
        shape=(rows, cols)).tocsr()
    made.data[:] = 1
    return made


def cells_of(A):
    """The set of cells of a matrix, Baltoro's or SciPy's."""
    if isinstance(A, baltoro.Matrix):
        rows, cols = A.edges()
    else:
        rows, cols = A.tocoo().nonzero()
    return set(zip(rows.tolist(), cols.tolist()))


@pytest.fixture(params=LAYOUTS)
def layout(request):
    return request.param


@pytest.fixture
def pair(layout):
    """The same matrix twice: Baltoro's and SciPy's."""
    S = random_sparse(70, 90, 400)
    return baltoro.Matrix(S, layout=layout), S


def real_graph(name):
    """A real graph of the shared data, or the test is skipped."""
    path = SHARED_DATA / name
    if not path.is_file():
        pytest.skip(f"the real graph {name} is not here")
    return path
