"""What Baltoro may use of the machine."""

from __future__ import annotations

from typing import NamedTuple

from . import _core


class CudaStatus(NamedTuple):
    """Whether a GPU can be used."""

    usable: bool
    """Whether device="cuda" works in this process."""
    reason: str
    """The name of the GPU, or why there is none."""


def cuda_status() -> CudaStatus:
    """Looks for a GPU; the answer is kept for the life of the process."""
    return CudaStatus(*_core.cuda_status())


class thread_limit:
    """While a `with` of it lasts, parallel work of the whole process (not of Baltoro alone: the limit is oneTBB's)
    uses at most so many threads; 0 sets no limit.

        with baltoro.thread_limit(1):
            A @ x
    """

    def __init__(self, threads: int):
        self._threads = threads.__index__()
        if not 0 <= self._threads < 2**31:
            raise ValueError(f"threads must not be negative, and {threads} cannot be had")
        self._limits: list = []

    def __enter__(self) -> thread_limit:
        self._limits.append(_core.ThreadLimit(self._threads))
        return self

    def __exit__(self, *_) -> None:
        self._limits.pop().end()

    @staticmethod
    def current() -> int:
        """The number of threads that parallel work would use now."""
        return _core.ThreadLimit.current()
