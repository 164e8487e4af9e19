"""From what users hold to the library's matrix, and back to SciPy."""

from __future__ import annotations

import os

import numpy as np

from . import _core, gpu_arrays
from .arrays import as_array, as_indices, as_shape, lies_on_gpu


def from_anything(source, shape, any_layout: bool, how: dict):
    """(matrix of the extension, whether it is to be seen transposed)"""
    from .matrix import Matrix

    if isinstance(source, Matrix):
        _no_shape(shape, source)
        if any_layout:
            return source._core, source._transposed
        return _core.convert(source._core, **how), source._transposed
    if isinstance(source, (str, os.PathLike)):
        from .graph import read_files

        return read_files(source, shape, how)[""]._core, False
    if is_sparse(source):
        _no_shape(shape, source)
        return from_sparse(source, how), False
    if hasattr(source, "adj") and hasattr(source, "is_directed"):
        return from_sparse(sparse_of_networkx(source, None), how), False
    if isinstance(source, tuple) and len(source) == 2:
        if how["options"].on_gpu:
            made = gpu_arrays.matrix_of_edges(*source, None if shape is None else as_shape(shape), how)
            if made is not None:
                return made, False
        rows = as_indices(source[0], "rows")
        cols = as_indices(source[1], "columns")
        if rows.dtype != cols.dtype:
            rows, cols = rows.astype(np.int64), cols.astype(np.int64)
        dims = None if shape is None else as_shape(shape)
        return _core.from_edges(rows, cols, dims, **how), False
    raise TypeError(
        f"a path, a SciPy sparse matrix, a networkx graph, a pair (rows, columns) or a Matrix was "
        f"expected, not {type(source).__name__}; see also Matrix.from_edge_index")


def _no_shape(shape, source) -> None:
    if shape is not None and tuple(shape) != tuple(source.shape):
        raise ValueError(f"the source has shape {tuple(source.shape)}; it cannot become {tuple(shape)}")


def is_sparse(source) -> bool:
    return hasattr(source, "tocsr") and hasattr(source, "format")


def check_sparse(matrix) -> None:
    if not is_sparse(matrix):
        raise TypeError(f"a SciPy sparse matrix was expected, not {type(matrix).__name__}")


def from_sparse(matrix, how: dict):
    by_column = matrix.format == "csc"
    if not by_column:
        matrix = matrix.tocsr()
    # Duplicates may add up to 0, and a 0 that is stored is no edge.
    if np.count_nonzero(matrix.data) != matrix.data.size or _has_duplicates_to_add(matrix):
        matrix = matrix.copy()
        matrix.sum_duplicates()
        matrix.eliminate_zeros()
    indptr, indices = matrix.indptr, matrix.indices
    if indptr.dtype != indices.dtype or indices.dtype not in (np.int32, np.int64):
        indptr, indices = indptr.astype(np.int64), indices.astype(np.int64)
    return _core.from_compressed(np.ascontiguousarray(indptr), np.ascontiguousarray(indices),
                                 tuple(map(int, matrix.shape)), by_column, **how)


def _has_duplicates_to_add(matrix) -> bool:
    """Whether entries of one cell could cancel: only values of both signs can."""
    data = matrix.data
    if data.dtype.kind in "bu" or data.size == 0:
        return False
    if data.dtype.kind != "c" and data.min() > 0:
        return False
    return not matrix.has_canonical_format


def sparse_of_networkx(graph, nodelist):
    import networkx

    if len(graph) == 0:
        import scipy.sparse

        return scipy.sparse.csr_array((0, 0), dtype=bool)
    return networkx.to_scipy_sparse_array(graph, nodelist=nodelist, weight=None, dtype=np.int64,
                                          format="csr")


def halves(edge_index, on_gpu: bool):
    """The rows of a 2×m array; those of one on a GPU stay there where they are of use there."""
    stays = on_gpu and lies_on_gpu(edge_index) and gpu_arrays.has_addresses(edge_index)
    pairs = edge_index if stays else as_array(edge_index, "edge_index")
    if pairs.ndim != 2 or pairs.shape[0] != 2:
        raise ValueError(f"edge_index must have shape (2, edges), not {tuple(pairs.shape)}")
    if stays:
        return pairs[0], pairs[1]
    return as_indices(pairs[0], "edge_index[0]"), as_indices(pairs[1], "edge_index[1]")


def to_scipy(core, transposed: bool, format: str, dtype):
    import scipy.sparse

    indptr, indices = core.compressed_rows()
    ones = np.ones(indices.size, dtype)
    if transposed:
        made = scipy.sparse.csc_array((ones, indices, indptr), shape=(core.cols, core.rows))
    else:
        made = scipy.sparse.csr_array((ones, indices, indptr), shape=(core.rows, core.cols))
    made.has_sorted_indices = True
    made.has_canonical_format = True
    return made.asformat(format)
