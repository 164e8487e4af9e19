"""Products, against SciPy and short loops."""

import gc
import resource
import sys
import threading
import time

import numpy as np
import pytest
from conftest import LAYOUTS, random_sparse
from hypothesis import given
from hypothesis import strategies as st

import baltoro

FLOATS = [np.float32, np.float64]
EVERY_DTYPE = [*FLOATS, np.float16, bool, np.int8, np.uint16, np.int32, np.int64, np.uint64, np.complex64,
               np.complex128]


def vector(size, dtype, seed=3):
    random = np.random.default_rng(seed)
    x = random.integers(0, 5, size)
    if np.dtype(dtype).kind == "c":
        return (x + 1j * random.integers(0, 5, size)).astype(dtype)
    return x.astype(dtype)


def expected_type(dtype):
    return {np.float16: np.float32, np.float32: np.float32, np.complex64: np.complex64,
            np.complex128: np.complex128}.get(dtype, np.float64)


def close(y, expected, dtype):
    assert y.dtype == expected_type(dtype)
    assert y.shape == expected.shape
    np.testing.assert_allclose(y, expected, rtol=1e-6)


@pytest.mark.parametrize("dtype", EVERY_DTYPE)
def test_both_sides_of_every_type(pair, dtype):
    A, S = pair
    x, z = vector(90, dtype), vector(70, dtype)
    close(A @ x, S.toarray() @ x.astype(expected_type(dtype)), dtype)
    close(z @ A, z.astype(expected_type(dtype)) @ S.toarray(), dtype)
    close(A.T @ z, z.astype(expected_type(dtype)) @ S.toarray(), dtype)
    close(x @ A.T, S.toarray() @ x.astype(expected_type(dtype)), dtype)
    close(A.vxm(z), A.T.mxv(z), dtype)


@pytest.mark.parametrize("dtype", EVERY_DTYPE)
@pytest.mark.parametrize("batch", [0, 1, 3, 8])
def test_batches(pair, dtype, batch):
    A, S = pair
    X, Z = vector((90, batch), dtype), vector((70, batch), dtype)
    exact = expected_type(dtype)
    close(A @ X, S.toarray() @ X.astype(exact), dtype)
    close(A.vxm(Z), S.toarray().T @ Z.astype(exact), dtype)
    close(Z.T @ A, Z.T.astype(exact) @ S.toarray(), dtype)
    close(np.ascontiguousarray(Z.T) @ A, Z.T.astype(exact) @ S.toarray(), dtype)


@given(st.integers(0, 120), st.integers(0, 120), st.integers(0, 5), st.sampled_from(LAYOUTS),
       st.sampled_from(FLOATS), st.integers(0, 2**32), st.booleans())
def test_any_shape(rows, cols, batch, layout, dtype, seed, left):
    S = random_sparse(rows, cols, (rows * cols) // 7, seed)
    A = baltoro.Matrix(S, layout=layout)
    random = np.random.default_rng(seed)
    dense = S.toarray().T if left else S.toarray()
    multiply = A.vxm if left else A.mxv
    X = random.normal(size=(dense.shape[1], batch)).astype(dtype)
    np.testing.assert_allclose(multiply(X), dense @ X, rtol=1e-4, atol=1e-5)
    x = random.normal(size=dense.shape[1]).astype(dtype)
    np.testing.assert_allclose(multiply(x), dense @ x, rtol=1e-4, atol=1e-5)


def test_strides_and_other_sequences(pair):
    A, S = pair
    x = vector(90, np.float64)
    expected = S @ x
    wide = np.zeros((90, 3))
    wide[:, 1] = x
    frozen = x.copy()
    frozen.flags.writeable = False
    swapped = x.astype(">f8")
    for each in (wide[:, 1], x[::-1].copy()[::-1], x.tolist(), frozen, memoryview(x), swapped):
        np.testing.assert_allclose(A @ each, expected)
    np.testing.assert_allclose(A @ np.asfortranarray(np.column_stack([x, 2 * x])),
                               np.column_stack([expected, 2 * expected]))


@pytest.mark.parametrize("dtype", [*FLOATS, bool, np.int64, np.float16])
def test_booleans(pair, dtype):
    A, S = pair
    for X, multiply, dense in ((vector(90, dtype), A.mxv, S.toarray()), (vector(70, dtype), A.vxm, S.toarray().T),
                               (vector((90, 5), dtype), A.mxv, S.toarray())):
        y = multiply(X, semiring="lor_land")
        assert y.dtype == bool
        np.testing.assert_array_equal(y, dense @ (X != 0) > 0)
        out = np.ones_like(y)
        assert multiply(X, semiring="lor_land", out=out) is out
        np.testing.assert_array_equal(out, y)


@pytest.mark.parametrize("dtype", [*FLOATS, np.int32])
def test_shortest_hops(pair, dtype):
    A, S = pair
    x = np.full(90, 9)
    x[::7] = 2
    y = A.mxv(x.astype(dtype), semiring="min_plus")
    expected = [min((x[j] + 1 for j in np.flatnonzero(row)), default=baltoro.INFINITY) for row in S.toarray()]
    np.testing.assert_array_equal(y, expected)
    assert y.dtype == (np.float32 if dtype == np.float32 else np.float64)
    far = A.mxv(np.full(90, np.inf, np.float64), semiring="min_plus")
    np.testing.assert_array_equal(far, baltoro.INFINITY)


@pytest.mark.parametrize("dtype", [*FLOATS, np.complex64, np.complex128])
def test_out_is_written_in_place(pair, dtype):
    A, S = pair
    for X in (vector(90, dtype), vector((90, 4), dtype)):
        out = np.full((70, *X.shape[1:]), 99, dtype)
        assert A.mxv(X, out=out) is out
        np.testing.assert_allclose(out, S.toarray() @ X)


@pytest.mark.parametrize("dtype", [*FLOATS, np.complex128])
@pytest.mark.parametrize("alpha, beta", [(2, 0), (1, 1), (-0.5, 3), (0, 2), (1.5, -1)])
def test_factors_of_the_product_and_of_what_was_there(pair, dtype, alpha, beta):
    A, S = pair
    for multiply, dense, rows in ((A.mxv, S.toarray(), 90), (A.vxm, S.toarray().T, 70)):
        for shape in ((), (3,)):
            X, y = vector((rows, *shape), dtype), vector((dense.shape[0], *shape), dtype, seed=8)
            expected = alpha * (dense @ X) + beta * y
            assert multiply(X, out=y, alpha=alpha, beta=beta) is y
            np.testing.assert_allclose(y, expected, rtol=1e-6)
    np.testing.assert_allclose(A.mxv(np.ones(90), alpha=alpha), alpha * (S @ np.ones(90)))


def test_what_accumulates_over_other_semirings(pair):
    A, S = pair
    x, y = vector(90, np.int32) == 0, np.arange(70) % 3 == 0
    expected = y | (S.toarray() @ x > 0)
    np.testing.assert_array_equal(A.mxv(x, semiring="lor_land", out=y, beta=1), expected)
    x, y = vector(90, np.float64), np.full(70, 3.0)
    expected = np.minimum(A.mxv(x, semiring="min_plus"), y)
    np.testing.assert_array_equal(A.mxv(x, semiring="min_plus", out=y, beta=1), expected)


@pytest.mark.parametrize("options, error, message", [
    (dict(beta=1), ValueError, "give out="),
    (dict(alpha=2, semiring="lor_land"), ValueError, "lor_land takes alpha 1 and beta 0"),
    (dict(beta=2, semiring="min_plus", out=np.zeros(70)), ValueError, "min_plus takes alpha 1 and beta 0"),
    (dict(alpha=1j), TypeError, "must be real"),
    (dict(device="tpu"), ValueError, "no device 'tpu'"),
    (dict(bits=True), ValueError, r"bits of x must have shape \(3,\) or \(90, words\), not \(90,\)"),
])
def test_options_that_cannot_be(pair, options, error, message):
    with pytest.raises(error, match=message):
        pair[0].mxv(np.ones(90), **options)


@given(st.integers(0, 100), st.integers(0, 70), st.integers(0, 2**32))
def test_bits_are_packed(n, batch, seed):
    random = np.random.default_rng(seed)
    for shape in ((n,), (n, batch)):
        values = random.integers(0, 2, shape) == 1
        words = baltoro.pack_bits(values)
        assert words.dtype == np.uint32 and words.shape == (*shape[:-1], -(-shape[-1] // 32))
        np.testing.assert_array_equal(baltoro.unpack_bits(words, shape[-1]), values)
        for at in np.ndindex(shape):
            assert int(words[(*at[:-1], at[-1] // 32)]) >> (at[-1] % 32) & 1 == values[at]


@given(st.integers(0, 150), st.integers(0, 150), st.integers(1, 3), st.integers(0, 2**32), st.booleans())
def test_bits_are_multiplied(rows, cols, words, seed, left):
    S = random_sparse(rows, cols, rows * cols // 20, seed)
    A = baltoro.Matrix(S, layout="adaptive")
    random = np.random.default_rng(seed)
    dense = (S.toarray().T if left else S.toarray()) > 0
    multiply = A.vxm if left else A.mxv
    for shape in ((), (32 * words,)):
        x = random.integers(0, 4, (dense.shape[1], *shape)) == 0
        expected = dense.astype(int) @ x > 0
        y = multiply(baltoro.pack_bits(x), semiring="lor_land", bits=True)
        np.testing.assert_array_equal(baltoro.unpack_bits(y, expected.shape[-1]), expected)
        old = random.integers(0, 4, expected.shape) == 0
        y = baltoro.pack_bits(old)
        assert multiply(baltoro.pack_bits(x), semiring="lor_land", bits=True, out=y, beta=1) is y
        np.testing.assert_array_equal(baltoro.unpack_bits(y, expected.shape[-1]), expected | old)


def test_bits_that_cannot_be_multiplied():
    A = baltoro.Matrix(random_sparse(64, 64, 99), layout="adaptive")
    words = np.zeros(2, np.uint32)
    for x, options, error, message in (
            (words, dict(semiring="plus_times"), ValueError, "over lor_land, not over plus_times"),
            (words.astype(np.int64), dict(semiring="lor_land"), TypeError, "uint32 words"),
            (np.zeros(3, np.uint32), dict(semiring="lor_land"), ValueError, r"shape \(2,\) or \(64, words\)")):
        with pytest.raises(error, match=message):
            A.mxv(x, bits=True, **options)
    with pytest.raises(baltoro.InvalidArgument, match="laid out adaptive"):
        baltoro.Matrix(A, layout="level-order").mxv(words, bits=True, semiring="lor_land")
    for values in (lambda: baltoro.pack_bits(np.zeros((2, 2, 2))), lambda: baltoro.unpack_bits(words, 65),
                   lambda: baltoro.unpack_bits(np.zeros(2), 5)):
        with pytest.raises(ValueError, match="must have shape|hold up to 64|must be uint32"):
            values()


def read_only(array):
    array.flags.writeable = False
    return array


@pytest.mark.parametrize("out, error, message", [
    (np.zeros(90), ValueError, r"out must have shape \(70,\) and type float64; it has \(90,\)"),
    (np.zeros(70, np.float32), ValueError, "type float64; it has .* float32"),
    (np.zeros(140)[::2], ValueError, "contiguous"),
    (read_only(np.zeros(70)), ValueError, "writeable"),
    ([0.0] * 70, TypeError, "out must be a NumPy array, not list"),
])
def test_out_that_cannot_be_used(pair, out, error, message):
    with pytest.raises(error, match=message):
        pair[0].mxv(np.ones(90), out=out)


def test_out_must_not_overlap_x():
    A = baltoro.Matrix.from_edges([0, 1], [1, 0])
    x = np.ones(2)
    with pytest.raises(ValueError, match="out must not overlap x"):
        A.mxv(x, out=x)


@pytest.mark.parametrize("multiply, error, message", [
    (lambda A: A @ np.ones(70), ValueError, r"x must have shape \(90,\) or \(90, batch\), not \(70,\)"),
    (lambda A: np.ones(90) @ A, ValueError, r"x must have shape \(70,\) or \(70, batch\), not \(90,\)"),
    (lambda A: np.ones((70, 2)) @ A, ValueError, r"\(70,\) or \(batch, 70\), not \(70, 2\)"),
    (lambda A: A @ np.ones((90, 2, 2)), ValueError, r"not \(90, 2, 2\)"),
    (lambda A: A @ 3.0, ValueError, r"not \(\)"),
    (lambda A: A @ ["a"] * 90, ValueError, "x must have shape"),
    (lambda A: A @ np.full(90, "a"), TypeError, "booleans, integers, float16, float32, float64"),
    (lambda A: A @ np.ones(90, np.longdouble), TypeError, f"not {np.dtype(np.longdouble)}"),
    (lambda A: A @ np.ones(90, object), TypeError, "not object"),
    (lambda A: A.mxv(np.ones(90), semiring="max_plus"), ValueError, "no semiring 'max_plus'; there are plus_times, lor_land"),
    (lambda A: A.mxv(np.ones(90, complex), semiring="min_plus"), TypeError, "complex numbers have no min_plus"),
    (lambda A: A @ A.T, TypeError, "product of two matrices"),
    (lambda A: A @ random_sparse(90, 3, 5), TypeError, "product of two matrices"),
    (lambda A: random_sparse(3, 70, 5) @ A, TypeError, "product of two matrices"),
])
def test_what_cannot_be_multiplied(pair, multiply, error, message):
    with pytest.raises(error, match=message):
        multiply(pair[0])


def test_one_matrix_in_many_threads(layout):
    S = random_sparse(2000, 3000, 40_000)
    A = baltoro.Matrix(S, layout=layout)
    failures = []

    def work(number):
        random = np.random.default_rng(number)
        try:
            for turn in range(60):
                dtype = FLOATS[(number + turn) % 2]
                if turn % 3 == 0:
                    X = random.integers(0, 9, (2000, 1 + number % 3)).astype(dtype)
                    same = np.array_equal(A.vxm(X), S.T @ X)
                else:
                    x = random.integers(0, 9, 3000).astype(dtype)
                    same = np.array_equal(A @ x, S @ x)
                if not same:
                    failures.append((number, turn))
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert failures == []


def test_products_release_the_gil():
    """While one thread multiplies and never lets go by itself, another one runs."""
    A = baltoro.Matrix(random_sparse(100_000, 100_000, 500_000))
    X = np.ones((100_000, 16))
    counted = 0

    def multiply():
        for _ in range(100):
            if counted == 20:
                break
            A.mxv(X)

    old = sys.getswitchinterval()
    sys.setswitchinterval(1000)  # threads change hands only where one lets go
    try:
        thread = threading.Thread(target=multiply)
        thread.start()
        while thread.is_alive() and counted < 20:
            counted += 1
            time.sleep(0)
    finally:
        sys.setswitchinterval(old)
    thread.join()
    assert counted == 20


def test_a_hundred_thousand_products_leak_nothing():
    A = baltoro.Matrix(random_sparse(60, 60, 200))
    x, z, out = np.ones(60), np.ones((60, 2), np.float32), np.empty(60)

    def products(count):
        for _ in range(count):
            A @ x
            A.mxv(x, out=out)
            A.vxm(z, semiring="lor_land")
            x @ A.T

    products(1000)
    gc.collect()
    objects, before = len(gc.get_objects()), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    blocks = sys.getallocatedblocks()
    products(25_000)
    gc.collect()
    # One leaked array of 60 numbers a product would be 48 MB, one leaked object 100,000 blocks.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 8_000
    assert sys.getallocatedblocks() - blocks < 1000
    assert len(gc.get_objects()) - objects < 100
