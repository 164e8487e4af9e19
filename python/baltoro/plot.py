"""The figures of a benchmark, from the reports that `baltoro bench --json` or `-o` wrote.

    baltoro.plot.sizes("bench/results/gpu/real_graphs_h200.json")

Each function takes one report or several (paths, or what is in them), draws with matplotlib and returns its Axes.
Where several reports have a graph, `sizes` and `trade_off` show that of the first, and `batches` averages over
those with the most widths. NoData says why a figure cannot be drawn.
"""

from __future__ import annotations

import json
import math
import os
import re
from pathlib import Path

TREE_ONLY = "level_order_tree_only"
CACHED = "level_order_cached_frontier"
LABELS = {TREE_ONLY: "k² (tree-only)", CACHED: "k²+F (cached frontier)", "bcsr": "Boolean CSR",
          "cusparse": "cuSPARSE"}
COLORS = {TREE_ONLY: "tab:blue", CACHED: "tab:green", "bcsr": "tab:orange", "cusparse": "black"}
DEFAULT_TILE = 1 << 20


class NoData(ValueError):
    """Why a figure cannot be drawn."""


class InvalidReport(ValueError):
    """A file that is no report of `baltoro bench`."""


def read_reports(reports) -> list[dict]:
    """The graphs of one report or several: paths, what `json.load` makes of them, or graphs already read."""
    if isinstance(reports, (str, os.PathLike, dict)):
        reports = [reports]
    graphs = []
    for each in reports:
        if isinstance(each, dict) and "engines" in each:
            graphs.append(each)
            continue
        try:
            graphs += (each if isinstance(each, dict) else json.loads(Path(each).read_text()))["graphs"]
        except (ValueError, KeyError, TypeError):
            raise InvalidReport(f"{each}: not a report of 'baltoro bench'") from None
    if not graphs:
        raise InvalidReport("the reports have no graphs")
    return graphs


def _axes(ax, size):
    """The Axes to draw on: those that are given, or those of a new figure."""
    if ax is None:
        import matplotlib.pyplot

        _, ax = matplotlib.pyplot.subplots(figsize=size)
    return ax


def _name_of(graph):
    """The name of a graph without the endings of its file and the '*' of all relations."""
    file, comma, rest = graph["name"].removesuffix(", *").partition(", ")
    return re.sub(r"([.](graph|k2m|mtx|nt|tsv|txt))?([.](gz|zst))?$", "", file) + comma + rest


def _distinct(graphs):
    """The first of the graphs of one name."""
    return list({graph["name"]: graph for graph in reversed(graphs)}.values())[::-1]


def _engine(graph, name):
    """The entry of an engine that was measured, or nothing."""
    for each in graph["engines"]:
        if each["name"] == name and "persistent_bytes" in each:
            return each
    return None


def _times_by_width(graph, name):
    """Milliseconds of one vector by the width of the batch; width 1 is the single right product."""
    found = _engine(graph, name)
    if found is None:
        return {}
    products = [found.get("right", {"batch": 1})] + found.get("batch", [])
    return {each["batch"]: each["median_ms"] for each in products if "median_ms" in each}


def _size_series(graphs):
    """Figure 3: series of (non-zeros, megabytes)."""
    names = {"csr_float": "CSR (valued)", "csr_boolean": "CSR (Boolean)", "tree": "k²-tree",
             "bvgraph": "BVGraph"}
    series = {label: sorted((graph["nnz"], graph["bytes"][key] / 1e6) for graph in _distinct(graphs)
                            if graph["bytes"].get(key))
              for key, label in names.items()}
    return {label: points for label, points in series.items() if points}


def _batch_ratios(graphs):
    """Figure 4: for each engine (width, geometric mean, least, most) of the time over cuSPARSE's.

    A mean over other graphs at one width than at the next would show the graphs, not the widths."""
    widths = [len(_times_by_width(graph, "cusparse")) for graph in graphs]
    graphs = [graph for graph, count in zip(graphs, widths) if count == max(widths)]
    series = {}
    for name in (TREE_ONLY, CACHED, "bcsr"):
        ratios = {}
        for graph in graphs:
            peer = _times_by_width(graph, "cusparse")
            for width, ms in _times_by_width(graph, name).items():
                if width in peer:
                    ratios.setdefault(width, []).append(ms / peer[width])
        points = [(width, math.exp(sum(map(math.log, each)) / len(each)), min(each), max(each))
                  for width, each in sorted(ratios.items())]
        if len(points) > 1:
            series[name] = points
    if not series:
        raise NoData("no report has batches of several widths (--batches) beside cuSPARSE")
    return series


def _trade_offs(graphs):
    """Figure 5: for each graph its name and by engine (working set, time), both over cuSPARSE's."""
    result = []
    for graph in _distinct(graphs):
        def figures(name):
            right = (_engine(graph, name) or {}).get("right", {})
            if "median_ms" not in right:
                return None
            return right["working_set"]["total_bytes"], right["median_ms"]
        peer = figures("cusparse")
        if peer is None:
            continue
        points = {}
        for name in (TREE_ONLY, CACHED, "bcsr"):
            mine = figures(name)
            if mine is not None:
                points[name] = (mine[0] / peer[0], mine[1] / peer[1])
        if points:
            result.append((_name_of(graph), points))
    if not result:
        raise NoData("no report has products beside cuSPARSE")
    return result


def _tile_sweeps(graphs):
    """Figure 6: for each graph its name and by source of offsets (scratch in MB, time over that of
    whole levels, nodes of a tile)."""
    result = []
    for graph in graphs:
        series = {}
        for point in graph.get("tiles", []):
            if "median_ms" in point:
                series.setdefault(point["offsets"], []).append(point)
        sweeps = {}
        for offsets, points in series.items():
            whole = [p["median_ms"] for p in points if p["tile_nodes"] == 0]
            if whole:
                sweeps[offsets] = sorted((p["working_set"]["scratch_bytes"] / 1e6,
                                          p["median_ms"] / whole[0], p["tile_nodes"])
                                         for p in points)
        if sweeps:
            result.append((_name_of(graph), sweeps))
    if not result:
        raise NoData("no report has a sweep of tiles (--tiles)")
    return result


def _write_plainly(axis, steps):
    """Ticks of a logarithmic axis at these multiples of powers of ten, as plain numbers."""
    from matplotlib import ticker
    axis.set_major_locator(ticker.LogLocator(base=10, subs=steps))
    axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_formatter(ticker.NullFormatter())


def _place_legend(axes):
    """Above the axes, where it covers no point."""
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2, frameon=False)


def sizes(reports, *, ax=None):
    """Size against edges (the paper's figure 3): CSR with and without values, the k²-tree, BVGraph."""
    series = _size_series(read_reports(reports))
    axes = _axes(ax, (5, 4))
    for (label, points), marker in zip(series.items(), "svoD"):
        axes.loglog(*zip(*points), marker, label=label, alpha=0.8)
    axes.set_xlabel("number of edges (nnz)")
    axes.set_ylabel("representation size (MB)")
    axes.legend()
    return axes


def batches(reports, *, ax=None):
    """Time of one vector against the width of the batch, over cuSPARSE's (the paper's figure 4): the geometric mean
    over graphs, and the range."""
    ratios = _batch_ratios(read_reports(reports))
    axes = _axes(ax, (5, 4))
    for name, points in ratios.items():
        widths, means, least, most = zip(*points)
        axes.loglog(widths, means, "o-", label=LABELS[name], color=COLORS[name])
        axes.fill_between(widths, least, most, alpha=0.15, color=COLORS[name])
    axes.axhline(1, color=COLORS["cusparse"], linewidth=1, label=LABELS["cusparse"])
    axes.set_xticks(widths, [str(width) for width in widths])
    axes.minorticks_off()
    _write_plainly(axes.yaxis, (1, 2, 3, 5))
    axes.set_xlabel("batch width B")
    axes.set_ylabel("per-vector time / cuSPARSE")
    _place_legend(axes)
    return axes


def trade_off(reports, *, ax=None):
    """Working set against time, both over cuSPARSE's (the paper's figure 5), a point a graph and engine."""
    points_of = _trade_offs(read_reports(reports))
    axes = _axes(ax, (6, 5))
    labelled = set()
    for graph_name, points in points_of:
        if TREE_ONLY in points and CACHED in points:
            axes.plot(*zip(points[TREE_ONLY], points[CACHED]), color="lightgray", zorder=1)
        for name, (size, time) in points.items():
            axes.scatter(size, time, color=COLORS[name], zorder=2,
                         label=None if name in labelled else LABELS[name])
            labelled.add(name)
        # A line joins the two configurations: one name is enough for both.
        if "bcsr" in points:
            axes.annotate(graph_name, points["bcsr"], fontsize=7, xytext=(-6, -2),
                          textcoords="offset points", horizontalalignment="right")
        tree = points.get(CACHED, points.get(TREE_ONLY))
        if tree is not None:
            axes.annotate(graph_name, tree, fontsize=7, xytext=(6, -3), textcoords="offset points")
    axes.scatter(1, 1, marker="*", s=90, color=COLORS["cusparse"], label=LABELS["cusparse"])
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.margins(x=0.15)
    _write_plainly(axes.xaxis, (1, 2, 5))
    _write_plainly(axes.yaxis, (1, 2, 5))
    axes.set_xlabel("working set / cuSPARSE")
    axes.set_ylabel("single-vector time / cuSPARSE")
    _place_legend(axes)
    return axes


def tiles(reports):
    """Scratch against time for tiles of several sizes (the paper's figure 6): an array of Axes, one a graph."""
    import matplotlib.pyplot

    sweeps = _tile_sweeps(read_reports(reports))
    _, panels = matplotlib.pyplot.subplots(1, len(sweeps), figsize=(4 * len(sweeps), 3.5), squeeze=False,
                                           sharey=True)
    for axes, (graph_name, series) in zip(panels[0], sweeps):
        for offsets, points in series.items():
            scratch, time, tiles = zip(*points)
            line, = axes.loglog(scratch, time, "o-", markersize=4, label=offsets)
            for x, y, tile in zip(scratch, time, tiles):
                if tile == DEFAULT_TILE:
                    axes.plot(x, y, "o", markersize=10, fillstyle="none", color=line.get_color())
        axes.set_title(graph_name, fontsize=9)
        axes.set_xlabel("frontier scratch (MB)")
        _write_plainly(axes.xaxis, (1,))
        _write_plainly(axes.yaxis, (1, 2, 5))
    panels[0][0].set_ylabel("time / whole levels")
    panels[0][0].legend(fontsize=7)
    return panels[0]


FIGURES = {"figure3": sizes, "figure4": batches, "figure5": trade_off, "figure6": tiles}
