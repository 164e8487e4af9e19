"""Three libraries of arrays in the memory of the emulated GPU: one that goes by the array API, one like CuPy, one
like PyTorch, as far as Baltoro uses them. What they hold is computed by NumPy."""

import contextlib
import ctypes
import types
import weakref

import emulated_gpu
import numpy as np

exports = []
"""The streams that __dlpack__ was given."""


def _allocated(count, dtype):
    """So many values in the memory of the emulated GPU, which is freed with the last view of them."""
    address = emulated_gpu.allocate(max(1, count * dtype.itemsize))
    data = (ctypes.c_char * (count * dtype.itemsize)).from_address(address)
    weakref.finalize(data, emulated_gpu.free, address)
    return np.frombuffer(data, dtype)


class Array:
    """What the three have in common."""

    device_id = 0
    kind = 2
    exportable = ("float32", "float64", "uint32", "int64", "int32", "bool")

    def __init__(self, values, is_there=False):
        self.values = values
        if not is_there:  # a copy in the GPU's memory
            self.values = _allocated(values.size, values.dtype).reshape(values.shape)
            self.values[...] = values

    def _like(self, values):
        return type(self)(np.asarray(values))

    def _view(self, values):
        return type(self)(values, is_there=True)

    shape = property(lambda self: self.values.shape)
    ndim = property(lambda self: self.values.ndim)
    T = property(lambda self: self._view(self.values.T))

    def __dlpack_device__(self):
        return self.kind, self.device_id

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if dl_device == (1, 0):
            return self.values.copy().__dlpack__()
        exports.append(stream)
        if self.values.dtype.name not in self.exportable:
            raise BufferError(f"no {self.values.dtype} here")
        strides = [each // self.values.itemsize for each in self.values.strides]
        return emulated_gpu.capsule(self.values.__array_interface__["data"][0], list(self.shape), strides,
                                    self.values.dtype.name, self.kind, self.device_id, self.values)

    def __ne__(self, other):
        return self._like(self.values != other)

    def __or__(self, other):
        return self._like(self.values | other.values)

    def __setitem__(self, key, other):
        self.values[key] = getattr(other, "values", other)

    def __getitem__(self, key):
        return self._view(self.values[key])

    def min(self):
        return self.values.min()

    def max(self):
        return self.values.max()

    def tolist(self):
        return self.values.tolist()

    def reshape(self, *shape):
        return self._view(self.values.reshape(*shape))


class Current:
    """The stream that is current in a library."""

    number = 0


# ---- the array API

class ApiArray(Array):
    device = "gpu"
    dtype = property(lambda self: self.values.dtype)

    def __array_namespace__(self):
        return types.SimpleNamespace(
            **{name: np.dtype(name) for name in (*self.exportable, "complex128")},
            empty=lambda shape, dtype, device: ApiArray(np.empty(shape, dtype)),
            astype=lambda x, dtype: ApiArray(x.values.astype(dtype)),
            asarray=lambda x, copy: ApiArray(np.ascontiguousarray(x.values)))


class FrozenArray(Array):
    """Of a library without arrays that can be written to."""
    dtype = property(lambda self: self.values.dtype)


# ---- like CuPy

class _Device:
    id = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


class CupyArray(Array):
    device = _Device()
    data = property(lambda self: types.SimpleNamespace(
        ptr=self.values.__array_interface__["data"][0], device_id=self.device_id))
    dtype = property(lambda self: self.values.dtype)
    flags = property(lambda self: self.values.flags)

    def view(self, dtype):
        return self._view(self.values.view(dtype))

    def get(self):
        return self.values.copy()


def cupy_module():
    stream = Current()
    module = types.ModuleType("cupy")
    module.ndarray = CupyArray
    module.empty = lambda shape, dtype: CupyArray(np.empty(shape, dtype))
    module.asarray = lambda values: CupyArray(np.asarray(values))
    module.ascontiguousarray = lambda x, dtype: CupyArray(np.ascontiguousarray(x.values, dtype))
    module.cuda = types.SimpleNamespace(get_current_stream=lambda device: types.SimpleNamespace(ptr=stream.number),
                                        runtime=types.SimpleNamespace(getDevice=lambda: 0))
    return module, stream


# ---- like PyTorch

class _Type:
    def __init__(self, name):
        self.name = name

    def __str__(self):
        return f"torch.{self.name}"


class TorchTensor(Array):
    device = "cuda:0"
    requires_grad = False
    is_cuda = True
    dtype = property(lambda self: _Type(self.values.dtype.name))

    def get_device(self):
        return self.device_id

    def data_ptr(self):
        return self.values.__array_interface__["data"][0]

    def detach(self):
        return self._view(self.values)

    def to(self, dtype):
        return self._like(self.values.astype(dtype.name))

    def contiguous(self):
        return self._like(np.ascontiguousarray(self.values))

    def is_contiguous(self):
        return self.values.flags.c_contiguous

    def is_conj(self):
        return False

    is_neg = is_conj

    def t(self):
        return self.T

    def cpu(self):
        held = self.values.copy()
        return types.SimpleNamespace(detach=lambda: types.SimpleNamespace(numpy=lambda: held))


class _Graph:
    work = None

    def replay(self):
        self.work.launch()


@contextlib.contextmanager
def _captured(graph, stream):
    recording = emulated_gpu.RecordingStream()
    stream.number = recording.number
    try:
        yield
    finally:
        graph.work = recording.end()
        stream.number = 0


def torch_module():
    stream = Current()
    module = types.ModuleType("torch")
    module.Tensor = TorchTensor
    module.empty = lambda shape, dtype, device: TorchTensor(np.empty(shape, dtype.name))
    module.tensor = lambda values, device: TorchTensor(np.array(values))
    module.ones = lambda size, device: TorchTensor(np.ones(size, np.float32))
    module.zeros = lambda size, device: TorchTensor(np.zeros(size, np.float32))
    for name in ("float32", "float64", "uint32", "int32", "bool", "complex64", "complex128"):
        setattr(module, name, _Type(name))
    module.view_as_real = lambda x: x._view(
        x.values.view(np.float32 if x.values.dtype == np.complex64 else np.float64).reshape(*x.shape, 2))
    module.cuda = types.SimpleNamespace(
        current_stream=lambda device: types.SimpleNamespace(cuda_stream=stream.number), CUDAGraph=_Graph,
        graph=lambda graph: _captured(graph, stream))
    return module, stream
