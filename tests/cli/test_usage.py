"""Help, version, exit codes and the messages of bad usage."""

import os
import re

import pytest
from conftest import fail, run, succeed, write_matrix

COMMANDS = ["build", "info", "verify", "export", "mxv", "pagerank", "bfs", "reach", "hits", "components",
            "centrality", "diameter", "triangles", "cores", "generate"]


def test_help_names_every_command():
    text = succeed("--help").out
    assert text.splitlines()[1].startswith("Usage: baltoro [OPTIONS]")
    for command in COMMANDS:
        assert re.search(rf"^  {command}\b", text, re.MULTILINE)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_has_examples(command):
    text = succeed(command, "--help").out
    assert re.match(rf"Usage: baltoro {command} [^b]", text.splitlines()[1])
    assert re.search(rf"Examples?:\n  baltoro {command} ", text)


@pytest.mark.parametrize("command", [c for c in COMMANDS if c != "generate"])
def test_common_options_everywhere(command):
    text = succeed(command, "--help").out
    for option in ["--threads", "--json", "--quiet"]:
        assert option in text


def test_version_says_whether_the_gpu_is_in():
    lines = succeed("--version").out.splitlines()
    assert re.fullmatch(r"baltoro \d+\.\d+\.\d+", lines[0])
    assert re.fullmatch(r"CUDA: .+", lines[1])


@pytest.mark.parametrize("arguments, part", [
    ([], "a command is needed; there are build, info, verify"),
    (["frobnicate"], "unknown command 'frobnicate'"),
    (["--frobnicate"], "unknown option '--frobnicate'"),
    (["info"], "FILE is required"),
    (["info", "a", "b"], "b"),
    (["info", "a", "--frobnicate"], "--frobnicate"),
    (["build", "a.mtx"], "--output is required"),
    (["build", "-o", "a.k2m"], "IN"),
    (["build", "a.mtx", "-o", "a.mtx"], "'a.mtx': the name must end in .k2m"),
    (["build", "a.mtx", "-o", "a.k2m", "--shape", "3"], "--shape: '3' is not a shape"),
    (["build", "a.mtx", "-o", "a.k2m", "--shape", "3x-1"], "'3x-1' is not a shape"),
    (["build", "a.mtx", "-o", "a.k2m", "--shape", "4294967296x1"], "is not a shape"),
    (["build", "a.mtx", "-o", "a.k2m", "--memory", "4XB"], "--memory: '4XB' is not a size"),
    (["build", "a.mtx", "-o", "a.k2m", "--memory", "-4"], "'-4' is not a size"),
    (["build", "a.mtx", "-o", "a.k2m", "--memory", "99999999999GiB"], "is not a size"),
    (["build", "a.mtx", "-o", "a.k2m", "--from", "csv"],
     "--from: 'csv' is not one of auto|mtx|edges|bvgraph|triples|k2m"),
    (["build", "a.mtx", "-o", "a.k2m", "--layout", "flat"], "'flat' is not one of level-order|adaptive"),
    (["build", "a.mtx", "-o", "a.k2m", "--index-base", "2"], "'2' is not one of 0|1"),
    (["info", "a", "--threads", "0"], "'0' is not a number from 1 to 4096"),
    (["info", "a", "--threads", "many"], "--threads"),
    (["export", "a", "-o", "a.csv"], "the name must end in .mtx or .tsv"),
    (["export", "a", "-o", "a.mtx.gz"], "compressed files are not written"),
    (["export", "a", "-o", "-"], "--format"),
    (["export", "a", "-o", "-", "--format", "tsv", "--json"], "standard output"),
    (["mxv", "a", "x.npy"], "Y is required"),
    (["mxv", "a", "x.npy", "y.npy", "--semiring", "max_plus"], "plus_times|lor_land|min_plus"),
    (["mxv", "a", "x.npy", "y.npy", "--device", "tpu"], "'tpu' is not one of auto|cpu|cuda"),
    (["mxv", "a", "x.npy", "-"], "standard output"),
    (["pagerank", "a", "--damping", "much"], "--damping: 'much' is not a number"),
    (["pagerank", "a", "--tol", "nan"], "'nan' is not a number"),
    (["pagerank", "a", "--damping", "1"], "--damping: '1' is not at least 0 and below 1"),
    (["pagerank", "a", "--damping", "-0.1"], "--damping: '-0.1' is not at least 0 and below 1"),
    (["pagerank", "a", "--tol", "0"], "--tol: '0' is not above 0"),
    (["info", "a", "--memory", "4"], "--memory: '4' is 4 bytes; at least 16MiB"),
    (["pagerank", "a", "--top", "-1"], "'-1' is not a count"),
    (["bfs", "a"], "--source is required"),
    (["reach", "a"], "--source is required"),
    (["reach", "a", "--source", "0", "--max-levels", "-1"], "--max-levels"),
    (["hits", "a", "--tol", "0"], "--tol: '0' is not above 0"),
    (["hits", "a", "--hubs", "x.npy", "--authorities", "x.npy"], "name the same file"),
    (["diameter", "a", "--searches", "0"], "--searches: '0' is not above 0"),
    (["centrality", "a", "--attenuation", "much"], "--attenuation: 'much' is not a number"),
    (["pagerank", "a", "--seeds", "0", "--personalization", "p.npy"], "two ways to say"),
    (["components", "a", "-o", "-"], "standard output"),
    (["generate"], "A model (web, merkle, social, citation, relation, rmat, uniform) or --like NAME is required"),
    (["generate", "tree", "-o", "a.k2m"], "unknown command 'tree'"),
    (["generate", "web", "-o", "a.txt"], "the name must end in .k2m, .mtx or .tsv"),
    (["generate", "web", "-o", "-", "--format", "k2m"], "standard output"),
    (["generate", "rmat", "--scale", "32", "-o", "a.k2m"], "'32' is more than 31"),
    (["generate", "rmat", "--a", "1.5", "-o", "a.k2m"], "--a: '1.5' is not from 0 to 1"),
    (["generate", "rmat", "--b", "0.4", "--c", "0.4", "-o", "a.k2m"], "--a, --b and --c: the sum of 0.57, 0.4 and 0.4"),
    (["generate", "web", "--degree", "-1", "-o", "a.k2m"], "--degree: '-1' is not from 0 to 1000000"),
    (["generate", "uniform", "--shape", "0x7", "-o", "a.k2m"], "--shape: a 0x7 matrix has no cells"),
])
def test_bad_usage(arguments, part, tmp_path):
    message = fail(*arguments, code=2, cwd=tmp_path)
    assert part in message
    assert re.search(r"\(see 'baltoro( \w+)* --help'\)$", message)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("size, size_bytes", [
    ("1048576", 1048576), ("1MiB", 1 << 20), ("1mib", 1 << 20), ("1M", 1 << 20), ("3MB", 3000000),
    ("1.5k", 1536), ("15kb", 15000), ("7B", 7),
])
def test_small_sizes_are_refused_by_their_bytes(size, size_bytes, tmp_path):
    source = write_matrix(tmp_path / "a.mtx", [(0, 1)], (2, 2))
    message = fail("build", source, "-o", tmp_path / "a.k2m", "--memory", size, code=2)
    assert f"--memory: '{size}' is {size_bytes} bytes; at least 16MiB" in message


@pytest.mark.parametrize("size", ["16MiB", "500MB", "1.5GiB", "4GiB", "1TiB", "0"])
def test_sizes(size, tmp_path):
    source = write_matrix(tmp_path / "a.mtx", [(0, 1)], (2, 2))
    succeed("build", source, "-o", tmp_path / "a.k2m", "--memory", size)


def test_quiet_prints_nothing(tmp_path):
    source = write_matrix(tmp_path / "a.mtx", [(0, 1)], (2, 2))
    assert succeed("build", source, "-o", tmp_path / "a.k2m", "--quiet").out == ""
    assert succeed("export", source, "-o", tmp_path / "a.tsv", "--quiet").out == ""


def test_names_with_spaces_and_line_ends(tmp_path):
    source = write_matrix(tmp_path / "my graph.mtx", [(0, 1)], (2, 2))
    assert succeed("info", source, "--json").json["nnz"] == 1
    message = fail("info", tmp_path / "no\nsuch\x1b[31m.mtx")
    assert "no\\x0asuch\\x1b[31m.mtx" in message
    assert "caf\\xe9.mtx" in fail("info", os.fsencode(tmp_path) + b"/caf\xe9.mtx")
    assert "caf\u00e9.mtx" in fail("info", tmp_path / "caf\u00e9.mtx")


OPTIONS_OF_EDGE_LISTS = [["--index-base", "0"], ["--index-base", "1"], ["--skip-lines", "0"], ["--skip-lines", "2"]]
OPTIONS_OF_TRIPLES = [["--order", "auto"], ["--order", "bytes"]]


def refused(path, option, reason, commands=("info", "build")):
    """Whether commands refuse the option before they write anything."""
    for command in commands:
        target = ["-o", path.with_name("refused.k2m")] if command == "build" else []
        assert f"{option[0]} does not apply to {reason} (see " in fail(command, path, *target, *option, code=2)
    assert not path.with_name("refused.k2m").exists()


@pytest.mark.parametrize("option", OPTIONS_OF_EDGE_LISTS + OPTIONS_OF_TRIPLES)
def test_reading_options_do_not_suit_a_k2m_file(option, square):
    refused(square[0], option, "a .k2m file")


def test_a_k2m_file_is_opened_in_its_shape_and_built_in_another(square, tmp_path):
    refused(square[0], ["--shape", "99x99"], "a .k2m file", commands=["info"])
    built = succeed("build", square[0], "--shape", "99x99", "-o", tmp_path / "a.k2m", "--json").json
    assert (built["rows"], built["nnz"]) == (99, len(square[1]))


@pytest.mark.parametrize("option", OPTIONS_OF_EDGE_LISTS + OPTIONS_OF_TRIPLES)
def test_reading_options_do_not_suit_a_matrix_market_file(option, tmp_path):
    refused(write_matrix(tmp_path / "a.mtx", [(0, 1)], (2, 2)), option, "a Matrix Market file")


def test_reading_options_of_edge_lists_and_triples(labelled, tmp_path):
    (tmp_path / "a.tsv").write_text("1 2\n2 1\n")
    for option in OPTIONS_OF_EDGE_LISTS:
        refused(labelled, option, "a file of triples")
    for option in OPTIONS_OF_TRIPLES:
        refused(tmp_path / "a.tsv", option, "an edge list")
        succeed("info", labelled, *option)
    refused(tmp_path / "a.tsv", ["--no-union"], "an edge list", commands=["build"])
    # What --from says counts, not what the file looks like.
    refused(labelled, ["--order", "bytes", "--from", "edges"], "an edge list")
    succeed("info", tmp_path / "a.tsv", "--index-base", "1")


def test_a_reading_option_that_suits_one_of_several_files(tmp_path):
    (tmp_path / "a.tsv").write_text("1 2\n")
    matrix = write_matrix(tmp_path / "b.mtx", [(0, 0)], (2, 2))
    built = succeed("build", matrix, tmp_path / "a.tsv", "--index-base", "1", "-o", tmp_path / "a.k2m", "--json").json
    assert (built["rows"], built["nnz"]) == (2, 2)
