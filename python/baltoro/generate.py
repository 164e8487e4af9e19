"""Synthetic graphs for tests and first steps. The same arguments give the same graph on every machine."""

from __future__ import annotations

from . import _core
from .matrix import Matrix


def web(vertices: int, degree: float = 16, *, seed: int = 1, **options) -> Matrix:
    """A graph like a web crawl in URL order, with about vertices × degree edges: pages grouped in hosts, most
    links within the host and to near pages, some to a few popular pages. `options` are those of `Matrix`."""
    return Matrix(_core.generate_web(vertices, degree, seed), shape=(vertices, vertices), **options)


def rmat(scale: int, edges: int, *, a: float = 0.57, b: float = 0.19, c: float = 0.19, seed: int = 1,
         **options) -> Matrix:
    """An R-MAT graph of 2^scale vertices: edges fall into quadrants with probabilities a, b, c and the rest;
    duplicates are merged. `options` are those of `Matrix`."""
    side = 1 << scale
    return Matrix(_core.generate_rmat(scale, edges, a, b, c, seed), shape=(side, side), **options)


def uniform(rows: int, cols: int, edges: int, *, seed: int = 1, **options) -> Matrix:
    """Cells drawn uniformly; duplicates are merged. `options` are those of `Matrix`."""
    return Matrix(_core.generate_uniform(rows, cols, edges, seed), shape=(rows, cols), **options)
