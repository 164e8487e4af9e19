"""Algorithms against networkx and SciPy, solvers of SciPy, pictures."""

import matplotlib.pyplot
import networkx
import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.linalg
from conftest import random_sparse, real_graph

import baltoro

matplotlib.pyplot.switch_backend("Agg")


@pytest.fixture
def square(layout):
    S = random_sparse(80, 80, 300, seed=5)
    return baltoro.Matrix(S, layout=layout), S, networkx.from_scipy_sparse_array(S, create_using=networkx.DiGraph)


def test_pagerank(square):
    A, S, G = square
    weights = np.arange(80) % 7
    for B, H in ((A, G), (A.T, G.reverse())):
        found = baltoro.pagerank(B, tolerance=1e-12, dangling="personalization", personalization=weights)
        expected = networkx.pagerank(H, tol=1e-14, max_iter=1000, personalization=dict(enumerate(weights)))
        np.testing.assert_allclose(found.ranks, [expected[v] for v in range(80)], atol=1e-10)
        assert found.converged and found.change < 1e-12 and found.iterations > 5
        found = baltoro.pagerank(B, damping=0.5, tolerance=1e-12)
        expected = networkx.pagerank(H, alpha=0.5, tol=1e-14, max_iter=1000)
        np.testing.assert_allclose(found.ranks, [expected[v] for v in range(80)], atol=1e-10)
    assert not baltoro.pagerank(A, max_iterations=2).converged


def test_bfs(square):
    A, S, G = square
    for B, H in ((A, G), (A.T, G.reverse())):
        for reverse, K in ((False, H), (True, H.reverse())):
            found = baltoro.bfs(B, 3, reverse=reverse, parents=True)
            lengths = networkx.single_source_shortest_path_length(K, 3)
            assert found.distances.tolist() == [lengths.get(v, -1) for v in range(80)]
            assert found.reached_per_level.sum() == len(lengths)
            for v, parent in enumerate(found.parents.tolist()):
                if v == 3 or v not in lengths:
                    assert parent == (3 if v == 3 else -1)
                else:
                    assert parent == min(u for u in K.predecessors(v) if lengths.get(u) == lengths[v] - 1)
    both = baltoro.bfs(A, [3, 4])
    assert both.parents is None
    one, other = (baltoro.bfs(A, v).distances for v in (3, 4))
    far = np.iinfo(np.int32).max
    expected = np.minimum(np.where(one < 0, far, one), np.where(other < 0, far, other))
    np.testing.assert_array_equal(both.distances, np.where(expected == far, -1, expected))
    assert (baltoro.bfs(A, []).distances == -1).all()


@pytest.mark.parametrize("call, error, message", [
    (lambda A: baltoro.bfs(A, 80), ValueError, "sources must be vertices, 0..79"),
    (lambda A: baltoro.bfs(A, [-1]), ValueError, "sources must be vertices, 0..79"),
    (lambda A: baltoro.bfs(A, 0.5), TypeError, "sources must be integers, not float64"),
    (lambda A: baltoro.bfs(baltoro.Matrix.from_edges([0], [5]), 0), ValueError, "square matrix, this one is 1x6"),
    (lambda A: baltoro.pagerank(baltoro.Matrix.from_edges([0], [5])), ValueError, "square matrix, this one is 1x6"),
    (lambda A: baltoro.pagerank(A, damping=1.5), ValueError, "damping"),
    (lambda A: baltoro.pagerank(A, personalization=[1, 2]), ValueError, "personali[sz]ation"),
    (lambda A: baltoro.pagerank(A, dangling="nowhere"), ValueError, "dangling must be 'uniform' or 'personalization'"),
])
def test_what_algorithms_refuse(square, call, error, message):
    with pytest.raises(error, match=message):
        call(square[0])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_eigenvalues(square, dtype):
    A, S, _ = square
    both = A.to_scipy(dtype=dtype)
    ours = scipy.sparse.linalg.eigs(baltoro.aslinearoperator(A, dtype), k=3, return_eigenvectors=False)
    theirs = np.linalg.eigvals(both.toarray())
    largest = theirs[np.argsort(-abs(theirs))][:3]
    np.testing.assert_allclose(sorted(abs(ours)), sorted(abs(largest)), rtol=1e-3)


def test_singular_values_and_least_squares(pair):
    A, S = pair
    operator = baltoro.aslinearoperator(A)
    assert isinstance(operator, scipy.sparse.linalg.LinearOperator)
    ours = scipy.sparse.linalg.svds(operator, k=4, return_singular_vectors=False)
    np.testing.assert_allclose(sorted(ours), np.linalg.svd(S.toarray())[1][:4][::-1], rtol=1e-8)
    b = np.arange(70.0)
    ours = scipy.sparse.linalg.lsqr(operator, b, atol=1e-12, btol=1e-12, iter_lim=2000)[0]
    np.testing.assert_allclose(S @ ours, S @ np.linalg.lstsq(S.toarray(), b, rcond=None)[0], atol=1e-5)


def test_linear_operators_take_what_scipy_gives(pair):
    A, S = pair
    operator = baltoro.aslinearoperator(A)
    X, Z = np.ones((90, 3)), np.ones((70, 2))
    np.testing.assert_allclose(operator @ X, S @ X)
    np.testing.assert_allclose(operator.H @ Z, S.T @ Z)
    np.testing.assert_allclose(operator @ X[:, :1], S @ X[:, :1])
    np.testing.assert_allclose(operator.rmatvec(Z[:, 0]), S.T @ Z[:, 0])


@pytest.mark.parametrize("size", [1, 3, 16, 512])
def test_density(pair, size):
    A, S = pair
    for B, D in ((A, S.toarray()), (A.T, S.toarray().T)):
        counts, side = baltoro.density(B, size)
        assert max(counts.shape) <= size
        assert counts.sum() == B.nnz
        for (i, j), count in np.ndenumerate(counts):
            assert count == D[i * side:(i + 1) * side, j * side:(j + 1) * side].sum()
    with pytest.raises(ValueError, match="0 squares a side"):
        baltoro.density(A, 0)


def test_spy(pair):
    A, _ = pair
    figure, ax = matplotlib.pyplot.subplots()
    assert baltoro.spy(A.T, ax=ax, size=16) is ax
    counts, side = baltoro.density(A.T, 16)
    drawn = ax.images[0].get_array()
    np.testing.assert_allclose(drawn.filled(0) * side**2, counts)
    assert drawn.mask.sum() == (counts == 0).sum()
    assert ax.get_xlim() == (0, 70) and ax.get_ylim() == (90, 0)
    assert "394 edges" in ax.get_title()
    figure.canvas.draw()
    matplotlib.pyplot.close("all")


@pytest.mark.parametrize("shape", [(0, 0), (3, 3), (1, 500)])
def test_spy_of_next_to_nothing(shape):
    ax = baltoro.spy(baltoro.Matrix.from_edges([], [], shape=shape))
    ax.figure.canvas.draw()
    matplotlib.pyplot.close("all")


def test_spy_of_a_matrix_larger_than_any_picture(layout):
    far = 2**32 - 2
    A = baltoro.Matrix.from_edges([0, far, far], [0, far, far - 1], layout=layout)
    counts, side = baltoro.density(A, 4)
    assert side == 2**30
    assert np.argwhere(counts).tolist() == [[0, 0], [3, 3]]
    assert counts[3, 3] == 2
    baltoro.spy(A).figure.canvas.draw()
    matplotlib.pyplot.close("all")


def test_a_real_graph():
    A = baltoro.read(real_graph("cnr-2000.graph"))
    S = A.to_scipy(dtype=np.float64)
    x = np.random.default_rng(1).random(A.shape[1])
    np.testing.assert_allclose(A @ x, S @ x, rtol=1e-12)
    np.testing.assert_allclose(x @ A, x @ S, rtol=1e-12)
    distances = baltoro.bfs(A, 0).distances
    order = scipy.sparse.csgraph.breadth_first_order(S, 0, return_predecessors=False)
    assert (distances >= 0).sum() == len(order)
    assert baltoro.density(A, 64)[0].sum() == A.nnz
