"""Large graphs as compressed Boolean matrices.

    >>> import baltoro
    >>> A = baltoro.Matrix.from_edges([0, 0, 1, 2], [1, 2, 2, 0])
    >>> A @ [1.0, 2.0, 3.0]
    array([5., 3., 1.])

A matrix is a k²-tree, a few bits an edge, and is multiplied, searched and ranked as it is.
"""

from . import generate, needs, plot
from ._core import Cuda, Scratch, compiled_with_cuda
from ._core import tropical_infinity as INFINITY
from ._core import version as __version__
from .centrality import (
    DistanceCentrality,
    Hits,
    PageRank,
    Scores,
    betweenness_centrality,
    closeness_centrality,
    distance_centrality,
    eigenvector_centrality,
    harmonic_centrality,
    hits,
    katz_centrality,
    pagerank,
    personalized_pagerank,
    sample_vertices,
)
from .errors import (
    CudaError,
    Error,
    FileError,
    InvalidArgument,
    InvalidFormat,
    NotCompiled,
    OutOfMemory,
)
from .graph import Graph, detect_format, load_graph, read_graph, write
from .linalg import aslinearoperator
from .matrix import Matrix, load, read
from .needs import BuildMemory
from .products import pack_bits, unpack_bits
from .results import WorkingSet
from .search import BreadthFirstSearch, MultiSourceSearch, Reach, bfs, multi_source_bfs, reach
from .pictures import density, spy
from .structure import Components, Cores, Diameter, Triangles, components, core_numbers, diameter, triangles
from .system import CudaStatus, cuda_status, thread_limit

__all__ = [
    "INFINITY",
    "BreadthFirstSearch",
    "BuildMemory",
    "Components",
    "Cores",
    "Cuda",
    "CudaError",
    "CudaStatus",
    "Diameter",
    "DistanceCentrality",
    "Error",
    "FileError",
    "Graph",
    "Hits",
    "InvalidArgument",
    "InvalidFormat",
    "Matrix",
    "MultiSourceSearch",
    "NotCompiled",
    "OutOfMemory",
    "PageRank",
    "Reach",
    "Scores",
    "Scratch",
    "Triangles",
    "WorkingSet",
    "__version__",
    "aslinearoperator",
    "betweenness_centrality",
    "bfs",
    "closeness_centrality",
    "compiled_with_cuda",
    "components",
    "core_numbers",
    "cuda_status",
    "density",
    "detect_format",
    "diameter",
    "distance_centrality",
    "eigenvector_centrality",
    "generate",
    "harmonic_centrality",
    "hits",
    "katz_centrality",
    "load",
    "load_graph",
    "multi_source_bfs",
    "needs",
    "pack_bits",
    "pagerank",
    "personalized_pagerank",
    "plot",
    "reach",
    "read",
    "read_graph",
    "sample_vertices",
    "spy",
    "thread_limit",
    "triangles",
    "unpack_bits",
    "write",
]
