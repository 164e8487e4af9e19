"""bench where there is no GPU: the CPU is measured, everything else reported absent with the reason."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import fail, run, succeed, write_matrix

PLOT = Path(__file__).parents[2] / "bench" / "plot"
GPU_ENGINES = ["adaptive", "level_order_tree_only", "level_order_cached_frontier", "cusparse",
               "bcsr"]

pytestmark = pytest.mark.skipif("\n  bench " not in run("--help").out,
                                reason="this build has no benchmarks")
HAS_GPU = "CUDA: compiled" not in run("--version").out
needs_no_gpu = pytest.mark.skipif(HAS_GPU, reason="there is a GPU")

QUICK = ["--runs", 2, "--run-ms", 0.1, "--no-hardware"]


@needs_no_gpu
def test_cpu_alone(square):
    path, cells, _ = square
    report = succeed("bench", path, "--batch", "3,1,2,3", "--json", *QUICK).json
    assert report["failures"] == 0
    assert "GPU" in report["context"]["gpu"]["absent"] or "NVIDIA" in report["context"]["gpu"]["absent"]
    assert "skipped" in report["hardware"]
    assert report["protocol"]["runs"] == 2
    graph, = report["graphs"]
    assert (graph["rows"], graph["cols"], graph["nnz"]) == (70, 70, len(cells))
    assert graph["bytes"]["csr_boolean"] == 4 * len(cells) + 4 * 71
    engines = {each["name"]: each for each in graph["engines"]}
    assert list(engines) == GPU_ENGINES + ["adaptive_cpu", "level_order_cpu"]
    for name in GPU_ENGINES:
        assert engines[name]["absent"] == report["context"]["gpu"]["absent"]
    cpu = engines["level_order_cpu"]
    assert cpu["bits_per_edge"] == pytest.approx(8 * cpu["persistent_bytes"] / len(cells))
    assert [each["batch"] for each in cpu["batch"]] == [2, 3]
    for product in [cpu["right"], cpu["left"], *cpu["batch"]]:
        assert 0 < product["q1_ms"] <= product["median_ms"] <= product["q3_ms"]
        assert product["variants"][0]["median_ms"] == product["median_ms"]
        assert product["ratio_to_cusparse"] is None
        needs = product["working_set"]
        assert needs["vector_bytes"] == 2 * 70 * 4 * product["batch"]
        assert needs["total_bytes"] == sum(v for k, v in needs.items() if k != "total_bytes")


@needs_no_gpu
def test_what_needs_a_gpu_is_skipped(square):
    report = succeed("bench", square[0], "--ablation", "--tiles", "--search", 4, "--energy", "--json",
                     *QUICK).json
    graph, = report["graphs"]
    for part in ["ablation", "tiles", "search"]:
        assert graph[part][0]["skipped"] == report["context"]["gpu"]["absent"]


def test_text(square):
    text = succeed("bench", square[0], "--engines", "level_order_cpu", *QUICK).out
    assert "70 x 70" in text
    assert "B = 128" in text
    assert "cusparse is absent" not in text


def test_several_graphs_and_a_file(square, tmp_path):
    other = write_matrix(tmp_path / "other.mtx", [(0, 5), (2, 1)], (3, 9))
    target = tmp_path / "report.json"
    text = succeed("bench", square[0], other, "--engines", "level_order_cpu", "-o", target, *QUICK).out
    report = json.loads(target.read_text())
    assert [each["name"] for each in report["graphs"]] == ["square.k2m", "other.mtx"]
    assert all(each["name"] in text for each in report["graphs"])
    assert list(tmp_path.glob("*.part")) == []


def test_copies(tmp_path):
    path = write_matrix(tmp_path / "a.mtx", [(0, 1), (1, 0), (1, 2)], (2, 3))
    report = succeed("bench", path, "--copies", 50, "--engines", "level_order_cpu", "--json", *QUICK).json
    graph, = report["graphs"]
    assert (graph["rows"], graph["cols"], graph["nnz"], graph["copies"]) == (3200, 3200, 150, 50)
    assert report["failures"] == 0
    wide = write_matrix(tmp_path / "wide.mtx", [(0, 1)], (2, 1000000))
    assert "5000 copies of a 2 x 1000000 matrix; from 1 to 4294 are possible" in fail(
        "bench", wide, "--copies", 5000, "--json", *QUICK)


def test_relation(labelled):
    report = succeed("bench", labelled, "--relation", "Depends", "--engines", "level_order_cpu",
                     "--json", *QUICK).json
    assert report["graphs"][0]["nnz"] == 4
    assert report["graphs"][0]["relation"] == "Depends"


def test_slow_products_are_skipped(square):
    report = succeed("bench", square[0], "--engines", "level_order_cpu", "--slowest-ms", 1e-9, "--json",
                     *QUICK).json
    right = report["graphs"][0]["engines"][0]["right"]
    assert "longer than" in right["skipped"] and "median_ms" not in right


def test_empty_matrix(tmp_path):
    path = write_matrix(tmp_path / "empty.mtx", [], (4, 6))
    assert "no non-zeros" in fail("bench", path, "--json", *QUICK)


@pytest.mark.parametrize("arguments", [
    [],
    ["{}", "--batch", "0"],
    ["{}", "--batch", "2,,3"],
    ["{}", "--batch", "5000"],
    ["{}", "--batches", "--batch", "2"],
    ["{}", "--engines", "gpu"],
    ["{}", "--runs", "0"],
    ["{}", "--run-ms", "0"],
    ["{}", "--slowest-ms", "-1"],
    ["{}", "--search", "0"],
    ["{}", "--copies", "0"],
    ["{}", "--frobnicate"],
    ["{}", "--graphs", "swh"],
    ["{}", "--suite", "paper", "-o", "r.json"],
    ["--suite", "paper"],
    ["--suite", "papers", "-o", "r.json"],
    ["--suite", "paper", "-o", "r.json", "--graphs", "uk-2003"],
    ["--suite", "paper", "-o", "r.json", "--parts", "energy"],
    ["--suite", "paper", "-o", "r.json", "--graphs", "uk-2002", "--parts", "search"],
    ["--suite", "paper", "-o", "r.json", "--budget-s", "-1"],
    ["--suite", "paper", "-o", "r.json", "--tiles"],
    ["--suite", "paper", "-o", "r.json", "--from", "mtx"],
])
def test_bad_options(square, arguments):
    fail("bench", *[each.format(square[0]) for each in arguments], code=2)


@needs_no_gpu
def test_suite_needs_a_gpu(tmp_path):
    target = tmp_path / "paper.json"
    assert "--suite needs a GPU: " in fail("bench", "--suite", "paper", "--scale", 200, "-o", target, code=1)
    assert not target.exists()


def test_output_that_cannot_be_written(square, tmp_path):
    assert "nowhere" in fail("bench", square[0], "-o", tmp_path / "nowhere" / "r.json", *QUICK)


# bench/plot

def plot(*arguments):
    return subprocess.run([sys.executable, PLOT, *map(str, arguments)], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=120)


def test_plot(square, tmp_path):
    pytest.importorskip("matplotlib")
    target = tmp_path / "report.json"
    succeed("bench", square[0], "-o", target, "--quiet", *QUICK)
    done = plot("-o", tmp_path / "figures", target)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "figures" / "figure3.png").stat().st_size > 1000


def test_plot_without_matplotlib(square, tmp_path):
    target = tmp_path / "report.json"
    succeed("bench", square[0], "-o", target, "--engines", "level_order_cpu", *QUICK)
    (tmp_path / "matplotlib.py").write_text("raise ImportError('hidden')\n")
    done = subprocess.run([sys.executable, PLOT, target], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, env={**os.environ, "PYTHONPATH": str(tmp_path)})
    assert done.returncode == 1
    assert done.stderr.startswith("bench/plot: matplotlib is needed")


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"graphs": []}'])
def test_plot_refuses_other_files(content, tmp_path):
    (tmp_path / "r.json").write_text(content)
    done = plot(tmp_path / "r.json")
    assert done.returncode == 1
    assert done.stderr.startswith("bench/plot: ") and "Traceback" not in done.stderr
