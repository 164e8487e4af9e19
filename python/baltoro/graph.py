"""Graphs of several relations with names, as files hold them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from . import _core
from .arrays import as_shape
from .matrix import Matrix
from .progress import Progress, reporting


class Graph(Mapping):
    """The matrices of a graph by the names of their relations, all of one shape.

    A plain graph has one, named "". A graph of triples has the union of all, "*", and one for each
    relation; "" stands for the only one or the union.
    """

    def __init__(self, core):
        self._core = core
        self._numbers = {name: i for i, name in enumerate(core.relations())}

    def __getitem__(self, relation: str) -> Matrix:
        wanted = relation
        if relation == "" and "" not in self._numbers:
            wanted = "*" if "*" in self._numbers else next(iter(self._numbers)) if len(self) == 1 else ""
        if wanted not in self._numbers:
            some = ", ".join(map(repr, list(self._numbers)[:8]))
            raise KeyError(f"there is no relation {relation!r}; there are {some}{', …' if len(self) > 8 else ''}")
        return Matrix._of(self._core.at(self._numbers[wanted]))

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def __repr__(self) -> str:
        rows, cols = next(iter(self.values())).shape
        return (f"<baltoro.Graph of {len(self)} relation{'s' if len(self) != 1 else ''}, {rows:,} x {cols:,}, "
                f"{'vertices with names' if self.has_names else 'no names'}>")

    @property
    def has_names(self) -> bool:
        """Whether vertices have names."""
        return self._core.names != 0

    def name(self, vertex: int) -> str:
        """The name of a vertex. IndexError where it has none."""
        if not 0 <= vertex < self._core.names:
            raise IndexError(f"vertex {vertex} has no name: there are {self._core.names} names")
        return self._core.name(vertex)

    def vertex(self, name: str) -> int:
        """The vertex of that name, by a scan of all names. KeyError where there is none."""
        found = self._core.find(name.encode("utf-8", "surrogateescape"))
        if found is None:
            raise KeyError(f"there is no vertex {name!r}")
        return found

    def save(self, path) -> None:
        """Writes a `.k2m` file with all relations and names, whole or not at all."""
        self._core.save(Path(path))


def read_graph(paths, *, format: str = "auto", index_base: int = 0, skip_lines: int = 0, shape=None,
               layout: str | None = None, memory_bytes: int = 0, progress: Progress = None) -> Graph:
    """Reads a file, or several that are united.

    format: "auto", "mtx" (Matrix Market), "edges" (a line an edge), "bvgraph", "triples" or "k2m".
    index_base: edge lists: the number of the first vertex, 0 or 1.
    skip_lines: edge lists: lines to pass over at the start.
    shape, layout, memory_bytes, progress: as of `Matrix`.

    FileError where a file cannot be read; InvalidFormat names the file, the line or byte, and why.
    """
    single = isinstance(paths, (str, os.PathLike))
    files = [Path(paths)] if single else [Path(each) for each in paths]
    with reporting(progress) as told:
        return Graph(_core.read(files, format=format, index_base=index_base, skip_lines=skip_lines,
                                dims=None if shape is None else as_shape(shape), layout=layout or "",
                                memory_bytes=memory_bytes, progress=told))


def load_graph(path, *, check: str = "full") -> Graph:
    """Maps a `.k2m` file into memory, with all its relations; `check` as of `load`."""
    if check not in ("full", "header"):
        raise ValueError(f"check must be 'full' or 'header', not {check!r}")
    return Graph(_core.load(Path(path), check == "full"))
