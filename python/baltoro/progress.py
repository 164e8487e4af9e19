"""How long builds say how far they are."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

Report = Callable[[str, int, int, str], object]
"""Called with (stage, done, total, unit); total is 0 where nobody can know it."""

Progress = Report | bool | None
"""None: a bar of tqdm where that is installed, on a terminal, after one second. True: a bar in any
case. False: nothing. A function: called with every report."""


class _Bar:
    """A bar of tqdm that begins anew with every stage."""

    def __init__(self, tqdm, **options):
        self._tqdm = tqdm
        self._options = options
        self._bar = None
        self._stage = None

    def __call__(self, stage: str, done: int, total: int, unit: str) -> None:
        if stage != self._stage:
            self.close()
            self._stage = stage
            self._bar = self._tqdm(desc=stage, total=total or None, unit=unit[:-1],
                                   unit_scale=True, leave=False, **self._options)
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


@contextlib.contextmanager
def reporting(progress: Progress) -> Iterator[Report | None]:
    """What the library is to call, for what a user asked for."""
    if progress is False or callable(progress):
        yield progress or None
        return
    if progress not in (None, True):
        raise TypeError(f"progress must be None, True, False or a function, not {progress!r}")
    try:
        from tqdm.auto import tqdm
    except ImportError:
        if progress:
            raise ImportError("progress=True needs tqdm: pip install tqdm") from None
        yield None
        return
    bar = _Bar(tqdm) if progress else _Bar(tqdm, delay=1, disable=None)
    try:
        yield bar
    finally:
        bar.close()
