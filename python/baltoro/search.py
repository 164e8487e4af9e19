"""Searches along the edges of a square matrix, against them or both ways."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from . import _core
from .matrix import Matrix
from .progress import Progress, reporting
from .results import Device, WorkingSet, vertices


class BreadthFirstSearch(NamedTuple):
    """What `bfs` found."""

    distances: np.ndarray
    """Edges from the nearest source, int32; −1 where a vertex is not reached."""
    parents: np.ndarray | None
    """The smallest vertex before each on a shortest path, int64; a source is its own, −1 where not reached."""
    reached_per_level: np.ndarray
    """Vertices at distance 0, 1, 2, …"""

    def path_to(self, vertex: int) -> list[int]:
        """The vertices of a shortest path from a source, both ends included; empty where it is not
        reached. Needs `parents=True`."""
        if self.parents is None:
            raise ValueError("this search kept no parents: bfs(..., parents=True)")
        vertex = vertex.__index__()
        if not 0 <= vertex < len(self.parents):
            raise IndexError(f"vertex {vertex} is outside 0..{len(self.parents) - 1}")
        path = []
        while self.parents[vertex] >= 0:
            path.append(vertex)
            if self.parents[vertex] == vertex:
                break
            vertex = int(self.parents[vertex])
        return path[::-1]


def bfs(A: Matrix, sources, *, reverse: bool = False, undirected: bool = False, parents: bool = False,
        device: Device = "cpu", progress: Progress = None) -> BreadthFirstSearch:
    """Breadth-first search from one vertex or several at once.

    Args:
        reverse: against the edges.
        undirected: along the edges both ways; on a GPU with layout adaptive.
        parents: keep what `path_to` needs.
        device: on the CPU, and on a GPU with layout adaptive, a step costs what its frontier costs; on a GPU with
            layout level-order it is one pass over the matrix.

    12 bytes a vertex, with parents 24. InvalidArgument where the matrix is not square or a source is outside.
    """
    given = vertices(A, sources, "sources")
    with reporting(progress) as told:
        distances, found, levels = _core.bfs(A._core, given, parents=parents, undirected=undirected,
                                             reverse=reverse != A._transposed, device=device, progress=told)
    return BreadthFirstSearch(distances, found if parents else None, levels)


class MultiSourceSearch(NamedTuple):
    """What `multi_source_bfs` found."""

    distances: np.ndarray
    """(vertices, sources): edges from each source to each vertex, int32; −1 where it is not reached."""
    levels: int
    """The largest distance found, plus one; 0 without sources."""
    needs: WorkingSet


def multi_source_bfs(A: Matrix, sources, *, reverse: bool = False, undirected: bool = False,
                     max_levels: int | None = None, device: Device = "cpu",
                     progress: Progress = None) -> MultiSourceSearch:
    """Breadth-first searches from many sources, each on its own, all at once: a distance for every vertex
    and source, 4 bytes each.

    Args:
        max_levels: stop after so many.

    Otherwise as `bfs`.
    """
    given = vertices(A, sources, "sources")
    with reporting(progress) as told:
        distances, levels, needs = _core.multi_source_bfs(
            A._core, given, reverse=reverse != A._transposed, undirected=undirected, max_levels=max_levels,
            device=device, progress=told)
    return MultiSourceSearch(distances.reshape(A.shape[0], given.size), levels, WorkingSet(*needs))


class Reach(NamedTuple):
    """What `reach` found."""

    table: np.ndarray
    """(vertices, words) of uint64: bit k mod 64 of word k // 64 is set where source k reaches the vertex. A
    source reaches itself."""
    reached: np.ndarray
    """For each source the number of vertices that it reaches."""
    reached_per_level: np.ndarray
    """(levels, sources): vertices at distance 0, 1, 2, … from each source."""
    needs: WorkingSet

    def reaches(self, source: int, vertex: int) -> bool:
        """Whether the source of that number (its place among the sources) reaches a vertex."""
        if not 0 <= source < len(self.reached):
            raise IndexError(f"source {source} is outside 0..{len(self.reached) - 1}")
        return bool(int(self.table[vertex, source // 64]) >> (source % 64) & 1)

    def of(self, source: int) -> np.ndarray:
        """For each vertex whether the source of that number reaches it, as bool."""
        if not 0 <= source < len(self.reached):
            raise IndexError(f"source {source} is outside 0..{len(self.reached) - 1}")
        return (self.table[:, source // 64] >> np.uint64(source % 64) & np.uint64(1)).astype(bool)


def reach(A: Matrix, sources, *, reverse: bool = False, undirected: bool = False,
          max_levels: int | None = None, device: Device = "cpu", progress: Progress = None) -> Reach:
    """What each of many sources reaches, with one bit for a source and a vertex; on a GPU with layout adaptive.

    Args:
        max_levels: stop after so many.

    Otherwise as `bfs`.
    """
    given = vertices(A, sources, "sources")
    with reporting(progress) as told:
        table, reached, per_level, levels, needs = _core.reach(
            A._core, given, reverse=reverse != A._transposed, undirected=undirected, max_levels=max_levels,
            device=device, progress=told)
    return Reach(table.reshape(A.shape[0], -(-given.size // 64)), reached, per_level.reshape(levels, given.size),
                 WorkingSet(*needs))
