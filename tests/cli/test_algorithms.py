"""reach, hits, components, centrality, diameter, triangles and cores against networkx."""

import json

import networkx
import numpy as np
import pytest
from conftest import TRIPLE_NAMES, fail, random_matrix, run, succeed, write_matrix

LAYOUTS = ["level-order", "adaptive"]


def graph_of(cells, vertices):
    graph = networkx.DiGraph()
    graph.add_nodes_from(range(vertices))
    graph.add_edges_from(cells)
    return graph


# Disconnected, with loops, with dangling vertices, without edges, of one vertex.
GRAPHS = {
    "one vertex": (1, []),
    "one loop": (1, [(0, 0)]),
    "no edges": (7, []),
    "one edge": (2, [(0, 1)]),
    "parts with loops": (30, [(i, (i + 1) % 10) for i in range(10)] + [(i, i + 1) for i in range(15, 25)] +
                         [(3, 3), (29, 29), (4, 17)]),
    "random sparse": (150, random_matrix(150, 150, 170, seed=1)[0]),
    "random": (150, random_matrix(150, 150, 600, seed=2)[0]),
    "with loops": (60, random_matrix(60, 60, 900, seed=3)[0]),
}


@pytest.fixture(params=[(name, layout) for name in GRAPHS for layout in LAYOUTS],
                ids=lambda param: "-".join(param).replace(" ", "-"))
def each(request, tmp_path):
    """A .k2m file of each graph in each layout, and its networkx twin."""
    name, layout = request.param
    vertices, cells = GRAPHS[name]
    source = write_matrix(tmp_path / "graph.mtx", cells, (vertices, vertices))
    target = tmp_path / "graph.k2m"
    succeed("build", source, "-o", target, "--layout", layout, "--quiet")
    return target, graph_of(cells, vertices)


def values(path, count, dtype):
    found = np.load(path)
    assert found.shape == (count,) and found.dtype == dtype
    return found


def ordered(scores, count):
    return np.array([scores[v] for v in range(count)], float)


@pytest.mark.parametrize("option, turn", [([], lambda g: g), (["--reverse"], lambda g: g.reverse()),
                                          (["--undirected"], lambda g: g.to_undirected())])
def test_reach(each, option, turn, tmp_path):
    path, graph = each
    n = len(graph)
    sources = [v % n for v in (0, 3, 149, 3, 70)]
    report = succeed("reach", path, "--source", ",".join(map(str, sources)), *option, "-o",
                     tmp_path / "d.npy", "--json").json
    table = np.load(tmp_path / "d.npy")
    assert table.dtype == np.int32 and table.shape == (n, len(sources))
    for k, source in enumerate(sources):
        lengths = networkx.single_source_shortest_path_length(turn(graph), source)
        wanted = np.array([lengths.get(v, -1) for v in range(n)])
        assert np.array_equal(table[:, k], wanted)
        entry = report["sources"][k]
        assert entry["vertex"] == source and entry["reached"] == len(lengths)
        assert entry["reached_per_level"] == [int((wanted == d).sum()) for d in range(wanted.max() + 1)]


@pytest.mark.parametrize("option, turn", [([], lambda g: g), (["--undirected"], lambda g: g.to_undirected())])
def test_bfs_distances(each, option, turn, tmp_path):
    path, graph = each
    report = succeed("bfs", path, "--source", 0, *option, "-o", tmp_path / "d.npy", "--json").json
    lengths = networkx.single_source_shortest_path_length(turn(graph), 0)
    found = values(tmp_path / "d.npy", len(graph), np.int32)
    assert found.tolist() == [lengths.get(v, -1) for v in range(len(graph))]
    assert report["push_steps"] + report["pull_steps"] == report["levels"]
    assert report["working_set"]["total_bytes"] > 0


def test_bfs_shows_shortest_paths(each):
    path, graph = each
    last = len(graph) - 1
    for entry in succeed("bfs", path, "--source", 0, "--to", f"0,{last}", "--json").json["paths"]:
        target, vertices = entry["target"], entry["vertices"]
        if not networkx.has_path(graph, 0, target):
            assert vertices == [] and entry["distance"] == -1
            continue
        assert vertices[0] == 0 and vertices[-1] == target
        assert all(graph.has_edge(u, v) for u, v in zip(vertices, vertices[1:]))
        assert len(vertices) - 1 == entry["distance"] == networkx.shortest_path_length(graph, 0, target)


@pytest.mark.parametrize("strong", [False, True])
def test_components(each, strong, tmp_path):
    path, graph = each
    report = succeed("components", path, *(["--strong"] if strong else []), "-o", tmp_path / "c.npy",
                     "--top", 1000, "--json").json
    labels = values(tmp_path / "c.npy", len(graph), np.int64)
    find = networkx.strongly_connected_components if strong else networkx.weakly_connected_components
    wanted = sorted((sorted(part) for part in find(graph)), key=lambda part: part[0])
    for number, part in enumerate(wanted):
        assert set(labels[part]) == {number}
    assert report["components"] == len(wanted) and report["kind"] == ("strong" if strong else "weak")
    assert [(e["component"], e["vertices"], e["smallest_vertex"]) for e in report["top"]] == sorted(
        ((number, len(part), part[0]) for number, part in enumerate(wanted)), key=lambda e: (-e[1], e[0]))


@pytest.mark.parametrize("measure, reference", [
    ("closeness", networkx.closeness_centrality),
    ("harmonic", networkx.harmonic_centrality),
    ("betweenness", networkx.betweenness_centrality),
    ("katz", lambda graph: networkx.katz_centrality_numpy(graph, alpha=0.01)),
])
def test_centrality(each, measure, reference, tmp_path):
    path, graph = each
    options = {"katz": ["--attenuation", "0.01", "--tol", "1e-13"]}.get(measure, ["--samples", 10000])
    report = succeed("centrality", path, "--measure", measure, *options, "-o", tmp_path / "s.npy", "--top", 4,
                     "--json").json
    scores = values(tmp_path / "s.npy", len(graph), np.float64)
    assert np.allclose(scores, ordered(reference(graph), len(graph)), atol=1e-10)
    best = sorted(range(len(graph)), key=lambda v: (-scores[v], v))[:4]
    assert [entry["vertex"] for entry in report["top"]] == best
    assert [entry[measure] for entry in report["top"]] == scores[best].tolist()
    assert report["measure"] == measure


@pytest.mark.parametrize("option, turn", [("--reverse", lambda g: g.reverse()),
                                          ("--undirected", lambda g: g.to_undirected())])
def test_closeness_in_other_directions(each, option, turn, tmp_path):
    path, graph = each
    succeed("centrality", path, option, "--samples", 1000, "-o", tmp_path / "s.npy", "--quiet")
    wanted = ordered(networkx.closeness_centrality(turn(graph)), len(graph))
    assert np.allclose(np.load(tmp_path / "s.npy"), wanted, atol=1e-12)


def test_samples_estimate_closeness(tmp_path):
    cells, _ = random_matrix(400, 400, 4000, seed=5)
    path = write_matrix(tmp_path / "a.mtx", cells, (400, 400))
    wanted = ordered(networkx.harmonic_centrality(graph_of(cells, 400)), 400)
    errors = []
    for count in (20, 320):
        report = succeed("centrality", path, "--measure", "harmonic", "--samples", count, "-o", tmp_path / "s.npy",
                         "--json").json
        assert report["sources"] == count
        errors.append(np.abs(np.load(tmp_path / "s.npy") / wanted - 1).mean())
    assert errors[1] < errors[0] < 0.2


def test_hits_and_eigenvector(tmp_path):
    cells, dense = random_matrix(120, 120, 1500, seed=8)
    path = write_matrix(tmp_path / "a.mtx", cells, (120, 120))
    graph = graph_of(cells, 120)
    assert networkx.is_strongly_connected(graph)
    succeed("hits", path, "--tol", "1e-13", "--hubs", tmp_path / "h.npy", "--authorities", tmp_path / "a.npy",
            "--quiet")
    hubs, authorities = networkx.hits(graph, tol=1e-14)
    assert np.allclose(values(tmp_path / "h.npy", 120, np.float64), ordered(hubs, 120), atol=1e-9)
    assert np.allclose(values(tmp_path / "a.npy", 120, np.float64), ordered(authorities, 120), atol=1e-9)
    succeed("centrality", path, "--measure", "eigenvector", "--tol", "1e-13", "-o", tmp_path / "e.npy", "--quiet")
    wanted = networkx.eigenvector_centrality(graph, tol=1e-13, max_iter=10000)
    assert np.allclose(np.load(tmp_path / "e.npy"), ordered(wanted, 120), atol=1e-9)


def test_hits_report(each):
    path, graph = each
    report = succeed("hits", path, "--json", "--tol", "1e-6").json
    assert report["converged"] is True
    assert len(report["top_hubs"]) == len(report["top_authorities"]) == min(10, len(graph))


def test_triangles_and_cores(each, tmp_path):
    path, directed = each
    graph = directed.to_undirected()
    n = len(graph)
    report = succeed("triangles", path, "--symmetrize", "-o", tmp_path / "t.npy", "--top", 1000, "--json").json
    counts = values(tmp_path / "t.npy", n, np.int64)
    graph.remove_edges_from(list(networkx.selfloop_edges(graph)))
    triangles = networkx.triangles(graph)
    assert counts.tolist() == [triangles[v] for v in range(n)]
    assert report["triangles"] == sum(triangles.values()) // 3
    clustering = networkx.clustering(graph)
    for entry in report["top"]:
        assert np.isclose(entry["clustering"], clustering[entry["vertex"]])
    report = succeed("cores", path, "--symmetrize", "-o", tmp_path / "c.npy", "--json").json
    cores = networkx.core_number(graph)
    assert values(tmp_path / "c.npy", n, np.int64).tolist() == [cores[v] for v in range(n)]
    assert report["degeneracy"] == max(cores.values())


def test_a_symmetric_matrix_is_taken_as_it_is(tmp_path):
    cells = [(0, 1), (1, 0), (1, 2), (2, 1), (0, 2), (2, 0), (3, 3)]
    path = write_matrix(tmp_path / "a.mtx", cells, (5, 5))
    assert succeed("triangles", path, "--json").json["triangles"] == 1
    assert succeed("cores", path, "--json").json["degeneracy"] == 2
    for command in ("triangles", "cores"):
        directed = write_matrix(tmp_path / "b.mtx", [(0, 1)], (2, 2))
        message = fail(command, directed)
        assert "b.mtx: the graph is directed" in message and "--symmetrize" in message


def test_diameter(each):
    path, directed = each
    graph = directed.to_undirected()
    part = max(networkx.connected_components(graph), key=len)
    report = succeed("diameter", path, "--searches", 1000, "--json").json
    wanted = networkx.diameter(graph.subgraph(part))
    assert (report["lower"], report["upper"], report["component_vertices"]) == (wanted, wanted, len(part))
    few = succeed("diameter", path, "--searches", 1, "--json").json
    assert few["lower"] <= wanted <= few["upper"] and few["searches"] <= 1


def test_pagerank_of_seeds(each, tmp_path):
    path, graph = each
    n = len(graph)
    seeds = [0, n - 1]
    report = succeed("pagerank", path, "--seeds", f"0,{n - 1}", "--tol", "1e-13", "-o", tmp_path / "r.npy",
                     "--dangling", "personalization", "--json").json
    ranks = np.load(tmp_path / "r.npy")
    assert ranks.shape == (n, 2) and ranks.dtype == np.float64
    for k, seed in enumerate(seeds):
        wanted = networkx.pagerank(graph, personalization={seed: 1}, tol=1e-15, max_iter=5000)
        assert np.abs(ranks[:, k] - ordered(wanted, n)).max() < 1e-8
        assert report["seeds"][k]["seed"] == seed
        best = sorted(range(n), key=lambda v: (-ranks[v, k], v))[:10]
        assert [entry["vertex"] for entry in report["seeds"][k]["top"]] == best


def test_text_files_have_names(labelled, tmp_path):
    succeed("pagerank", labelled, "-o", tmp_path / "r.tsv", "--quiet")
    succeed("pagerank", labelled, "-o", tmp_path / "r.npy", "--quiet")
    ranks = np.load(tmp_path / "r.npy")
    lines = [line.split("\t") for line in (tmp_path / "r.tsv").read_text().splitlines()]
    assert lines[0] == ["vertex", "name", "rank"]
    assert [(int(v), name) for v, name, _ in lines[1:]] == list(enumerate(TRIPLE_NAMES))
    assert [float(rank) for _, _, rank in lines[1:]] == ranks.tolist()
    succeed("reach", labelled, "--source", "git,bash", "-o", tmp_path / "d.tsv", "--quiet")
    lines = [line.split("\t") for line in (tmp_path / "d.tsv").read_text().splitlines()]
    assert lines[0] == ["vertex", "name", "distance from git", "distance from bash"]
    assert lines[1 + TRIPLE_NAMES.index("libc6")][2:] == ["1", "1"]


def test_text_files_without_names(tmp_path):
    path = write_matrix(tmp_path / "a.mtx", [(0, 1)], (2, 2))
    succeed("bfs", path, "--source", 0, "-o", tmp_path / "d.tsv", "--quiet")
    assert (tmp_path / "d.tsv").read_text() == "vertex\tdistance\n0\t0\n1\t1\n"


def test_names_in_tables(labelled):
    assert "libc6" in succeed("hits", labelled).out
    assert "git, 0 edges: git" in succeed("bfs", labelled, "--source", "git", "--to", "git").out
    assert "bash is not reached" in succeed("bfs", labelled, "--source", "git", "--to", "bash").out
    report = succeed("centrality", labelled, "--json").json
    assert report["top"][0]["name"] == "libc6"
    report = succeed("reach", labelled, "--source", "git", "--json").json
    assert report["sources"][0]["name"] == "git"


COMMANDS = {"reach": ["--source", "0"], "hits": [], "components": [], "centrality": [], "diameter": [],
            "triangles": ["--symmetrize"], "cores": ["--symmetrize"]}


@pytest.mark.parametrize("command", COMMANDS)
def test_text_and_quiet(command, square):
    lines = succeed(command, square[0], *COMMANDS[command]).out.splitlines()
    assert lines[0].startswith(f"{square[0]}: 70 vertices, {len(square[1])} edges; ")
    assert lines[1].startswith("working set ")
    quiet = succeed(command, square[0], *COMMANDS[command], "--quiet").out.splitlines()
    assert quiet == lines[2:]
    figures = succeed(command, square[0], *COMMANDS[command], "--json").json
    assert figures["working_set"]["total_bytes"] >= figures["working_set"]["matrix_bytes"] > 0


@pytest.mark.parametrize("command", [c for c in COMMANDS if c not in ("reach",)])
def test_graphs_without_vertices(command, tmp_path):
    path = write_matrix(tmp_path / "a.mtx", [], (0, 0))
    succeed(command, path, *COMMANDS[command], "--json")


@pytest.mark.parametrize("command", ["components", "diameter", "triangles", "cores", "centrality"])
def test_what_runs_on_the_cpu_says_so(command, square):
    message = fail(command, square[0], *COMMANDS[command], "--device", "cuda", code=2)
    assert "--device cuda" in message and "on the CPU only" in message


@pytest.mark.parametrize("options, part", [
    (["--measure", "katz", "--samples", "3"], "--samples does not apply to --measure katz"),
    (["--measure", "betweenness", "--reverse"], "--reverse does not apply to --measure betweenness"),
    (["--tol", "1e-3"], "--tol does not apply to --measure closeness"),
    (["--measure", "eigenvector", "--attenuation", "1"], "--attenuation does not apply to --measure eigenvector"),
    (["--measure", "degree"], "'degree' is not one of closeness|harmonic|betweenness|katz|eigenvector"),
])
def test_options_of_other_measures_are_refused(options, part, square):
    assert part in fail("centrality", square[0], *options, code=2)


def test_an_iteration_that_does_not_converge_says_so(square):
    result = run("centrality", square[0], "--measure", "katz", "--attenuation", "5", "--json")
    assert result.code == 0 and result.json["converged"] is False
    assert result.err.startswith("baltoro: note: stopped after ")
    assert fail("centrality", square[0], "--measure", "katz", "--attenuation", "-1").endswith(
        "attenuation -1: it must be finite and not negative")


@pytest.mark.parametrize("command", ["hits", "pagerank"])
def test_outputs_cannot_be_standard_output(command, square):
    option = "--hubs" if command == "hits" else "-o"
    assert "standard output" in fail(command, square[0], option, "-", code=2)


def test_memory_is_checked_before_the_start(tmp_path):
    path = write_matrix(tmp_path / "a.mtx", [(0, 1)], (2, 2))
    for command, options in {**COMMANDS, "pagerank": [], "bfs": ["--source", "0"]}.items():
        message = fail(command, path, *options, "--shape", "4294967295x4294967295")
        assert "a.mtx" in message and "bytes needed" in message


def test_json_is_one_document(square):
    for command, options in COMMANDS.items():
        json.loads(succeed(command, square[0], *options, "--json").out)
