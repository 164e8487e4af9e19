"""The figures of the benchmarks, from the reports that are in the repository."""

import json
import subprocess
import sys
from pathlib import Path

import matplotlib.pyplot
import numpy as np
import pytest

import baltoro

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "bench" / "results" / "gpu"
REPORTS = [RESULTS / name for name in ("real_graphs_h200.json", "batches_h200.json", "ablation_batches_h200.json")]

matplotlib.pyplot.switch_backend("Agg")


@pytest.fixture(autouse=True)
def figures_are_closed():
    yield
    matplotlib.pyplot.close("all")


def series(ax):
    """What is drawn, by label."""
    return {line.get_label(): line.get_xydata() for line in ax.get_lines()}


def test_sizes():
    ax = baltoro.plot.sizes(REPORTS[0])
    graphs = json.loads(REPORTS[0].read_text())["graphs"]
    drawn = series(ax)
    assert {"CSR (valued)", "CSR (Boolean)", "k²-tree"} <= set(drawn)
    expected = sorted((g["nnz"], g["bytes"]["tree"] / 1e6) for g in graphs if g["bytes"].get("tree"))
    np.testing.assert_allclose(drawn["k²-tree"], expected)
    ax.figure.canvas.draw()


def test_axes_that_are_given():
    figure, (left, right) = matplotlib.pyplot.subplots(1, 2)
    assert baltoro.plot.sizes(REPORTS, ax=left) is left
    assert baltoro.plot.trade_off(map(str, REPORTS), ax=right) is right
    assert len(figure.axes) == 2
    figure.canvas.draw()


def test_batches():
    graphs = [g for path in REPORTS[1:2] for g in json.loads(path.read_text())["graphs"]]
    drawn = series(baltoro.plot.batches(graphs))
    assert any(len(points) > 2 for points in drawn.values())
    widths, ratios = drawn["k² (tree-only)"].T
    assert widths[0] == 1 and (ratios > 0).all()


def test_trade_offs_are_over_cusparse():
    ax = baltoro.plot.trade_off(REPORTS[0])
    at = {each.get_label(): each.get_offsets() for each in ax.collections}
    assert at["cuSPARSE"].tolist() == [[1, 1]]
    graph = next(g for g in json.loads(REPORTS[0].read_text())["graphs"] if g["name"] == "cnr-2000.graph")
    right = {e["name"]: e["right"] for e in graph["engines"] if "right" in e}
    ours, peer = right["level_order_tree_only"], right["cusparse"]
    ratio = [ours["working_set"]["total_bytes"] / peer["working_set"]["total_bytes"],
             ours["median_ms"] / peer["median_ms"]]
    np.testing.assert_allclose(at["k² (tree-only)"][0], ratio)


def test_tiles():
    reports = [path for path in RESULTS.glob("*.json") if '"tiles"' in path.read_text()]
    if not reports:
        with pytest.raises(baltoro.plot.NoData, match="sweep of tiles"):
            baltoro.plot.tiles(REPORTS)
        return
    panels = baltoro.plot.tiles(reports)
    assert all(len(each.get_lines()) > 0 for each in panels)


@pytest.mark.parametrize("figure", ["batches", "trade_off", "tiles"])
def test_reports_without_the_data(figure):
    with pytest.raises(baltoro.plot.NoData, match="no report has"):
        getattr(baltoro.plot, figure)({"graphs": [{"name": "a", "nnz": 3, "bytes": {}, "engines": []}]})
    assert matplotlib.pyplot.get_fignums() == []


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"graphs": []}', '{"graphs": 3}'])
def test_files_that_are_no_reports(content, tmp_path):
    (tmp_path / "r.json").write_text(content)
    with pytest.raises(baltoro.plot.InvalidReport, match="not a report|no graphs"):
        baltoro.plot.sizes(tmp_path / "r.json")


def test_the_command_draws_the_same(tmp_path):
    done = subprocess.run([sys.executable, ROOT / "bench" / "plot", "-o", tmp_path, *REPORTS], text=True,
                          capture_output=True, check=True)
    for name in ("figure3", "figure4", "figure5"):
        assert (tmp_path / f"{name}.png").stat().st_size > 5000, done.stdout
