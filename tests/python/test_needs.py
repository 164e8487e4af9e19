"""Memory that is known before anything runs."""

import inspect

import numpy as np
import pytest
from conftest import random_sparse

import baltoro
from baltoro import centrality, needs, search, structure

# What asks nothing of a matrix, or is only a part of another.
OTHERS = {"sample_vertices"}


def algorithms():
    for module in (centrality, search, structure):
        for name in vars(module):
            function = getattr(module, name)
            if inspect.isfunction(function) and function.__module__ == module.__name__ and name in baltoro.__all__:
                yield name


def test_every_algorithm_has_its_needs():
    wanted = set(algorithms()) - OTHERS
    assert len(wanted) >= 15
    for name in wanted:
        asked, called = (inspect.signature(getattr(module, name)).parameters for module in (needs, baltoro))
        assert set(asked) <= set(called), name
    assert set(vars(baltoro)["__all__"]) >= {"needs", "BuildMemory"}


@pytest.fixture
def graph(layout):
    return baltoro.Matrix(random_sparse(300, 300, 2000), layout=layout)


@pytest.mark.parametrize("name, arguments, counts, options", [
    ("pagerank", (), (), {}), ("personalized_pagerank", ([0, 4, 9],), (3,), {}), ("hits", (), (), {}),
    ("katz_centrality", (), (), {}), ("eigenvector_centrality", (), (), {}), ("distance_centrality", (), (), {}),
    ("multi_source_bfs", ([0, 4, 9],), (3,), {}), ("multi_source_bfs", ([7],), (1,), {"undirected": True}),
    ("reach", (range(70),), (70,), {}), ("components", (), (), {}), ("diameter", (), (), {}),
])
def test_what_was_said_is_what_the_result_says(graph, name, arguments, counts, options):
    said = getattr(needs, name)(graph, *counts, **options)
    assert isinstance(said, baltoro.WorkingSet)
    assert said.matrix_bytes == graph.nbytes and said.total_bytes == sum(said)
    assert getattr(baltoro, name)(graph, *arguments, **options).needs == said
    assert getattr(needs, name)(graph.T, *counts, **options) == said


def test_of_undirected_graphs(layout):
    A = baltoro.Matrix(random_sparse(300, 300, 2000), layout=layout).symmetrize()
    assert needs.triangles(A) == baltoro.triangles(A).needs
    assert needs.core_numbers(A) == baltoro.core_numbers(A).needs


def test_what_results_do_not_say(graph):
    assert needs.bfs(graph, parents=True).vector_bytes == 12 * 300 > needs.bfs(graph).vector_bytes
    assert needs.betweenness_centrality(graph, batch=16).vector_bytes > needs.betweenness_centrality(graph).vector_bytes
    assert needs.closeness_centrality(graph) == needs.harmonic_centrality(graph) == needs.distance_centrality(graph)
    assert needs.reach(graph, 0).total_bytes >= graph.nbytes
    assert needs.pagerank(graph, device="auto") == needs.pagerank(graph) or baltoro.cuda_status().usable


def test_numbers_of_numpy_count_too(graph):
    assert needs.reach(graph, np.int64(5)) == needs.reach(graph, 5)


def test_a_build():
    assert needs.build(10**9) == (0, 0)
    assert needs.build(10, layout="adaptive", container_leaves=64, progress=False).device_bytes == 0


@pytest.mark.parametrize("ask, error, message", [
    (lambda A: needs.reach(A, [1, 2]), TypeError, "sources must be how many they are, an integer, not list"),
    (lambda A: needs.multi_source_bfs(A, -1), ValueError, "sources must be 0 or more"),
    (lambda A: needs.personalized_pagerank(A, 2**63), ValueError, "fewer than 2"),
    (lambda A: needs.personalized_pagerank(A, 2**40), baltoro.InvalidArgument, "seeds, more than 4294967295"),
    (lambda A: needs.multi_source_bfs(A, 2**40), baltoro.InvalidArgument, "sources, more than 4294967295"),
    (lambda A: needs.build(1.5), TypeError, "edges must be how many they are"),
    (lambda A: needs.build(1, layout="dense"), baltoro.InvalidArgument, "no layout 'dense'"),
    (lambda A: needs.pagerank(A, device="gpu"), baltoro.InvalidArgument, "there are cpu, cuda and auto"),
    (lambda A: needs.pagerank(A, device=3), TypeError, "device must be 'cpu', 'cuda', 'auto' or baltoro.Cuda"),
    (lambda A: needs.betweenness_centrality(A, batch=0), baltoro.InvalidArgument, "batch"),
    (lambda A: needs.pagerank(baltoro.Matrix.from_edges([0], [1], shape=(2, 3))), baltoro.InvalidArgument, "square"),
])
def test_what_is_refused(graph, ask, error, message):
    with pytest.raises(error, match=message):
        ask(graph)
