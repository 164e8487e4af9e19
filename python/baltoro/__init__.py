"""Large graphs as compressed Boolean matrices.

    >>> import baltoro
    >>> A = baltoro.Matrix.from_edges([0, 0, 1, 2], [1, 2, 2, 0])
    >>> A @ [1.0, 2.0, 3.0]
    array([5., 3., 1.])

A matrix is a k²-tree, a few bits an edge, and is multiplied, searched and ranked as it is.
"""

from ._core import compiled_with_cuda
from ._core import tropical_infinity as INFINITY
from ._core import version as __version__
from .algorithms import BreadthFirstSearch, PageRank, bfs, pagerank
from .errors import (
    CudaError,
    Error,
    FileError,
    InvalidArgument,
    InvalidFormat,
    NotCompiled,
    OutOfMemory,
)
from .graph import Graph, load_graph, read_graph
from .linalg import aslinearoperator
from .matrix import Matrix, load, read
from .plot import density, spy

__all__ = [
    "INFINITY",
    "BreadthFirstSearch",
    "CudaError",
    "Error",
    "FileError",
    "Graph",
    "InvalidArgument",
    "InvalidFormat",
    "Matrix",
    "NotCompiled",
    "OutOfMemory",
    "PageRank",
    "__version__",
    "aslinearoperator",
    "bfs",
    "compiled_with_cuda",
    "density",
    "load",
    "load_graph",
    "pagerank",
    "read",
    "read_graph",
    "spy",
]
