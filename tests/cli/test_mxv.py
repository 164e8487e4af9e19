"""mxv against NumPy and SciPy."""

import numpy as np
import pytest
from conftest import fail, random_matrix, succeed, write_matrix

INFINITY = 1e9


def expected(dense, x, semiring):
    """The product as its definition says it, for a vector or a batch."""
    if semiring == "plus_times":
        return dense @ x
    batch = x.reshape(x.shape[0], -1)
    y = np.empty((dense.shape[0], batch.shape[1]), x.dtype)
    for row in range(dense.shape[0]):
        terms = batch[dense.indices[dense.indptr[row]:dense.indptr[row + 1]]]
        if semiring == "lor_land":
            y[row] = (terms != 0).any(axis=0)
        else:
            y[row] = np.minimum(np.vstack([terms + 1, np.full((1, batch.shape[1]), INFINITY)])
                                .min(axis=0), INFINITY)
    return y.reshape((dense.shape[0],) + x.shape[1:])


def vector(shape, dtype, seed):
    random = np.random.default_rng(seed)
    x = random.integers(0, 50, shape).astype(dtype)
    x[random.random(shape) < 0.6] = 0
    return x


@pytest.mark.parametrize("semiring", ["plus_times", "lor_land", "min_plus"])
@pytest.mark.parametrize("left", [False, True])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("batch", [(), (1,), (3,), (8,)])
def test_product(semiring, left, dtype, batch, tmp_path):
    cells, dense = random_matrix(61, 130, 900, seed=5)
    source = write_matrix(tmp_path / "a.mtx", cells, dense.shape)
    x = vector((61 if left else 130,) + batch, dtype, seed=6)
    if semiring == "min_plus":
        x[x == 0] = INFINITY
    np.save(tmp_path / "x.npy", x)
    arguments = ["mxv", source, tmp_path / "x.npy", tmp_path / "y.npy", "--semiring", semiring]
    succeed(*arguments, *(["--left"] if left else []))
    y = np.load(tmp_path / "y.npy")
    wanted = expected(dense.T.tocsr() if left else dense, x, semiring)
    assert y.dtype == dtype and y.shape == wanted.shape
    assert np.array_equal(y, wanted)  # small whole numbers: every order of additions is exact


@pytest.mark.parametrize("dtype", [np.bool_, np.int8, np.uint16, np.int32, np.int64, ">f8", "F"])
def test_other_types_become_float64(dtype, tmp_path):
    cells, dense = random_matrix(20, 20, 60, seed=1)
    source = write_matrix(tmp_path / "a.mtx", cells, dense.shape)
    x = np.ones((20, 2), np.float64, order="F") if dtype == "F" else np.ones(20, dtype)
    np.save(tmp_path / "x.npy", x)
    succeed("mxv", source, tmp_path / "x.npy", tmp_path / "y.npy")
    y = np.load(tmp_path / "y.npy")
    assert y.dtype == np.float64
    assert np.array_equal(y, dense @ x.astype(np.float64))


@pytest.mark.parametrize("left", [False, True])
def test_small(small, left, tmp_path):
    source, shape, cells = small
    size_in, size_out = shape if left else shape[::-1]
    np.save(tmp_path / "x.npy", np.arange(1.0, size_in + 1))
    succeed("mxv", source, tmp_path / "x.npy", tmp_path / "y.npy", *(["--left"] if left else []))
    wanted = np.zeros(size_out)
    for row, col in cells:
        wanted[col if left else row] += 1 + (row if left else col)
    assert np.array_equal(np.load(tmp_path / "y.npy"), wanted)


def test_working_set_is_reported(square, tmp_path):
    np.save(tmp_path / "x.npy", np.ones((70, 4), np.float32))
    arguments = ["mxv", square[0], tmp_path / "x.npy", tmp_path / "y.npy", "--device", "cpu"]
    assert succeed(*arguments).out.splitlines()[0].startswith("working set ")
    report = succeed(*arguments, "--json").json
    assert (report["rows"], report["batch"], report["dtype"]) == (70, 4, "float32")
    assert (report["direction"], report["semiring"], report["device"]) == ("right", "plus_times", "cpu")
    needs = report["working_set"]
    assert needs["vector_bytes"] == 2 * 70 * 4 * 4
    assert needs["total_bytes"] == sum(v for k, v in needs.items() if k != "total_bytes")
    assert succeed(*arguments, "--quiet").out == ""


def test_threads_do_not_change_the_result(tmp_path):
    succeed("generate", "web", "--vertices", 20000, "-o", tmp_path / "a.k2m", "--quiet")
    np.save(tmp_path / "x.npy", np.random.default_rng(1).random(20000))
    results = []
    for threads in [1, 2, 5]:
        succeed("mxv", tmp_path / "a.k2m", tmp_path / "x.npy", tmp_path / "y.npy", "--left",
                "--threads", threads, "--quiet")
        results.append((tmp_path / "y.npy").read_bytes())
    assert results[0] == results[1] == results[2]


def test_reproducible_on_the_cpu_is_the_same(square, tmp_path):
    np.save(tmp_path / "x.npy", np.random.default_rng(1).random(70))
    arguments = ["mxv", square[0], tmp_path / "x.npy", tmp_path / "y.npy", "--device", "cpu", "--json"]
    assert succeed(*arguments).json["reproducible"] is True
    usual = (tmp_path / "y.npy").read_bytes()
    assert succeed(*arguments, "--reproducible").json["reproducible"] is True
    assert (tmp_path / "y.npy").read_bytes() == usual


@pytest.mark.parametrize("shape, text", [((70,), "70 values"), ((70, 1), "70 x 1"), ((70, 3), "70 x 3")])
def test_the_shape_of_the_result_is_shown(shape, text, square, tmp_path):
    np.save(tmp_path / "x.npy", np.ones(shape, np.float32))
    lines = succeed("mxv", square[0], tmp_path / "x.npy", tmp_path / "y.npy").out.splitlines()
    assert lines[1].startswith(f"{tmp_path}/y.npy: {text}, float32, computed in ")


def test_result_over_the_vector(square, tmp_path):
    path, _, dense = square
    x = np.arange(70.0)
    np.save(tmp_path / "x.npy", x)
    succeed("mxv", path, tmp_path / "x.npy", tmp_path / "x.npy")
    assert np.array_equal(np.load(tmp_path / "x.npy"), dense @ x)


def test_relation(labelled, tmp_path):
    np.save(tmp_path / "x.npy", np.ones(6))
    succeed("mxv", labelled, tmp_path / "x.npy", tmp_path / "y.npy", "--relation", "Depends")
    assert np.load(tmp_path / "y.npy").tolist() == [1, 0, 2, 0, 0, 1]


@pytest.mark.parametrize("x, part", [
    (np.ones(69), "x.npy: 69 rows, but the matrix has 70 columns"),
    (np.ones((70, 0)), "x.npy"),
    (np.ones((70, 2, 2)), "x.npy"),
    (np.ones(70, np.complex128), "x.npy"),
    (np.array(["a"] * 70), "x.npy"),
])
def test_unsuitable_vectors(square, x, part, tmp_path):
    np.save(tmp_path / "x.npy", x)
    message = fail("mxv", square[0], tmp_path / "x.npy", tmp_path / "y.npy")
    assert part in message and message.startswith(f"{tmp_path}/x.npy: ")
    assert not (tmp_path / "y.npy").exists()


def test_left_names_the_rows(tmp_path):
    source = write_matrix(tmp_path / "a.mtx", [], (3, 4))
    np.save(tmp_path / "x.npy", np.ones(4))
    assert "4 rows, but the matrix has 3 rows" in fail(
        "mxv", source, tmp_path / "x.npy", tmp_path / "y.npy", "--left")


@pytest.mark.parametrize("content", [b"", b"\x93NUMPY", b"not a vector", b"\x93NUMPY\x01\x00\xff\xff{"])
def test_damaged_vectors(square, content, tmp_path):
    (tmp_path / "x.npy").write_bytes(content)
    assert "x.npy" in fail("mxv", square[0], tmp_path / "x.npy", tmp_path / "y.npy")


@pytest.mark.parametrize("shape, order", [((70,), "C"), ((70, 3), "C"), ((70, 3), "F"), ((70, 900), "F")])
def test_a_vector_from_a_pipe(square, shape, order, tmp_path):
    path, _, dense = square
    x = np.asarray(vector(shape, np.float64, seed=3), order=order)
    np.save(tmp_path / "x.npy", x)
    content = (tmp_path / "x.npy").read_bytes()
    succeed("mxv", path, "/dev/stdin", tmp_path / "y.npy", input=content)
    assert np.array_equal(np.load(tmp_path / "y.npy"), dense @ x)
    message = fail("mxv", path, "/dev/stdin", tmp_path / "z.npy", input=content[:-1])
    assert f"the header promises {x.nbytes} bytes of values, but {x.nbytes - 1} follow" in message
    assert "but more follow" in fail("mxv", path, "/dev/stdin", tmp_path / "z.npy", input=content + b"0")
    assert not (tmp_path / "z.npy").exists()


def test_a_pipe_that_lies_about_its_size(square, tmp_path):
    header = b"{'descr': '<f8', 'fortran_order': True, 'shape': (70, 99999999999999), }".ljust(117) + b"\n"
    content = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header
    message = fail("mxv", square[0], "/dev/stdin", tmp_path / "y.npy", input=content + bytes(800))
    assert "but 800 follow" in message


def test_truncated_vector(square, tmp_path):
    np.save(tmp_path / "x.npy", np.ones(70))
    content = (tmp_path / "x.npy").read_bytes()
    (tmp_path / "x.npy").write_bytes(content[:-1])
    assert "x.npy" in fail("mxv", square[0], tmp_path / "x.npy", tmp_path / "y.npy")
