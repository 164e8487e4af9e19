"""What the Python package costs: a call, a conversion; what 100,000 products leave behind; what threads bring. Prints
a table for docs/performance.md.

    PYTHONPATH=build/cpu/python taskset -c 0 build/python/bin/python bench/python_package.py GRAPH

GRAPH is any file that baltoro.read takes. Processor time: the least of seven repetitions for calls, the median
for conversions; time on the clock for threads, who want the machine to themselves.
"""

import gc
import resource
import statistics
import sys
import threading
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


def held_bytes():
    """What the process holds of the machine's memory."""
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * resource.getpagesize()


def leaks(products=100_000):
    """How much more the process holds after many products of every kind."""
    A = baltoro.Matrix.from_edges([0, 1, 2], [1, 2, 0], shape=(500, 500), layout="adaptive")
    x, X, out = np.ones(500), np.ones((500, 4), np.float32), np.empty(500)
    words = baltoro.pack_bits(x)

    def work(count):
        for _ in range(count // 5):
            A @ x, x @ A, A @ X
            A.mxv(x, out=out)
            A.mxv(words, semiring="lor_land", bits=True)

    work(products // 10)
    gc.collect()
    before = held_bytes()
    work(products)
    gc.collect()
    yield f"{products:,} products, memory more than before", (held_bytes() - before) / 1e3, "kB"


def threads(path):
    """Products a second of one matrix, from one thread and from two, each product on one core."""
    A = baltoro.read(path, layout="adaptive", progress=False)
    x = np.ones(A.shape[1])
    outs = [np.empty(A.shape[0]) for _ in range(2)]

    def work(out, count):
        for _ in range(count):
            A.mxv(x, out=out)

    def rate(count, number=200):
        workers = [threading.Thread(target=work, args=(outs[k], number)) for k in range(count)]
        begun = time.perf_counter()
        for each in workers:
            each.start()
        for each in workers:
            each.join()
        return count * number / (time.perf_counter() - begun)

    with baltoro.thread_limit(1):
        for count in (1, 2):
            rate(count, 10)
            yield f"products a second, threads: {count}", max(rate(count) for _ in range(3)), "/s"


if __name__ == "__main__":
    for name, figure, unit in [*calls(), *conversions(sys.argv[1]), *leaks(), *threads(sys.argv[1])]:
        print(f"| `{name}` | {figure:.3g} {unit} |")
