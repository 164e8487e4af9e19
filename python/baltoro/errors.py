"""What Baltoro raises. Each error is also the built-in one that says the same."""


class Error(Exception):
    """Everything that Baltoro's library raises on purpose."""


class InvalidArgument(Error, ValueError):
    """An argument that cannot be used: an index outside the matrix, a vector of the wrong length."""


class InvalidFormat(Error, ValueError):
    """A file that is not what it says it is; the message names the file, the line or byte and why."""


class FileError(Error, OSError):
    """A file that cannot be opened, read or written."""


class OutOfMemory(Error, MemoryError):
    """Memory that is not there, or a limit that would be exceeded."""


class CudaError(Error, RuntimeError):
    """The CUDA runtime reported an error."""


class NotCompiled(Error, RuntimeError):
    """The request needs a part that was left out of this build."""
