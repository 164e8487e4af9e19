"""Algorithms on square matrices. Each is a call of the library, which releases the GIL."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from . import _core
from .arrays import as_array, as_indices
from .matrix import Matrix


class PageRank(NamedTuple):
    """What `pagerank` found."""

    ranks: np.ndarray
    """One float64 a vertex; they sum to 1."""
    iterations: int
    change: float
    """Difference of the last two iterates in L1."""
    converged: bool


class BreadthFirstSearch(NamedTuple):
    """What `bfs` found."""

    distances: np.ndarray
    """Edges from the nearest source, int32; −1 where a vertex is not reached."""
    parents: np.ndarray | None
    """The smallest vertex before each on a shortest path, int64; a source is its own, −1 where not reached."""
    reached_per_level: np.ndarray
    """Vertices at distance 0, 1, 2, …"""


def pagerank(A: Matrix, *, damping: float = 0.85, tolerance: float = 1e-9, max_iterations: int = 1000,
             personalization=None, dangling: str = "uniform") -> PageRank:
    """PageRank by power iteration, in double. One product an iteration, 24 bytes a vertex.

    personalization: where a jump lands, n weights ≥ 0, scaled to sum 1; None is everywhere alike.
    dangling: where the rank of vertices without successors goes, "uniform" or "personalization" (as
        networkx does).

    A transposed view is built first. InvalidArgument where the matrix is not square or an option is
    outside its range.
    """
    if dangling not in ("uniform", "personalization"):
        raise ValueError(f"dangling must be 'uniform' or 'personalization', not {dangling!r}")
    if personalization is not None:
        personalization = np.ascontiguousarray(as_array(personalization, "personalization"), np.float64)
    return PageRank(*_core.pagerank(
        A.materialize()._core, damping=damping, tolerance=tolerance, max_iterations=max_iterations,
        personalization=personalization, dangling_as_personalization=dangling == "personalization"))


def bfs(A: Matrix, sources, *, reverse: bool = False, parents: bool = False) -> BreadthFirstSearch:
    """Breadth-first search from one vertex or several at once, along the edges or with `reverse`
    against them. A step visits only what its frontier needs; 8 bytes a vertex.

    InvalidArgument where the matrix is not square or a source is outside it.
    """
    sources = np.atleast_1d(as_array(sources, "sources"))
    sources = as_indices(sources, "sources") if sources.size else np.zeros(0, np.int64)
    if sources.size and not 0 <= sources.min() <= sources.max() < max(A.shape):
        raise ValueError(f"sources must be vertices, 0..{max(A.shape) - 1}")
    distances, found, levels = _core.bfs(A._core, sources.astype(np.uint32), parents=parents,
                                         reverse=reverse != A._transposed)
    return BreadthFirstSearch(distances, found if parents else None, levels)
