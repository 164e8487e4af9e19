"""How matrices are built: the options of everything that makes one."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, TypedDict

from . import _core
from .progress import Progress, reporting

if TYPE_CHECKING:  # typing has it from Python 3.11 on
    from typing_extensions import Unpack  # noqa: F401  (for annotations)


_SMALL = ("directory_step", "container_leaves")  # numbers of 32 bits


class BuildOptions(TypedDict, total=False):
    """The options of everything that builds a matrix, which `Matrix` explains."""

    layout: str | None
    memory_bytes: int
    temporary_directory: str | os.PathLike | None
    directory_step: int
    container_leaves: int
    device: str
    device_memory_bytes: int
    progress: Progress


class RebuildOptions(TypedDict, total=False):
    """Those of what builds a matrix of another one, in its layout."""

    memory_bytes: int
    temporary_directory: str | os.PathLike | None
    directory_step: int
    container_leaves: int
    device: str
    device_memory_bytes: int
    progress: Progress


def core_options(*, layout: str | None = None, memory_bytes: int = 0,
                 temporary_directory: str | os.PathLike | None = None, directory_step: int = 256,
                 container_leaves: int = 512, device: str = "cpu", device_memory_bytes: int = 0):
    """The options as the extension takes them."""
    if not isinstance(device, str):
        raise TypeError(f"a matrix is built on 'cpu', 'cuda' or 'auto', not on {device!r}")
    numbers = dict(memory_bytes=memory_bytes, directory_step=directory_step, container_leaves=container_leaves,
                   device_memory_bytes=device_memory_bytes)
    for name, value in numbers.items():
        if not hasattr(value, "__index__") or not 0 <= value.__index__() < (2**32 if name in _SMALL else 2**64):
            raise ValueError(f"{name} must be an integer of 0 or more, not {value!r}")
    return _core.BuildOptions(layout=layout, temporary_directory=temporary_directory, device=device, **numbers)


@contextlib.contextmanager
def building(*, progress: Progress = None, **options) -> Iterator[dict]:
    """The options of a build, and what it is to call, as arguments of the extension."""
    with reporting(progress) as told:
        yield dict(options=core_options(**options), progress=told)
