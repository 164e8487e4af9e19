"""What the algorithms' functions share: memory figures, sources, options."""

from __future__ import annotations

from typing import NamedTuple, Union

import numpy as np

from . import _core
from .arrays import as_array, as_indices

Device = Union[str, _core.Cuda]
"""Where something runs: "cpu", "cuda", "auto" (a GPU that is there and has the memory, else the CPU), or
`baltoro.Cuda(...)`, a GPU with options."""


class WorkingSet(NamedTuple):
    """Bytes that something holds while it runs, on the device it runs on."""

    matrix_bytes: int
    """The compressed matrix."""
    vector_bytes: int
    """What goes in and comes out."""
    scratch_bytes: int
    """Everything else."""

    @property
    def total_bytes(self) -> int:
        """All of it."""
        return sum(self)


def vertices(A, given, what: str) -> np.ndarray:
    """One vertex or several as uint32, checked against the matrix."""
    array = np.atleast_1d(as_array(given, what))
    array = as_indices(array, what) if array.size else np.zeros(0, np.int64)
    if array.size and not 0 <= array.min() <= array.max() < max(A.shape):
        raise ValueError(f"{what} must be vertices, 0..{max(A.shape) - 1}")
    return array.astype(np.uint32)


def sources_or_sample(A, sources, samples: int | None, seed: int) -> np.ndarray:
    """The sources of an average over paths: those that are named, a sample, or all vertices."""
    if sources is not None:
        if samples is not None:
            raise ValueError("sources and samples cannot both be given")
        return vertices(A, sources, "sources")
    return _core.sample_vertices(A.shape[0], A.shape[0] if samples is None else samples, seed)
