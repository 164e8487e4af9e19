"""Products that CUDA graphs capture, and scratch that products share, on a GPU that is emulated."""

import gc

import numpy as np
import pytest
from conftest import LAYOUTS, random_sparse

import baltoro

emulated_gpu = pytest.importorskip("emulated_gpu", reason="for builds with BALTORO_CUDA=EMULATED")
import fake_gpu  # noqa: E402  (it needs emulated_gpu)
from test_emulated_gpu import LIBRARIES, libraries, numbers  # noqa: E402, F401  (a fixture)

KINDS = [dict(), dict(semiring="min_plus"), dict(alpha=2.0, beta=-1.0)]


@pytest.fixture(params=["CuPy", "PyTorch"])
def library(request):
    return request.param


@pytest.fixture
def array(library):
    return LIBRARIES[library]


@pytest.fixture
def stream(library, libraries):  # noqa: F811
    """The current stream of the library, which records."""
    stream = emulated_gpu.RecordingStream()
    libraries[library].number = stream.number
    return stream


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("batch", [None, 3])
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_a_first_product_is_captured_and_replayed(layout, batch, kind, array, stream):
    A = baltoro.Matrix(random_sparse(70, 90, 400), layout=layout)
    shape = () if batch is None else (batch,)
    x, out = array(numbers((90, *shape), np.float64)), array(np.zeros((70, *shape)))
    A.mxv(x, out=out, **kind)
    graph = stream.end()
    assert not out.values.any()
    for turn in range(3):
        x.values[...] = numbers((90, *shape), np.float64, seed=turn)
        old = numbers((70, *shape), np.float64, seed=9)
        out.values[...] = old
        graph.launch()
        np.testing.assert_allclose(out.values, A.mxv(x.values, out=old, **kind))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_results_of_captured_products(layout, array, stream):
    A = baltoro.Matrix(random_sparse(70, 90, 400), layout=layout)
    x = array(numbers(90, np.float64))
    y = A @ x
    z = A.vxm(y)
    graph = stream.end()
    x.values[...] = numbers(90, np.float64, seed=5)
    graph.launch()
    np.testing.assert_allclose(y.values, A @ x.values)
    np.testing.assert_allclose(z.values, A.vxm(A @ x.values))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("batch", [None, 3])
def test_products_before_and_beside_a_graph(layout, batch, array, library, libraries):  # noqa: F811
    A = baltoro.Matrix(random_sparse(70, 90, 400), layout=layout)
    shape = () if batch is None else (batch,)
    x, other = array(numbers((90, *shape), np.float64)), array(numbers((90, *shape), np.float64, seed=8))
    out, another = array(np.zeros((70, *shape))), array(np.zeros((70, *shape)))
    for _ in range(3):  # level-order: recorded by the library itself
        A.mxv(x, out=out)
    stream = emulated_gpu.RecordingStream()
    for capture in range(2):
        libraries[library].number = stream.number
        A.mxv(x, out=out)
        A.mxv(other, out=another)
        graph = stream.end()
        libraries[library].number = 0
        for turn in range(2):
            x.values[...] = numbers((90, *shape), np.float64, seed=turn)
            A.mxv(other, out=another)  # not in the graph
            graph.launch()
            np.testing.assert_allclose(out.values, A @ x.values)
            np.testing.assert_allclose(another.values, A @ other.values)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_graph_keeps_what_it_needs(layout, array, stream, library, libraries):  # noqa: F811
    S = random_sparse(70, 90, 400)
    other = baltoro.Matrix.from_edges([0], [0])
    libraries[library].number = 0
    a_first = array(np.ones(1))
    other @ a_first  # lets go of what earlier graphs held
    gc.collect()
    before = emulated_gpu.free_bytes()
    A = baltoro.Matrix(S, layout=layout)
    x, out = array(numbers((90, 5), np.float64)), array(np.zeros((70, 5)))
    libraries[library].number = stream.number
    A.mxv(x, out=out)
    held = emulated_gpu.free_bytes()
    for _ in range(20):  # a capture has one plan of a kind
        A.mxv(x, out=out)
    assert emulated_gpu.free_bytes() == held
    graph = stream.end()
    del A
    gc.collect()
    graph.launch()
    np.testing.assert_allclose(out.values, S @ x.values)
    del graph, x, out
    gc.collect()
    assert emulated_gpu.free_bytes() < before  # a graph cannot free memory itself
    libraries[library].number = 0
    other @ a_first
    assert emulated_gpu.free_bytes() == before


def test_plans_of_graphs_that_are_gone_are_used_again(array, stream, library, libraries):  # noqa: F811
    A = baltoro.Matrix(random_sparse(70, 90, 400))
    x, out = array(numbers((90, 5), np.float64)), array(np.zeros((70, 5)))
    sizes = set()
    for _ in range(5):
        A.mxv(x, out=out)
        stream.run()
        sizes.add(emulated_gpu.free_bytes())
    libraries[library].number = 0
    A.mxv(x, out=out)
    sizes.add(emulated_gpu.free_bytes())
    assert len(sizes) == 1
    np.testing.assert_allclose(out.values, A @ x.values)


def test_two_graphs_have_plans_of_their_own(array, stream):
    A = baltoro.Matrix(random_sparse(70, 90, 400))
    x, out = array(numbers((90, 5), np.float64)), array(np.zeros((70, 5)))
    A.mxv(x, out=out)
    one = stream.end()
    held = emulated_gpu.free_bytes()
    A.mxv(x, out=out)
    other = stream.end()
    assert emulated_gpu.free_bytes() < held
    for graph in (one, other, one):
        out.values[...] = 0
        graph.launch()
        np.testing.assert_allclose(out.values, A @ x.values)


def test_shared_scratch():
    scratch = baltoro.Scratch()
    assert scratch.nbytes == 0 and repr(scratch) == "<baltoro.Scratch>"
    device = baltoro.Cuda(scratch=scratch, top_nodes=1)
    assert "scratch=..." in repr(device)
    matrices = [baltoro.Matrix(random_sparse(300, 300, count, seed=count)) for count in (300, 3000, 1000)]
    needs = [A.working_set(batch=4, device=device).scratch_bytes for A in matrices]
    assert 0 < min(needs) < max(needs) and scratch.nbytes == 0
    gc.collect()
    before = emulated_gpu.free_bytes()
    X = numbers((300, 4), np.float64)
    x = fake_gpu.CupyArray(X)
    held = []
    for A in matrices * 2:
        np.testing.assert_allclose(A.mxv(X, device=device), A @ X)
        np.testing.assert_allclose(A.mxv(x, device=device).values, A @ X)
        held.append(scratch.nbytes)
    assert held[-1] == max(needs)
    for A in matrices[:2]:
        np.testing.assert_allclose(baltoro.pagerank(A, device=device, max_iterations=5).ranks,
                                   baltoro.pagerank(A, max_iterations=5).ranks, rtol=1e-9)
        np.testing.assert_array_equal(baltoro.bfs(A, 3, device=device).distances, baltoro.bfs(A, 3).distances)
    assert emulated_gpu.free_bytes() < before


def test_scratch_is_free_for_what_an_algorithm_reports_to():
    A = baltoro.Matrix(random_sparse(60, 60, 300))
    device = baltoro.Cuda(scratch=baltoro.Scratch())
    seen = []

    def report(*_):
        seen.append(A.mxv(np.ones(60), device=device).sum())

    baltoro.hits(A, device=device, max_iterations=3, progress=report)
    assert seen and set(seen) == {A.nnz}


def test_shared_scratch_is_not_captured(array, stream):
    A = baltoro.Matrix(random_sparse(70, 90, 400))
    with pytest.raises(baltoro.InvalidArgument, match="shared scratch cannot be captured"):
        A.mxv(array(np.ones(90)), out=array(np.ones(70)), device=baltoro.Cuda(scratch=baltoro.Scratch()))
