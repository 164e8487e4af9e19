"""A matrix for the solvers of scipy.sparse.linalg."""

from __future__ import annotations

import numpy as np

from .matrix import Matrix


def aslinearoperator(A: Matrix, dtype=np.float64):
    """A scipy.sparse.linalg.LinearOperator for `eigs`, `svds`, `lsqr` and the like. `dtype` is the type
    that solvers work in: float32, float64, complex64 or complex128."""
    from scipy.sparse.linalg import LinearOperator

    return LinearOperator(shape=A.shape, dtype=np.dtype(dtype), matvec=lambda x: A.mxv(x.reshape(-1)),
                          rmatvec=lambda x: A.vxm(x.reshape(-1)), matmat=A.mxv, rmatmat=A.vxm)
