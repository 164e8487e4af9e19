"""What the functions of the package hold in memory, known before anything runs: `needs.bfs(A)` says what
`baltoro.bfs(A, ...)` will. Nothing is allocated to say it.

Each takes those of the function's arguments that matter, with the same names; of sources and seeds it takes how many
they are. The answer is that of the result's `needs`. With device="cuda" it is the memory of the GPU, and OutOfMemory
where that has less free; else it is that of the CPU, the result included. A copy that is built first, of a transposed
view where a function says so, is not part of it.

Products have `Matrix.working_set`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from . import _core
from .building import core_options
from .matrix import Matrix
from .results import Device, WorkingSet

if TYPE_CHECKING:
    from .building import BuildOptions, Unpack


def pagerank(A: Matrix, *, single_precision: bool = False, device: Device = "cpu") -> WorkingSet:
    """Of `baltoro.pagerank`; on a GPU a `personalization` takes 8 bytes a vertex more."""
    return WorkingSet(*_core.pagerank_needs(A._core, single_precision, device))


def personalized_pagerank(A: Matrix, seeds: int, *, single_precision: bool = False,
                          device: Device = "cpu") -> WorkingSet:
    """Of `baltoro.personalized_pagerank` for so many seeds."""
    return WorkingSet(*_core.personalized_pagerank_needs(A._core, _count(seeds, "seeds"), single_precision, device))


def hits(A: Matrix, *, device: Device = "cpu") -> WorkingSet:
    """Of `baltoro.hits`."""
    return WorkingSet(*_core.iteration_needs(A._core, True, device))


def katz_centrality(A: Matrix, *, device: Device = "cpu") -> WorkingSet:
    """Of `baltoro.katz_centrality`."""
    return WorkingSet(*_core.iteration_needs(A._core, False, device))


def eigenvector_centrality(A: Matrix, *, device: Device = "cpu") -> WorkingSet:
    """Of `baltoro.eigenvector_centrality`."""
    return WorkingSet(*_core.iteration_needs(A._core, False, device))


def distance_centrality(A: Matrix) -> WorkingSet:
    """Of `baltoro.distance_centrality`, however many sources there are."""
    return WorkingSet(*_core.distance_centrality_needs(A._core))


def closeness_centrality(A: Matrix) -> WorkingSet:
    """Of `baltoro.closeness_centrality`."""
    return distance_centrality(A)


def harmonic_centrality(A: Matrix) -> WorkingSet:
    """Of `baltoro.harmonic_centrality`."""
    return distance_centrality(A)


def betweenness_centrality(A: Matrix, *, batch: int = 8, device: Device = "cpu") -> WorkingSet:
    """Of `baltoro.betweenness_centrality`; it grows with the batch."""
    return WorkingSet(*_core.betweenness_needs(A._core, batch, device))


def bfs(A: Matrix, *, parents: bool = False, device: Device = "cpu") -> WorkingSet:
    """Of `baltoro.bfs`; on a GPU each source takes 4 bytes more."""
    return WorkingSet(*_core.bfs_needs(A._core, parents, device))


def multi_source_bfs(A: Matrix, sources: int, *, undirected: bool = False, device: Device = "cpu") -> WorkingSet:
    """Of `baltoro.multi_source_bfs` from so many sources. On a GPU, with layout adaptive, for distances below 256;
    each power of two beyond takes a bit more for every vertex and source."""
    return WorkingSet(*_core.multi_source_needs(A._core, _count(sources, "sources"), undirected, device))


def reach(A: Matrix, sources: int, *, device: Device = "cpu") -> WorkingSet:
    """Of `baltoro.reach` from so many sources."""
    return WorkingSet(*_core.reach_needs(A._core, _count(sources, "sources"), device))


def components(A: Matrix) -> WorkingSet:
    """Of `baltoro.components`."""
    return WorkingSet(*_core.components_needs(A._core))


def diameter(A: Matrix) -> WorkingSet:
    """Of `baltoro.diameter`."""
    return WorkingSet(*_core.diameter_needs(A._core))


def triangles(A: Matrix) -> WorkingSet:
    """Of `baltoro.triangles`."""
    return WorkingSet(*_core.triangles_needs(A._core))


def core_numbers(A: Matrix) -> WorkingSet:
    """Of `baltoro.core_numbers`."""
    return WorkingSet(*_core.core_numbers_needs(A._core))


class BuildMemory(NamedTuple):
    """What building a matrix takes of a GPU's memory, in bytes."""

    device_bytes: int
    """What will be allocated, within `device_memory_bytes`."""
    smallest_bytes: int
    """The smallest `device_memory_bytes` that would do."""


def build(edges: int, **options: Unpack[BuildOptions]) -> BuildMemory:
    """Of making a matrix of so many edges with the options of `Matrix`. Nothing where `device` is the CPU, which keeps
    to `memory_bytes`; without that it takes 17 bytes an edge while they are sorted."""
    options.pop("progress", None)
    return BuildMemory(*_core.build_needs(_count(edges, "edges"), core_options(**options)))


def _count(given, what: str) -> int:
    try:
        count = given.__index__()
    except (AttributeError, TypeError):
        raise TypeError(f"{what} must be how many they are, an integer, not {type(given).__name__}") from None
    if not 0 <= count < 2**63:
        raise ValueError(f"{what} must be 0 or more, and fewer than 2**63, not {count}")
    return count
