"""pagerank against networkx."""

import networkx
import numpy as np
import pytest
from conftest import TRIPLE_NAMES, fail, random_matrix, run, succeed, write_matrix


def graph_of(cells, vertices):
    graph = networkx.DiGraph()
    graph.add_nodes_from(range(vertices))
    graph.add_edges_from(cells)
    return graph


def reference(graph, vertices, **options):
    ranks = networkx.pagerank(graph, tol=1e-15, max_iter=5000, **options)
    return np.array([ranks[v] for v in range(vertices)])


@pytest.fixture
def web(tmp_path):
    """A graph with vertices that have no successors, its file and its networkx twin."""
    cells, _ = random_matrix(120, 120, 250, seed=3)
    graph = graph_of(cells, 120)
    assert any(degree == 0 for _, degree in graph.out_degree())
    return write_matrix(tmp_path / "web.mtx", cells, (120, 120)), graph


def ranks_of(*arguments, tmp_path):
    succeed("pagerank", *arguments, "-o", tmp_path / "r.npy", "--tol", "1e-13", "--quiet")
    ranks = np.load(tmp_path / "r.npy")
    assert ranks.dtype == np.float64
    assert abs(ranks.sum() - 1) < 1e-12
    return ranks


@pytest.mark.parametrize("damping", [0, 0.5, 0.85, 0.99])
def test_uniform(web, damping, tmp_path):
    path, graph = web
    ranks = ranks_of(path, "--damping", damping, tmp_path=tmp_path)
    assert np.abs(ranks - reference(graph, 120, alpha=damping)).max() < 1e-8


@pytest.mark.parametrize("dangling", ["uniform", "personalization"])
def test_personalization(web, dangling, tmp_path):
    path, graph = web
    weights = np.random.default_rng(9).random(120)
    weights[::3] = 0
    np.save(tmp_path / "p.npy", weights)
    ranks = ranks_of(path, "--personalization", tmp_path / "p.npy", "--dangling", dangling,
                     tmp_path=tmp_path)
    options = {"personalization": dict(enumerate(weights))}
    if dangling == "uniform":
        options["dangling"] = {v: 1 for v in range(120)}
    assert np.abs(ranks - reference(graph, 120, **options)).max() < 1e-8


def test_float32_weights(web, tmp_path):
    path, graph = web
    weights = np.ones(120, np.float32)
    np.save(tmp_path / "p.npy", weights)
    ranks = ranks_of(path, "--personalization", tmp_path / "p.npy", tmp_path=tmp_path)
    assert np.abs(ranks - reference(graph, 120)).max() < 1e-8


def test_report(web, tmp_path):
    path, _ = web
    report = succeed("pagerank", path, "-o", tmp_path / "r.npy", "--top", 5, "--json").json
    ranks = np.load(tmp_path / "r.npy")
    assert report["converged"] is True and report["change"] < 1e-9
    assert (report["vertices"], report["damping"]) == (120, 0.85)
    assert report["working_set"]["total_bytes"] > 0
    best = sorted(range(120), key=lambda v: (-ranks[v], v))[:5]
    assert [entry["vertex"] for entry in report["top"]] == best
    assert [entry["rank"] for entry in report["top"]] == [ranks[v] for v in best]


def test_text_lists_the_top(web):
    lines = succeed("pagerank", web[0], "--top", 3, "--quiet").out.splitlines()
    assert lines[0].split() == ["rank", "vertex"] and len(lines) == 4
    assert len(succeed("pagerank", web[0], "--top", 1000, "--quiet").out.splitlines()) == 121
    assert succeed("pagerank", web[0], "--top", 0, "--quiet").out == ""


def test_names(labelled):
    report = succeed("pagerank", labelled, "--json").json
    assert report["top"][0]["name"] == "libc6"
    assert all(TRIPLE_NAMES[entry["vertex"]] == entry["name"] for entry in report["top"])
    assert "libc6" in succeed("pagerank", labelled).out
    chosen = succeed("pagerank", labelled, "--relation", "Suggests", "--json").json
    assert chosen["top"][0]["name"] == "bash-doc"


def test_stopping_early_is_said(web):
    result = run("pagerank", web[0], "--max-iterations", 3, "--tol", "1e-300", "--json")
    assert result.code == 0
    assert (result.json["iterations"], result.json["converged"]) == (3, False)
    assert result.err.startswith("baltoro: note: stopped after 3 iterations")


def test_no_iteration(web):
    result = run("pagerank", web[0], "--max-iterations", 0)
    assert result.code == 0 and "; 0 iterations in " in result.out
    assert result.err == "baltoro: note: no iteration was made; the ranks are those to start from\n"
    assert "change" not in result.out


@pytest.mark.parametrize("vertices, cells", [(0, []), (1, []), (1, [(0, 0)]), (5, [])])
def test_tiny(vertices, cells, tmp_path):
    path = write_matrix(tmp_path / "a.mtx", cells, (vertices, vertices))
    succeed("pagerank", path, "-o", tmp_path / "r.npy")
    assert np.allclose(np.load(tmp_path / "r.npy"), np.full(vertices, 1 / max(vertices, 1)))


def test_an_edge_list_need_not_be_square(tmp_path):
    (tmp_path / "links.tsv").write_text("0 1\n1 4\n")
    ranks = ranks_of(tmp_path / "links.tsv", tmp_path=tmp_path)
    assert np.abs(ranks - reference(graph_of([(0, 1), (1, 4)], 5), 5)).max() < 1e-8


@pytest.mark.parametrize("options, part", [
    (["--personalization", "{p}"], "p.npy: 3 x 1 weights, but the graph has 120 vertices"),
])
def test_unsuitable_options(web, options, part, tmp_path):
    np.save(tmp_path / "p.npy", np.ones(3))
    options = [each.format(p=tmp_path / "p.npy") for each in options]
    assert part in fail("pagerank", web[0], *options, "-o", tmp_path / "r.npy")
    assert not (tmp_path / "r.npy").exists()


@pytest.mark.parametrize("weights", [np.zeros(120), -np.ones(120), np.full(120, np.nan)])
def test_weights_that_are_no_distribution(web, weights, tmp_path):
    np.save(tmp_path / "p.npy", weights)
    assert "web.mtx" in fail("pagerank", web[0], "--personalization", tmp_path / "p.npy")
