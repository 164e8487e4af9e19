"""Searches, centrality and structure against networkx."""

import json
from pathlib import Path

import networkx
import numpy as np
import pytest
import scipy.sparse
from conftest import LAYOUTS, cells_of, random_sparse
from hypothesis import given, settings
from hypothesis import strategies as st

import baltoro

EDGES = {
    "one vertex": (1, []),
    "one loop": (1, [(0, 0)]),
    "no edges": (7, []),
    "parts with loops": (30, [(i, (i + 1) % 10) for i in range(10)] + [(i, i + 1) for i in range(15, 25)] +
                         [(3, 3), (29, 29), (4, 17)]),
    "sparse": (120, sorted(cells_of(random_sparse(120, 120, 140, seed=1)))),
    "denser": (90, sorted(cells_of(random_sparse(90, 90, 500, seed=2)))),
}


@pytest.fixture(params=[(name, layout, turned) for name in EDGES for layout in LAYOUTS for turned in (False, True)],
                ids=lambda param: f"{param[0]}-{param[1]}{'-turned' if param[2] else ''}".replace(" ", "-"))
def twins(request):
    """A matrix, of some graphs a transposed view, and its networkx twin."""
    name, layout, turned = request.param
    n, cells = EDGES[name]
    A = baltoro.Matrix.from_edges([r for r, _ in cells], [c for _, c in cells], shape=(n, n), layout=layout)
    graph = networkx.DiGraph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from(cells)
    return (A.T, graph.reverse()) if turned else (A, graph)


def ordered(scores, n):
    return np.array([scores[v] for v in range(n)], float)


DIRECTIONS = [({}, lambda g: g), ({"reverse": True}, lambda g: g.reverse()),
              ({"undirected": True}, lambda g: g.to_undirected())]


@pytest.mark.parametrize("options, turn", DIRECTIONS, ids=["along", "against", "both"])
def test_searches(twins, options, turn):
    A, G = twins
    n = len(G)
    sources = [0, n // 2, n - 1, 0]
    lengths = [networkx.single_source_shortest_path_length(turn(G), s) for s in sources]
    expected = np.array([[each.get(v, -1) for each in lengths] for v in range(n)])
    found = baltoro.multi_source_bfs(A, sources, **options)
    np.testing.assert_array_equal(found.distances, expected)
    assert found.levels == expected.max() + 1
    assert found.needs.total_bytes >= found.distances.nbytes
    reached = baltoro.reach(A, sources, **options)
    for k, each in enumerate(lengths):
        assert reached.of(k).tolist() == (expected[:, k] >= 0).tolist()
        assert [reached.reaches(k, v) for v in range(n)] == reached.of(k).tolist()
        assert reached.reached[k] == len(each)
        assert reached.reached_per_level[:, k].tolist() == [
            sum(d == level for d in each.values()) for level in range(found.levels)]
    one = baltoro.bfs(A, n // 2, parents=True, **options)
    np.testing.assert_array_equal(one.distances, expected[:, 1])
    for v in range(n):
        path = one.path_to(v)
        assert len(path) == expected[v, 1] + 1
        assert all(turn(G).has_edge(a, b) for a, b in zip(path, path[1:]))
        assert not path or (path[0], path[-1]) == (n // 2, v)


def test_searches_that_stop(twins):
    A, G = twins
    full = baltoro.multi_source_bfs(A, [0, 0]).distances
    for levels in (1, 2, 3):
        found = baltoro.multi_source_bfs(A, [0, 0], max_levels=levels).distances
        assert found.max() <= levels
        near = found >= 0
        np.testing.assert_array_equal(found[near], full[near])
        reached = baltoro.reach(A, [0], max_levels=levels)
        np.testing.assert_array_equal(reached.of(0), near[:, 0])


def test_many_sources_at_once():
    S = random_sparse(300, 300, 900, seed=4)
    A = baltoro.Matrix(S)
    expected = scipy.sparse.csgraph.dijkstra(S, unweighted=True)
    found = baltoro.multi_source_bfs(A, np.arange(300))
    np.testing.assert_array_equal(np.where(np.isinf(expected), -1, expected).T, found.distances)
    reached = baltoro.reach(A, np.arange(300))
    assert reached.table.shape == (300, 5)
    np.testing.assert_array_equal([reached.of(k) for k in range(300)], np.isfinite(expected))


def test_personalized_pagerank(twins):
    A, G = twins
    n = len(G)
    seeds = [0, n - 1, n // 3]
    found = baltoro.personalized_pagerank(A, seeds, tolerance=1e-13, dangling="personalization")
    assert found.ranks.shape == (n, 3) and found.converged
    for k, seed in enumerate(seeds):
        expected = networkx.pagerank(G, tol=1e-14, max_iter=2000, personalization={seed: 1})
        np.testing.assert_allclose(found.ranks[:, k], ordered(expected, n), atol=1e-9)


def test_hits(twins):
    A, G = twins
    if G.number_of_edges() < 100:
        return  # several dominant pairs of vectors, or none
    found = baltoro.hits(A, tolerance=1e-12, max_iterations=20_000)
    hubs, authorities = networkx.hits(G, tol=1e-12, max_iter=10_000)
    assert found.converged
    np.testing.assert_allclose(found.hubs, ordered(hubs, len(G)), atol=1e-6)
    np.testing.assert_allclose(found.authorities, ordered(authorities, len(G)), atol=1e-6)


def test_katz(twins):
    A, G = twins
    expected = networkx.katz_centrality_numpy(G, alpha=0.02, beta=3) if len(G) > 1 else {0: 1}
    found = baltoro.katz_centrality(A, attenuation=0.02, base=3, tolerance=1e-13)
    assert found.converged
    np.testing.assert_allclose(found.scores, ordered(expected, len(G)), atol=1e-9)
    assert not baltoro.katz_centrality(A, attenuation=0.02, max_iterations=1, tolerance=1e-30).converged


def test_eigenvector(layout):
    S = random_sparse(60, 60, 500, seed=8)
    G = networkx.from_scipy_sparse_array(S, create_using=networkx.DiGraph)
    assert networkx.is_strongly_connected(G)
    for A, H in ((baltoro.Matrix(S, layout=layout), G), (baltoro.Matrix(S, layout=layout).T, G.reverse())):
        found = baltoro.eigenvector_centrality(A, tolerance=1e-13)
        np.testing.assert_allclose(found.scores, ordered(networkx.eigenvector_centrality_numpy(H), 60), atol=1e-8)


@pytest.mark.parametrize("options, turn", DIRECTIONS, ids=["along", "against", "both"])
def test_closeness_and_harmonic(twins, options, turn):
    A, G = twins
    H = turn(G)
    found = baltoro.distance_centrality(A, **options)
    np.testing.assert_allclose(found.closeness, ordered(networkx.closeness_centrality(H), len(G)), atol=1e-12)
    np.testing.assert_allclose(found.harmonic, ordered(networkx.harmonic_centrality(H), len(G)), atol=1e-9)
    np.testing.assert_array_equal(baltoro.closeness_centrality(A, **options), found.closeness)
    np.testing.assert_array_equal(baltoro.harmonic_centrality(A, **options), found.harmonic)


def test_betweenness(twins):
    A, G = twins
    for batch in (1, 8, 50):
        np.testing.assert_allclose(baltoro.betweenness_centrality(A, batch=batch),
                                   ordered(networkx.betweenness_centrality(G), len(G)), atol=1e-12)


def test_samples_estimate(twins):
    A, G = twins
    n = len(G)
    assert baltoro.sample_vertices(100, 10, seed=3).tolist() == baltoro.sample_vertices(100, 10, seed=3).tolist()
    assert baltoro.sample_vertices(5, 10).tolist() == [0, 1, 2, 3, 4]
    drawn = baltoro.sample_vertices(n, 5, seed=9)
    for function in (baltoro.betweenness_centrality, baltoro.closeness_centrality, baltoro.harmonic_centrality):
        np.testing.assert_array_equal(function(A, samples=5, seed=9), function(A, drawn))
        np.testing.assert_allclose(function(A, samples=n), function(A), atol=1e-12)
    with pytest.raises(ValueError, match="sources and samples cannot both be given"):
        baltoro.betweenness_centrality(A, [0], samples=3)
    turned = baltoro.betweenness_centrality(A.T.materialize(), drawn)
    np.testing.assert_allclose(baltoro.betweenness_centrality(A.T, drawn), turned)


def test_components(twins):
    A, G = twins
    for connection, parts in (("weak", networkx.weakly_connected_components(G)),
                              ("strong", networkx.strongly_connected_components(G))):
        parts = sorted((sorted(part) for part in parts), key=lambda part: part[0])
        found = baltoro.components(A, connection=connection)
        assert found.count == len(parts)
        assert found.sizes.tolist() == [len(part) for part in parts]
        assert [np.flatnonzero(found.labels == k).tolist() for k in range(found.count)] == parts
        assert len(parts[found.largest]) == max(map(len, parts))


def test_diameter(twins):
    A, G = twins
    largest = max(networkx.weakly_connected_components(G), key=len)
    expected = networkx.diameter(G.to_undirected().subgraph(largest))
    found = baltoro.diameter(A)
    assert found.lower <= expected <= found.upper
    assert found.vertices == len(largest)
    assert baltoro.diameter(A, max_searches=1000)[:2] == (expected, expected)


def test_undirected_graphs(twins):
    A, G = twins
    H = G.to_undirected()
    B = A.symmetrize()
    assert B.layout == A.layout
    assert cells_of(B) == set(G.edges) | {(b, a) for a, b in G.edges}
    assert B.is_symmetric() and A.is_symmetric() == (set(G.edges) == {(b, a) for a, b in G.edges})
    H.remove_edges_from(list(networkx.selfloop_edges(H)))
    found = baltoro.triangles(B)
    expected = networkx.triangles(H)
    assert found.at_vertex.tolist() == [expected[v] for v in range(len(H))]
    assert found.count == sum(expected.values()) // 3
    np.testing.assert_allclose(found.clustering, ordered(networkx.clustering(H), len(H)))
    cores = baltoro.core_numbers(B)
    expected = networkx.core_number(H)
    assert cores.numbers.tolist() == [expected[v] for v in range(len(H))]
    assert cores.degeneracy == max(expected.values())


@given(st.integers(1, 60), st.integers(0, 150), st.integers(0, 2**32), st.sampled_from(LAYOUTS))
@settings(max_examples=25)
def test_any_graph(n, count, seed, layout):
    S = random_sparse(n, n, count, seed)
    A = baltoro.Matrix(S, layout=layout)
    for connection in ("weak", "strong"):
        count, labels = scipy.sparse.csgraph.connected_components(S, connection=connection)
        found = baltoro.components(A, connection=connection)
        assert found.count == count
        assert len(set(zip(labels.tolist(), found.labels.tolist()))) == count
    distances = scipy.sparse.csgraph.shortest_path(S, unweighted=True)
    found = baltoro.multi_source_bfs(A, range(n)).distances
    np.testing.assert_array_equal(found, np.where(np.isinf(distances), -1, distances).T)


@pytest.mark.parametrize("call, error, message", [
    (lambda A: baltoro.components(A, connection="some"), ValueError, "connection must be 'weak' or 'strong'"),
    (lambda A: baltoro.components(baltoro.Matrix.from_edges([0], [5])), ValueError, "square"),
    (lambda A: baltoro.triangles(A), ValueError, "symmetric"),
    (lambda A: baltoro.core_numbers(A), ValueError, "symmetric"),
    (lambda A: baltoro.diameter(A, max_searches=0), ValueError, "max_searches"),
    (lambda A: baltoro.betweenness_centrality(A, batch=0), ValueError, "batch"),
    (lambda A: baltoro.personalized_pagerank(A, [99]), ValueError, "seeds must be vertices"),
    (lambda A: baltoro.personalized_pagerank(A, [0], dangling="x"), ValueError, "dangling must be"),
    (lambda A: baltoro.multi_source_bfs(A, [99]), ValueError, "sources must be vertices"),
    (lambda A: baltoro.hits(A, tolerance=-1), ValueError, "tolerance"),
    (lambda A: baltoro.bfs(A, 0).path_to(1), ValueError, "kept no parents"),
    (lambda A: baltoro.bfs(A, 0, parents=True).path_to(99), IndexError, "vertex 99 is outside"),
    (lambda A: baltoro.reach(A, [0]).of(1), IndexError, "source 1 is outside 0..0"),
    (lambda A: baltoro.pagerank(A, device="gpu"), ValueError, "no device 'gpu'; there are cpu, cuda and auto"),
    (lambda A: baltoro.pagerank(A, device=3), TypeError, r"device must be 'cpu', 'cuda', 'auto' or baltoro.Cuda"),
])
def test_what_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call(baltoro.Matrix.from_edges([0, 0, 1], [1, 2, 2], shape=(3, 3)))


def test_progress_is_told_and_ends_what_it_throws_in():
    A = baltoro.Matrix(random_sparse(500, 500, 3000)).symmetrize()

    class Enough(Exception):
        pass

    def enough(*_):
        raise Enough

    for call in (baltoro.pagerank, baltoro.hits, baltoro.katz_centrality, baltoro.eigenvector_centrality,
                 baltoro.betweenness_centrality, baltoro.distance_centrality, baltoro.diameter,
                 lambda A, **o: baltoro.bfs(A, 0, **o), lambda A, **o: baltoro.reach(A, [0], **o),
                 lambda A, **o: baltoro.personalized_pagerank(A, [0], **o)):
        told = []
        call(A, progress=lambda *report: told.append(report))
        assert told and all(len(report) == 4 and report[1] >= 0 for report in told)
        with pytest.raises(Enough):
            call(A, progress=enough)


def test_generated_graphs():
    assert repr(baltoro.generate.web(1000, 8)) == repr(baltoro.generate.web(1000, 8))
    A = baltoro.generate.web(1000, 8, seed=2, layout="adaptive")
    assert (A.shape, A.nnz, A.layout) == ((1000, 1000), 8000, "adaptive")
    for make in (baltoro.generate.merkle, baltoro.generate.social):
        assert (make(2000, 9000).shape, make(2000, 9000).nnz) == ((2000, 2000), 9000)
    for make in (baltoro.generate.citation, baltoro.generate.relation):
        assert (make(2000, 300, 9000).shape, make(2000, 300, 9000).nnz) == ((2000, 300), 9000)
    told = []
    like = baltoro.generate.like("uk-2002", 10_000, progress=lambda *each: told.append(each))
    stand_in = next(each for each in baltoro.generate.stand_ins() if each.name == "uk-2002")
    assert abs(like.nnz - stand_in.edges / 10_000) <= 1
    assert ("making", like.nnz, like.nnz, "edges") in told
    assert abs(like.shape[0] - stand_in.shape[0] / 10_000) <= 1
    B = baltoro.generate.rmat(8, 2000)
    assert B.shape == (256, 256) and 800 < B.nnz <= 2000
    assert baltoro.generate.uniform(30, 50, 100).shape == (30, 50)
    with pytest.raises(ValueError, match="scale"):
        baltoro.generate.rmat(32, 5)
    with pytest.raises(ValueError, match="nosuch"):
        baltoro.generate.like("nosuch")
    with pytest.raises(ValueError):
        baltoro.generate.social(10, 101)


def test_threads():
    before = baltoro.thread_limit.current()
    with baltoro.thread_limit(1) as limit:
        assert baltoro.thread_limit.current() == 1
        with limit, baltoro.thread_limit(0):
            pass
    assert baltoro.thread_limit.current() == before
    with pytest.raises(ValueError, match="-1"):
        baltoro.thread_limit(-1)


def test_working_sets(layout):
    A = baltoro.Matrix(random_sparse(200, 300, 900), layout=layout)
    one, four = A.working_set(), A.working_set(batch=4, dtype=np.float32)
    assert one.matrix_bytes == A.nbytes
    assert (one.vector_bytes, four.vector_bytes) == (8 * 500, 4 * 4 * 500)
    assert A.T.working_set(left=True).vector_bytes == one.vector_bytes
    assert one.total_bytes == sum(one)
    with pytest.raises(TypeError, match="float32 or float64, not int8"):
        A.working_set(dtype=np.int8)


class OfAGpu:
    """An array that says it lies in the memory of a GPU."""
    shape, ndim, dtype = (3,), 1, np.dtype(np.float64)
    T = property(lambda self: self)

    def __dlpack_device__(self):
        return 2, 0


@pytest.mark.skipif(baltoro.cuda_status().usable, reason="there is a GPU")
def test_what_is_said_where_there_is_no_gpu():
    A = baltoro.Matrix.from_edges([0, 0, 1], [1, 2, 2], shape=(3, 3))
    error, message = ((baltoro.CudaError, "device cuda: (no NVIDIA driver|the NVIDIA driver|the GPU|.* is older)")
                      if baltoro.compiled_with_cuda() else
                      (baltoro.NotCompiled, "device cuda: this build of Baltoro has no GPU backend; rebuild it with "
                                            "BALTORO_CUDA=ON where nvcc is installed, or use cpu"))
    for call in (lambda: A @ OfAGpu(), lambda: OfAGpu() @ A, lambda: A.mxv(np.ones(3), device="cuda"),
                 lambda: baltoro.pagerank(A, device="cuda"), lambda: baltoro.bfs(A, 0, device=baltoro.Cuda()),
                 lambda: A.working_set(device="cuda")):
        with pytest.raises(error, match=message):
            call()
    np.testing.assert_array_equal(A.mxv(np.ones(3), device="auto"), A @ np.ones(3))


def test_the_figures_of_a_run():
    status = baltoro.cuda_status()
    assert isinstance(status.usable, bool) and status.reason
    assert json.loads(json.dumps(status)) == list(status)
    assert Path(baltoro.__file__).parent.joinpath("py.typed").is_file()
