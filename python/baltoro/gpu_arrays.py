"""Products with arrays that lie in the memory of a GPU: CuPy's, PyTorch's, and any that speak DLPack.

They are used where they are, on the stream that is current in their library, and the result is an array of that
library. Nothing waits for the GPU where x and out are of one library.
"""

from __future__ import annotations

import math
import sys

import numpy as np

from . import _core
from .arrays import lies_on_gpu
from .products import check_shape, check_update, computed_in, ring_of, shape_of_bits

_DEFAULT_STREAM = 1  # as DLPack numbers it
_PARTS = {"complex64": ("float32", 2), "complex128": ("float64", 2)}  # real numbers that complex ones are


class _Library:
    """What is asked of the library that an array is of. This one goes by the array API standard."""

    has_addresses = False
    """Whether `address` says where an array lies; else DLPack does, which takes longer."""

    def stream(self, x, gpu: int) -> int:
        """The current stream, as DLPack numbers it."""
        return _DEFAULT_STREAM

    def gpu(self, x) -> int:
        """The number of the GPU that an array lies on."""
        return x.__dlpack_device__()[1]

    def dtype(self, x) -> np.dtype:
        try:
            return np.dtype(str(x.dtype).rpartition(".")[2])
        except TypeError:
            raise TypeError(f"x has the type {x.dtype}, which is none of NumPy's") from None

    def _module(self, x):
        module = x.__array_namespace__() if hasattr(x, "__array_namespace__") else None
        if not hasattr(module, "empty") or type(x).__module__.split(".")[0] in ("jax", "jaxlib"):
            raise TypeError(f"{type(x).__name__} has no arrays that can be written to: give out=, an array of CuPy "
                            f"or PyTorch")
        return module

    def empty(self, x, shape, dtype: np.dtype):
        module = self._module(x)
        return module.empty(shape, dtype=getattr(module, dtype.name), device=x.device)

    def converted(self, x, dtype: np.dtype):
        """x in that type, contiguous in C order."""
        module = self._module(x)
        return module.asarray(module.astype(x, getattr(module, dtype.name)), copy=True)

    def is_contiguous(self, x) -> bool:
        return True  # what is not is found later

    def parts(self, x):
        """Complex numbers as twice as many real ones."""
        raise TypeError(f"complex numbers in arrays of {type(x).__module__} are not taken; those of CuPy and "
                        f"PyTorch are")

    def nonzero(self, y):
        return y != 0

    def or_into(self, out, y, accumulate: bool):
        """out = (out or) y ≠ 0"""
        out[...] = (out | (y != 0)) if accumulate else (y != 0)

    def transposed(self, x):
        return x.T


class _Cupy(_Library):
    has_addresses = True

    def __init__(self, module):
        self.module = module

    def stream(self, x, gpu):
        return self.module.cuda.get_current_stream(gpu).ptr or _DEFAULT_STREAM

    def gpu(self, x):
        return x.data.device_id

    def address(self, x) -> int:
        return x.data.ptr

    def dtype(self, x):
        return x.dtype

    def empty(self, x, shape, dtype):
        if self.module.cuda.runtime.getDevice() == x.data.device_id:
            return self.module.empty(shape, dtype)
        with x.device:
            return self.module.empty(shape, dtype)

    def converted(self, x, dtype):
        with x.device:
            return self.module.ascontiguousarray(x, dtype)

    def is_contiguous(self, x):
        return x.flags.c_contiguous

    def parts(self, x):
        return x.reshape(x.shape[0], -1).view(np.float32 if x.dtype == np.complex64 else np.float64)


class _Torch(_Library):
    has_addresses = True

    def __init__(self, module):
        self.module = module
        self._dtypes: dict = {}
        # What Triton asks as well; the public way makes an object of the stream first.
        self._raw_stream = getattr(getattr(module, "_C", None), "_cuda_getCurrentRawStream", None)

    def stream(self, x, gpu):
        if self._raw_stream is not None:
            return self._raw_stream(gpu) or _DEFAULT_STREAM
        return self.module.cuda.current_stream(x.device).cuda_stream or _DEFAULT_STREAM

    def gpu(self, x):
        return x.get_device()

    def address(self, x) -> int:
        return x.data_ptr()

    def dtype(self, x):
        found = self._dtypes.get(x.dtype)
        if found is None:
            found = self._dtypes[x.dtype] = super().dtype(x)
        return found

    def empty(self, x, shape, dtype):
        return self.module.empty(shape, dtype=getattr(self.module, dtype.name), device=x.device)

    def converted(self, x, dtype):
        x = x.detach()
        if x.is_conj() or x.is_neg():
            x = x.resolve_conj().resolve_neg()
        return x.to(getattr(self.module, dtype.name)).contiguous()

    def is_contiguous(self, x):
        return x.is_contiguous() and not x.is_conj() and not x.is_neg()

    def parts(self, x):
        return self.module.view_as_real(x).reshape(x.shape[0], -1)

    def transposed(self, x):
        return x.t() if x.ndim == 2 else x


_libraries: dict[type, _Library] = {}


def _library_of(x) -> _Library:
    """Of the library that an array is of. One that is not imported has no arrays, so that none is imported."""
    found = _libraries.get(type(x))
    if found is None:
        torch, cupy = sys.modules.get("torch"), sys.modules.get("cupy")
        if torch is not None and isinstance(x, getattr(torch, "Tensor", ())):
            found = _Torch(torch)
        elif cupy is not None and isinstance(x, getattr(cupy, "ndarray", ())):
            found = _Cupy(cupy)
        else:
            found = _Library()
        _libraries[type(x)] = found
    return found


def transposed(x):
    """x with its two dimensions exchanged."""
    return _library_of(x).transposed(x)


def _export(array, what: str, stream: int):
    """A capsule of DLPack whose memory is ready on the stream."""
    try:
        if hasattr(array, "detach"):
            array = array.detach()
        return array.__dlpack__(stream=stream)
    except (BufferError, TypeError) as reason:
        raise TypeError(f"{what} cannot be used where it lies: {reason}") from None


def _output(out, shape: tuple, dtype: np.dtype, gpu: int):
    if not lies_on_gpu(out):
        raise TypeError(f"x lies in the memory of a GPU, and so must out, a {type(out).__name__}")
    library = _library_of(out)
    if tuple(out.shape) != shape or library.dtype(out) != dtype:
        raise ValueError(f"out must have shape {shape} and type {dtype}; it has {tuple(out.shape)} and "
                         f"{library.dtype(out)}")
    if not library.is_contiguous(out):
        raise ValueError("out must be contiguous in C order")
    if library.gpu(out) != gpu:
        raise ValueError(f"x lies on GPU {gpu}, out on GPU {library.gpu(out)}")
    if getattr(out, "requires_grad", False):
        raise ValueError("out must not require gradients: no product records them")
    return library


def multiply(core, left: bool, x, semiring: str, out, alpha, beta, device, packed: bool, reproducible: bool):
    """As `products.multiply`, for x in the memory of a GPU."""
    if device == "cpu":
        raise ValueError("x lies in the memory of a GPU, so device cannot be 'cpu'; copy x to the CPU first")
    _core.require_cuda()  # or a message that says why there is none
    inputs, outputs = (core.rows, core.cols) if left else (core.cols, core.rows)
    shape = tuple(x.shape)
    check_shape(shape, inputs, packed)
    ring = ring_of(semiring)
    check_update(semiring, alpha, beta, out)
    library = _library_of(x)
    dtype, gpu = library.dtype(x), library.gpu(x)
    batch = shape[1] if len(shape) == 2 else 1
    computed = result = dtype
    result_shape = (outputs, *shape[1:])
    if packed:
        if semiring != "lor_land":
            raise ValueError(f"bits are multiplied over lor_land, not over {semiring}")
        if dtype != np.uint32:
            raise TypeError(f"bits of x must be uint32 words, as baltoro.pack_bits makes them, not {dtype}")
        batch = 32 * shape[1] if len(shape) == 2 else 1
        result_shape = shape_of_bits(outputs, shape)
    elif dtype.kind == "c":
        if semiring != "plus_times":
            raise TypeError(f"complex numbers have no {semiring}; use plus_times")
        batch *= 2
    else:
        computed = computed_in(dtype, semiring)
        result = np.dtype(bool) if semiring == "lor_land" else computed
    their = library if out is None else _output(out, result_shape, result, gpu)
    if dtype != computed or not library.is_contiguous(x):
        x = library.converted(x, computed)
    if out is not None and result == computed:
        y = out
    else:
        y = their.empty(x if out is None else out, result_shape, computed)
    accumulate = bool(beta)
    if 0 not in result_shape:
        stream = library.stream(x, gpu)
        from_, to = (library.parts(x), their.parts(y)) if dtype.kind == "c" else (x, y)
        if result.kind == "b":
            alpha, beta = 1.0, 0.0
        if device is None or device == "auto":
            device = "cuda"
        arguments = left, ring, batch, float(alpha), float(beta), device
        if their is library and library.has_addresses:
            values, width = _PARTS.get(computed.name) or (computed.name, 1)
            getattr(core, f"multiply_addresses_of_{values}")(
                library.address(from_), library.address(to), math.prod(shape) * width,
                math.prod(result_shape) * width, *arguments, gpu, stream, reproducible)
        else:
            # A library that goes by the standard cannot be asked beforehand what is contiguous.
            on = stream, reproducible
            if not _run(core, from_, to, arguments, on) and not _run(
                    core, library.converted(from_, computed), to, arguments, on):
                raise ValueError("x and out must be contiguous in C order, and out must be writeable")
            if their is not library:
                _core.wait_for_stream(gpu, stream)  # of which the other library knows nothing
    if result.kind != "b":
        return y
    if out is None:
        return library.nonzero(y)
    their.or_into(out, y, accumulate)
    return out


def _run(core, x, y, arguments, on) -> bool:
    """Whether the extension took the arrays, which it does where both are contiguous in C order."""
    stream, reproducible = on
    x, y = _export(x, "x", stream), _export(y, "out", stream)
    try:
        core.multiply_on_gpu(x, y, *arguments, stream, reproducible)
    except TypeError:  # what else there is has been checked
        return False
    return True
