"""Every reader, and files of Baltoro's own."""

import gzip
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import scipy.io
import scipy.sparse
from conftest import cells_of, random_sparse, real_graph

import baltoro

CORPUS = Path(__file__).parents[2] / "fuzz" / "corpus"


def test_matrix_market(tmp_path, layout):
    S = random_sparse(30, 50, 100)
    path = tmp_path / "graph.mtx"
    scipy.io.mmwrite(path, scipy.sparse.coo_matrix(S))
    for source in (path, str(path)):
        A = baltoro.Matrix(source, layout=layout)
        assert (A.shape, A.layout) == ((30, 50), layout)
        assert cells_of(A) == cells_of(S)


def test_edge_lists(tmp_path):
    path = tmp_path / "links.tsv"
    path.write_text("from to\n1 2\n1 3\n3 1\n")
    A = baltoro.read(path, format="edges", index_base=1, skip_lines=1)
    assert cells_of(A) == {(0, 1), (0, 2), (2, 0)}
    assert A.shape == (3, 3)


def test_several_files_are_united(tmp_path):
    first, second = tmp_path / "a.tsv", tmp_path / "b.tsv.gz"
    first.write_text("0 1\n")
    second.write_bytes(gzip.compress(b"4 4\n0 1\n"))
    A = baltoro.read([first, second], shape=(6, 7))
    assert (A.shape, cells_of(A)) == ((6, 7), {(0, 1), (4, 4)})


def test_bvgraph():
    A = baltoro.read(real_graph("cnr-2000.graph"))
    assert (A.shape, A.nnz) == ((325_557, 325_557), 3_216_152)


def triples(tmp_path):
    path = tmp_path / "packages.tsv"
    path.write_text("git\tDepends\tperl\ngit\tSuggests\tless\nperl\tDepends\tlibc6\n")
    return path


def test_triples(tmp_path):
    G = baltoro.read_graph(triples(tmp_path))
    assert list(G) == ["*", "Depends", "Suggests"]
    names = [G.name(v) for v in range(4)]
    assert names == ["git", "less", "libc6", "perl"]
    assert [G.vertex(name) for name in names] == [0, 1, 2, 3]
    assert cells_of(G["Depends"]) == {(0, 3), (3, 2)}
    assert cells_of(G[""]) == cells_of(G["*"]) == {(0, 3), (0, 1), (3, 2)}
    assert cells_of(baltoro.read(triples(tmp_path), relation="Suggests")) == {(0, 1)}
    assert cells_of(baltoro.Matrix(triples(tmp_path))) == cells_of(G["*"])
    assert repr(G) == "<baltoro.Graph of 3 relations, 4 x 4, vertices with names>"
    with pytest.raises(KeyError, match="no relation 'Enhances'; there are '\\*', 'Depends', 'Suggests'"):
        G["Enhances"]
    with pytest.raises(KeyError, match="no vertex 'emacs'"):
        G.vertex("emacs")
    for outside in (-1, 4):
        with pytest.raises(IndexError, match="has no name: there are 4 names"):
            G.name(outside)


def test_names_that_are_not_utf8(tmp_path):
    path = tmp_path / "odd.tsv"
    path.write_bytes(b"\xff\tr\tb\n")
    G = baltoro.read_graph(path)
    odd = next(name for name in map(G.name, range(2)) if name != "b")
    assert odd.encode("utf-8", "surrogateescape") == b"\xff"
    assert G.name(G.vertex(odd)) == odd


def test_graphs_are_saved_whole(tmp_path):
    G = baltoro.read_graph(triples(tmp_path))
    G.save(tmp_path / "packages.k2m")
    H = baltoro.load_graph(tmp_path / "packages.k2m")
    assert list(H) == list(G)
    assert all(cells_of(H[name]) == cells_of(G[name]) for name in G)
    assert H.vertex("perl") == 3
    assert cells_of(baltoro.load(tmp_path / "packages.k2m", relation="Depends")) == cells_of(G["Depends"])


def test_a_message_that_is_not_utf8(tmp_path):
    path = tmp_path / "binary.edges"
    path.write_bytes(b"\0\1\2\xff\0\3\n")
    with pytest.raises(baltoro.InvalidFormat, match=r"line 1: .*\\xff"):
        baltoro.read(path, format="edges")


@pytest.mark.parametrize("check", ["full", "header"])
def test_save_and_load(pair, tmp_path, check):
    A, S = pair
    for B in (A, A.T):
        path = tmp_path / "graph.k2m"
        B.save(path)
        C = baltoro.load(path, check=check)
        path.unlink()  # what is mapped stays
        assert (C.shape, C.layout) == (B.shape, B.layout)
        assert cells_of(C) == cells_of(B)
    A.save(str(path))
    assert cells_of(baltoro.Matrix(path)) == cells_of(S)
    assert not baltoro.load_graph(path).has_names
    assert repr(baltoro.load_graph(path)) == "<baltoro.Graph of 1 relation, 70 x 90, no names>"


def test_files_that_cannot_be_used(tmp_path):
    bad = tmp_path / "bad.mtx"
    bad.write_text("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n9 1\n")
    with pytest.raises(baltoro.InvalidFormat, match=r"bad.mtx: line 3: "):
        baltoro.read(bad)
    with pytest.raises(OSError, match="none.mtx: cannot open: No such file"):
        baltoro.read(tmp_path / "none.mtx")
    with pytest.raises(OSError, match="cannot"):
        baltoro.load(tmp_path / "none.k2m")
    with pytest.raises(ValueError, match="no format 'csv'; there are auto, mtx"):
        baltoro.read(bad, format="csv")
    with pytest.raises(ValueError, match="check must be 'full' or 'header', not 'quick'"):
        baltoro.load(bad, check="quick")
    with pytest.raises(OSError, match="No such file or directory"):
        baltoro.Matrix.from_edges([0], [1]).save(tmp_path / "no" / "folder.k2m")


def test_text_files_are_written(pair, tmp_path):
    A, S = pair
    for B, T in ((A, S), (A.T, S.T)):
        baltoro.write(B, tmp_path / "a.mtx")
        assert baltoro.detect_format(tmp_path / "a.mtx") == "mtx"
        assert (scipy.io.mmread(tmp_path / "a.mtx").toarray() == T.toarray()).all()
        baltoro.write(B, tmp_path / "a.tsv")
        assert baltoro.detect_format(tmp_path / "a.tsv") == "edges"
        assert [tuple(map(int, line.split())) for line in (tmp_path / "a.tsv").read_text().splitlines()] == sorted(
            cells_of(T))
    with pytest.raises(ValueError, match="format must be 'mtx' or 'edges', not 'csv'"):
        baltoro.write(A, tmp_path / "a.csv", format="csv")
    with pytest.raises(OSError, match="No such file"):
        baltoro.write(A, tmp_path / "nowhere" / "a.mtx")


def test_graphs_are_put_together(tmp_path):
    follows = baltoro.Matrix.from_edges([0, 1], [1, 2], shape=(4, 4))
    G = baltoro.Graph.of({"*": follows, "follows": follows, "followed": follows.T}, ["ann", "bob", "\udcff"])
    G.save(tmp_path / "people.k2m")
    H = baltoro.load_graph(tmp_path / "people.k2m")
    assert list(H) == ["*", "follows", "followed"]
    assert H.names == ["ann", "bob", "\udcff"]
    assert cells_of(H["followed"]) == {(1, 0), (2, 1)}
    with pytest.raises(ValueError, match="one shape"):
        baltoro.Graph.of({"a": follows, "b": baltoro.Matrix.from_edges([0], [1])})
    with pytest.raises(ValueError, match="5 names are more"):
        baltoro.Graph.of({"": follows}, "abcde")
    assert not baltoro.Graph.of({"": follows}).has_names


def test_the_order_of_vertices(tmp_path):
    path = tmp_path / "numbered.tsv"
    path.write_text("Q10\tr\tQ9\nQ9\tr\tQ2\n")
    orders = {"auto": ["Q2", "Q9", "Q10"], "by_bytes": ["Q10", "Q2", "Q9"], "first_seen": ["Q10", "Q9", "Q2"]}
    for order, names in orders.items():
        assert baltoro.read_graph(path, order=order).names == names
    assert list(baltoro.read_graph(path, with_union=False)) == ["r"]
    with pytest.raises(ValueError, match="no order 'random'; there are auto"):
        baltoro.read_graph(path, order="random")


def test_trusted_files_are_checked_on_request(tmp_path):
    A = baltoro.Matrix(random_sparse(300, 300, 2000), layout="adaptive")
    A.validate()
    path = tmp_path / "a.k2m"
    A.save(path)
    data = bytearray(path.read_bytes())
    for i in range(len(data) // 2, len(data) // 2 + 200):
        data[i] ^= 0xFF
    path.write_bytes(data)
    with pytest.raises(baltoro.InvalidFormat, match="the matrix is damaged: "):
        baltoro.load(path, check="header").validate()
    A.release_pages()


HOSTILE = [each for kind in ("matrix_market", "edge_list", "k2m", "triples", "ntriples")
           for each in sorted((CORPUS / kind).iterdir())[:40]]


@pytest.mark.parametrize("path", HOSTILE, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_hostile_files_raise_and_nothing_else(path):
    formats = {"matrix_market": "mtx", "edge_list": "edges", "k2m": "k2m"}
    try:
        graph = baltoro.read_graph(path, format=formats.get(path.parent.name, "triples"),
                                   memory_bytes=64 << 20)
    except baltoro.Error as error:
        assert path.name in str(error) or not isinstance(error, baltoro.InvalidFormat)
    else:
        assert sum(A.nnz for A in graph.values()) == sum(A.edges()[0].size for A in graph.values())


READS_UNTIL_STOPPED = """
import sys, baltoro
def told(stage, done, total, unit):
    print(stage, flush=True)
try:
    while True:
        baltoro.read(sys.argv[1], progress=told)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def test_ctrl_c_ends_a_build(tmp_path):
    path = tmp_path / "long.tsv"
    random = np.random.default_rng(1)
    np.savetxt(path, random.integers(0, 100_000, (400_000, 2)), fmt="%d")
    running = subprocess.Popen([sys.executable, "-c", READS_UNTIL_STOPPED, path], stdout=subprocess.PIPE, text=True)
    assert running.stdout.readline() == "reading\n"
    time.sleep(0.2)
    running.send_signal(signal.SIGINT)
    out, _ = running.communicate(timeout=60)
    assert out.splitlines()[-1] == "interrupted"
    assert running.returncode == 0
