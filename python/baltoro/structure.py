"""What hangs together in a graph, how wide it is, and what is counted on undirected graphs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from . import _core
from .matrix import Matrix
from .progress import Progress, reporting
from .results import WorkingSet


class Components(NamedTuple):
    """What `components` found."""

    labels: np.ndarray
    """The component of each vertex, uint32. Components are numbered by their smallest vertex."""
    sizes: np.ndarray
    """The vertices of each component."""
    needs: WorkingSet

    @property
    def count(self) -> int:
        """The number of components."""
        return len(self.sizes)

    @property
    def largest(self) -> int:
        """The component with the most vertices, of several the first."""
        return int(self.sizes.argmax())


def components(A: Matrix, *, connection: str = "weak", progress: Progress = None) -> Components:
    """Connected components, "weak" (edges followed either way) or "strong" (paths along the edges both there
    and back), as `connection` says. InvalidArgument where the matrix is not square."""
    if connection not in ("weak", "strong"):
        raise ValueError(f"connection must be 'weak' or 'strong', not {connection!r}")
    with reporting(progress) as told:
        labels, sizes, needs = _core.components(A._core, strong=connection == "strong", progress=told)
    return Components(labels, sizes, WorkingSet(*needs))


class Diameter(NamedTuple):
    """What `diameter` found."""

    lower: int
    """There are two vertices so far apart."""
    upper: int
    """No two are farther apart; equal to `lower` where the diameter is known."""
    vertices: int
    """Vertices of the component."""
    searches: int
    """Searches made."""
    needs: WorkingSet


def diameter(A: Matrix, *, max_searches: int = 64, progress: Progress = None) -> Diameter:
    """Bounds of the diameter of the largest weakly connected component, edges followed either way; often exact
    after a few tens of searches."""
    with reporting(progress) as told:
        *found, needs = _core.diameter(A._core, max_searches=max_searches, progress=told)
    return Diameter(*found, WorkingSet(*needs))


class Triangles(NamedTuple):
    """What `triangles` found."""

    count: int
    """Sets of three vertices with all edges between them."""
    at_vertex: np.ndarray
    """For each vertex the triangles it is part of."""
    clustering: np.ndarray
    """For each vertex the share of pairs of neighbours that have an edge between them."""
    needs: WorkingSet


def triangles(A: Matrix, *, progress: Progress = None) -> Triangles:
    """Triangles of an undirected graph, and clustering coefficients. Loops are ignored. InvalidArgument where
    the matrix is not symmetric: `A.symmetrize()` makes it so."""
    with reporting(progress) as told:
        *found, needs = _core.triangles(A._core, progress=told)
    return Triangles(*found, WorkingSet(*needs))


class Cores(NamedTuple):
    """What `core_numbers` found."""

    numbers: np.ndarray
    """For each vertex the largest k such that it is part of a subgraph in which every vertex has at least k
    neighbours."""
    degeneracy: int
    """The largest of them."""
    needs: WorkingSet


def core_numbers(A: Matrix, *, progress: Progress = None) -> Cores:
    """Core numbers of an undirected graph. Loops are ignored. InvalidArgument where the matrix is not
    symmetric: `A.symmetrize()` makes it so."""
    with reporting(progress) as told:
        *found, needs = _core.core_numbers(A._core, progress=told)
    return Cores(*found, WorkingSet(*needs))
