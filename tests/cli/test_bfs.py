"""bfs against networkx."""

import networkx
import numpy as np
import pytest
from conftest import TRIPLE_NAMES, fail, random_matrix, succeed, write_matrix


@pytest.fixture(params=[150, 400])
def sparse(request, tmp_path):
    """Random graphs that fall into several parts, with their networkx twins."""
    cells, _ = random_matrix(150, 150, request.param, seed=request.param)
    graph = networkx.DiGraph()
    graph.add_nodes_from(range(150))
    graph.add_edges_from(cells)
    return write_matrix(tmp_path / "a.mtx", cells, (150, 150)), graph


def reference(graph, sources):
    distances = np.full(len(graph), -1, np.int32)
    for source in sources:
        for vertex, distance in networkx.single_source_shortest_path_length(graph, source).items():
            if distances[vertex] < 0 or distance < distances[vertex]:
                distances[vertex] = distance
    return distances


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("sources", [[0], [149], [3, 77, 3, 120]])
def test_distances_and_parents(sparse, reverse, sources, tmp_path):
    path, graph = sparse
    report = succeed("bfs", path, "--source", ",".join(map(str, sources)), "-o", tmp_path / "d.npy",
                     "--parents", tmp_path / "p.npy", *(["--reverse"] if reverse else []),
                     "--json").json
    distances, parents = np.load(tmp_path / "d.npy"), np.load(tmp_path / "p.npy")
    graph = graph.reverse() if reverse else graph
    wanted = reference(graph, sources)
    assert distances.dtype == np.int32 and np.array_equal(distances, wanted)
    assert parents.dtype == np.int64
    for vertex in range(150):
        if wanted[vertex] < 0:
            assert parents[vertex] == -1
        elif wanted[vertex] == 0:
            assert parents[vertex] == vertex
        else:
            assert parents[vertex] == min(u for u in graph.predecessors(vertex)
                                          if wanted[u] == wanted[vertex] - 1)
    levels = [int((wanted == level).sum()) for level in range(wanted.max() + 1)]
    assert report["reached_per_level"] == levels
    assert report["reached"] == sum(levels) and report["levels"] == len(levels)
    assert report["sources"] == sources and report["reverse"] is reverse


def test_sources_may_be_repeated(sparse):
    once = succeed("bfs", sparse[0], "--source", "3,77", "--json").json
    twice = succeed("bfs", "--source", 3, "--source", 77, sparse[0], "--json").json
    assert once["reached_per_level"] == twice["reached_per_level"]


def test_names(labelled, tmp_path):
    succeed("bfs", labelled, "--source", "git", "--relation", "Depends", "-o", tmp_path / "d.npy")
    assert np.load(tmp_path / "d.npy").tolist() == [-1, -1, 0, -1, 1, 1]
    by_number = succeed("bfs", labelled, "--source", TRIPLE_NAMES.index("git"), "--json").json
    by_name = succeed("bfs", labelled, "--source", "git", "--json").json
    assert by_number["sources"] == by_name["sources"] == [2]
    both = succeed("bfs", labelled, "--source", "git,bash", "--json").json
    assert both["sources"] == [2, 0]


def test_names_with_commas_and_digits(tmp_path):
    (tmp_path / "a.tsv").write_text("x,y\tknows\t1\n1\tknows\tz\n")
    found = succeed("bfs", tmp_path / "a.tsv", "--from", "triples", "--order", "bytes", "--source",
                    "x,y", "--json").json
    assert found["sources"] == [1] and found["reached"] == 3
    assert succeed("bfs", tmp_path / "a.tsv", "--from", "triples", "--order", "bytes", "--source",
                   "1", "--json").json["sources"] == [0]


def test_many_levels_are_abbreviated(tmp_path):
    path = write_matrix(tmp_path / "path.mtx", [(i, i + 1) for i in range(999)], (1000, 1000))
    lines = succeed("bfs", path, "--source", 0).out.splitlines()
    assert len(lines) < 25 and lines[-1].split() == ["999", "1"]
    assert any(line.split() == ["...", "..."] for line in lines)
    assert succeed("bfs", path, "--source", 0, "--json").json["reached_per_level"] == [1] * 1000
    few = succeed("bfs", path, "--source", 983).out.splitlines()
    assert [line.split()[0] for line in few[2:]] == [str(level) for level in range(17)]


@pytest.mark.parametrize("shape, cells, source, wanted", [
    ((1, 1), [], 0, [0]),
    ((1, 1), [(0, 0)], 0, [0]),
    ((1, 4), [(0, 3)], 0, [0, -1, -1, 1]),
    ((4, 1), [(3, 0)], 3, [1, -1, -1, 0]),
])
def test_tiny(shape, cells, source, wanted, tmp_path):
    path = write_matrix(tmp_path / "a.mtx", cells, shape)
    succeed("bfs", path, "--source", source, "-o", tmp_path / "d.npy")
    assert np.load(tmp_path / "d.npy").tolist() == wanted


@pytest.mark.parametrize("source, part", [
    ("150", "there is no vertex '150'; vertices are 0 to 149"),
    ("4294967296", "'4294967296'"),
    ("99999999999999999999", "'99999999999999999999'"),
    ("-1", "'-1'"),
    ("home", "'home'"),
    ("1,,2", "''"),
    ("1,", "''"),
])
def test_unknown_sources(sparse, source, part):
    message = fail("bfs", sparse[0], f"--source={source}")
    assert "a.mtx" in message and part in message


def test_a_graph_without_vertices(tmp_path):
    path = write_matrix(tmp_path / "a.mtx", [], (0, 0))
    assert "vertices are none" in fail("bfs", path, "--source", 0)


def test_unknown_name(labelled):
    assert "or their names" in fail("bfs", labelled, "--source", "emacs")
