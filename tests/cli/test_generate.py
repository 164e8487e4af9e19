"""generate: shapes, seeds and outputs."""

import pytest
from conftest import exported_cells, fail, succeed


@pytest.mark.parametrize("model, options, shape", [
    ("web", ["--vertices", "2k", "--degree", "6"], (2000, 2000)),
    ("rmat", ["--scale", "10", "--edges", "5k"], (1024, 1024)),
    ("uniform", ["--shape", "300x40", "--edges", "1000"], (300, 40)),
])
def test_models(model, options, shape, tmp_path):
    report = succeed("generate", model, *options, "-o", tmp_path / "a.k2m", "--json").json
    assert (report["rows"], report["cols"]) == shape
    assert report["model"] == model and report["nnz"] > 500
    succeed("verify", tmp_path / "a.k2m")
    cells = exported_cells(tmp_path / "a.k2m", tmp_path)
    assert len(cells) == report["nnz"]
    for name in ["a.mtx", "a.tsv"]:
        succeed("generate", model, *options, "-o", tmp_path / name)
        assert exported_cells(tmp_path / name, tmp_path) == cells
    succeed("generate", model, *options, "--seed", 2, "-o", tmp_path / "other.k2m")
    assert exported_cells(tmp_path / "other.k2m", tmp_path) != cells


def test_defaults_and_degree(tmp_path):
    report = succeed("generate", "web", "--vertices", 5000, "-o", tmp_path / "a.k2m", "--json").json
    assert 7 < report["nnz"] / 5000 < 13


@pytest.mark.parametrize("arguments", [
    ["web", "--vertices", "0"],
    ["rmat", "--scale", "0", "--edges", "3"],
    ["rmat", "--edges", "0"],
    ["uniform", "--shape", "0x7", "--edges", "0"],
    ["uniform", "--shape", "1x1", "--edges", "5"],
])
def test_boundaries(arguments, tmp_path):
    succeed("generate", *arguments, "-o", tmp_path / "a.k2m")
    succeed("verify", tmp_path / "a.k2m")


def test_standard_output():
    text = succeed("generate", "uniform", "--shape", "9x9", "--edges", "20", "-o", "-", "--format", "tsv").out
    assert all(len(line.split("\t")) == 2 for line in text.splitlines())


@pytest.mark.parametrize("arguments, code", [
    (["uniform", "--shape", "0x7", "--edges", "1"], 2),
    (["rmat", "--a", "0.9", "--b", "0.9"], 2),
    (["rmat", "--a", "-1"], 2),
    (["web", "--degree", "-3"], 2),
    (["web", "--degree", "1e9"], 2),
    (["uniform", "--edges", "1000T"], 1),
    (["web", "--vertices", "4294967295", "--degree", "1e6"], 1),
])
def test_impossible_wishes(arguments, code, tmp_path):
    fail("generate", *arguments, "-o", tmp_path / "a.k2m", code=code)
    assert list(tmp_path.iterdir()) == []
