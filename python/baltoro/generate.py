"""Synthetic graphs, for tests, benchmarks and first steps, built as they are made. The same arguments give the same
graph on every machine and any number of threads. `options` say how the matrix is built, as of `Matrix`.
InvalidArgument where more edges are asked for than there are cells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from . import _core
from .building import building
from .matrix import Matrix

if TYPE_CHECKING:
    from .building import BuildOptions, Unpack


def _built(graph, **options) -> Matrix:
    with building(**options) as how:
        return Matrix._of(graph.build(**how))


def web(vertices: int, degree: float = 16, *, seed: int = 1, **options: Unpack[BuildOptions]) -> Matrix:
    """A web crawl in URL order, with vertices × degree edges: pages are grouped in hosts, neighbours copy most of their
    links from each other, new links go to near pages in runs, to the first pages of the host, and few to popular
    pages elsewhere."""
    return _built(_core.Generator.web(vertices, round(vertices * degree), seed), **options)


def merkle(vertices: int, edges: int, *, seed: int = 1, **options: Unpack[BuildOptions]) -> Matrix:
    """The Merkle DAG of version histories: in each repository commits, then the versions of its trees, then
    files."""
    return _built(_core.Generator.merkle(vertices, edges, seed), **options)


def social(vertices: int, edges: int, *, seed: int = 1, **options: Unpack[BuildOptions]) -> Matrix:
    """A social network in an order that keeps communities together; some vertices are popular everywhere."""
    return _built(_core.Generator.social(vertices, edges, seed), **options)


def citation(rows: int, cols: int, edges: int, *, seed: int = 1, **options: Unpack[BuildOptions]) -> Matrix:
    """Works (rows) that cite works (columns), both in order of time."""
    return _built(_core.Generator.citation(rows, cols, edges, seed), **options)


def relation(rows: int, cols: int, edges: int, *, repeat: float = 0.5, skew: float = 1, seed: int = 1,
             **options: Unpack[BuildOptions]) -> Matrix:
    """A relation of many things (rows) to few values (columns), such as the country of a person.

    Args:
        repeat: probability that a row has the columns of the row before.
        skew: the exponent of Zipf's law that columns follow, 0 to 2.
    """
    return _built(_core.Generator.relation(rows, cols, edges, repeat, skew, seed), **options)


def rmat(scale: int, edges: int, *, a: float = 0.57, b: float = 0.19, c: float = 0.19, seed: int = 1,
         **options: Unpack[BuildOptions]) -> Matrix:
    """An R-MAT graph of 2^scale vertices: edges fall into quadrants with probabilities a, b, c and the rest;
    duplicates are merged."""
    return _built(_core.Generator.rmat(scale, edges, a, b, c, seed), **options)


def uniform(rows: int, cols: int, edges: int, *, seed: int = 1, **options: Unpack[BuildOptions]) -> Matrix:
    """Cells drawn uniformly; duplicates are merged."""
    return _built(_core.Generator.uniform(rows, cols, edges, seed), **options)


def like(name: str, scale: int = 1, *, seed: int = 1, **options: Unpack[BuildOptions]) -> Matrix:
    """A stand-in for one of the graphs of the k²-tree's paper (`stand_ins`): with its shape, number of edges and
    structure, and none of its edges. `scale` divides rows, columns and edges."""
    return _built(_core.Generator.like(name, scale, seed), **options)


class StandIn(NamedTuple):
    """A graph of the paper, and what its stand-in has to match."""

    name: str
    shape: tuple[int, int]
    edges: int
    nodes_per_edge: float
    """Nodes of the plain tree an edge; bits an edge are four times that."""
    edges_per_block: float
    """Edges in a block of 4×4 that has any."""


def stand_ins() -> list[StandIn]:
    """The graphs that `like` has stand-ins for."""
    return [StandIn(*each) for each in _core.stand_ins()]
