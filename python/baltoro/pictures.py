"""Pictures of matrices."""

from __future__ import annotations

import numpy as np

from .matrix import Matrix


def density(A: Matrix, size: int = 512) -> tuple[np.ndarray, int]:
    """Counts the edges in equal squares, at most `size` a side: (counts, side of a square in cells).

    `counts` is a 2-dimensional uint64 array. The side is a power of two, so that a square is a node of
    the tree: nodes are counted by the tree's directory and its leaves' bits, no edge is unpacked unless
    squares are smaller than leaves.
    """
    side_log2, rows, cols, counts = A._core.density(size)
    counts = counts.reshape(rows, cols)
    return (counts.T if A._transposed else counts), 1 << side_log2


def spy(A: Matrix, *, ax=None, size: int = 512, cmap="magma_r", **options):
    """Draws how dense a matrix is where, however large it is, and returns the matplotlib Axes.

    Args:
        ax: where to draw; None is the current Axes.
        size: squares a side, at most.
        cmap: the colours, from one edge in a square to all of its cells, logarithmically.
        options: go to `Axes.imshow`.
    """
    import matplotlib.colors
    import matplotlib.pyplot

    if ax is None:
        ax = matplotlib.pyplot.gca()
    counts, side = density(A, size)
    rows, cols = A.shape
    filled = np.ma.masked_equal(counts, 0) / float(side) ** 2
    options.setdefault("norm", matplotlib.colors.LogNorm(1 / float(side) ** 2 if side > 1 else 0.5, 1))
    image = ax.imshow(filled, cmap=cmap, interpolation="nearest", origin="upper",
                      extent=(0, max(counts.shape[1], 1) * side, max(counts.shape[0], 1) * side, 0), **options)
    ax.set_xlim(0, max(cols, 1))
    ax.set_ylim(max(rows, 1), 0)
    ax.set_xlabel("column")
    ax.set_ylabel("row")
    ax.set_title(f"{rows:,} × {cols:,}, {A.nnz:,} edges")
    ax.figure.colorbar(image, ax=ax, label="share of cells set")
    return ax
