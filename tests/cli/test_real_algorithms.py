"""Algorithms on the real graphs against SciPy, and networkx where that is fast enough."""

import networkx
import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.csgraph
from conftest import SANITIZED, SHARED_DATA, succeed

FILES = {"cnr-2000": "cnr-2000.graph", "codex-m": "codex-m.tsv.gz", "debian-packages": "debian-packages.tsv.gz",
         "git-v1.8.0": "git-v1.8.0.mtx.zst"}

pytestmark = [
    pytest.mark.skipif(not (SHARED_DATA / "expected.tsv").is_file(), reason="no real graphs here"),
    pytest.mark.skipif(SANITIZED, reason="takes too long under a sanitizer"),
]


@pytest.fixture(scope="module", params=FILES)
def real(request, tmp_path_factory):
    """A .k2m file of each graph in each layout, and the same as a SciPy matrix."""
    folder = tmp_path_factory.mktemp(request.param)
    built = {}
    for layout in ("level-order", "adaptive"):
        built[layout] = folder / f"{layout}.k2m"
        succeed("build", SHARED_DATA / FILES[request.param], "-o", built[layout], "--layout", layout, "--quiet")
    succeed("export", built["adaptive"], "-o", folder / "edges.tsv", "--quiet")
    edges = np.fromfile(folder / "edges.tsv", np.int64, sep=" ").reshape(-1, 2)
    figures = succeed("info", built["adaptive"], "--json").json
    figures = figures.get("relations", [figures])[0]
    n = max(figures["rows"], figures["cols"])
    matrix = scipy.sparse.csr_matrix((np.ones(len(edges)), (edges[:, 0], edges[:, 1])), shape=(n, n))
    return request.param, built, matrix


def both(real, command, *options, files):
    """Runs a command on both layouts, which must agree; yields what it wrote."""
    found = []
    for path in real[1].values():
        targets = {option: path.parent / f"{command}{option}.npy" for option in files}
        succeed(command, path, *options, *(each for pair in targets.items() for each in pair), "--quiet")
        found.append([np.load(target) for target in targets.values()])
    for ours, other in zip(*found):
        assert np.allclose(ours, other, rtol=1e-9, atol=1e-13)
    return found[0]


def hub_of(matrix):
    return int(np.argmax(np.diff(matrix.indptr)))


def test_distances(real):
    matrix = real[2]
    for option, turned in (([], matrix), (["--reverse"], matrix.T.tocsr())):
        source = hub_of(turned)
        distances, = both(real, "bfs", "--source", source, *option, files=["-o"])
        wanted = scipy.sparse.csgraph.dijkstra(turned, indices=source, unweighted=True)
        wanted[np.isinf(wanted)] = -1
        assert np.array_equal(distances, wanted.astype(np.int32))
    distances, = both(real, "bfs", "--source", 0, "--undirected", files=["-o"])
    wanted = scipy.sparse.csgraph.dijkstra(matrix, directed=False, indices=0, unweighted=True)
    wanted[np.isinf(wanted)] = -1
    assert np.array_equal(distances, wanted.astype(np.int32))


def test_many_sources(real):
    matrix = real[2]
    sources = [hub_of(matrix), 0, 17, matrix.shape[0] - 1]
    table, = both(real, "reach", "--source", ",".join(map(str, sources)), files=["-o"])
    for k, source in enumerate(sources):
        wanted = scipy.sparse.csgraph.dijkstra(matrix, indices=source, unweighted=True)
        wanted[np.isinf(wanted)] = -1
        assert np.array_equal(table[:, k], wanted.astype(np.int32))


@pytest.mark.parametrize("kind", ["weak", "strong"])
def test_components(real, kind):
    labels, = both(real, "components", *(["--strong"] if kind == "strong" else []), files=["-o"])
    count, wanted = scipy.sparse.csgraph.connected_components(real[2], connection=kind)
    # The same partition: each of our numbers goes with one of theirs.
    assert len(np.unique(np.stack([labels, wanted]), axis=1).T) == count == labels.max() + 1


def test_pagerank_hits_and_katz(real):
    matrix = real[2]
    n = matrix.shape[0]
    degrees = np.diff(matrix.indptr)
    ranks, = both(real, "pagerank", "--tol", "1e-12", files=["-o"])
    turned = matrix.T.tocsr()
    for _ in range(2):  # a fixed point
        shares = np.divide(ranks, degrees, out=np.zeros(n), where=degrees > 0)
        again = 0.85 * (turned @ shares + ranks[degrees == 0].sum() / n) + 0.15 / n
        assert np.abs(again - ranks).sum() < 1e-11
    hubs, authorities = both(real, "hits", "--tol", "1e-10", files=["--hubs", "--authorities"])
    again = turned @ hubs
    assert np.abs(again / again.sum() - authorities).sum() < 1e-9
    scores, = both(real, "centrality", "--measure", "katz", "--attenuation", 0.0005, "--tol", "1e-10",
                   files=["-o"])
    rest = scores - 0.0005 * (turned @ scores)
    assert np.allclose(rest, rest[0], rtol=1e-6) and np.isclose(np.linalg.norm(scores), 1)


def test_triangles_and_cores(real):
    name, built, matrix = real
    if name == "git-v1.8.0":
        pytest.skip("too many triangles for SciPy")
    symmetric = ((matrix + matrix.T) > 0).astype(np.int64).tolil()
    symmetric.setdiag(0)
    symmetric = symmetric.tocsr()
    symmetric.eliminate_zeros()
    counts, = both(real, "triangles", "--symmetrize", files=["-o"])
    cores, = both(real, "cores", "--symmetrize", files=["-o"])
    if name == "cnr-2000":  # its square has too many cells
        assert counts.sum() == 3 * succeed("triangles", built["adaptive"], "--symmetrize", "--json").json["triangles"]
    else:
        wanted = (symmetric @ symmetric).multiply(symmetric).sum(axis=1).A1 // 2
        assert np.array_equal(counts, wanted)
    graph = networkx.from_scipy_sparse_array(symmetric)
    wanted = networkx.core_number(graph)
    assert cores.tolist() == [wanted[v] for v in range(len(cores))]


def test_closeness_of_a_sample(real):
    matrix = real[2]
    n = matrix.shape[0]
    # Sources are drawn by the command; with one it is the only vertex at distance 0 from itself.
    harmonic, = both(real, "centrality", "--measure", "harmonic", "--samples", 1, "--seed", 5, files=["-o"])
    closeness, = both(real, "centrality", "--measure", "closeness", "--samples", 1, "--seed", 5, files=["-o"])
    reached = closeness > 0
    # One source at distance d: closeness 1/d, harmonic (n − 1)/d.
    assert np.allclose(closeness * (n - 1), harmonic)
    assert np.allclose(1 / closeness[reached], np.round(1 / closeness[reached]))
