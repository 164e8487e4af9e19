"""Products of a matrix with vectors: types, shapes and memory, before the library does the work."""

from __future__ import annotations

import numpy as np

from . import _core
from .arrays import as_array

_RINGS = {name: getattr(_core.Semiring, name) for name in ("plus_times", "lor_land", "min_plus")}
_FLOATS = (np.dtype(np.float64), np.dtype(np.float32))
_BOOL = np.dtype(bool)


def _ring(name):
    try:
        return _RINGS[name]
    except (KeyError, TypeError):
        raise ValueError(f"there is no semiring {name!r}; there are {', '.join(_RINGS)}") from None


def _computed_in(dtype: np.dtype, semiring: str) -> np.dtype:
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


def multiply(core, left: bool, x, semiring: str = "plus_times", out=None) -> np.ndarray:
    """A ⊗ x, or Aᵀ ⊗ x where `left`, for x of shape (n,) or (n, batch)."""
    if type(x) is not np.ndarray:
        x = as_array(x, "x")
    inputs, outputs = (core.rows, core.cols) if left else (core.cols, core.rows)
    shape = x.shape
    if not 1 <= len(shape) <= 2 or shape[0] != inputs:
        raise ValueError(f"x must have shape ({inputs},) or ({inputs}, batch), not {shape}")
    ring = _ring(semiring)
    dtype = x.dtype
    if dtype.kind == "c":
        return _multiply_complex(core, left, x, semiring, out)
    if dtype not in _FLOATS:
        dtype = _computed_in(dtype, semiring)
    result_dtype = _BOOL if semiring == "lor_land" else dtype
    result_shape = (outputs, *shape[1:])
    if out is not None:
        _output(out, result_shape, result_dtype, x)
    if x.dtype != dtype or not x.flags.c_contiguous:
        x = np.ascontiguousarray(x, dtype)
    if out is not None and result_dtype is dtype:
        y = out
    else:
        y = np.empty(result_shape, dtype)
    if y.size:
        core.multiply(x.reshape(-1), y.reshape(-1), left, ring, shape[1] if len(shape) == 2 else 1)
    if result_dtype is _BOOL:
        if out is None:
            return y != 0
        np.not_equal(y, 0, out=out)
        return out
    return y


def _multiply_complex(core, left: bool, x: np.ndarray, semiring: str, out) -> np.ndarray:
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
    if y.size:
        core.multiply(parts.reshape(-1), y.reshape(-1).view(real), left, _ring(semiring), parts.shape[1])
    return y
