"""build and export: every input format, and back to the same cells."""

import gzip
import os

import pytest
import scipy.io
import scipy.sparse
from conftest import (TRIPLES, TRIPLE_NAMES, exported_cells, fail, random_matrix, run, succeed,
                      write_matrix)


def test_round_trip(small, tmp_path):
    source, shape, cells = small
    built = tmp_path / "built.k2m"
    figures = succeed("build", source, "-o", built, "--json").json
    assert (figures["rows"], figures["cols"], figures["nnz"]) == (*shape, len(cells))
    assert exported_cells(built, tmp_path) == sorted(cells)
    target = tmp_path / "again.mtx"
    succeed("export", built, "-o", target)
    lines = target.read_text().splitlines()
    assert lines[0].split()[1:] == ["matrix", "coordinate", "pattern", "general"]
    entries = [line for line in lines if not line.startswith("%")]
    assert entries[0].split() == [str(shape[0]), str(shape[1]), str(len(cells))]
    assert entries[1:] == [f"{r + 1} {c + 1}" for r, c in sorted(cells)]


@pytest.mark.parametrize("size", [2, 15, 16, 17, 63, 64, 65, 500])
def test_round_trip_of_random_matrices(size, tmp_path):
    cells, dense = random_matrix(size, size + 3, 4 * size, seed=size)
    source = write_matrix(tmp_path / "a.mtx", cells[::-1], dense.shape)
    succeed("build", source, "-o", tmp_path / "a.k2m", "--quiet")
    assert exported_cells(tmp_path / "a.k2m", tmp_path) == cells
    succeed("export", tmp_path / "a.k2m", "-o", tmp_path / "b.mtx", "--quiet")
    assert (scipy.io.mmread(tmp_path / "b.mtx") != dense).nnz == 0


@pytest.mark.parametrize("size", [1, 8, 9, 64, 700])
def test_round_trip_of_adaptive_matrices(size, tmp_path):
    cells, dense = random_matrix(size, size + 3, 4 * size, seed=size)
    source = write_matrix(tmp_path / "a.mtx", cells[::-1], dense.shape)
    figures = succeed("build", source, "-o", tmp_path / "a.k2m", "--layout", "adaptive",
                      "--json").json
    assert (figures["layout"], figures["nnz"]) == ("adaptive", len(cells))
    assert exported_cells(tmp_path / "a.k2m", tmp_path) == cells
    assert succeed("verify", tmp_path / "a.k2m", "--json").json["sound"] is True


def test_edge_list_options(tmp_path):
    source = tmp_path / "links.txt"
    source.write_text("from to\n# comment\n1 2\n3,1\n2\t3\t0.5\n")
    built = tmp_path / "links.k2m"
    figures = succeed("build", source, "--from", "edges", "--skip-lines", 1, "--index-base", 1,
                      "--shape", "4x5", "-o", built, "--json").json
    assert (figures["rows"], figures["cols"]) == (4, 5)
    assert exported_cells(built, tmp_path) == [(0, 1), (1, 2), (2, 0)]


def test_several_inputs_are_united(tmp_path):
    (tmp_path / "a.tsv").write_text("0 1\n1 2\n")
    with gzip.open(tmp_path / "b.tsv.gz", "wt") as packed:
        packed.write("1 2\n5 0\n")
    built = tmp_path / "both.k2m"
    succeed("build", tmp_path / "a.tsv", tmp_path / "b.tsv.gz", "-o", built)
    assert exported_cells(built, tmp_path) == [(0, 1), (1, 2), (5, 0)]


@pytest.mark.parametrize("layout", ["level-order", "adaptive"])
def test_a_memory_limit_gives_the_same_file(layout, tmp_path):
    succeed("generate", "uniform", "--shape", "50000x50000", "--edges", "400k", "-o",
            tmp_path / "a.tsv", "--quiet")
    os.mkdir(tmp_path / "runs")
    succeed("build", tmp_path / "a.tsv", "-o", tmp_path / "free.k2m", "--layout", layout, "--quiet")
    succeed("build", tmp_path / "a.tsv", "-o", tmp_path / "limited.k2m", "--layout", layout,
            "--memory", "16MiB",
            "--temporary-directory", tmp_path / "runs", "--quiet")
    assert (tmp_path / "free.k2m").read_bytes() == (tmp_path / "limited.k2m").read_bytes()
    assert os.listdir(tmp_path / "runs") == []


def test_output_over_the_input(tmp_path):
    path = tmp_path / "a.k2m"
    succeed("generate", "web", "--vertices", 500, "-o", path)
    before = path.read_bytes()
    succeed("build", path, "-o", path)
    assert path.read_bytes() == before
    listed = tmp_path / "a.tsv"
    listed.write_text("3 1\n0 1\n0 1\n")
    succeed("export", listed, "-o", listed)
    assert listed.read_text() == "0\t1\n3\t1\n"


def test_scipy_matrices(tmp_path):
    # README.md: they come as Matrix Market files, and a stored 0 is an edge.
    stored = scipy.sparse.coo_matrix(([2.5, 0.0], ([0, 1], [2, 0])), shape=(3, 3))
    scipy.io.mmwrite(tmp_path / "a.mtx", stored)
    succeed("build", tmp_path / "a.mtx", "-o", tmp_path / "a.k2m")
    assert exported_cells(tmp_path / "a.k2m", tmp_path) == [(0, 2), (1, 0)]
    scipy.sparse.save_npz(tmp_path / "a.npz", stored)
    assert "scipy.io.mmwrite" in fail("info", tmp_path / "a.npz")
    assert "values are dropped" in succeed("build", "--help").out


def test_labelled_graph(labelled, tmp_path):
    built = tmp_path / "packages.k2m"
    figures = succeed("build", labelled, "-o", built, "--json").json
    assert figures["relations"] == ["*", "Depends", "Recommends", "Suggests"]
    for name in ["Depends", "Recommends", "Suggests"]:
        expected = sorted((TRIPLE_NAMES.index(s), TRIPLE_NAMES.index(o))
                          for s, r, o in TRIPLES if r == name)
        target = tmp_path / f"{name}.tsv"
        succeed("export", built, "--relation", name, "-o", target)
        cells = [tuple(map(int, line.split())) for line in target.read_text().splitlines()]
        assert cells == expected
    assert len(exported_cells(built, tmp_path)) == 6


def test_no_union(labelled, tmp_path):
    figures = succeed("build", labelled, "--no-union", "-o", tmp_path / "a.k2m", "--json").json
    assert figures["relations"] == ["Depends", "Recommends", "Suggests"]
    assert figures["nnz"] == 4


@pytest.mark.parametrize("command", [
    ["export", "{in}", "-o", "{out}.tsv"],
    ["mxv", "{in}", "x.npy", "{out}.npy"],
    ["pagerank", "{in}"],
    ["bfs", "{in}", "--source", "git"],
])
def test_one_of_several_relations_must_be_named(command, labelled, tmp_path):
    built = tmp_path / "a.k2m"
    succeed("build", labelled, "--no-union", "-o", built)
    message = fail(*[each.format(**{"in": built, "out": tmp_path / "out"}) for each in command])
    assert "a.k2m: 3 relations and no union" in message and "--relation" in message
    assert "'Depends', 'Recommends', 'Suggests'" in message


def test_the_only_relation_need_not_be_named(tmp_path):
    (tmp_path / "a.tsv").write_text("anna\tknows\tbob\n")
    succeed("build", tmp_path / "a.tsv", "--no-union", "-o", tmp_path / "a.k2m")
    assert exported_cells(tmp_path / "a.k2m", tmp_path) == [(0, 1)]


def test_info_and_verify_show_every_relation_without_a_union(labelled, tmp_path):
    built = tmp_path / "a.k2m"
    succeed("build", labelled, "--no-union", "-o", built)
    for command in ["info", "verify"]:
        report = succeed(command, built, "--json").json
        assert report["relation"] == "Depends"
        assert [each["name"] for each in report["relations"]] == ["Depends", "Recommends", "Suggests"]


def test_export_to_standard_output(square):
    path, cells, _ = square
    text = "".join(f"{r}\t{c}\n" for r, c in cells)
    assert succeed("export", path, "-o", "-", "--format", "tsv").out == text
    assert succeed("export", path, "-o", "/dev/stdout", "--format", "tsv").out == text


def test_export_into_a_redirected_standard_output(square, tmp_path):
    path, cells, _ = square
    with open(tmp_path / "out.tsv", "wb") as out:
        result = run("export", path, "-o", "-", "--format", "tsv", preexec_fn=lambda: os.dup2(out.fileno(), 1))
    assert (result.code, result.err) == (0, "")
    assert (tmp_path / "out.tsv").read_text() == "".join(f"{r}\t{c}\n" for r, c in cells)


def test_unknown_relation(labelled):
    message = fail("export", labelled, "--relation", "Breaks", "-o", "/dev/null", "--format", "tsv")
    assert "packages.tsv" in message and "Breaks" in message and "Depends" in message


@pytest.mark.parametrize("layout", ["level-order", "adaptive"])
def test_every_layout_holds_the_same_cells(layout, small, tmp_path):
    source, shape, cells = small
    built = tmp_path / "a.k2m"
    figures = succeed("build", source, "--layout", layout, "-o", built, "--json").json
    assert figures["layout"] == layout
    assert (figures["rows"], figures["cols"], figures["nnz"]) == (*shape, len(cells))
    assert exported_cells(built, tmp_path) == sorted(cells)


def test_a_layout_is_made_of_another(square, labelled, tmp_path):
    path, cells, _ = square
    there, back, plain = (tmp_path / name for name in ["there.k2m", "back.k2m", "plain.k2m"])
    succeed("build", path, "--layout", "level-order", "-o", plain)
    assert succeed("build", plain, "--layout", "adaptive", "-o", there, "--json").json["layout"] == "adaptive"
    assert exported_cells(there, tmp_path) == cells
    # Without --layout a file stays what it is.
    succeed("build", there, "-o", back)
    assert back.read_bytes() == there.read_bytes()
    succeed("build", there, "--layout", "level-order", "-o", back)
    assert back.read_bytes() == plain.read_bytes()
    # Every relation of a graph, with its names.
    succeed("build", labelled, "--layout", "level-order", "-o", plain)
    succeed("build", plain, "--layout", "adaptive", "-o", there)
    report = succeed("info", there, "--json").json
    assert [each["layout"] for each in report["relations"]] == ["adaptive"] * 4
    assert report["named_vertices"] == 6


def test_a_memory_limit_gives_the_same_adaptive_file(tmp_path):
    succeed("generate", "uniform", "--shape", "50000x50000", "--edges", "400k", "-o",
            tmp_path / "a.tsv", "--quiet")
    os.mkdir(tmp_path / "runs")
    for name, options in [("free", []), ("limited", ["--memory", "16MiB", "--temporary-directory",
                                                     tmp_path / "runs"]), ("one", ["--threads", 1])]:
        succeed("build", tmp_path / "a.tsv", "--layout", "adaptive", "-o", tmp_path / f"{name}.k2m",
                "--quiet", *options)
    free = (tmp_path / "free.k2m").read_bytes()
    assert (tmp_path / "limited.k2m").read_bytes() == free
    assert (tmp_path / "one.k2m").read_bytes() == free
    assert os.listdir(tmp_path / "runs") == []


def test_generate_takes_a_layout(tmp_path):
    for layout in ["level-order", "adaptive"]:
        figures = succeed("generate", "web", "--vertices", 5000, "--layout", layout, "-o",
                          tmp_path / f"{layout}.k2m", "--json").json
        assert figures["layout"] == layout
    cells = [exported_cells(tmp_path / f"{layout}.k2m", tmp_path) for layout in ["level-order", "adaptive"]]
    assert cells[0] == cells[1]
