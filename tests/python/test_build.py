"""From everything that can become a matrix, and back."""

import networkx
import numpy as np
import pytest
import scipy.io
import scipy.sparse
from conftest import cells_of, random_sparse, real_graph
from hypothesis import given
from hypothesis import strategies as st

import baltoro

CELLS = [(0, 1), (0, 2), (1, 2), (2, 0), (3, 2), (4, 3)]
ROWS = [r for r, _ in CELLS]
COLS = [c for _, c in CELLS]


def test_edges_in_lists():
    A = baltoro.Matrix.from_edges(ROWS, COLS)
    assert (A.shape, A.nnz) == ((5, 4), 6)
    assert cells_of(A) == set(CELLS)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.int32, np.uint32, np.int64, np.uint64])
def test_edges_of_every_integer_type(dtype, layout):
    A = baltoro.Matrix((np.array(ROWS, dtype), np.array(COLS, dtype)), shape=(5, 5), layout=layout)
    assert (A.shape, A.layout) == ((5, 5), layout)
    assert cells_of(A) == set(CELLS)


def test_edges_of_two_types_with_strides_and_duplicates():
    rows = np.repeat(np.array(ROWS, np.int32), 4)[::2]
    cols = np.repeat(np.array(COLS, np.uint64), 4)[::2]
    A = baltoro.Matrix.from_edges(rows, cols)
    assert A.nnz == 6
    assert cells_of(A) == set(CELLS)


@given(st.integers(0, 300), st.integers(0, 300), st.data())
def test_edges_come_back_row_by_row(rows, cols, data):
    cells = []
    if rows and cols:
        cell = st.tuples(st.integers(0, rows - 1), st.integers(0, cols - 1))
        cells = data.draw(st.lists(cell, max_size=60))
    A = baltoro.Matrix.from_edges([r for r, _ in cells], [c for _, c in cells], shape=(rows, cols),
                                  layout=data.draw(st.sampled_from(["level-order", "adaptive"])))
    assert list(zip(*(each.tolist() for each in A.edges()))) == sorted(set(cells))
    assert (A.shape, A.nnz) == ((rows, cols), len(set(cells)))
    assert (A.to_scipy().toarray() == A.T.to_scipy().toarray().T).all()


def test_no_edges():
    for A in (baltoro.Matrix.from_edges([], []), baltoro.Matrix(scipy.sparse.csr_array((0, 0)))):
        assert (A.shape, A.nnz, A.bits_per_edge) == ((0, 0), 0, 0)
        assert [each.size for each in A.edges()] == [0, 0]
    assert baltoro.Matrix.from_edges([], [], shape=(3, 0)).shape == (3, 0)


@pytest.mark.parametrize("make, error, message", [
    (lambda: baltoro.Matrix.from_edges([0, 1], [0]), ValueError, "2 rows and 1 columns make no edges"),
    (lambda: baltoro.Matrix.from_edges([0, -1], [0, 0]), ValueError, "row -1 of edge 1 is outside"),
    (lambda: baltoro.Matrix.from_edges([0], [2**32 - 1]), ValueError, "column 4294967295 of edge 0 is outside"),
    (lambda: baltoro.Matrix.from_edges(np.array([2**64 - 1], np.uint64), [0]), ValueError, "exceeds the largest index"),
    (lambda: baltoro.Matrix.from_edges([0.5], [1]), TypeError, "rows must be integers, not float64"),
    (lambda: baltoro.Matrix.from_edges([[0]], [[1]]), ValueError, r"one dimension, not shape \(1, 1\)"),
    (lambda: baltoro.Matrix.from_edges([7], [0], shape=(5, 5)), ValueError, r"cell \(7, 0\) lies outside the 5x5"),
    (lambda: baltoro.Matrix.from_edges([0], [0], shape=5), TypeError, "shape must be two integers"),
    (lambda: baltoro.Matrix.from_edges([0], [0], shape=(-1, 5)), ValueError, "a matrix of -1 rows"),
    (lambda: baltoro.Matrix.from_edges([0], [0], layout="dense"), ValueError, "no layout 'dense'"),
    (lambda: baltoro.Matrix.from_edges([0], [0], memory_bytes=5), ValueError, "16 MiB|16777216"),
    (lambda: baltoro.Matrix.from_edges([0], [0], progress=3), TypeError, "progress must be"),
    (lambda: baltoro.Matrix(7), TypeError, "a path, a SciPy sparse matrix"),
    (lambda: baltoro.Matrix(np.eye(3)), TypeError, "not ndarray"),
    (lambda: baltoro.Matrix(scipy.sparse.eye(3, format="csr"), shape=(4, 4)), ValueError, r"has shape \(3, 3\)"),
    (lambda: baltoro.Matrix.from_scipy(np.eye(3)), TypeError, "SciPy sparse matrix was expected"),
    (lambda: baltoro.Matrix.from_edge_index(np.zeros((3, 2), int)), ValueError, r"\(2, edges\), not \(3, 2\)"),
])
def test_what_cannot_become_a_matrix(make, error, message):
    with pytest.raises(error, match=message):
        make()


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "bsr", "dia", "lil", "dok"])
@pytest.mark.parametrize("dtype", [bool, np.int8, np.float32, np.float64, np.complex128])
def test_every_format_of_scipy(format, dtype, layout):
    S = random_sparse(40, 60, 200).astype(dtype).asformat(format)
    A = baltoro.Matrix.from_scipy(S, layout=layout)
    assert A.shape == S.shape
    assert cells_of(A) == cells_of(S)
    for wanted in ("csr", "csc", "coo"):
        back = A.to_scipy(wanted, dtype=np.int32)
        assert (back.format, back.dtype) == (wanted, np.int32)
        assert (back.toarray() == (S.toarray() != 0)).all()


def test_scipy_with_wide_indices():
    S = random_sparse(40, 60, 200)
    S.indices, S.indptr = S.indices.astype(np.int64), S.indptr.astype(np.int64)
    assert cells_of(baltoro.Matrix(S)) == cells_of(S)


def test_a_stored_zero_is_no_edge():
    S = scipy.sparse.coo_array(([1.0, 0.0, 2.0, -2.0, 3.0, 3.0], ([0, 0, 1, 1, 2, 2], [0, 1, 1, 1, 2, 2])),
                               shape=(3, 3))
    by_hand = scipy.sparse.csr_array((np.array([1, -1, 5]), np.array([2, 2, 0]), np.array([0, 2, 3])), shape=(2, 3))
    assert cells_of(baltoro.Matrix(S)) == {(0, 0), (2, 2)}
    assert cells_of(baltoro.Matrix(by_hand)) == {(1, 0)}
    assert by_hand.nnz == 3, "the matrix that was given is left alone"


@pytest.mark.parametrize("spoil, message", [
    (lambda S: S.indptr.__setitem__(2, 10**6), "indptr falls or exceeds"),
    (lambda S: S.indptr.__setitem__(0, 1), "indptr must have"),
    (lambda S: S.indices.__setitem__(0, -3), "column -3 of edge 0 is outside"),
    (lambda S: S.indices.__setitem__(0, 1000), "outside the 40x60 matrix"),
])
def test_damaged_csr_arrays(spoil, message):
    S = random_sparse(40, 60, 200)
    spoil(S)
    with pytest.raises(baltoro.InvalidArgument, match=message):
        baltoro.Matrix(S)


def test_networkx():
    G = networkx.DiGraph([("a", "b"), ("b", "c"), ("c", "a")])
    assert cells_of(baltoro.Matrix(G)) == {(0, 1), (1, 2), (2, 0)}
    turned = baltoro.Matrix.from_networkx(G, nodelist=["c", "b", "a"])
    assert cells_of(turned) == {(0, 2), (1, 0), (2, 1)}
    both = baltoro.Matrix.from_networkx(networkx.path_graph(3))
    assert cells_of(both) == {(0, 1), (1, 0), (1, 2), (2, 1)}
    assert baltoro.Matrix(networkx.MultiGraph([(0, 1), (0, 1)])).nnz == 2
    assert baltoro.Matrix(networkx.Graph()).shape == (0, 0)


class OnlyDlpack:
    """What a tensor of another library looks like."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class OnADevice(OnlyDlpack):
    def __dlpack_device__(self):
        return (2, 0)

    def __dlpack__(self, **options):
        raise BufferError("memory of a GPU")


def test_edge_index():
    index = np.array([ROWS, COLS])
    for each in (index, index.tolist(), OnlyDlpack(index)):
        A = baltoro.Matrix.from_edge_index(each)
        assert A.shape == (5, 5)
        assert cells_of(A) == set(CELLS)
    assert baltoro.Matrix.from_edge_index(index, num_nodes=9).shape == (9, 9)
    assert baltoro.Matrix.from_edge_index(np.zeros((2, 0), np.int64)).shape == (0, 0)
    with pytest.raises(TypeError, match="edge_index lies in the memory of a GPU and cannot be copied from there: memory of a GPU"):
        baltoro.Matrix.from_edge_index(OnADevice(index))


def test_under_a_memory_limit(layout):
    S = random_sparse(3000, 3000, 100_000)
    A = baltoro.Matrix(S, layout=layout, memory_bytes=16 << 20)
    assert cells_of(A) == cells_of(S)


def test_defaults_are_the_librarys():
    assert baltoro.building.core_options().layout == baltoro._core.BuildOptions().layout == "level-order"
    S = random_sparse(3000, 3000, 20_000)
    for layout in ("level-order", "adaptive"):
        usual = baltoro.Matrix(S, layout=layout)._core.bytes()
        assert baltoro.Matrix(S, layout=layout, directory_step=256, container_leaves=512)._core.bytes() == usual
        how = baltoro._core.BuildOptions(layout=layout)
        assert baltoro._core.convert(baltoro.Matrix(S, layout="level-order")._core, options=how,
                                     progress=None).bytes() == usual


def ways_to_build(S, file, **options):
    """A matrix of the same cells by everything that takes the options of a build."""
    both = S.maximum(S.T)
    rows, cols = both.tocoo().coords
    yield baltoro.Matrix(both, **options)
    yield baltoro.Matrix.from_edges(rows, cols, **options)
    yield baltoro.Matrix.from_edge_index(np.stack([rows, cols]), **options)
    yield baltoro.read(file, **options)
    yield baltoro.read_graph([file], **options)[""]
    yield baltoro.Matrix(file, **options)
    layout = options.pop("layout")
    other = "adaptive" if layout == "level-order" else "level-order"
    yield baltoro.Matrix(baltoro.Matrix(both, layout=other), layout=layout, **options)
    yield baltoro.Matrix(both, layout=other).with_layout(layout, **options)
    yield baltoro.Matrix(both, layout=layout).T.materialize(**options)
    yield baltoro.Matrix(S, layout=layout).symmetrize(**options)


@pytest.mark.parametrize("layout, option, values, part", [
    ("level-order", "directory_step", (16, 4096), "directory"),
    ("adaptive", "container_leaves", (8, 256), "containers"),
])
def test_every_build_takes_the_options(layout, option, values, part, tmp_path):
    S = random_sparse(800, 800, 20_000)
    scipy.io.mmwrite(tmp_path / "both.mtx", S.maximum(S.T))
    sizes = []
    for value in values:
        made = list(ways_to_build(S, tmp_path / "both.mtx", layout=layout, **{option: value}))
        assert {frozenset(cells_of(A)) for A in made} == {frozenset(cells_of(S.maximum(S.T)))}
        assert len({A._core.bytes()[part] for A in made}) == 1
        sizes.append(made[0]._core.bytes()[part])
    assert sizes[0] > sizes[1]
    web = [baltoro.generate.web(2000, layout=layout, **{option: value})._core.bytes()[part] for value in values]
    assert web[0] > web[1]


def test_what_exceeds_the_memory_goes_where_it_is_told(layout, tmp_path):
    random = np.random.default_rng(2)
    rows, cols = random.integers(0, 1 << 20, (2, 1_000_000))
    limited = dict(layout=layout, memory_bytes=16 << 20, temporary_directory=tmp_path)
    A = baltoro.Matrix.from_edges(rows, cols, **limited)
    assert A.nnz == len(np.unique(rows << 20 | cols))
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(baltoro.FileError, match="no-such-folder"):
        baltoro.Matrix.from_edges(rows, cols, **{**limited, "temporary_directory": tmp_path / "no-such-folder"})


@pytest.mark.parametrize("options, error, message", [
    (dict(directory_step=100), ValueError, "power of two from 16 to 16384"),
    (dict(container_leaves=0), ValueError, "from 1 to 512"),
    (dict(container_leaves=513), ValueError, "from 1 to 512"),
    (dict(device="gpu"), ValueError, "no device 'gpu'; there are cpu, cuda and auto"),
    (dict(device=None), TypeError, "built on 'cpu', 'cuda' or 'auto', not on None"),
    (dict(device=7), TypeError, "built on 'cpu', 'cuda' or 'auto', not on 7"),
    (dict(memory_bytes=-1), ValueError, "memory_bytes must be an integer of 0 or more, not -1"),
    (dict(device_memory_bytes=1.5), ValueError, "device_memory_bytes must be an integer of 0 or more, not 1.5"),
    (dict(directory_step="all"), ValueError, "directory_step must be an integer of 0 or more, not 'all'"),
    (dict(block_size=3), TypeError, "block_size"),
])
def test_options_that_are_refused(options, error, message, tmp_path):
    (tmp_path / "a.tsv").write_text("0 1\n")
    A = baltoro.Matrix.from_edges([0], [1], shape=(2, 2))
    for build in (lambda: baltoro.Matrix.from_edges([0], [1], **options),
                  lambda: baltoro.read(tmp_path / "a.tsv", **options), lambda: A.T.materialize(**options),
                  lambda: A.symmetrize(**options), lambda: baltoro.generate.uniform(3, 3, 4, **options),
                  lambda: baltoro.needs.build(5, **options)):
        with pytest.raises(error, match=message):
            build()


def test_where_there_is_no_gpu():
    if baltoro.cuda_status().usable:
        pytest.skip("there is a GPU")
    assert baltoro.Matrix.from_edges([0], [1], device="auto").nnz == 1
    for build in (lambda: baltoro.Matrix.from_edges([0], [1], device="cuda"),
                  lambda: baltoro.needs.build(5, device="cuda"), lambda: baltoro.generate.web(100, device="cuda"),
                  lambda: baltoro.Matrix.from_edges([0], [1]).T.materialize(device="cuda")):
        with pytest.raises((baltoro.NotCompiled, baltoro.CudaError)):
            build()


def test_layouts_convert(pair):
    A, S = pair
    for wanted in ("level-order", "adaptive"):
        for B in (A.with_layout(wanted), baltoro.Matrix(A, layout=wanted), A.T.with_layout(wanted).T):
            assert B.layout == wanted
            assert cells_of(B) == cells_of(S)


def test_progress_is_told():
    reports = []
    S = random_sparse(3000, 3000, 100_000)
    baltoro.Matrix(S, progress=lambda *report: reports.append(report))
    assert [stage for stage, *_ in reports][-2:] == ["sorting", "encoding"]
    assert all(unit == "edges" and 0 <= done <= total == S.nnz for _, done, total, unit in reports[-2:-1])


def test_a_bar_of_tqdm(capsys):
    baltoro.Matrix(random_sparse(3000, 3000, 100_000), progress=True)
    assert "sorting" in capsys.readouterr().err
    baltoro.Matrix(random_sparse(300, 300, 1000))
    assert capsys.readouterr().err == "", "no terminal, no bar"


def test_an_exception_of_the_progress_function_ends_the_build():
    def stop(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        baltoro.Matrix(random_sparse(300, 300, 1000), progress=stop)
    assert baltoro.Matrix(random_sparse(300, 300, 1000)).nnz > 0


def test_a_real_graph_as_scipy_has_it():
    A = baltoro.read(real_graph("cnr-2000.graph"))
    S = A.to_scipy()
    assert (S.shape, S.nnz) == ((325_557, 325_557), 3_216_152)
    B = baltoro.Matrix(S)
    assert B.nbytes == A.nbytes
    assert (B.to_scipy() != S).nnz == 0
