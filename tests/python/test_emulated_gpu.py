"""Arrays in the memory of a GPU that is emulated: what is passed where, on which stream, and what is refused.

Real arrays on a real GPU are test_gpu_arrays.py's.
"""

import gc
import sys

import numpy as np
import pytest
from conftest import LAYOUTS, cells_of, random_sparse
from test_docs import run_snippets

import baltoro
import baltoro.gpu_arrays

emulated_gpu = pytest.importorskip("emulated_gpu", reason="for builds with BALTORO_CUDA=EMULATED")
import fake_gpu  # noqa: E402  (it needs emulated_gpu)

LIBRARIES = {"array API": fake_gpu.ApiArray, "CuPy": fake_gpu.CupyArray, "PyTorch": fake_gpu.TorchTensor}


@pytest.fixture(autouse=True)
def libraries(monkeypatch):
    """The modules that Baltoro looks for, and their current streams."""
    streams = {}
    for name, key, make in (("cupy", "CuPy", fake_gpu.cupy_module), ("torch", "PyTorch", fake_gpu.torch_module)):
        module, streams[key] = make()
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setattr(baltoro.gpu_arrays, "_libraries", {})
    fake_gpu.exports.clear()
    return streams


@pytest.fixture(params=LIBRARIES)
def library(request):
    return request.param


@pytest.fixture
def array(library):
    return LIBRARIES[library]


def numbers(shape, dtype, seed=3):
    return np.random.default_rng(seed).integers(0, 5, shape).astype(dtype)


def test_the_emulated_gpu_is_there():
    assert baltoro.compiled_with_cuda()
    assert baltoro.cuda_status() == (True, "emulated GPU")


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.int64, bool])
@pytest.mark.parametrize("batch", [None, 0, 1, 3, 16])
def test_products(pair, array, dtype, batch):
    A, S = pair
    shape = () if batch is None else (batch,)
    for multiply, dense in ((A.mxv, S.toarray()), (A.vxm, S.toarray().T), (A.T.vxm, S.toarray())):
        X = numbers((dense.shape[1], *shape), dtype)
        y = multiply(array(X))
        assert type(y) is array
        assert y.values.dtype == (np.float32 if dtype == np.float32 else np.float64)
        np.testing.assert_allclose(y.values, dense @ X, rtol=1e-6)
    x, z = numbers((90, *shape), dtype), numbers((*shape, 70), dtype)
    np.testing.assert_allclose((A @ array(x)).values, S.toarray() @ x)
    y = A.__rmatmul__(array(z))
    assert type(y) is array and y.shape == (*shape, 90)
    np.testing.assert_allclose(y.values, z.astype(float) @ S.toarray())


@pytest.mark.parametrize("library", ["CuPy", "PyTorch"])
@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_complex_numbers(pair, array, dtype):
    A, S = pair
    for shape in ((), (3,)):
        x = numbers((90, *shape), dtype) + 1j * numbers((90, *shape), dtype, seed=4)
        y = A @ array(x.astype(dtype))
        assert type(y) is array and y.values.dtype == dtype
        np.testing.assert_allclose(y.values, S.toarray() @ x, rtol=1e-6)
        out = array(np.ones((70, *shape), dtype))
        A.mxv(array(x.astype(dtype)), out=out, beta=2)
        np.testing.assert_allclose(out.values, S.toarray() @ x + 2, rtol=1e-6)
    with pytest.raises(TypeError, match="complex numbers have no lor_land"):
        A.mxv(array(x.astype(dtype)), semiring="lor_land")


def test_other_semirings(pair, array):
    A, S = pair
    for dtype in (np.float32, np.float64, np.int32, bool):
        x = numbers(90, dtype)
        y = A.mxv(array(x), semiring="lor_land")
        assert y.values.dtype == bool
        np.testing.assert_array_equal(y.values, S.toarray() @ (x != 0) > 0)
        np.testing.assert_array_equal(A.mxv(array(x), semiring="min_plus").values, A.mxv(x, semiring="min_plus"))
    old = np.arange(70) % 3 == 0
    out = array(old)
    x = numbers(90, np.float64)
    assert A.mxv(array(x), semiring="lor_land", out=out, beta=1) is out
    np.testing.assert_array_equal(out.values, old | (S.toarray() @ x > 0))
    assert A.mxv(array(x), semiring="lor_land", out=out) is out
    np.testing.assert_array_equal(out.values, S.toarray() @ x > 0)
    old = np.full(70, 2.0)
    out = array(old)
    A.mxv(array(x), semiring="min_plus", out=out, beta=1)
    np.testing.assert_array_equal(out.values, np.minimum(A.mxv(x, semiring="min_plus"), old))


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64, np.int32])
def test_reproducible_products(pair, dtype):
    A, S = pair
    rng = np.random.default_rng(5)
    for shape in ((), (3,)):
        x = (rng.standard_normal((90, *shape)) * 100).astype(dtype)
        y = A.mxv(x, device="cuda", reproducible=True)
        np.testing.assert_allclose(y, S.toarray() @ x, rtol=1e-4, atol=1e-4)
        assert y.tobytes() == A.mxv(x, device="cuda", reproducible=True).tobytes()
        for library in LIBRARIES:
            if dtype == np.complex64 and library == "array API":
                continue
            of_library = A.mxv(LIBRARIES[library](x), reproducible=True)
            assert of_library.values.tobytes() == y.tobytes()
        assert A.mxv(x, reproducible=True).tobytes() == A.mxv(x).tobytes()
    needs = [A.working_set(device="cuda", reproducible=wanted) for wanted in (False, True)]
    assert needs[1].scratch_bytes - needs[0].scratch_bytes >= 8 * (90 + 70)
    assert needs[1].matrix_bytes == needs[0].matrix_bytes


@pytest.mark.parametrize("alpha, beta", [(1, 0), (2, 0), (-0.5, 3), (1, 1)])
def test_out_is_written_where_it_lies(pair, array, alpha, beta):
    A, S = pair
    for dtype in (np.float32, np.float64):
        for shape in ((), (4,)):
            x, y = numbers((90, *shape), dtype), numbers((70, *shape), dtype, seed=7)
            out = array(y)
            address = out.values.__array_interface__["data"][0]
            assert A.mxv(array(x), out=out, alpha=alpha, beta=beta) is out
            assert out.values.__array_interface__["data"][0] == address
            np.testing.assert_allclose(out.values, alpha * (S.toarray() @ x) + beta * y, rtol=1e-6)


def test_bits(array):
    S = random_sparse(64, 90, 300)
    A = baltoro.Matrix(S, layout="adaptive")
    for shape in ((), (32,)):
        x = numbers((90, *shape), bool)
        y = A.mxv(array(baltoro.pack_bits(x)), semiring="lor_land", bits=True)
        assert type(y) is array and y.values.dtype == np.uint32
        expected = S.toarray() @ x.astype(int) > 0
        np.testing.assert_array_equal(baltoro.unpack_bits(y.values, expected.shape[-1]), expected)


@pytest.mark.parametrize("library", ["CuPy", "PyTorch"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_current_stream_is_used_and_not_waited_for(library, layout, libraries):
    S = random_sparse(70, 90, 400)
    A = baltoro.Matrix(S, layout=layout)
    array = LIBRARIES[library]
    x, out = array(numbers(90, np.float64)), array(np.full(70, -1.0))
    stream = emulated_gpu.RecordingStream()
    libraries[library].number = stream.number
    A.mxv(x, out=out)
    assert (out.values == -1).all()  # it waits in the stream
    stream.run()
    np.testing.assert_allclose(out.values, S.toarray() @ x.values)
    # A library that knows nothing of that stream is told of it, and waited for.
    other = fake_gpu.ApiArray(np.full(70, -1.0))
    with pytest.raises(baltoro.CudaError, match="cudaStreamSynchronize"):  # a stream that records cannot be
        A.mxv(x, out=other)
    assert fake_gpu.exports == [stream.number] * 2
    assert (other.values == -1).all()
    libraries[library].number = 0
    np.testing.assert_allclose((A @ x).values, out.values)


def test_the_default_stream(pair):
    A, S = pair
    x = fake_gpu.ApiArray(numbers(90, np.float64))
    np.testing.assert_allclose((A @ x).values, S.toarray() @ x.values)
    assert fake_gpu.exports == [1, 1]  # as DLPack numbers it


def test_libraries_are_not_imported(monkeypatch):
    for name in ("cupy", "torch"):
        monkeypatch.delitem(sys.modules, name)
    A = baltoro.Matrix.from_edges([0, 1], [1, 0])
    assert (A @ fake_gpu.ApiArray(np.array([1.0, 2.0]))).values.tolist() == [2, 1]
    assert "cupy" not in sys.modules and "torch" not in sys.modules


def test_x_and_out_of_two_libraries(pair):
    A, S = pair
    for one, other in ((fake_gpu.CupyArray, fake_gpu.TorchTensor), (fake_gpu.ApiArray, fake_gpu.CupyArray),
                       (fake_gpu.FrozenArray, fake_gpu.TorchTensor)):
        x, out = one(numbers(90, np.float64)), other(np.zeros(70))
        assert A.mxv(x, out=out) is out
        np.testing.assert_allclose(out.values, S.toarray() @ x.values)
        flags = other(np.zeros(70, bool))
        A.mxv(x, out=flags, semiring="lor_land")
        np.testing.assert_array_equal(flags.values, S.toarray() @ x.values > 0)


@pytest.mark.parametrize("array", [fake_gpu.CupyArray, fake_gpu.TorchTensor])
def test_arrays_with_strides_are_copied(pair, array):
    A, S = pair
    wide = array(numbers((90, 4), np.float64))
    strided = wide._view(wide.values[:, ::2])
    np.testing.assert_allclose((A @ strided).values, S.toarray() @ strided.values)
    with pytest.raises(ValueError, match="out must be contiguous"):
        A.mxv(array(numbers(90, np.float64)), out=wide._view(wide.values[:70, 0]))


class Managed(fake_gpu.ApiArray):
    kind = 13


def test_managed_memory(pair):
    A, S = pair
    x = Managed(numbers(90, np.float64))
    np.testing.assert_allclose((A @ x).values, S.toarray() @ x.values)


class OnTheOther(fake_gpu.ApiArray):
    device_id = 1


class NeedsGradients(fake_gpu.TorchTensor):
    requires_grad = True


class Weights(fake_gpu.ApiArray):
    dtype = "float8"


def ones(array=fake_gpu.CupyArray, size=90, dtype=np.float64):
    return array(np.ones(size, dtype))


@pytest.mark.parametrize("call, error, message", [
    (lambda A: A @ ones(size=70), ValueError, r"x must have shape \(90,\) or \(90, batch\), not \(70,\)"),
    (lambda A: A.mxv(ones(), device="cpu"), ValueError, "device cannot be 'cpu'"),
    (lambda A: A.mxv(ones(), out=np.ones(70)), TypeError, "so must out, a ndarray"),
    (lambda A: A.mxv(np.ones(90), out=ones(size=70)), TypeError, "out must be a NumPy array, not CupyArray"),
    (lambda A: A.mxv(ones(), out=ones(size=71)), ValueError, r"shape \(70,\) and type float64; it has \(71,\)"),
    (lambda A: A.mxv(ones(), out=ones(size=70, dtype=np.float32)), ValueError, "type float64; it has .* float32"),
    (lambda A: A.mxv(ones(), out=ones(OnTheOther, 70)), ValueError, "x lies on GPU 0, out on GPU 1"),
    (lambda A: A.mxv(ones(OnTheOther), out=ones(OnTheOther, 70)), baltoro.CudaError, "cudaSetDevice"),
    (lambda A: A.mxv(ones(), out=ones(NeedsGradients, 70)), ValueError, "must not require gradients"),
    (lambda A: A.mxv(ones(), beta=1), ValueError, "give out="),
    (lambda A: A.mxv(ones(), semiring="max_plus"), ValueError, "no semiring 'max_plus'"),
    (lambda A: A.mxv(ones(), bits=True, semiring="lor_land"), ValueError, r"bits of x must have shape \(3,\)"),
    (lambda A: A @ ones(fake_gpu.FrozenArray), TypeError, "give out=, an array of CuPy or PyTorch"),
    (lambda A: A @ ones(Weights), TypeError, "float8"),
    (lambda A: A @ ones(fake_gpu.ApiArray, dtype=np.complex128), TypeError, "those of CuPy and PyTorch"),
])
def test_what_is_refused(pair, call, error, message):
    with pytest.raises(error, match=message):
        call(pair[0])


def test_x_and_out_must_not_overlap():
    A = baltoro.Matrix.from_edges([0, 1], [1, 0])
    x = ones(size=2)
    with pytest.raises(ValueError, match="overlap"):
        A.mxv(x, out=x)


def test_numpy_on_the_gpu(pair):
    A, S = pair
    for device in ("cuda", "auto", baltoro.Cuda(), baltoro.Cuda(configuration="cached_frontier", offsets="scan")):
        for dtype in (np.float32, np.float64, np.complex128, bool):
            for shape in ((), (3,)):
                X = numbers((90, *shape), dtype)
                y = A.mxv(X, device=device)
                assert type(y) is np.ndarray
                np.testing.assert_allclose(y, S.toarray() @ X)
    y = np.ones(70)
    A.mxv(np.ones(90), device="cuda", out=y, alpha=2, beta=3)
    np.testing.assert_allclose(y, 2 * S.toarray().sum(axis=1) + 3)
    if A.layout == "adaptive":
        x = numbers(90, bool)
        y = A.mxv(baltoro.pack_bits(x), semiring="lor_land", bits=True, device="cuda")
        np.testing.assert_array_equal(baltoro.unpack_bits(y, 70), S.toarray() @ x > 0)


def test_algorithms_on_the_gpu(layout):
    A = baltoro.Matrix(random_sparse(60, 60, 240, seed=5), layout=layout)
    for function, options in ((baltoro.pagerank, {}), (baltoro.hits, {}), (baltoro.katz_centrality, {"attenuation": 0.02}),
                              (baltoro.eigenvector_centrality, {})):
        options.update(max_iterations=8)
        on_gpu, on_cpu = (function(A, device=device, **options) for device in ("cuda", "cpu"))
        np.testing.assert_allclose(on_gpu[0], on_cpu[0], rtol=1e-9)
    np.testing.assert_array_equal(baltoro.bfs(A, [3, 9], device="cuda", parents=True).parents,
                                  baltoro.bfs(A, [3, 9], parents=True).parents)
    np.testing.assert_array_equal(baltoro.multi_source_bfs(A, [3, 9, 40], device="cuda").distances,
                                  baltoro.multi_source_bfs(A, [3, 9, 40]).distances)
    if layout == "adaptive":
        np.testing.assert_array_equal(baltoro.reach(A, [3, 9, 40], device="cuda").table,
                                      baltoro.reach(A, [3, 9, 40]).table)
    else:
        with pytest.raises(ValueError, match="adaptive"):
            baltoro.reach(A, [3, 9, 40], device="cuda")
    np.testing.assert_allclose(baltoro.betweenness_centrality(A, [1, 2], device="cuda"),
                               baltoro.betweenness_centrality(A, [1, 2]), rtol=1e-9)


def test_matrices_from_arrays_of_a_gpu(array):
    index = np.array([[0, 0, 1], [1, 2, 2]])
    A = baltoro.Matrix.from_edge_index(array(index))
    assert cells_of(A) == {(0, 1), (0, 2), (1, 2)}
    assert cells_of(baltoro.Matrix.from_edges(array(index[0]), array(index[1]))) == cells_of(A)
    ranks = baltoro.pagerank(A, personalization=array(np.array([1.0, 2.0, 3.0]))).ranks
    np.testing.assert_array_equal(ranks, baltoro.pagerank(A, personalization=[1, 2, 3]).ranks)


def test_memory_of_a_gpu(layout):
    gc.collect()
    before = emulated_gpu.free_bytes()
    A = baltoro.Matrix(random_sparse(200, 300, 3000), layout=layout)
    needs = A.working_set(device="cuda")
    assert needs.matrix_bytes > 0 and needs.vector_bytes == 8 * 500
    assert emulated_gpu.free_bytes() == before  # asking allocates nothing
    x = fake_gpu.CupyArray(numbers(300, np.float64))
    A @ x
    held = emulated_gpu.free_bytes()
    assert before - held >= needs.matrix_bytes
    for _ in range(50):  # plans are found again, results are freed
        A @ x
    assert emulated_gpu.free_bytes() == held
    both = A.mxv(x), A.T.vxm(x)  # the same plan
    del both
    gc.collect()
    assert emulated_gpu.free_bytes() == held
    del A, x
    gc.collect()
    assert emulated_gpu.free_bytes() == before


def test_too_little_memory():
    A = baltoro.Matrix(random_sparse(2000, 2000, 30_000))
    small = baltoro.Cuda(memory_limit_bytes=1000)
    with pytest.raises(baltoro.OutOfMemory, match="needed"):
        A.mxv(np.ones(2000), device=small)
    with pytest.raises(MemoryError):
        A.mxv(ones(size=2000), device=small)


def test_snippets_of_the_documentation(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    run_snippets("docs/gpu.md", 6, capsys)


def test_options_of_a_gpu():
    assert repr(baltoro.Cuda()).startswith("baltoro.Cuda(configuration='tree_only', offsets='automatic'")
    assert eval(repr(baltoro.Cuda(tile_nodes=64, record=False))).__repr__() == repr(
        baltoro.Cuda(tile_nodes=64, record=False))
    for options, message in ((dict(configuration="fast"), "no configuration 'fast'; there are tree_only, cached_frontier"),
                             (dict(offsets="none"), "no source of offsets 'none'")):
        with pytest.raises(ValueError, match=message):
            baltoro.Cuda(**options)
