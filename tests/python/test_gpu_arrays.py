"""Arrays of CuPy and PyTorch in the memory of a real GPU; skipped where there is no GPU or no such library.

Needs nothing but NumPy beside them, and runs without pytest: python -m unittest test_gpu_arrays
"""

import gc
import os
import threading
import time
import unittest

import numpy as np

import baltoro
import baltoro.gpu_arrays


def imported(name):
    try:
        return __import__(name)
    except ImportError:
        return None


status = baltoro.cuda_status()
cupy = imported("cupy") if status.usable else None
torch = imported("torch") if status.usable else None
if torch is not None and not torch.cuda.is_available():
    torch = None

ROWS, COLS = 3000, 4000
LAYOUTS = ("level-order", "adaptive")


def to_numpy(array):
    return array.get() if cupy is not None and isinstance(array, cupy.ndarray) else array.cpu().numpy()


class Cupy:
    name = "cupy"

    @staticmethod
    def array(values):
        return cupy.asarray(values)

    @staticmethod
    def stream():
        return cupy.cuda.Stream(non_blocking=True)

    synchronize = staticmethod(lambda: cupy.cuda.Device().synchronize())

    @staticmethod
    def captured(work):
        """The work as a CUDA graph, to be called."""
        stream = cupy.cuda.Stream(non_blocking=True)
        with stream:
            stream.begin_capture()
            try:
                work()
            finally:
                graph = stream.end_capture()
        return lambda: graph.launch(stream)


class Torch:
    name = "torch"

    @staticmethod
    def array(values):
        return torch.from_numpy(np.ascontiguousarray(values)).cuda()

    class stream:
        def __init__(self):
            self.stream = torch.cuda.Stream()

        def __enter__(self):
            self.context = torch.cuda.stream(self.stream)
            return self.context.__enter__()

        def __exit__(self, *each):
            return self.context.__exit__(*each)

        def synchronize(self):
            self.stream.synchronize()

    synchronize = staticmethod(lambda: torch.cuda.synchronize())

    @staticmethod
    def captured(work):
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            work()
        return graph.replay


def setUpModule():
    print(f"baltoro {baltoro.__version__}, CUDA: {status.reason}; cupy {getattr(cupy, '__version__', None)}, "
          f"torch {getattr(torch, '__version__', None)}", flush=True)


class Arrays:
    """What holds for every library; the classes below say which."""

    library: type

    @classmethod
    def setUpClass(cls):
        random = np.random.default_rng(1)
        cls.rows, cls.cols = random.integers(0, ROWS, 60_000), random.integers(0, COLS, 60_000)
        cls.matrices = {layout: baltoro.Matrix.from_edges(cls.rows, cls.cols, shape=(ROWS, COLS), layout=layout)
                        for layout in LAYOUTS}

    def array(self, shape, dtype, seed=3):
        values = np.random.default_rng(seed).integers(0, 9, shape).astype(dtype)
        return values, self.library.array(values)

    def each(self):
        for layout, A in self.matrices.items():
            with self.subTest(layout=layout):
                yield A

    def test_products(self):
        for A in self.each():
            for dtype in (np.float32, np.float64, np.int32, np.int64, bool, np.float16, np.complex64, np.complex128):
                for batch in (None, 1, 4, 33):
                    shape = () if batch is None else (batch,)
                    x, x_there = self.array((COLS, *shape), dtype)
                    z, z_there = self.array((ROWS, *shape), dtype)
                    for y, expected in ((A @ x_there, A @ x), (A.vxm(z_there), A.vxm(z)), (A.T @ z_there, A.T @ z)):
                        self.assertIs(type(y), type(x_there))
                        self.assertEqual(to_numpy(y).dtype, expected.dtype)
                        np.testing.assert_allclose(to_numpy(y), expected, rtol=2e-5)
                    if batch is None:
                        np.testing.assert_allclose(to_numpy(z_there @ A), z @ A, rtol=2e-5)
                    else:
                        np.testing.assert_allclose(to_numpy(z_there.T @ A), z.T @ A, rtol=2e-5)

    def test_other_semirings(self):
        for A in self.each():
            for dtype in (np.float32, np.float64):
                x, x_there = self.array(COLS, dtype)
                for semiring in ("lor_land", "min_plus"):
                    np.testing.assert_array_equal(to_numpy(A.mxv(x_there, semiring=semiring)),
                                                  A.mxv(x, semiring=semiring))
                old = np.arange(ROWS) % 3 == 0
                out = self.library.array(old)
                self.assertIs(A.mxv(x_there, semiring="lor_land", out=out, beta=1), out)
                np.testing.assert_array_equal(to_numpy(out), old | A.mxv(x, semiring="lor_land"))

    def test_out_and_factors(self):
        for A in self.each():
            for alpha, beta in ((1, 0), (2, 0), (-0.5, 3), (1, 1)):
                for shape in ((), (5,)):
                    x, x_there = self.array((COLS, *shape), np.float64)
                    y, out = self.array((ROWS, *shape), np.float64, seed=8)
                    self.assertIs(A.mxv(x_there, out=out, alpha=alpha, beta=beta), out)
                    np.testing.assert_allclose(to_numpy(out), alpha * (A @ x) + beta * y, rtol=1e-12)

    def test_strided_arrays(self):
        A = self.matrices["adaptive"]
        x, x_there = self.array((COLS, 6), np.float64)
        np.testing.assert_allclose(to_numpy(A @ x_there[:, ::2]), A @ x[:, ::2])
        np.testing.assert_allclose(to_numpy(A @ x_there[:, 1]), A @ x[:, 1])

    def test_repeated_products_replay(self):
        """The same pointers again and again, which the library records, with other values in them."""
        for A in self.each():
            x, x_there = self.array(COLS, np.float32)
            _, out = self.array(ROWS, np.float32)
            for turn in range(6):
                x_there[:] = self.library.array(x + turn)
                A.mxv(x_there, out=out)
                np.testing.assert_allclose(to_numpy(out), A @ (x + turn), rtol=2e-5)

    def test_streams(self):
        """x is made late on a stream of its own; only a product on the same stream sees it."""
        for A in self.each():
            x, x_there = self.array(COLS, np.float64)
            heavy = self.library.array(np.ones((4000, 4000), np.float32))
            A @ x_there  # the matrix is there
            for _ in range(4):
                self.library.synchronize()
                stream = self.library.stream()
                with stream:
                    late = x_there * 0
                    for _ in range(20):
                        heavy = heavy @ heavy * 1e-4
                    late += heavy[0, 0] * 0 + x_there
                    y = A @ late
                    z = y + 1
                stream.synchronize()
                np.testing.assert_allclose(to_numpy(z), A @ x + 1)

    def test_streams_in_turn_share_plans(self):
        """One product begins on a stream while the one before still runs on another."""
        for A in self.each():
            pairs = [self.array((COLS, 16), np.float64, seed) for seed in range(4)]
            expected = [A @ x for x, _ in pairs]
            self.library.synchronize()
            streams = [self.library.stream() for _ in pairs]
            for _ in range(10):
                results = []
                for stream, (_, x_there) in zip(streams, pairs):
                    with stream:
                        results.append(A @ x_there)
                self.library.synchronize()
                for y, wanted in zip(results, expected):
                    np.testing.assert_allclose(to_numpy(y), wanted)

    def test_threads(self):
        A = self.matrices["adaptive"]
        failures = []

        def work(number):
            try:
                for turn in range(20):
                    with self.library.stream():
                        x, x_there = self.array(COLS, np.float32 if turn % 2 else np.float64, seed=number)
                        y = to_numpy(A @ x_there)
                    np.testing.assert_allclose(y, A @ x, rtol=2e-5)
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=work, args=(k,)) for k in range(6)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        self.assertEqual(failures, [])

    def replayed(self, A, shape, kind, warm):
        """A product in a graph, replayed with other values in the same memory."""
        x, x_there = self.array((COLS, *shape), np.float32)
        old, out = self.array((ROWS, *shape), np.float32, seed=8)
        for _ in range(warm):
            A.mxv(x_there, out=out, **kind)
        self.library.synchronize()
        replay = self.library.captured(lambda: A.mxv(x_there, out=out, **kind))
        for turn in range(3):
            x_there[:] = self.library.array(x + turn)
            out[:] = self.library.array(old)
            self.library.synchronize()
            replay()
            self.library.synchronize()
            np.testing.assert_allclose(to_numpy(out), A.mxv(x + turn, out=old.copy(), **kind), rtol=2e-5)

    def test_products_are_captured_in_graphs(self):
        """After products of the kind, as PyTorch asks for, and without."""
        for layout in LAYOUTS:
            for warm in (0, 1, 3):
                for shape in ((), (4,), (33,)):
                    for kind in (dict(), dict(semiring="min_plus"), dict(alpha=2.0, beta=1.0)):
                        with self.subTest(layout=layout, warm=warm, shape=shape, kind=kind):
                            A = baltoro.Matrix.from_edges(self.rows, self.cols, shape=(ROWS, COLS), layout=layout)
                            self.replayed(A, shape, kind, warm)

    def test_several_products_in_a_graph(self):
        """PageRank's step by hand: all of it is one graph, and other products go on beside it."""
        for layout in LAYOUTS:
            with self.subTest(layout=layout):
                A = baltoro.Matrix.from_edges(self.rows % 3000, self.cols % 3000, shape=(3000, 3000), layout=layout)
                x, x_there = self.array((3000, 4), np.float64)
                _, y = self.array((3000, 4), np.float64)
                A.mxv(x_there, out=y)
                x_there[:] = self.library.array(x)
                self.library.synchronize()

                def step():
                    A.mxv(x_there, out=y)
                    A.vxm(y, out=x_there, alpha=1e-3)

                replay = self.library.captured(step)
                expected = x
                for _ in range(5):
                    replay()
                    expected = 1e-3 * A.vxm(A @ expected)
                    np.testing.assert_allclose(to_numpy(A @ self.library.array(x)), A @ x)
                self.library.synchronize()
                np.testing.assert_allclose(to_numpy(x_there), expected, rtol=1e-9)

    def test_graphs_keep_what_they_need(self):
        for layout in LAYOUTS:
            with self.subTest(layout=layout):
                A = baltoro.Matrix.from_edges(self.rows, self.cols, shape=(ROWS, COLS), layout=layout)
                x, x_there = self.array((COLS, 4), np.float64)
                _, out = self.array((ROWS, 4), np.float64)
                A.mxv(x_there, out=out)
                expected = A @ x
                replay = self.library.captured(lambda: A.mxv(x_there, out=out))
                del A
                gc.collect()
                out[:] = self.library.array(np.zeros((ROWS, 4)))
                self.library.synchronize()
                replay()
                self.library.synchronize()
                np.testing.assert_allclose(to_numpy(out), expected)

    def test_captures_leak_nothing(self):
        A = self.matrices["level-order"]
        _, x = self.array((COLS, 8), np.float32)
        _, out = self.array((ROWS, 8), np.float32)
        A.mxv(x, out=out)
        self.library.captured(lambda: A.mxv(x, out=out))
        gc.collect()
        self.library.synchronize()
        before = self.free_bytes()
        for _ in range(50):
            self.library.captured(lambda: A.mxv(x, out=out))()
        self.library.synchronize()
        gc.collect()
        A.mxv(x, out=out)  # takes back what graphs had
        self.library.synchronize()
        self.assertLess(before - self.free_bytes(), 128 << 20)

    def test_what_graphs_do_not_take(self):
        A = self.matrices["level-order"]
        _, x = self.array(COLS, np.float32)
        _, out = self.array(ROWS, np.float32)
        with self.assertRaisesRegex(ValueError, "shared scratch cannot be captured"):
            self.library.captured(lambda: A.mxv(x, out=out, device=baltoro.Cuda(scratch=baltoro.Scratch())))

    def test_scratch_that_matrices_share(self):
        scratch = baltoro.Scratch()
        device = baltoro.Cuda(scratch=scratch)
        matrices = [baltoro.Matrix.from_edges(self.rows[:count], self.cols[:count], shape=(ROWS, COLS))
                    for count in (60_000, 5_000, 20_000)]
        needs = [A.working_set(batch=16, dtype=np.float32, device=device).scratch_bytes for A in matrices]
        x, x_there = self.array((COLS, 16), np.float32)
        expected = [A @ x for A in matrices]
        self.library.synchronize()
        for _ in range(10):
            results = []
            for _ in range(3):  # streams that know nothing of each other
                with self.library.stream():
                    results.append([A.mxv(x_there, device=device) for A in matrices])
            self.library.synchronize()
            for each in results:
                for y, wanted in zip(each, expected):
                    np.testing.assert_allclose(to_numpy(y), wanted, rtol=2e-5)
        self.assertEqual(scratch.nbytes, max(needs))

    def test_edges_are_built_where_they_lie(self):
        for dtype in (np.int64, np.int32):
            index = np.stack([self.rows, self.cols]).astype(dtype)
            for layout in LAYOUTS:
                how = dict(layout=layout, device="cuda")
                A = baltoro.Matrix.from_edge_index(self.library.array(index), num_nodes=COLS, **how)
                B = baltoro.Matrix.from_edge_index(index, num_nodes=COLS, layout=layout)
                self.assertEqual(A._core.bytes(), B._core.bytes())
                for ours, theirs in zip(A.edges(), B.edges()):
                    np.testing.assert_array_equal(ours, theirs)
        last = 2**32 - 2
        A = baltoro.Matrix.from_edges(self.library.array(np.array([last, 0])),
                                      self.library.array(np.array([3, last])), device="cuda")
        self.assertEqual(sorted(zip(*(each.tolist() for each in A.edges()))), [(0, last), (last, 3)])
        with self.assertRaisesRegex(ValueError, "not all in 0..4294967294"):
            baltoro.Matrix.from_edges(self.library.array(np.array([-1])), self.library.array(np.array([3])),
                                      device="cuda")

    def test_seeds_and_sources(self):
        A = baltoro.generate.web(2000, 8)
        given = np.array([3, 77, 1999])
        there = self.library.array(given)
        for device in ("cpu", "cuda"):
            np.testing.assert_allclose(baltoro.personalized_pagerank(A, there, device=device, max_iterations=20).ranks,
                                       baltoro.personalized_pagerank(A, given, max_iterations=20).ranks, rtol=1e-8)
            np.testing.assert_array_equal(baltoro.bfs(A, there, device=device).distances,
                                          baltoro.bfs(A, given).distances)

    def test_edges(self):
        index = np.stack([self.rows, self.cols])
        A = baltoro.Matrix.from_edge_index(self.library.array(index), num_nodes=COLS)
        B = baltoro.Matrix.from_edge_index(index, num_nodes=COLS)
        for ours, theirs in zip(A.edges(), B.edges()):
            np.testing.assert_array_equal(ours, theirs)

    def test_refused(self):
        A = self.matrices["adaptive"]
        _, x = self.array(COLS, np.float64)
        _, short = self.array(COLS - 1, np.float64)
        with self.assertRaisesRegex(ValueError, "x must have shape"):
            A @ short
        with self.assertRaisesRegex(TypeError, "so must out"):
            A.mxv(x, out=np.zeros(ROWS))
        with self.assertRaisesRegex(ValueError, "device cannot be 'cpu'"):
            A.mxv(x, device="cpu")
        square = baltoro.Matrix.from_edges([0], [0], shape=(COLS, COLS))
        with self.assertRaisesRegex(ValueError, "overlap"):
            square.mxv(x, out=x)

    def test_a_hundred_thousand_products_leak_nothing(self):
        A = baltoro.Matrix.from_edges([0, 1, 2], [1, 2, 0], shape=(50, 50), layout="adaptive")
        _, x = self.array(50, np.float32)
        _, out = self.array(50, np.float32)
        A.mxv(x, out=out), A @ x
        self.library.synchronize()
        gc.collect()
        before = self.free_bytes()
        for turn in range(50_000):
            A.mxv(x, out=out)
            y = A @ x
        self.library.synchronize()
        del y
        gc.collect()
        self.assertLess(before - self.free_bytes(), 64 << 20)

    def test_what_a_call_costs(self):
        """Printed, not judged, for machines differ: what a product costs the caller, and what of that is the C++ call."""
        A = baltoro.Matrix.from_edges([0], [1], shape=(64, 64), layout="adaptive")
        _, x = self.array(64, np.float32)
        _, out = self.array(64, np.float32)
        library = baltoro.gpu_arrays._library_of(x)
        core, ring, stream = A._core, baltoro._core.Semiring.plus_times, library.stream(x, 0)
        from_, to = library.address(x), library.address(out)
        for what, call in (("mxv(x, out=y)", lambda: A.mxv(x, out=out)), ("A @ x", lambda: A @ x),
                           ("of mxv the C++ call", lambda: core.multiply_addresses_of_float32(
                               from_, to, 64, 64, False, ring, 1, 1.0, 0.0, "cuda", 0, stream))):
            least = float("inf")
            for _ in range(7):
                self.library.synchronize()
                begun = time.perf_counter()
                for _ in range(300):  # fewer than a stream queues
                    call()
                least = min(least, (time.perf_counter() - begun) / 300)
                self.library.synchronize()
            print(f"  {self.library.name}, {what}: {least * 1e6:.2f} us a call", flush=True)


@unittest.skipIf(cupy is None, "no CuPy or no GPU")
class CupyArrays(Arrays, unittest.TestCase):
    library = Cupy
    free_bytes = staticmethod(lambda: cupy.cuda.runtime.memGetInfo()[0] + cupy.get_default_memory_pool().free_bytes())


@unittest.skipIf(torch is None, "no PyTorch or no GPU")
class TorchTensors(Arrays, unittest.TestCase):
    library = Torch
    free_bytes = staticmethod(lambda: torch.cuda.mem_get_info()[0])

    def test_gradients(self):
        A = self.matrices["adaptive"]
        x = torch.ones(COLS, device="cuda", requires_grad=True)
        self.assertFalse((A @ x).requires_grad)
        with self.assertRaisesRegex(ValueError, "must not require gradients"):
            A.mxv(x, out=torch.zeros(ROWS, device="cuda", requires_grad=True))

    def test_types_that_are_none_of_numpys(self):
        with self.assertRaisesRegex(TypeError, "bfloat16"):
            self.matrices["adaptive"] @ torch.ones(COLS, device="cuda", dtype=torch.bfloat16)


@unittest.skipIf(cupy is None or torch is None, "no CuPy, no PyTorch or no GPU")
class Both(unittest.TestCase):
    def test_x_of_one_and_out_of_the_other(self):
        A = baltoro.Matrix.from_edges([0, 1, 2], [1, 2, 0])
        x = np.array([1.0, 2.0, 3.0])
        out = torch.zeros(3, dtype=torch.float64, device="cuda")
        self.assertIs(A.mxv(cupy.asarray(x), out=out), out)
        self.assertEqual(out.tolist(), [2, 3, 1])
        other = cupy.zeros(3)
        A.mxv(out, out=other)
        self.assertEqual(other.tolist(), [3, 1, 2])


@unittest.skipUnless(status.usable, status.reason)
class NumpyOnTheGpu(unittest.TestCase):
    def test_products_and_algorithms(self):
        for layout in LAYOUTS:
            A = baltoro.generate.web(20_000, 8, layout=layout)
            x = np.arange(20_000) % 7.0
            for device in ("cuda", "auto", baltoro.Cuda(configuration="cached_frontier")):
                np.testing.assert_allclose(A.mxv(x, device=device), A @ x)
            for function in (baltoro.pagerank, baltoro.hits, baltoro.eigenvector_centrality):
                on_gpu, on_cpu = (function(A, device=each, max_iterations=20)[0] for each in ("cuda", "cpu"))
                np.testing.assert_allclose(on_gpu, on_cpu, rtol=1e-8)
            np.testing.assert_array_equal(baltoro.bfs(A, 0, device="cuda").distances, baltoro.bfs(A, 0).distances)
            np.testing.assert_array_equal(baltoro.multi_source_bfs(A, [0, 5], device="cuda").distances,
                                          baltoro.multi_source_bfs(A, [0, 5]).distances)
            if layout == "adaptive":
                np.testing.assert_array_equal(baltoro.reach(A, [0, 5], device="cuda").table,
                                              baltoro.reach(A, [0, 5]).table)

    def test_pagerank_in_single_precision(self):
        for layout in LAYOUTS:
            A = baltoro.generate.web(20_000, 8, layout=layout)
            for function, seeds in ((baltoro.pagerank, ()), (baltoro.personalized_pagerank, ([0, 5, 19_999],))):
                on_cpu = function(A, *seeds, max_iterations=20)
                double, single = (function(A, *seeds, device="cuda", single_precision=each, max_iterations=20)
                                  for each in (False, True))
                np.testing.assert_allclose(double.ranks, on_cpu.ranks, rtol=1e-8)
                # Sums of thousands of floats in any order.
                np.testing.assert_allclose(single.ranks, on_cpu.ranks, rtol=1e-4, atol=1e-6)
                self.assertLess(single.needs.vector_bytes, 0.7 * double.needs.vector_bytes)

    def test_needs_are_what_results_say(self):
        needs, few = baltoro.needs, dict(device="cuda", max_iterations=2)
        for layout in LAYOUTS:
            A = baltoro.generate.web(20_000, 8, layout=layout)
            for said, found in (
                    (needs.pagerank(A, device="cuda"), baltoro.pagerank(A, **few)),
                    (needs.pagerank(A, single_precision=True, device="cuda"),
                     baltoro.pagerank(A, single_precision=True, **few)),
                    (needs.personalized_pagerank(A, 3, device="cuda"),
                     baltoro.personalized_pagerank(A, [1, 2, 3], **few)),
                    (needs.hits(A, device="cuda"), baltoro.hits(A, **few)),
                    (needs.katz_centrality(A, device="cuda"), baltoro.katz_centrality(A, **few))):
                self.assertEqual(said, found.needs)
            self.assertGreater(needs.bfs(A, device="cuda").vector_bytes, 4 * 20_000 - 1)
            self.assertGreater(needs.multi_source_bfs(A, 8, device="cuda").total_bytes, 0)
        self.assertEqual(needs.reach(A, 8, device="cuda"), baltoro.reach(A, range(8), device="cuda").needs)

    def test_building(self):
        for layout in LAYOUTS:
            on_cpu = baltoro.generate.web(20_000, 8, layout=layout)
            S = on_cpu.to_scipy()
            for A in (baltoro.generate.web(20_000, 8, layout=layout, device="cuda"),
                      baltoro.Matrix(S, layout=layout, device="auto"),
                      baltoro.Matrix(S, layout=layout, device="cuda", device_memory_bytes=64 << 20)):
                self.assertEqual(A._core.bytes(), on_cpu._core.bytes())
                for ours, theirs in zip(A.edges(), on_cpu.edges()):
                    np.testing.assert_array_equal(ours, theirs)
            least = baltoro.needs.build(S.nnz, layout=layout, device="cuda").smallest_bytes
            with self.assertRaisesRegex(baltoro.OutOfMemory, "smallest"):
                baltoro.Matrix(S, layout=layout, device="cuda", device_memory_bytes=least // 2)

    def test_bits(self):
        A = baltoro.generate.web(5_000, 8, layout="adaptive")
        x = np.arange(5_000) % 11 == 0
        words = baltoro.pack_bits(x)
        for where in (words, words if cupy is None else cupy.asarray(words)):
            y = A.mxv(where, semiring="lor_land", bits=True, device="cuda")
            y = y if isinstance(y, np.ndarray) else y.get()
            np.testing.assert_array_equal(baltoro.unpack_bits(y, 5_000), A.mxv(x, semiring="lor_land"))

    def test_a_real_graph(self):
        path = os.path.join(os.environ.get("BALTORO_SHARED_DATA", ""), "cnr-2000.graph")
        if not os.path.isfile(path):
            self.skipTest("the real graph cnr-2000 is not here")
        A = baltoro.read(path, layout="adaptive", progress=False)
        x = np.random.default_rng(1).random(A.shape[1])
        np.testing.assert_allclose(A.mxv(x, device="cuda"), A @ x, rtol=1e-9)


if __name__ == "__main__":
    unittest.main(verbosity=2)
