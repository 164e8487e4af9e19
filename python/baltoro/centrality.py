"""Scores of the vertices of a square matrix: PageRank, HITS, and centrality of many kinds.

Directions are networkx's: an edge i → j counts for j.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from . import _core
from .arrays import as_array
from .matrix import Matrix
from .progress import Progress, reporting
from .results import Device, WorkingSet, sources_or_sample, vertices


class PageRank(NamedTuple):
    """What `pagerank` and `personalized_pagerank` found."""

    ranks: np.ndarray
    """One float64 a vertex; they sum to 1. Of many seeds (vertices, seeds), each column sums to 1."""
    iterations: int
    change: float
    """Difference of the last two iterates in L1, of many seeds the largest."""
    converged: bool
    needs: WorkingSet


def pagerank(A: Matrix, *, damping: float = 0.85, tolerance: float = 1e-9, max_iterations: int = 1000,
             personalization=None, dangling: str = "uniform", single_precision: bool = False,
             device: Device = "cpu", progress: Progress = False) -> PageRank:
    """PageRank by power iteration, in double. One product an iteration, 28 bytes a vertex.

    Args:
        personalization: where a jump lands, n weights ≥ 0, scaled to sum 1; None is everywhere alike.
        dangling: where the rank of vertices without successors goes, "uniform" or "personalization" (as
            networkx does).
        single_precision: on a GPU, vectors of floats, which halves their memory; a change below 1e-7 then means
            little. No effect on the CPU.

    A transposed view is built first. InvalidArgument where the matrix is not square or an option is
    outside its range.
    """
    if personalization is not None:
        personalization = np.ascontiguousarray(as_array(personalization, "personalization"), np.float64)
    with reporting(progress) as told:
        *found, needs = _core.pagerank(
            A.materialize()._core, damping=damping, tolerance=tolerance, max_iterations=max_iterations,
            personalization=personalization, dangling_as_personalization=_dangling(dangling),
            single_precision=single_precision, device=device, progress=told)
    return PageRank(*found, WorkingSet(*needs))


def personalized_pagerank(A: Matrix, seeds, *, damping: float = 0.85, tolerance: float = 1e-9,
                          max_iterations: int = 1000, dangling: str = "uniform", single_precision: bool = False,
                          device: Device = "cpu", progress: Progress = False) -> PageRank:
    """PageRank for many seeds at once, each on its own: for seed k every jump lands on that vertex. One
    product of a batch an iteration for all; 24 bytes a vertex and seed, on a GPU 16 or with `single_precision` 8.
    Otherwise as `pagerank`.
    """
    given = vertices(A, seeds, "seeds")
    with reporting(progress) as told:
        ranks, *found, needs = _core.personalized_pagerank(
            A.materialize()._core, given, damping=damping, tolerance=tolerance, max_iterations=max_iterations,
            dangling_as_personalization=_dangling(dangling), single_precision=single_precision, device=device,
            progress=told)
    return PageRank(ranks.reshape(A.shape[0], given.size), *found, WorkingSet(*needs))


def _dangling(name: str) -> bool:
    if name not in ("uniform", "personalization"):
        raise ValueError(f"dangling must be 'uniform' or 'personalization', not {name!r}")
    return name == "personalization"


class Hits(NamedTuple):
    """What `hits` found."""

    hubs: np.ndarray
    """One float64 a vertex; they sum to 1."""
    authorities: np.ndarray
    """One float64 a vertex; they sum to 1."""
    iterations: int
    change: float
    """Difference of the last two iterates in L1, of hubs and authorities together."""
    converged: bool
    needs: WorkingSet


def hits(A: Matrix, *, tolerance: float = 1e-9, max_iterations: int = 1000, device: Device = "cpu",
         progress: Progress = False) -> Hits:
    """Kleinberg's hubs and authorities. A product to either side an iteration, 32 bytes a vertex."""
    with reporting(progress) as told:
        hubs, authorities, *found, needs = _core.hits(
            A._core, tolerance=tolerance, max_iterations=max_iterations, device=device, progress=told)
    if A._transposed:
        hubs, authorities = authorities, hubs
    return Hits(hubs, authorities, *found, WorkingSet(*needs))


class Scores(NamedTuple):
    """What `katz_centrality` and `eigenvector_centrality` found."""

    scores: np.ndarray
    """One float64 a vertex, of Euclidean length 1 (or all 0)."""
    iterations: int
    change: float
    """Difference of the last two iterates in L1."""
    converged: bool
    needs: WorkingSet


def katz_centrality(A: Matrix, *, attenuation: float = 0.1, base: float = 1, tolerance: float = 1e-9,
                    max_iterations: int = 1000, device: Device = "cpu", progress: Progress = False) -> Scores:
    """Katz centrality, x = attenuation · Aᵀx + base, scaled to Euclidean length 1. It converges where
    `attenuation` (networkx's alpha) is below 1 / the largest eigenvalue; else `converged` is False and the
    scores are of no use. A transposed view is built first."""
    with reporting(progress) as told:
        *found, needs = _core.katz_centrality(
            A.materialize()._core, attenuation=attenuation, base=base, tolerance=tolerance,
            max_iterations=max_iterations, device=device, progress=told)
    return Scores(*found, WorkingSet(*needs))


def eigenvector_centrality(A: Matrix, *, tolerance: float = 1e-9, max_iterations: int = 1000,
                           device: Device = "cpu", progress: Progress = False) -> Scores:
    """Eigenvector centrality, λx = Aᵀx for the largest λ. In a graph that is not strongly connected the limit
    depends on the start, which is the same for all vertices. A transposed view is built first."""
    with reporting(progress) as told:
        *found, needs = _core.eigenvector_centrality(
            A.materialize()._core, tolerance=tolerance, max_iterations=max_iterations, device=device,
            progress=told)
    return Scores(*found, WorkingSet(*needs))


class DistanceCentrality(NamedTuple):
    """What `distance_centrality` found."""

    closeness: np.ndarray
    """As networkx's closeness_centrality: over the paths to a vertex, Wasserman and Faust's form."""
    harmonic: np.ndarray
    """As networkx's harmonic_centrality: Σ 1/d over the paths to a vertex."""
    needs: WorkingSet


def distance_centrality(A: Matrix, sources=None, *, samples: int | None = None, seed: int = 0,
                        reverse: bool = False, undirected: bool = False,
                        progress: Progress = None) -> DistanceCentrality:
    """Closeness and harmonic centrality of every vertex, from the distances that sources have to it: from all
    vertices, from those given as `sources`, or from `samples` that are drawn with `seed`, which estimates
    both.

    Args:
        reverse: paths from a vertex to the sources.
        undirected: paths that follow edges either way.
    """
    with reporting(progress) as told:
        closeness, harmonic, needs = _core.distance_centrality(
            A._core, sources_or_sample(A, sources, samples, seed), reverse=reverse != A._transposed,
            undirected=undirected, progress=told)
    return DistanceCentrality(closeness, harmonic, WorkingSet(*needs))


def closeness_centrality(A: Matrix, sources=None, **options) -> np.ndarray:
    """The `closeness` of `distance_centrality`, which says what the options are."""
    return distance_centrality(A, sources, **options).closeness


def harmonic_centrality(A: Matrix, sources=None, **options) -> np.ndarray:
    """The `harmonic` of `distance_centrality`, which says what the options are."""
    return distance_centrality(A, sources, **options).harmonic


def betweenness_centrality(A: Matrix, sources=None, *, samples: int | None = None, seed: int = 0,
                           batch: int = 8, device: Device = "cpu", progress: Progress = None) -> np.ndarray:
    """Betweenness centrality, normalised as networkx does: from all vertices, from those given as `sources`, or
    estimated from `samples` that are drawn with `seed`.

    Args:
        batch: sources of one product; 44 bytes a vertex each.

    Two products of a batch for each level of each batch of sources. A transposed view with sources or samples is
    built first.
    """
    exact = sources is None and samples is None  # paths turned round go through the same vertices
    core = A._core if exact else A.materialize()._core
    with reporting(progress) as told:
        return _core.betweenness(core, sources_or_sample(A, sources, samples, seed), batch=batch, device=device,
                                 progress=told)[0]


def sample_vertices(vertices: int, count: int, *, seed: int = 0) -> np.ndarray:
    """`count` vertices of a graph of so many, drawn without repetition, ascending; the same everywhere for one
    seed."""
    return _core.sample_vertices(vertices, count, seed)
