"""What the Python package costs: a call, a conversion. Prints a table for docs/performance.md.

    PYTHONPATH=build/cpu/python taskset -c 0 build/python/bin/python bench/python_package.py GRAPH

GRAPH is any file that baltoro.read takes. Processor time: the least of seven repetitions for calls, the median
for conversions.
"""

import statistics
import sys
import time
import timeit

import numpy as np
import scipy.sparse

import baltoro


def call_us(call, number=20_000):
    return min(timeit.repeat(call, timer=time.process_time, number=number, repeat=7)) / number * 1e6


def seconds(work):
    return statistics.median(timeit.repeat(work, timer=time.process_time, number=1, repeat=7))


def calls():
    """The smallest product there is, so that what is measured is the call. The C++ call is part of it."""
    A = baltoro.Matrix.from_edges([0], [1], shape=(2, 2))
    S = scipy.sparse.csr_array(np.array([[0.0, 1.0], [0.0, 0.0]]))
    x, X, out = np.ones(2), np.ones((2, 4)), np.empty(2)
    ring = baltoro._core.Semiring.plus_times
    core = A._core
    yield "A @ x", call_us(lambda: A @ x), "µs"
    yield "A.mxv(x, out=y)", call_us(lambda: A.mxv(x, out=out)), "µs"
    yield "A.mxv(x, out=y, alpha=2, beta=1)", call_us(lambda: A.mxv(x, out=out, alpha=2, beta=1)), "µs"
    yield "x @ A", call_us(lambda: x @ A), "µs"
    yield "A @ X, four vectors", call_us(lambda: A @ X), "µs"
    yield "of A @ x, the extension and the C++ call", call_us(lambda: core.multiply(x, out, False, ring, 1, 1.0, 0.0)), "µs"
    yield "SciPy, A @ x", call_us(lambda: S @ x), "µs"


def conversions(path):
    A = baltoro.read(path, progress=False)
    S = A.to_scipy(dtype=np.float64)
    rows, cols = A.edges()
    for layout in ("level-order", "adaptive"):
        yield f"Matrix(csr), {layout}", seconds(lambda: baltoro.Matrix(S, layout=layout)), "s"
    C = S.tocsc()
    yield "Matrix(csc), level-order", seconds(lambda: baltoro.Matrix(C, layout="level-order")), "s"
    yield "Matrix.from_edges, level-order", seconds(
        lambda: baltoro.Matrix.from_edges(rows, cols, shape=A.shape, layout="level-order")), "s"
    yield "A.to_scipy()", seconds(A.to_scipy), "s"
    yield "baltoro.density(A)", seconds(lambda: baltoro.density(A)), "s"


if __name__ == "__main__":
    for name, figure, unit in [*calls(), *conversions(sys.argv[1])]:
        print(f"| `{name}` | {figure:.3g} {unit} |")
