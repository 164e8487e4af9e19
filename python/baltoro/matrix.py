"""The compressed matrix."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from . import _core, convert
from .arrays import lies_on_gpu
from .errors import InvalidFormat
from .products import multiply, ring_of
from .progress import Progress, reporting
from .results import Device, WorkingSet


class Matrix:
    """An immutable Boolean matrix, compressed as a k²-tree: cell (i, j) is the edge i → j.

    `Matrix(source)` takes a path or several (see `read`), a SciPy sparse matrix, a networkx graph, a
    pair of arrays (rows, columns) or another matrix. `from_edges`, `from_edge_index`, `from_scipy` and
    `from_networkx` take the same with more options. Indices are 0-based, and are returned as uint32.

    Args:
        shape: rows and columns; for a pair of arrays they may be left out, and are then one more than the
            largest row and column.
        layout: "level-order", the k²-tree of the literature, or "adaptive", smaller; None is the library's
            default.
        memory_bytes: bytes of heap the build may hold, 0 for no limit; what exceeds it goes to disk.
        progress: None (a bar of tqdm on a terminal where a build takes over a second), True, False, or a
            function that is called with (stage, done, total, unit).

    Any number of threads may use one matrix at once. Building, products and searches release the GIL.
    """

    __slots__ = ("_core", "_transposed")
    __array_ufunc__ = None  # x @ A is for __rmatmul__

    def __init__(self, source, *, shape=None, layout: str | None = None, memory_bytes: int = 0,
                 progress: Progress = None):
        with reporting(progress) as told:
            self._core, self._transposed = convert.from_anything(
                source, shape, dict(layout=layout or "", memory_bytes=memory_bytes, progress=told))

    @classmethod
    def _of(cls, core, transposed: bool = False) -> Matrix:
        self = cls.__new__(cls)
        self._core = core
        self._transposed = transposed
        return self

    # ---- making one

    @classmethod
    def from_edges(cls, rows, cols, *, shape=None, **options) -> Matrix:
        """From two equally long arrays of integers, in any order, duplicates merged.

        Costs about 40 ns an edge on one core, and 17 bytes an edge beside the arrays. InvalidArgument
        names the first edge outside the shape.
        """
        return cls((rows, cols), shape=shape, **options)

    @classmethod
    def from_edge_index(cls, edge_index, *, num_nodes: int | None = None, **options) -> Matrix:
        """From a 2×m array: sources above targets, as PyTorch Geometric keeps edges. The matrix is
        square, `num_nodes` a side or one more than the largest index."""
        sources, targets = convert.halves(edge_index)
        if num_nodes is None:
            num_nodes = max((int(each.max()) + 1 for each in (sources, targets) if each.size), default=0)
        return cls((sources, targets), shape=(num_nodes, num_nodes), **options)

    @classmethod
    def from_scipy(cls, matrix, **options) -> Matrix:
        """From a SciPy sparse matrix or array of any format. Values other than 0 are edges; a stored 0
        is none. CSR and CSC are read in place, other formats through CSR."""
        convert.check_sparse(matrix)
        return cls(matrix, **options)

    @classmethod
    def from_networkx(cls, graph, *, nodelist: Iterable | None = None, **options) -> Matrix:
        """From a networkx graph. Vertex k is the k-th of `nodelist`, or of `graph.nodes`. Of an
        undirected graph both directions are edges."""
        return cls(convert.sparse_of_networkx(graph, nodelist), **options)

    # ---- what it is

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)"""
        shape = (self._core.rows, self._core.cols)
        return shape[::-1] if self._transposed else shape

    ndim = 2

    @property
    def dtype(self) -> np.dtype:
        """bool: a cell is set or not."""
        return np.dtype(bool)

    @property
    def nnz(self) -> int:
        """Number of cells that are set."""
        return self._core.nnz

    @property
    def nbytes(self) -> int:
        """Bytes the matrix keeps in memory, or mapped from its file."""
        return self._core.nbytes

    @property
    def bits_per_edge(self) -> float:
        """Bits a set cell: level-order those of the tree, as in the literature; adaptive everything."""
        return self._core.bits_per_edge

    @property
    def layout(self) -> str:
        """"level-order" or "adaptive"."""
        return self._core.layout

    @property
    def T(self) -> Matrix:
        """The transposed matrix, which shares the memory of this one. Costs nothing."""
        return self._of(self._core, not self._transposed)

    def materialize(self, *, memory_bytes: int = 0, progress: Progress = None) -> Matrix:
        """Itself, or of a transposed view a matrix of its own, at the cost of building one. Files and
        PageRank need that, products and searches do not."""
        if not self._transposed:
            return self
        with reporting(progress) as told:
            return self._of(_core.transpose(self._core, layout=self.layout, memory_bytes=memory_bytes,
                                            progress=told))

    def with_layout(self, layout: str, *, memory_bytes: int = 0, progress: Progress = None) -> Matrix:
        """The same matrix in another layout; itself where it has that layout already."""
        with reporting(progress) as told:
            return self._of(_core.convert(self._core, layout=layout, memory_bytes=memory_bytes,
                                          progress=told), self._transposed)

    # ---- products

    def mxv(self, x, *, semiring: str = "plus_times", out=None, alpha: float = 1.0, beta: float = 0.0,
            bits: bool = False, device: Device | None = None, reproducible: bool = False):
        """y = alpha · A ⊗ x + beta · y, for x of shape (columns,), or (columns, batch): `batch` vectors side by
        side.

        Args:
            semiring: "plus_times" (real numbers), "lor_land" (Booleans) or "min_plus" (shortest hops, an
                edge is 1 long, ∞ is `baltoro.INFINITY`, 1e9).
            out: where y goes, contiguous, of y's shape and type, apart from x; returned.
            alpha, beta: factors, of plus_times any real numbers; other semirings take alpha 1 and beta 0 or 1,
                which accumulates: y = y ⊕ A ⊗ x. beta other than 0 needs `out`.
            bits: x holds Booleans packed in 32-bit words (`pack_bits`), of shape (⌈columns / 32⌉,) or (columns,
                words), 32 vectors a word; over lor_land, with layout adaptive. y is packed as well.
            device: where to multiply: "cpu", "cuda", "auto" or `baltoro.Cuda(...)`; None is where x lies. What a GPU
                needs of the matrix stays there for later products.
            reproducible: whether sums of plus_times must have the same bits on every run, every GPU and in every
                batch. On the CPU they have anyway; on a GPU it takes time and 8 bytes a value of x and y, and
                rounds each x to a multiple of about 2⁻⁶⁰ · max|x| · the most edges of an output.

        float32 and float64 are computed and returned as they are (float32 is summed in double on the CPU),
        float16 as float32, Booleans and integers as float64, complex numbers as they are. lor_land returns bool.
        What is contiguous is not copied. Costs one pass over the matrix, whatever the batch.

        x and out may be NumPy's, or lie in the memory of a GPU: CuPy's, PyTorch's or any that speak DLPack. They
        are used where they are, on the stream that is current in their library; y is of x's library.
        """
        return multiply(self._core, self._transposed, x, semiring, out, alpha, beta, device, bits,
                        reproducible)

    def vxm(self, x, *, semiring: str = "plus_times", out=None, alpha: float = 1.0, beta: float = 0.0,
            bits: bool = False, device: Device | None = None, reproducible: bool = False):
        """yᵀ = alpha · xᵀ ⊗ A + beta · yᵀ, for x of shape (rows,), or (rows, batch); otherwise as `mxv`."""
        return multiply(self._core, not self._transposed, x, semiring, out, alpha, beta, device, bits,
                        reproducible)

    def __matmul__(self, x):
        """A @ x: `mxv` over plus_times."""
        _no_matrix(x)
        return multiply(self._core, self._transposed, x)

    def __rmatmul__(self, x):
        """x @ A, for x of shape (rows,) or (batch, rows)."""
        _no_matrix(x)
        on_gpu = lies_on_gpu(x)
        if not on_gpu:
            x = np.asarray(x)
        if x.ndim == 2 and x.shape[1] != self.shape[0]:
            raise ValueError(f"x must have shape ({self.shape[0]},) or (batch, {self.shape[0]}), not {tuple(x.shape)}")
        if on_gpu:
            from .gpu_arrays import transposed

            return transposed(multiply(self._core, not self._transposed, transposed(x)))
        return multiply(self._core, not self._transposed, x.T).T

    def working_set(self, *, batch: int = 1, dtype=np.float64, semiring: str = "plus_times", left: bool = False,
                    bits: bool = False, device: Device = "cpu", reproducible: bool = False) -> WorkingSet:
        """The memory that a product needs, before it runs: of `mxv`, or where `left` of `vxm`, with so many
        vectors of float32 or float64. OutOfMemory where a GPU has less free."""
        dtype = np.dtype(dtype)
        if not bits and dtype not in (np.float32, np.float64):
            raise TypeError(f"dtype must be float32 or float64, not {dtype}")
        needs = getattr(self._core, "needs_of_bits" if bits else
                        "needs_of_float" if dtype == np.float32 else "needs_of_double")
        ring = ring_of("lor_land" if bits else semiring)
        return WorkingSet(*needs(left != self._transposed, ring, batch, device, reproducible))

    # ---- queries

    def row(self, i: int) -> np.ndarray:
        """The columns of row i, ascending: the successors of vertex i. InvalidArgument outside."""
        i = i.__index__()
        return self._core.predecessors(i) if self._transposed else self._core.successors(i)

    def col(self, j: int) -> np.ndarray:
        """The rows of column j, ascending: the predecessors of vertex j. InvalidArgument outside."""
        j = j.__index__()
        return self._core.successors(j) if self._transposed else self._core.predecessors(j)

    def __contains__(self, cell) -> bool:
        """(i, j) in A"""
        try:
            i, j = cell
            i, j = i.__index__(), j.__index__()
        except (TypeError, ValueError, AttributeError):
            raise TypeError(f"(row, column) in A was expected, not {cell!r} in A") from None
        rows, cols = self.shape
        if not (0 <= i < rows and 0 <= j < cols):
            return False
        return self._core.contains(j, i) if self._transposed else self._core.contains(i, j)

    def out_degrees(self) -> np.ndarray:
        """The number of edges of every row, as uint32."""
        return self._core.in_degrees() if self._transposed else self._core.out_degrees()

    def in_degrees(self) -> np.ndarray:
        """The number of edges of every column, as uint32."""
        return self._core.out_degrees() if self._transposed else self._core.in_degrees()

    def cells(self, rows: slice = slice(None), cols: slice = slice(None)) -> tuple[np.ndarray, np.ndarray]:
        """(rows, columns) of the edges inside a rectangle of consecutive rows and columns, row by row:
        `A.cells(slice(0, 100), slice(50, None))`. Visits what it must of the tree."""
        (first_row, last_row), (first_col, last_col) = (
            _interval(each, size, what)
            for each, size, what in zip((rows, cols), self.shape, ("rows", "cols")))
        if self._transposed:
            found_cols, found_rows = self._core.cells(first_col, last_col, first_row, last_row)
            order = np.lexsort((found_cols, found_rows))
            return found_rows[order], found_cols[order]
        return self._core.cells(first_row, last_row, first_col, last_col)

    def is_symmetric(self) -> bool:
        """Whether the matrix equals its transpose. One pass, which compares hashes."""
        return _core.is_symmetric(self._core)

    def symmetrize(self, *, memory_bytes: int = 0, progress: Progress = None) -> Matrix:
        """The undirected graph: the matrix with every cell and its transposed one, built as any other."""
        with reporting(progress) as told:
            return self._of(_core.symmetric_union(self._core, memory_bytes=memory_bytes, progress=told))

    def validate(self) -> None:
        """Checks everything that a damaged file could have got wrong; InvalidFormat says what is. For matrices of
        `load(path, check="header")`."""
        reason = self._core.validate()
        if reason:
            raise InvalidFormat(f"the matrix is damaged: {reason}")

    def release_pages(self) -> None:
        """Gives the memory of a mapped matrix back to the system, which reads the file again when it is
        used."""
        self._core.release_pages()

    def edges(self) -> tuple[np.ndarray, np.ndarray]:
        """(rows, columns) of all edges, row by row; of a transposed view column by column. Unpacks
        everything: 8 bytes an edge."""
        rows, cols = self._core.edges()
        return (cols, rows) if self._transposed else (rows, cols)

    def to_scipy(self, format: str = "csr", dtype=bool):
        """As a SciPy sparse array with ones for edges. Unpacks everything."""
        return convert.to_scipy(self._core, self._transposed, format, dtype)

    # ---- files, copies

    def save(self, path, *, progress: Progress = None) -> None:
        """Writes a `.k2m` file, whole or not at all. A transposed view is built first."""
        _core.save(self.materialize(progress=progress)._core, Path(path))

    def __reduce__(self):
        with tempfile.TemporaryDirectory(prefix="baltoro-") as folder:
            file = Path(folder, "matrix.k2m")
            _core.save(self._core, file)
            return _unpickle, (file.read_bytes(), self._transposed)

    def copy(self) -> Matrix:
        """Another handle of the same memory: a matrix never changes."""
        return self._of(self._core, self._transposed)

    def __copy__(self) -> Matrix:
        return self.copy()

    def __deepcopy__(self, memo) -> Matrix:
        return self.copy()

    # ---- text

    def __repr__(self) -> str:
        rows, cols = self.shape
        kind = f"{self.layout}, transposed" if self._transposed else self.layout
        return (f"<baltoro.Matrix {rows:,} x {cols:,}, {self.nnz:,} edges, {kind}, "
                f"{_size(self.nbytes)}, {self.bits_per_edge:.2f} bits an edge>")

    def _repr_html_(self) -> str:
        rows, cols = self.shape
        csr = 4 * self.nnz + 4 * (rows + 1)
        facts = {
            "shape": f"{rows:,} × {cols:,}",
            "edges": f"{self.nnz:,}",
            "layout": f"{self.layout}{', transposed view' if self._transposed else ''}",
            "size": f"{_size(self.nbytes)}, {self.bits_per_edge:.2f} bits an edge",
            **{f"&emsp;{name}": _size(size) for name, size in self._core.bytes().items()},
            "as CSR without values": _size(csr),
        }
        body = "".join(f"<tr><th style='text-align:left'>{name}</th><td style='text-align:left'>{value}"
                       f"</td></tr>" for name, value in facts.items())
        return f"<table><caption>baltoro.Matrix</caption>{body}</table>"


def read(paths, *, relation: str = "", **options) -> Matrix:
    """Reads a file, or several that are united: Matrix Market, edge list, BVGraph, triples or `.k2m`,
    plain or compressed with gzip or zstd. Of triples, the matrix of one relation or of all (""). See
    `read_graph` for the options and for the names of vertices."""
    from .graph import read_graph

    return read_graph(paths, **options)[relation]


def load(path, *, relation: str = "", check: str = "full") -> Matrix:
    """Maps a `.k2m` file into memory. check="header" opens it at once however large it is, for files
    that are trusted; "full" reads it all and checks it."""
    from .graph import load_graph

    return load_graph(path, check=check)[relation]


def _unpickle(data: bytes, transposed: bool) -> Matrix:
    with tempfile.TemporaryDirectory(prefix="baltoro-") as folder:
        file = Path(folder, "matrix.k2m")
        file.write_bytes(data)
        return Matrix._of(_core.load(file).at(0), transposed)  # stays mapped when the file is gone


def _interval(wanted: slice, size: int, what: str) -> tuple[int, int]:
    """The first and the one after the last of consecutive indices."""
    if not isinstance(wanted, slice) or wanted.step not in (None, 1):
        raise TypeError(f"{what} must be a slice without steps, not {wanted!r}")
    first, last, _ = wanted.indices(size)
    return first, max(first, last)


def _no_matrix(x) -> None:
    if isinstance(x, Matrix) or hasattr(x, "tocsr"):
        raise TypeError("a product of two matrices would not stay compressed; multiply vectors, or use to_scipy()")


def _size(count: float) -> str:
    for unit in ("bytes", "kB", "MB", "GB"):
        if count < 1000:
            break
        count /= 1000
    else:
        unit = "TB"
    return f"{count:.0f} {unit}" if unit == "bytes" else f"{count:.2f} {unit}"
