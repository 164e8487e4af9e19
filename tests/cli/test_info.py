"""info and verify: the figures of a graph, against what its cells say and what is known of real ones."""

import csv

import numpy as np
import pytest
from conftest import SHARED_DATA, fail, random_matrix, succeed, write_matrix

# The kinds of containers, in the order in which info lists them.
KINDS = ["quadtree", "elias_fano", "bitmap_tree", "lines", "runs"]


def nodes_per_level(cells, shape):
    """The nodes of a k2-tree, by grouping the cells into ever smaller squares."""
    levels = 1
    while 2**levels < max(shape):
        levels += 1
    return [len({(r >> (levels - level), c >> (levels - level)) for r, c in cells})
            for level in range(levels)]


def check_figures(figures, cells, shape):
    expected = nodes_per_level(cells, shape)
    assert (figures["rows"], figures["cols"], figures["nnz"]) == (*shape, len(cells))
    assert figures["layout"] == "level-order"
    assert figures["levels"] == len(expected)
    assert figures["nodes_per_level"] == expected
    assert figures["nodes"] == sum(expected)
    assert figures["bits_per_edge"] == (4 * sum(expected) / len(cells) if cells else 0)
    parts = dict(figures["bytes"])
    assert parts.pop("total") == sum(parts.values())
    assert figures["csr_bytes"] == 4 * (len(cells) + shape[0] + 1)


def check_census(found, cells, shape):
    assert (found["rows"], found["cols"], found["nnz"]) == (*shape, len(cells))
    assert found["checksum"] == sum(r * shape[1] + c for r, c in cells) % 2**64
    assert found["diagonal"] == sum(r == c for r, c in cells)


def test_small(small, tmp_path):
    source, shape, cells = small
    succeed("build", source, "-o", tmp_path / "a.k2m")
    for path, format_name in [(source, "mtx"), (tmp_path / "a.k2m", "k2m")]:
        figures = succeed("info", path, "--json").json
        check_figures(figures, cells, shape)
        assert figures["format"] == format_name
        assert figures["file_bytes"] == path.stat().st_size
        assert succeed("info", path).out
        found = succeed("verify", path, "--json").json
        check_census(found, cells, shape)
        assert found["sound"] is True
        assert succeed("verify", path).out


@pytest.mark.parametrize("rows, cols", [(100, 100), (1000, 3), (129, 128)])
def test_adaptive(rows, cols, tmp_path):
    cells, _ = random_matrix(rows, cols, 500, seed=rows)
    source = write_matrix(tmp_path / "a.mtx", cells, (rows, cols))
    path = tmp_path / "a.k2m"
    succeed("build", source, "-o", path, "--layout", "adaptive")
    figures = succeed("info", path, "--json").json
    assert (figures["rows"], figures["cols"], figures["nnz"]) == (rows, cols, len(cells))
    assert figures["layout"] == "adaptive"
    assert figures["leaves"] == len({(r // 8, c // 8) for r, c in cells})
    assert figures["containers"] == sum(figures["containers_by_kind"].values())
    parts = dict(figures["bytes"])
    assert parts.pop("total") == sum(parts.values())
    stored = sum(bytes for part, bytes in parts.items() if part != "table")
    assert figures["bits_per_edge"] == pytest.approx(8 * stored / len(cells))
    assert "adaptive" in succeed("info", path).out
    check_census(succeed("verify", path, "--json").json, cells, (rows, cols))


@pytest.mark.parametrize("rows, cols", [(100, 100), (1000, 3), (129, 128)])
def test_random(rows, cols, tmp_path):
    cells, _ = random_matrix(rows, cols, 500, seed=rows)
    path = write_matrix(tmp_path / "a.mtx", cells, (rows, cols))
    check_figures(succeed("info", path, "--json").json, cells, (rows, cols))
    check_census(succeed("verify", path, "--json").json, cells, (rows, cols))


def test_largest_dimensions(tmp_path):
    side = 2**32 - 1
    cells = [(0, side - 1), (side - 1, 0), (side - 1, side - 1)]
    path = write_matrix(tmp_path / "a.mtx", cells, (side, side))
    succeed("build", path, "-o", tmp_path / "a.k2m")
    check_figures(succeed("info", tmp_path / "a.k2m", "--json").json, cells, (side, side))
    check_census(succeed("verify", tmp_path / "a.k2m", "--json").json, cells, (side, side))


def test_text_shows_the_figures(square):
    path, cells, _ = square
    text = succeed("info", path).out
    assert "70 x 70" in text and str(len(cells)) in text and "level-order" in text
    assert "sound" in succeed("verify", path).out


def test_adaptive(small, tmp_path):
    source, shape, cells = small
    path = tmp_path / "a.k2m"
    succeed("build", source, "--layout", "adaptive", "-o", path)
    figures = succeed("info", path, "--json").json
    assert (figures["rows"], figures["cols"], figures["nnz"]) == (*shape, len(cells))
    assert figures["layout"] == "adaptive"
    assert figures["leaves"] == len({(r // 8, c // 8) for r, c in cells})
    assert figures["containers"] == sum(figures["containers_by_kind"].values())
    assert list(figures["containers_by_kind"]) == KINDS
    assert len(figures["class_widths"]) == 4
    parts = dict(figures["bytes"])
    assert parts.pop("total") == sum(parts.values())
    assert parts["payload"] == sum(figures["payload_bytes"].values())
    assert parts["dictionary"] == 8 * figures["patterns"]
    kept = parts["containers"] + parts["payload"] + parts["dictionary"]
    assert figures["bits_per_edge"] == (8 * kept / len(cells) if cells else 0)
    text = succeed("info", path).out
    assert "adaptive" in text and all(kind in text for kind in KINDS)
    check_census(succeed("verify", path, "--json").json, cells, shape)


def test_relations(labelled, tmp_path):
    succeed("build", labelled, "-o", tmp_path / "a.k2m")
    for path in [labelled, tmp_path / "a.k2m"]:
        figures = succeed("info", path, "--json").json
        assert figures["relation"] == "*" and figures["nnz"] == 6
        assert figures["named_vertices"] == 6
        by_name = {each["name"]: each for each in figures["relations"]}
        assert list(by_name) == ["*", "Depends", "Recommends", "Suggests"]
        assert [each["nnz"] for each in by_name.values()] == [6, 4, 2, 1]
        chosen = succeed("info", path, "--relation", "Depends", "--json").json
        assert chosen["relation"] == "Depends"
        for key in ["nnz", "nodes", "nodes_per_level", "bits_per_edge", "bytes"]:
            assert chosen[key] == by_name["Depends"][key]
        found = succeed("verify", path, "--relation", "Suggests", "--json").json
        assert found["nnz"] == 1 and found["checksum"] == 1
        assert [each["nnz"] for each in found["relations"]] == [6, 4, 2, 1]
    assert "Recommends" in succeed("info", labelled).out


def test_json_numbers_are_exact(square):
    path, cells, _ = square
    figures = succeed("info", path, "--json").json
    assert figures["bits_per_edge"] == 4 * figures["nodes"] / len(cells)


def test_unknown_relation(labelled):
    assert "Breaks" in fail("info", labelled, "--relation", "Breaks")


def expected_rows(graph):
    with open(SHARED_DATA / "expected.tsv", newline="") as table:
        return [row for row in csv.DictReader(table, delimiter="\t") if row["graph"] == graph]


@pytest.mark.skipif(not (SHARED_DATA / "expected.tsv").is_file(), reason="no real graphs here")
@pytest.mark.parametrize("graph, file", [("cnr-2000", "cnr-2000.graph"),
                                         ("codex-m", "codex-m.tsv.gz"),
                                         ("debian-packages", "debian-packages.tsv.gz")])
def test_real_graphs(graph, file, tmp_path):
    built = tmp_path / "graph.k2m"
    succeed("build", SHARED_DATA / file, "-o", built, "--quiet")
    info = succeed("info", built, "--json").json
    found = succeed("verify", built, "--json", "--quiet").json
    figures = {each["name"]: each for each in info.get("relations", [{**info, "name": "*"}])}
    counts = {each["name"]: each for each in found.get("relations", [{**found, "name": "*"}])}
    rows = expected_rows(graph)
    assert {row["relation"] for row in rows} == set(figures) == set(counts)
    for row in rows:
        ours, cells = figures[row["relation"]], counts[row["relation"]]
        for key in ["rows", "cols", "nnz", "levels", "nodes"]:
            assert ours[key] == int(row[key])
        assert ours["nodes_per_level"] == list(map(int, row["nodes_per_level"].split(",")))
        assert np.isclose(ours["bits_per_edge"], float(row["bits_per_edge"]), rtol=1e-4)
        for key in ["nnz", "checksum", "diagonal"]:
            assert cells[key] == int(row[key])
