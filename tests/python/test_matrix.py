"""Queries, views, copies and text."""

import copy
import pickle

import numpy as np
import pytest
from conftest import cells_of, random_sparse
from hypothesis import given
from hypothesis import strategies as st

import baltoro


def test_numbers(pair):
    A, S = pair
    assert (A.shape, A.ndim, A.nnz, A.dtype) == (S.shape, 2, S.nnz, bool)
    assert 0 < A.nbytes < 4 * S.nnz
    assert 0 < A.bits_per_edge < 32
    assert A.nbytes == sum(A._core.bytes().values())


def test_rows_columns_and_cells(pair):
    A, S = pair
    dense = S.toarray() != 0
    for B, D in ((A, dense), (A.T, dense.T)):
        for i in range(D.shape[0]):
            assert B.row(i).dtype == np.uint32
            assert B.row(i).tolist() == np.flatnonzero(D[i]).tolist()
        for j in range(D.shape[1]):
            assert B.col(j).tolist() == np.flatnonzero(D[:, j]).tolist()
        assert all(((i, j) in B) == D[i, j] for i in range(D.shape[0]) for j in range(D.shape[1]))
        assert B.out_degrees().tolist() == D.sum(axis=1).tolist()
        assert B.in_degrees().tolist() == D.sum(axis=0).tolist()
        assert cells_of(B) == set(zip(*(each.tolist() for each in np.nonzero(D))))


@given(st.integers(0, 80), st.integers(0, 80), st.data())
def test_rectangles(rows, cols, data):
    S = random_sparse(rows, cols, rows * cols // 5, data.draw(st.integers(0, 99)))
    A = baltoro.Matrix(S, layout=data.draw(st.sampled_from(["level-order", "adaptive"])))
    bounds = st.one_of(st.none(), st.integers(-100, 100))
    i, j = (slice(data.draw(bounds), data.draw(bounds)) for _ in range(2))
    inside = np.zeros(S.shape, bool)
    inside[i, j] = True
    expected = np.argwhere(inside & (S.toarray() > 0)).tolist()
    assert np.column_stack(A.cells(i, j)).tolist() == expected
    expected = np.argwhere((inside & (S.toarray() > 0)).T).tolist()
    assert np.column_stack(A.T.cells(j, i)).tolist() == expected


def test_rectangles_that_are_none(pair):
    for bad in (3, slice(0, 9, 2)):
        with pytest.raises(TypeError, match="rows must be a slice without steps"):
            pair[0].cells(bad)


def test_arrays_outlive_their_matrix():
    A = baltoro.Matrix.from_edges([0, 0, 1], [1, 2, 2])
    row, (rows, cols) = A.row(0), A.edges()
    del A
    assert (row.tolist(), rows.tolist(), cols.tolist()) == ([1, 2], [0, 0, 1], [1, 2, 2])
    row[0] = 7  # a copy of its own


def test_what_lies_outside():
    A = baltoro.Matrix.from_edges([0, 0, 1], [1, 2, 2], shape=(2, 3))
    assert (-1, 0) not in A
    assert (2, 0) not in A
    assert (np.int64(1), np.uint8(2)) in A
    for query, message in ((lambda: A.row(2), r"row 2 is outside 0..1 \(the matrix has 2\)"),
                           (lambda: A.row(-1), "row -1 is outside 0..1"),
                           (lambda: A.col(3), "column 3 is outside 0..2"),
                           (lambda: A.T.col(2), "row 2 is outside 0..1")):
        with pytest.raises(baltoro.InvalidArgument, match=message):
            query()
    with pytest.raises(TypeError, match=r"\(row, column\) in A was expected, not 3 in A"):
        3 in A
    with pytest.raises(TypeError, match="was expected"):
        (0.5, 1) in A
    with pytest.raises((TypeError, AttributeError)):
        A.row("a")


def test_a_transposed_view_shares_everything(pair):
    A, S = pair
    assert A.T._core is A._core
    assert A.T.shape == S.shape[::-1]
    assert cells_of(A.T.T) == cells_of(A)
    own = A.T.materialize()
    assert cells_of(own) == cells_of(S.T)
    assert own.layout == A.layout
    assert A.materialize() is A


@given(st.integers(1, 200), st.integers(1, 200), st.integers(0, 300), st.integers(0, 9))
def test_materialize_is_transposing(rows, cols, count, seed):
    S = random_sparse(rows, cols, count, seed)
    assert cells_of(baltoro.Matrix(S).T.materialize()) == cells_of(S.T)


def test_copies_and_pickles(pair):
    A, S = pair
    for B in (A, A.T):
        made = [copy.copy(B), copy.deepcopy(B), B.copy(), baltoro.Matrix(B)]
        made += [pickle.loads(pickle.dumps(B, protocol)) for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)]
        for C in made:
            assert (C.shape, C.nnz, C.layout) == (B.shape, B.nnz, B.layout)
            assert cells_of(C) == cells_of(B)
            np.testing.assert_array_equal(C @ np.ones(C.shape[1]), B @ np.ones(B.shape[1]))


def test_a_damaged_pickle_is_refused():
    unpickle, (data, transposed) = baltoro.Matrix.from_edges([0], [1]).__reduce__()
    with pytest.raises(baltoro.InvalidFormat):
        unpickle(data[:len(data) // 2], transposed)
    with pytest.raises(baltoro.InvalidFormat):
        unpickle(b"", transposed)


def test_text():
    A = baltoro.Matrix.from_edges([0, 0, 1], [1, 2, 1999], layout="level-order")
    size = f"{A.nbytes} bytes"
    bits = f"{A.bits_per_edge:.2f} bits an edge"
    assert repr(A) == f"<baltoro.Matrix 2 x 2,000, 3 edges, level-order, {size}, {bits}>"
    assert repr(A.T) == f"<baltoro.Matrix 2,000 x 2, 3 edges, level-order, transposed, {size}, {bits}>"
    page = A._repr_html_()
    for expected in ("2 × 2,000", "level-order", size, bits, "tree", "24 bytes"):
        assert expected in page
    assert page.startswith("<table>") and page.endswith("</table>")
    assert "0.00 bits an edge" in repr(baltoro.Matrix.from_edges([], []))


def test_a_matrix_is_immutable():
    A = baltoro.Matrix.from_edges([0], [1])
    for name in ("shape", "nnz", "T", "anything"):
        with pytest.raises(AttributeError):
            setattr(A, name, 1)


def test_errors_are_the_usual_ones_too():
    pairs = {baltoro.InvalidArgument: ValueError, baltoro.InvalidFormat: ValueError, baltoro.FileError: OSError,
             baltoro.OutOfMemory: MemoryError, baltoro.CudaError: RuntimeError, baltoro.NotCompiled: RuntimeError}
    for error, usual in pairs.items():
        assert issubclass(error, baltoro.Error) and issubclass(error, usual)


def test_everything_that_is_exported_is_there():
    assert all(hasattr(baltoro, name) for name in baltoro.__all__)
    assert baltoro.__version__.count(".") == 2
    assert baltoro.compiled_with_cuda() in (True, False)
