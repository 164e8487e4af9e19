"""generate: shapes, seeds and outputs."""

import signal
import subprocess
import time

import pytest
from conftest import COMMAND, exported_cells, fail, succeed


@pytest.mark.parametrize("model, options, shape", [
    ("web", ["--vertices", "2k", "--degree", "6"], (2000, 2000)),
    ("rmat", ["--scale", "10", "--edges", "5k"], (1024, 1024)),
    ("uniform", ["--shape", "300x40", "--edges", "1000"], (300, 40)),
    ("merkle", ["--vertices", "2k", "--degree", "9"], (2000, 2000)),
    ("social", ["--vertices", "2k", "--degree", "6"], (2000, 2000)),
    ("citation", ["--shape", "2000x3000", "--edges", "9k"], (2000, 3000)),
    ("relation", ["--shape", "3000x40", "--edges", "4000", "--repeat", "0.3", "--skew", "0.8"], (3000, 40)),
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
    assert report["nnz"] == 50_000


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


def test_stand_ins(tmp_path):
    output = tmp_path / "a.k2m"
    report = succeed("generate", "--like", "uk-2002", "--scale", "1000", "-o", output, "--json").json
    assert report["model"] == "stand-in" and report["stand_in_for"] == "uk-2002" and report["scale"] == 1000
    assert report["nnz"] == 298113 and report["rows"] == report["cols"] == 18520
    assert report["bits_per_edge"] == pytest.approx(3.12, rel=0.15)
    assert "a stand-in for uk-2002" in succeed("generate", "--like", "uk-2002", "--scale", "2k", "-o", output).out


@pytest.mark.parametrize("arguments, reason", [
    ([], "A model (web, merkle, social, citation, relation, rmat, uniform) or --like NAME is required"),
    (["--like", "swh"], "--output is required"),
    (["--like", "uk-2003", "-o", "{out}"], "there is no stand-in for 'uk-2003', only for wd_sports_team"),
    (["--like", "swh", "--scale", "0", "-o", "{out}"], "scale 0: for swh it must be from 1 to"),
    (["--like", "swh", "web", "-o", "{out}"], "--like excludes a model"),
    (["sbm", "-o", "{out}"], "unknown command 'sbm'; there are web"),
])
def test_no_model(arguments, reason, tmp_path):
    arguments = [argument.format(out=tmp_path / "a.k2m") for argument in arguments]
    assert reason in fail("generate", *arguments, code=2)
    assert list(tmp_path.iterdir()) == []


def test_larger_than_memory(tmp_path):
    report = succeed("generate", "social", "--vertices", "150k", "--degree", "25", "--memory", "16MiB",
                     "-o", tmp_path / "a.k2m", "--json").json
    assert report["nnz"] == 3_750_000
    succeed("generate", "social", "--vertices", "150k", "--degree", "25", "-o", tmp_path / "b.k2m")
    assert (tmp_path / "a.k2m").read_bytes() == (tmp_path / "b.k2m").read_bytes()


def test_an_interrupted_run_leaves_nothing_behind(tmp_path):
    (tmp_path / "runs").mkdir()
    process = subprocess.Popen([COMMAND, "generate", "--like", "enwiki-2013", "--memory", "16MiB",
                                "--temporary-directory", tmp_path / "runs", "-o", tmp_path / "a.k2m"])
    time.sleep(0.5)
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=60) == -signal.SIGTERM
    assert [each.name for each in tmp_path.iterdir()] == ["runs"] and not list((tmp_path / "runs").iterdir())


def test_the_least_memory_is_said_at_once(tmp_path):
    message = fail("generate", "--like", "it-2004", "--memory", "15MiB", "-o", tmp_path / "a.k2m", code=2)
    assert "at least 16MiB is needed" in message
    assert list(tmp_path.iterdir()) == []


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
    (["relation", "--shape", "9x9", "--edges", "82"], 2),
    (["relation", "--skew", "3"], 2),
    (["relation", "--repeat", "1.5"], 2),
])
def test_impossible_wishes(arguments, code, tmp_path):
    fail("generate", *arguments, "-o", tmp_path / "a.k2m", code=code)
    assert list(tmp_path.iterdir()) == []
