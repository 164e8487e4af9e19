"""From everything that can become a matrix, and back."""

import networkx
import numpy as np
import pytest
import scipy.sparse
from conftest import cells_of, random_sparse, real_graph
from hypothesis import given
from hypothesis import strategies as st

import baltoro

CELLS = [(0, 1), (0, 2), (1, 2), (2, 0), (3, 2), (4, 3)]
ROWS = [r for r, _ in CELLS]
COLS = [c for _, c in CELLS]


def test_edges_in_lists():
    A = baltoro.Matrix.from_edges(ROWS, COLS)
    assert (A.shape, A.nnz) == ((5, 4), 6)
    assert cells_of(A) == set(CELLS)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.int32, np.uint32, np.int64, np.uint64])
def test_edges_of_every_integer_type(dtype, layout):
    A = baltoro.Matrix((np.array(ROWS, dtype), np.array(COLS, dtype)), shape=(5, 5), layout=layout)
    assert (A.shape, A.layout) == ((5, 5), layout)
    assert cells_of(A) == set(CELLS)


def test_edges_of_two_types_with_strides_and_duplicates():
    rows = np.repeat(np.array(ROWS, np.int32), 4)[::2]
    cols = np.repeat(np.array(COLS, np.uint64), 4)[::2]
    A = baltoro.Matrix.from_edges(rows, cols)
    assert A.nnz == 6
    assert cells_of(A) == set(CELLS)


@given(st.integers(0, 300), st.integers(0, 300), st.data())
def test_edges_come_back_row_by_row(rows, cols, data):
    cells = []
    if rows and cols:
        cell = st.tuples(st.integers(0, rows - 1), st.integers(0, cols - 1))
        cells = data.draw(st.lists(cell, max_size=60))
    A = baltoro.Matrix.from_edges([r for r, _ in cells], [c for _, c in cells], shape=(rows, cols),
                                  layout=data.draw(st.sampled_from(["level-order", "adaptive"])))
    assert list(zip(*(each.tolist() for each in A.edges()))) == sorted(set(cells))
    assert (A.shape, A.nnz) == ((rows, cols), len(set(cells)))
    assert (A.to_scipy().toarray() == A.T.to_scipy().toarray().T).all()


def test_no_edges():
    for A in (baltoro.Matrix.from_edges([], []), baltoro.Matrix(scipy.sparse.csr_array((0, 0)))):
        assert (A.shape, A.nnz, A.bits_per_edge) == ((0, 0), 0, 0)
        assert [each.size for each in A.edges()] == [0, 0]
    assert baltoro.Matrix.from_edges([], [], shape=(3, 0)).shape == (3, 0)


@pytest.mark.parametrize("make, error, message", [
    (lambda: baltoro.Matrix.from_edges([0, 1], [0]), ValueError, "2 rows and 1 columns make no edges"),
    (lambda: baltoro.Matrix.from_edges([0, -1], [0, 0]), ValueError, "row -1 of edge 1 is outside"),
    (lambda: baltoro.Matrix.from_edges([0], [2**32 - 1]), ValueError, "column 4294967295 of edge 0 is outside"),
    (lambda: baltoro.Matrix.from_edges(np.array([2**64 - 1], np.uint64), [0]), ValueError, "exceeds the largest index"),
    (lambda: baltoro.Matrix.from_edges([0.5], [1]), TypeError, "rows must be integers, not float64"),
    (lambda: baltoro.Matrix.from_edges([[0]], [[1]]), ValueError, r"one dimension, not shape \(1, 1\)"),
    (lambda: baltoro.Matrix.from_edges([7], [0], shape=(5, 5)), ValueError, r"cell \(7, 0\) lies outside the 5x5"),
    (lambda: baltoro.Matrix.from_edges([0], [0], shape=5), TypeError, "shape must be two integers"),
    (lambda: baltoro.Matrix.from_edges([0], [0], shape=(-1, 5)), ValueError, "a matrix of -1 rows"),
    (lambda: baltoro.Matrix.from_edges([0], [0], layout="dense"), ValueError, "no layout 'dense'"),
    (lambda: baltoro.Matrix.from_edges([0], [0], memory_bytes=5), ValueError, "16 MiB|16777216"),
    (lambda: baltoro.Matrix.from_edges([0], [0], progress=3), TypeError, "progress must be"),
    (lambda: baltoro.Matrix(7), TypeError, "a path, a SciPy sparse matrix"),
    (lambda: baltoro.Matrix(np.eye(3)), TypeError, "not ndarray"),
    (lambda: baltoro.Matrix(scipy.sparse.eye(3, format="csr"), shape=(4, 4)), ValueError, r"has shape \(3, 3\)"),
    (lambda: baltoro.Matrix.from_scipy(np.eye(3)), TypeError, "SciPy sparse matrix was expected"),
    (lambda: baltoro.Matrix.from_edge_index(np.zeros((3, 2), int)), ValueError, r"\(2, edges\), not \(3, 2\)"),
])
def test_what_cannot_become_a_matrix(make, error, message):
    with pytest.raises(error, match=message):
        make()


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "bsr", "dia", "lil", "dok"])
@pytest.mark.parametrize("dtype", [bool, np.int8, np.float32, np.float64, np.complex128])
def test_every_format_of_scipy(format, dtype, layout):
    S = random_sparse(40, 60, 200).astype(dtype).asformat(format)
    A = baltoro.Matrix.from_scipy(S, layout=layout)
    assert A.shape == S.shape
    assert cells_of(A) == cells_of(S)
    for wanted in ("csr", "csc", "coo"):
        back = A.to_scipy(wanted, dtype=np.int32)
        assert (back.format, back.dtype) == (wanted, np.int32)
        assert (back.toarray() == (S.toarray() != 0)).all()


def test_scipy_with_wide_indices():
    S = random_sparse(40, 60, 200)
    S.indices, S.indptr = S.indices.astype(np.int64), S.indptr.astype(np.int64)
    assert cells_of(baltoro.Matrix(S)) == cells_of(S)


def test_a_stored_zero_is_no_edge():
    S = scipy.sparse.coo_array(([1.0, 0.0, 2.0, -2.0, 3.0, 3.0], ([0, 0, 1, 1, 2, 2], [0, 1, 1, 1, 2, 2])),
                               shape=(3, 3))
    by_hand = scipy.sparse.csr_array((np.array([1, -1, 5]), np.array([2, 2, 0]), np.array([0, 2, 3])), shape=(2, 3))
    assert cells_of(baltoro.Matrix(S)) == {(0, 0), (2, 2)}
    assert cells_of(baltoro.Matrix(by_hand)) == {(1, 0)}
    assert by_hand.nnz == 3, "the matrix that was given is left alone"


@pytest.mark.parametrize("spoil, message", [
    (lambda S: S.indptr.__setitem__(2, 10**6), "indptr falls or exceeds"),
    (lambda S: S.indptr.__setitem__(0, 1), "indptr must have"),
    (lambda S: S.indices.__setitem__(0, -3), "column -3 of edge 0 is outside"),
    (lambda S: S.indices.__setitem__(0, 1000), "outside the 40x60 matrix"),
])
def test_damaged_csr_arrays(spoil, message):
    S = random_sparse(40, 60, 200)
    spoil(S)
    with pytest.raises(baltoro.InvalidArgument, match=message):
        baltoro.Matrix(S)


def test_networkx():
    G = networkx.DiGraph([("a", "b"), ("b", "c"), ("c", "a")])
    assert cells_of(baltoro.Matrix(G)) == {(0, 1), (1, 2), (2, 0)}
    turned = baltoro.Matrix.from_networkx(G, nodelist=["c", "b", "a"])
    assert cells_of(turned) == {(0, 2), (1, 0), (2, 1)}
    both = baltoro.Matrix.from_networkx(networkx.path_graph(3))
    assert cells_of(both) == {(0, 1), (1, 0), (1, 2), (2, 1)}
    assert baltoro.Matrix(networkx.MultiGraph([(0, 1), (0, 1)])).nnz == 2
    assert baltoro.Matrix(networkx.Graph()).shape == (0, 0)


class OnlyDlpack:
    """What a tensor of another library looks like."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class OnADevice(OnlyDlpack):
    def __dlpack_device__(self):
        return (2, 0)

    def __dlpack__(self, **options):
        raise BufferError("memory of a GPU")


def test_edge_index():
    index = np.array([ROWS, COLS])
    for each in (index, index.tolist(), OnlyDlpack(index)):
        A = baltoro.Matrix.from_edge_index(each)
        assert A.shape == (5, 5)
        assert cells_of(A) == set(CELLS)
    assert baltoro.Matrix.from_edge_index(index, num_nodes=9).shape == (9, 9)
    assert baltoro.Matrix.from_edge_index(np.zeros((2, 0), np.int64)).shape == (0, 0)
    with pytest.raises(TypeError, match="edge_index lies in the memory of a GPU and cannot be copied from there: memory of a GPU"):
        baltoro.Matrix.from_edge_index(OnADevice(index))


def test_under_a_memory_limit(layout):
    S = random_sparse(3000, 3000, 100_000)
    A = baltoro.Matrix(S, layout=layout, memory_bytes=16 << 20)
    assert cells_of(A) == cells_of(S)


def test_layouts_convert(pair):
    A, S = pair
    for wanted in ("level-order", "adaptive"):
        for B in (A.with_layout(wanted), baltoro.Matrix(A, layout=wanted), A.T.with_layout(wanted).T):
            assert B.layout == wanted
            assert cells_of(B) == cells_of(S)


def test_progress_is_told():
    reports = []
    S = random_sparse(3000, 3000, 100_000)
    baltoro.Matrix(S, progress=lambda *report: reports.append(report))
    assert [stage for stage, *_ in reports][-2:] == ["sorting", "encoding"]
    assert all(unit == "edges" and 0 <= done <= total == S.nnz for _, done, total, unit in reports[-2:-1])


def test_a_bar_of_tqdm(capsys):
    baltoro.Matrix(random_sparse(3000, 3000, 100_000), progress=True)
    assert "sorting" in capsys.readouterr().err
    baltoro.Matrix(random_sparse(300, 300, 1000))
    assert capsys.readouterr().err == "", "no terminal, no bar"


def test_an_exception_of_the_progress_function_ends_the_build():
    def stop(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        baltoro.Matrix(random_sparse(300, 300, 1000), progress=stop)
    assert baltoro.Matrix(random_sparse(300, 300, 1000)).nnz > 0


def test_a_real_graph_as_scipy_has_it():
    A = baltoro.read(real_graph("cnr-2000.graph"))
    S = A.to_scipy()
    assert (S.shape, S.nnz) == ((325_557, 325_557), 3_216_152)
    B = baltoro.Matrix(S)
    assert B.nbytes == A.nbytes
    assert (B.to_scipy() != S).nnz == 0
