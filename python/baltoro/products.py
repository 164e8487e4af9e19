"""Products of a matrix with vectors: types, shapes and memory, before the library does the work."""

from __future__ import annotations

import numpy as np

from . import _core
from .arrays import as_array, lies_on_gpu

RINGS = {name: getattr(_core.Semiring, name) for name in ("plus_times", "lor_land", "min_plus")}
_FLOATS = (np.dtype(np.float64), np.dtype(np.float32))
_BOOL = np.dtype(bool)
_WORD = np.dtype(np.uint32)


def ring_of(name):
    try:
        return RINGS[name]
    except (KeyError, TypeError):
        raise ValueError(f"there is no semiring {name!r}; there are {', '.join(RINGS)}") from None


def computed_in(dtype: np.dtype, semiring: str) -> np.dtype:
    """The type a product with values of `dtype` is computed in."""
    if dtype.newbyteorder("=") in _FLOATS:  # the other byte order
        return dtype.newbyteorder("=")
    if semiring == "lor_land" and dtype.kind in "biu":
        return _FLOATS[1]
    if dtype == np.float16:
        return _FLOATS[1]
    if dtype.kind in "biu":
        return _FLOATS[0]
    raise TypeError(
        f"x must hold booleans, integers, float16, float32, float64 or (over plus_times) complex "
        f"numbers, not {dtype}")


def check_update(semiring: str, alpha, beta, out) -> None:
    """What alpha and beta can be."""
    if isinstance(alpha, complex) or isinstance(beta, complex):
        raise TypeError("alpha and beta must be real numbers")
    if beta != 0 and out is None:
        raise ValueError("beta is a factor of what out holds; give out=, or leave beta at 0")
    if semiring != "plus_times" and (alpha != 1 or beta not in (0, 1)):
        raise ValueError(f"alpha {alpha} and beta {beta}: {semiring} takes alpha 1 and beta 0 (overwrite) or 1 "
                         f"(accumulate)")


def shape_of_bits(lines: int, shape: tuple) -> tuple:
    """The shape that the product of bits has, for x of `shape`."""
    return (-(-lines // 32),) if len(shape) == 1 else (lines, shape[1])


def check_shape(shape: tuple, inputs: int, packed: bool) -> None:
    """Whether x has as many values as it must."""
    wanted = -(-inputs // 32) if packed and len(shape) == 1 else inputs
    if 1 <= len(shape) <= 2 and shape[0] == wanted:
        return
    if packed:
        raise ValueError(f"bits of x must have shape ({-(-inputs // 32)},) or ({inputs}, words), not {tuple(shape)}")
    raise ValueError(f"x must have shape ({inputs},) or ({inputs}, batch), not {tuple(shape)}")


def _output(out, shape: tuple, dtype: np.dtype, x: np.ndarray) -> np.ndarray:
    if not isinstance(out, np.ndarray):
        raise TypeError(f"out must be a NumPy array, not {type(out).__name__}")
    if out.shape != shape or out.dtype != dtype:
        raise ValueError(f"out must have shape {shape} and type {dtype}; it has {out.shape} and {out.dtype}")
    if not out.flags.c_contiguous or not out.flags.writeable:
        raise ValueError("out must be writeable and contiguous in C order")
    if np.may_share_memory(out, x):
        raise ValueError("out must not overlap x")
    return out


def multiply(core, left: bool, x, semiring: str = "plus_times", out=None, alpha=1.0, beta=0.0, device=None,
             packed: bool = False, reproducible: bool = False):
    """alpha · A ⊗ x + beta · out, or the same with Aᵀ where `left`, for x of shape (n,) or (n, batch)."""
    if type(x) is not np.ndarray:
        if lies_on_gpu(x):
            from . import gpu_arrays

            return gpu_arrays.multiply(core, left, x, semiring, out, alpha, beta, device, packed, reproducible)
        x = as_array(x, "x")
    inputs, outputs = (core.rows, core.cols) if left else (core.cols, core.rows)
    shape = x.shape
    if not 1 <= len(shape) <= 2 or shape[0] != inputs or packed:
        check_shape(shape, inputs, packed)
    ring = ring_of(semiring)
    if alpha != 1 or beta != 0:
        check_update(semiring, alpha, beta, out)
        alpha, beta = float(alpha), float(beta)
    dtype = x.dtype
    if packed:
        return _multiply_bits(core, left, x, semiring, out, beta, device)
    if dtype.kind == "c":
        return _multiply_complex(core, left, x, semiring, out, alpha, beta, device, reproducible)
    if dtype not in _FLOATS:
        dtype = computed_in(dtype, semiring)
    result_dtype = _BOOL if semiring == "lor_land" else dtype
    result_shape = (outputs, *shape[1:])
    if out is not None:
        _output(out, result_shape, result_dtype, x)
    if x.dtype != dtype or not x.flags.c_contiguous:
        x = np.ascontiguousarray(x, dtype)
    if out is not None and result_dtype is not _BOOL:
        y = out
    else:
        y = np.empty(result_shape, dtype)
    batch = shape[1] if len(shape) == 2 else 1
    if result_dtype is _BOOL:
        _run(core, x, y, left, ring, batch, 1.0, 0.0, device)
        if out is None:
            return y != 0
        return np.logical_or(out, y, out=out) if beta else np.not_equal(y, 0, out=out)
    _run(core, x, y, left, ring, batch, alpha, beta, device, reproducible)
    return y


def _run(core, x, y, left, ring, batch, alpha, beta, device, reproducible=False) -> None:
    if y.size == 0:
        return
    if device is None or device == "cpu":
        core.multiply(x.reshape(-1), y.reshape(-1), left, ring, batch, alpha, beta)
    else:
        core.multiply_there(x.reshape(-1), y.reshape(-1), left, ring, batch, alpha, beta, device,
                            reproducible)


def _multiply_complex(core, left: bool, x: np.ndarray, semiring: str, out, alpha, beta, device,
                      reproducible) -> np.ndarray:
    """Real and imaginary parts side by side are a batch twice as wide."""
    if semiring != "plus_times":
        raise TypeError(f"complex numbers have no {semiring}; use plus_times")
    x = x.astype(x.dtype.newbyteorder("="), copy=False)
    if x.dtype not in (np.complex64, np.complex128):
        raise TypeError(f"x must be complex64 or complex128, not {x.dtype}")
    real = np.float32 if x.dtype == np.complex64 else np.float64
    parts = np.ascontiguousarray(x).reshape(x.shape[0], -1).view(real)
    shape = (core.cols if left else core.rows, *x.shape[1:])
    y = np.empty(shape, x.dtype) if out is None else _output(out, shape, x.dtype, x)
    _run(core, parts, y.reshape(-1).view(real), left, ring_of(semiring), parts.shape[1], alpha, beta, device,
         reproducible)
    return y


def _multiply_bits(core, left: bool, x: np.ndarray, semiring: str, out, beta, device) -> np.ndarray:
    if semiring != "lor_land":
        raise ValueError(f"bits are multiplied over lor_land, not over {semiring}")
    if x.dtype != _WORD:
        raise TypeError(f"bits of x must be uint32 words, as baltoro.pack_bits makes them, not {x.dtype}")
    shape = shape_of_bits(core.cols if left else core.rows, x.shape)
    y = np.zeros(shape, _WORD) if out is None else _output(out, shape, _WORD, x)
    batch = 32 * x.shape[1] if x.ndim == 2 else 1
    _run(core, np.ascontiguousarray(x), y, left, RINGS["lor_land"], batch, 1.0, beta, device)
    return y


def pack_bits(values) -> np.ndarray:
    """Booleans (any numbers, of which 0 is false) as 32-bit words, the first in the low bit, for
    `A.mxv(words, semiring="lor_land", bits=True)`: (n,) as ⌈n / 32⌉ words, (n, batch) as (n, ⌈batch / 32⌉).
    """
    array = np.atleast_1d(as_array(values, "values"))
    if array.ndim > 2:
        raise ValueError(f"values must have shape (n,) or (n, batch), not {array.shape}")
    count = array.shape[-1]
    padded = np.zeros((*array.shape[:-1], -(-count // 32) * 32), bool)
    padded[..., :count] = array != 0
    return np.packbits(padded, axis=-1, bitorder="little").view("<u4").astype(_WORD, copy=False)


def unpack_bits(words, count: int) -> np.ndarray:
    """The reverse of `pack_bits`: (⌈n / 32⌉,) words as `count` = n bool, (n, words) as (n, count)."""
    words = np.ascontiguousarray(as_array(words, "words"))
    if words.dtype != _WORD or not 1 <= words.ndim <= 2:
        raise ValueError(f"words must be uint32 of one or two dimensions, not {words.dtype} of shape {words.shape}")
    if not 0 <= count <= 32 * words.shape[-1]:
        raise ValueError(f"{words.shape[-1]} words hold up to {32 * words.shape[-1]} bits, not {count}")
    return np.unpackbits(words.astype("<u4", copy=False).view(np.uint8), axis=-1, bitorder="little",
                         count=count).astype(bool)
