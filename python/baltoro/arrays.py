"""From anything that holds numbers to the arrays that the library takes."""

from __future__ import annotations

import numpy as np

_INDEX_TYPES = (np.dtype(np.int64), np.dtype(np.int32), np.dtype(np.uint32))

# Kinds of memory in DLPack.
_CPU, _CUDA, _CUDA_HOST, _CUDA_MANAGED = 1, 2, 3, 13
_GPU_MEMORY = (_CUDA, _CUDA_MANAGED)


def lies_on_gpu(values) -> bool:
    """Whether something is an array in the memory of a CUDA device."""
    is_cuda = getattr(values, "is_cuda", None)  # PyTorch's answer, which takes no time
    if isinstance(is_cuda, bool):
        return is_cuda
    device = getattr(values, "__dlpack_device__", None)
    return device is not None and device()[0] in _GPU_MEMORY


def as_array(values, what: str) -> np.ndarray:
    """The values as a NumPy array, without a copy where they lie in the CPU's memory."""
    if isinstance(values, np.ndarray):
        return values
    if hasattr(values, "__dlpack_device__"):
        kind = values.__dlpack_device__()[0]
        if kind in _GPU_MEMORY:
            return to_cpu(values, what)
        if not hasattr(values, "__array__"):
            try:
                return np.from_dlpack(values)
            except (BufferError, RuntimeError, TypeError) as reason:
                raise TypeError(f"{what} must lie in the memory of the CPU or of a CUDA device: {reason}") from None
    return np.asarray(values)


def to_cpu(values, what: str) -> np.ndarray:
    """A copy of a GPU's array in the CPU's memory, made by the library the array is of."""
    for method in ("get", "cpu"):  # CuPy's, PyTorch's
        if hasattr(values, method):
            copied = getattr(values, method)()
            return copied if isinstance(copied, np.ndarray) else copied.detach().numpy()
    try:
        return np.from_dlpack(values, device="cpu", copy=True)
    except (BufferError, RuntimeError, TypeError) as reason:
        raise TypeError(f"{what} lies in the memory of a GPU and cannot be copied from there: {reason}") from None


def as_indices(values, what: str) -> np.ndarray:
    """One dimension of integers, as int64, int32 or uint32."""
    array = as_array(values, what)
    if array.ndim != 1:
        raise ValueError(f"{what} must have one dimension, not shape {array.shape}")
    if array.dtype not in _INDEX_TYPES:
        if array.size == 0 and not isinstance(values, np.ndarray):
            array = array.astype(np.int64)  # an empty list is an array of floats to NumPy
        elif array.dtype.kind not in "iu":
            raise TypeError(f"{what} must be integers, not {array.dtype}")
        elif array.dtype == np.uint64 and array.size and array.max() > np.iinfo(np.int64).max:
            raise ValueError(f"{what} {array.max()} exceeds the largest index, 4294967294")
        else:
            array = array.astype(np.int64)
    return np.ascontiguousarray(array)


def as_shape(shape) -> tuple[int, int]:
    """Rows and columns."""
    try:
        rows, cols = shape
        return rows.__index__(), cols.__index__()
    except (TypeError, ValueError, AttributeError):
        raise TypeError(f"shape must be two integers, rows and columns, not {shape!r}") from None
