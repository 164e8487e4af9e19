"""Graphs of several relations with names, as files hold them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from . import _core
from .arrays import as_shape
from .building import building
from .matrix import Matrix
from .progress import Progress, reporting

if TYPE_CHECKING:
    from .building import BuildOptions, Unpack


class Graph(Mapping):
    """The matrices of a graph by the names of their relations, all of one shape.

    A plain graph has one, named "". A graph of triples has the union of all, "*", and one for each
    relation; "" stands for the only one or the union.
    """

    def __init__(self, core):
        self._core = core
        self._numbers = {name: i for i, name in enumerate(core.relations())}

    @classmethod
    def of(cls, relations: Mapping[str, Matrix], names: Iterable[str] = ()) -> Graph:
        """A graph of matrices of one shape by the names of their relations ("" for a plain graph), with the names of
        the first vertices, if they have any. Transposed views are built first."""
        matrices = {name: A.materialize() for name, A in relations.items()}
        shapes = {A.shape for A in matrices.values()}
        if len(shapes) != 1:
            raise ValueError(f"the relations of a graph have one shape, not {sorted(shapes)}")
        texts = [name.encode("utf-8", "surrogateescape") for name in names]
        if len(texts) > max(*shapes.pop()):
            raise ValueError(f"{len(texts)} names are more than there are vertices")
        return cls(_core.graph_of([(name, A._core) for name, A in matrices.items()], texts))

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

    @property
    def names(self) -> list[str]:
        """The names of all vertices that have one."""
        return [self._core.name(v) for v in range(self._core.names)]

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


def read_graph(paths, *, format: str = "auto", index_base: int = 0, skip_lines: int = 0,
               order: str = "auto", with_union: bool = True, shape=None, **options: Unpack[BuildOptions]) -> Graph:
    """Reads a file, or several that are united.

    Args:
        format: "auto", "mtx" (Matrix Market), "edges" (a line an edge), "bvgraph", "triples" or "k2m".
        index_base: edge lists: the number of the first vertex, 0 or 1.
        skip_lines: edge lists: lines to pass over at the start.
        order: triples: how vertices are numbered: "by_bytes" of their names, "by_number" where all names are one
            prefix and a number, "first_seen", or "auto", by number where that can be.
        with_union: triples: whether the union "*" of all relations is built too.
        shape: rows and columns, where they are more than the files say.
        options: how matrices are built, as of `Matrix`.

    FileError where a file cannot be read; InvalidFormat names the file, the line or byte, and why.
    """
    with building(**options) as how:
        return read_files(paths, shape, how, format, index_base, skip_lines, order, with_union)


def read_files(paths, shape, how: dict, format="auto", index_base=0, skip_lines=0, order="auto",
               with_union=True) -> Graph:
    """The same with the extension's options of a build."""
    files = [Path(paths)] if isinstance(paths, (str, os.PathLike)) else [Path(each) for each in paths]
    return Graph(_core.read(files, format=format, index_base=index_base, skip_lines=skip_lines, order=order,
                            with_union=with_union, dims=None if shape is None else as_shape(shape), **how))


def load_graph(path, *, check: str = "full") -> Graph:
    """Maps a `.k2m` file into memory, with all its relations; `check` as of `load`."""
    if check not in ("full", "header"):
        raise ValueError(f"check must be 'full' or 'header', not {check!r}")
    return Graph(_core.load(Path(path), check == "full"))


def write(A: Matrix, path, *, format: str | None = None, progress: Progress = None) -> None:
    """Writes a matrix as text for other tools, whole or not at all: "mtx", Matrix Market, or "edges", a line an
    edge, counted from 0; None goes by the ending, .mtx or else edges. `A.save` writes `.k2m`."""
    if format is None:
        format = "mtx" if Path(path).suffix == ".mtx" else "edges"
    if format not in ("mtx", "edges"):
        raise ValueError(f"format must be 'mtx' or 'edges', not {format!r}")
    with reporting(progress) as told:
        _core.write(A.materialize(progress=progress)._core, Path(path), format == "mtx", told)


def detect_format(path) -> str:
    """The format of a file, by its name and first bytes: what `read` takes as `format`."""
    return _core.detect_format(Path(path))
