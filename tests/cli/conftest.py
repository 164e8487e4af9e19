"""How tests run the command, and small graphs to run it on."""

import json
import os
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
import scipy.io
import scipy.sparse

COMMAND = os.environ["BALTORO_COMMAND"]
SHARED_DATA = Path(os.environ.get("BALTORO_SHARED_DATA", ""))
SANITIZED = bool(os.environ.get("BALTORO_SANITIZED"))


class Result:
    """What a run left behind."""

    def __init__(self, done):
        self.code = done.returncode
        self.out = done.stdout.decode()
        self.err = done.stderr.decode()

    @property
    def json(self):
        return json.loads(self.out)


def run(*arguments, **options):
    """Runs the command and returns what it printed, whatever its exit code."""
    done = subprocess.run([COMMAND, *(each if isinstance(each, bytes) else str(each) for each in arguments)], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=300, **options)
    return Result(done)


def succeed(*arguments, **options):
    """Runs the command, which must say nothing on standard error."""
    result = run(*arguments, **options)
    assert (result.code, result.err) == (0, "")
    return result


def fail(*arguments, code=1, **options):
    """Runs the command, which must fail with one line; returns that line."""
    result = run(*arguments, **options)
    assert result.out == ""
    assert re.fullmatch(r"baltoro: [^\n]+\n", result.err), result.err
    assert result.code == code, result.err
    return result.err[len("baltoro: "):-1]


def write_matrix(path, cells, shape):
    """Writes a Matrix Market file of 0-based cells."""
    lines = ["%%MatrixMarket matrix coordinate pattern general", f"{shape[0]} {shape[1]} {len(cells)}"]
    lines += [f"{row + 1} {col + 1}" for row, col in cells]
    path.write_text("\n".join(lines) + "\n")
    return path


def random_matrix(rows, cols, count, seed):
    """Distinct cells, sorted, and the same as a SciPy matrix."""
    random = np.random.default_rng(seed)
    cells = sorted(set(zip(random.integers(0, rows, count).tolist(),
                           random.integers(0, cols, count).tolist())))
    dense = scipy.sparse.csr_matrix(
        (np.ones(len(cells)), ([r for r, _ in cells], [c for _, c in cells])), shape=(rows, cols))
    return cells, dense


def exported_cells(path, tmp_path):
    """The cells of a graph, as `export` writes them."""
    target = tmp_path / "exported.tsv"
    succeed("export", path, "-o", target, "--quiet")
    return [tuple(map(int, line.split("\t"))) for line in target.read_text().splitlines()]


# Shapes and cells that are easy to get wrong.
SMALL_MATRICES = {
    "0x0": ((0, 0), []),
    "empty 1x1": ((1, 1), []),
    "full 1x1": ((1, 1), [(0, 0)]),
    "1xn": ((1, 9), [(0, 0), (0, 8)]),
    "nx1": ((9, 1), [(0, 0), (7, 0), (8, 0)]),
    "0xn": ((0, 5), []),
    "nx0": ((5, 0), []),
    "empty 4x6": ((4, 6), []),
    "full 3x3": ((3, 3), [(r, c) for r in range(3) for c in range(3)]),
    "17x5": ((17, 5), [(0, 4), (15, 0), (16, 4)]),
}


@pytest.fixture(params=SMALL_MATRICES, ids=lambda name: name.replace(" ", "-"))
def small(request, tmp_path):
    """The file, shape and cells of each small matrix."""
    shape, cells = SMALL_MATRICES[request.param]
    return write_matrix(tmp_path / "small.mtx", cells, shape), shape, cells


TRIPLES = [
    ("bash", "Depends", "libc6"),
    ("bash", "Suggests", "bash-doc"),
    ("git", "Depends", "libc6"),
    ("git", "Depends", "perl"),
    ("git", "Recommends", "less"),
    ("perl", "Depends", "libc6"),
    ("perl", "Recommends", "libc6"),
]
# Vertices in the order of their bytes.
TRIPLE_NAMES = ["bash", "bash-doc", "git", "less", "libc6", "perl"]


@pytest.fixture
def labelled(tmp_path):
    """A labelled graph of four relations' worth of triples."""
    path = tmp_path / "packages.tsv"
    path.write_text("".join("\t".join(triple) + "\n" for triple in TRIPLES))
    return path


@pytest.fixture
def square(tmp_path):
    """A square .k2m file, its cells and the same as a SciPy matrix."""
    cells, dense = random_matrix(70, 70, 300, seed=11)
    source = write_matrix(tmp_path / "square.mtx", cells, (70, 70))
    target = tmp_path / "square.k2m"
    succeed("build", source, "-o", target, "--quiet")
    return target, cells, dense
