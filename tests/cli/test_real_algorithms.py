"""Algorithms on the real graphs against SciPy."""

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
    # On git, whose largest singular values lie close together, it would take thousands of iterations.
    limit = 20 if real[0] == "git-v1.8.0" else 2000
    hubs, authorities = both(real, "hits", "--tol", "1e-10", "--max-iterations", limit,
                             files=["--hubs", "--authorities"])
    again = matrix @ authorities
    assert np.abs(again / again.sum() - hubs).sum() < 1e-12
    if limit > 20:
        again = turned @ hubs
        assert np.abs(again / again.sum() - authorities).sum() < 1e-9
    scores, = both(real, "centrality", "--measure", "katz", "--attenuation", 0.0005, "--tol", "1e-10",
                   files=["-o"])
    rest = scores - 0.0005 * (turned @ scores)
    assert np.allclose(rest, rest[0], rtol=1e-6) and np.isclose(np.linalg.norm(scores), 1)


@pytest.fixture(scope="module")
def symmetric(real):
    """The graph with its edges both ways, without loops."""
    cells = real[2].tocoo()
    kept = cells.row != cells.col
    rows = np.concatenate([cells.row[kept], cells.col[kept]])
    cols = np.concatenate([cells.col[kept], cells.row[kept]])
    matrix = scipy.sparse.csr_matrix((np.ones(len(rows), np.int32), (rows, cols)), shape=cells.shape)
    matrix.data[:] = 1  # an edge that is there both ways was added up to 2
    return matrix


def peeled(matrix):
    """Core numbers: vertices with at most k neighbours left go, for k = 0, 1, ..."""
    degrees = np.diff(matrix.indptr).astype(np.int64)
    cores, left = np.zeros(len(degrees), np.int64), np.ones(len(degrees), bool)
    k = 0
    while left.any():
        k = max(k, degrees[left].min())
        going = np.flatnonzero(left & (degrees <= k))
        cores[going], left[going] = k, False
        degrees -= np.bincount(matrix[going].indices, minlength=len(degrees))
    return cores


def test_cores(real, symmetric):
    cores, = both(real, "cores", "--symmetrize", files=["-o"])
    assert np.array_equal(cores, peeled(symmetric))


def test_triangles(real, symmetric):
    name, _, matrix = real
    if name != "codex-m":
        # The square of the matrix is too large for SciPy: the part of the first vertices.
        n = 20000
        folder = real[1]["adaptive"].parent
        cells = matrix[:n, :n].tocoo()
        np.savetxt(folder / "part.tsv", np.stack([cells.row, cells.col], axis=1), fmt="%d")
        parts = {layout: folder / f"part-{layout}.k2m" for layout in real[1]}
        for layout, part in parts.items():
            succeed("build", folder / "part.tsv", "-o", part, "--layout", layout, "--shape", f"{n}x{n}", "--quiet")
        real = (name, parts, matrix)
        symmetric = symmetric[:n, :n]
    counts, = both(real, "triangles", "--symmetrize", files=["-o"])
    wanted = (symmetric @ symmetric).multiply(symmetric).sum(axis=1).A1 // 2
    assert wanted.any() and np.array_equal(counts, wanted)


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
