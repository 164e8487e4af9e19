"""What goes wrong on the way: damaged files, full disks, interrupts, readers that leave."""

import json
import os
import pty
import random
import resource
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from conftest import COMMAND, SANITIZED, fail, run, succeed, write_matrix

INVALID = Path(__file__).parent.parent / "data" / "invalid"
IS_ROOT = os.geteuid() == 0


def test_missing_file(tmp_path):
    message = fail("info", tmp_path / "none.mtx")
    assert "none.mtx: " in message and "No such file" in message


@pytest.mark.parametrize("name", ["web.mtx", "web.k2m", "web.tsv", "web.nt"])
def test_directory(name, tmp_path):
    os.mkdir(tmp_path / name)
    assert name in fail("info", tmp_path / name)


@pytest.mark.parametrize("name", ["empty.mtx", "empty.k2m"])
def test_empty_file(name, tmp_path):
    (tmp_path / name).write_bytes(b"")
    assert name in fail("info", tmp_path / name)


@pytest.mark.skipif(IS_ROOT, reason="root may read everything")
def test_no_permission(tmp_path):
    path = write_matrix(tmp_path / "a.mtx", [], (1, 1))
    path.chmod(0)
    assert "Permission denied" in fail("info", path)


@pytest.mark.parametrize("path", sorted(INVALID.iterdir()), ids=lambda path: path.name)
def test_invalid_files(path, tmp_path):
    forced = {".edges": ["--from", "edges"], ".tsv": ["--from", "triples"]}.get(path.suffix, [])
    if path.suffix in {".npy", ".properties", ".graph", ".offsets"}:
        pytest.skip("not a graph in one file")
    message = fail("build", path, *forced, "-o", tmp_path / "a.k2m")
    assert path.name in message
    assert list(tmp_path.iterdir()) == []


def test_every_truncation_of_a_k2m_file(labelled, tmp_path):
    succeed("build", labelled, "-o", tmp_path / "a.k2m")
    content = (tmp_path / "a.k2m").read_bytes()
    lengths = sorted({*range(0, 200, 9), *range(200, len(content), 211), len(content) - 1})
    for length in lengths:
        (tmp_path / "cut.k2m").write_bytes(content[:length])
        for command in ["info", "verify"]:
            assert "cut.k2m" in fail(command, tmp_path / "cut.k2m")


def test_damaged_bytes_of_a_k2m_file(labelled, tmp_path):
    succeed("build", labelled, "-o", tmp_path / "a.k2m")
    content = (tmp_path / "a.k2m").read_bytes()
    dice = random.Random(4)
    for position in [*range(0, 64, 4), *(dice.randrange(64, len(content)) for _ in range(40))]:
        damaged = bytearray(content)
        damaged[position] ^= 1 << dice.randrange(8)
        (tmp_path / "bad.k2m").write_bytes(damaged)
        result = run("verify", tmp_path / "bad.k2m")
        # Only the padding between sections may hold anything.
        assert result.code == 1 or content[position] == 0
        if result.code == 1:
            assert result.err.startswith("baltoro: ") and result.err.count("\n") == 1
            assert "bad.k2m" in result.err
        assert run("info", tmp_path / "bad.k2m").code in (0, 1)


@pytest.mark.parametrize("command", [
    ["build", "{in}", "-o", "{out}.k2m"],
    ["export", "{in}", "-o", "{out}.mtx"],
    ["mxv", "{in}", "x.npy", "{out}.npy"],
    ["pagerank", "{in}", "-o", "{out}.npy"],
    ["bfs", "{in}", "--source", "0", "-o", "{out}.npy"],
    ["bfs", "{in}", "--source", "0", "--parents", "{out}.npy"],
    ["generate", "web", "-o", "{out}.k2m"],
])
def test_a_missing_folder_is_found_before_the_work(command, tmp_path):
    # The input does not exist either: that the output is named shows which was looked at first.
    given = [each.format(**{"in": tmp_path / "none.mtx", "out": tmp_path / "no" / "out"})
             for each in command]
    message = fail(*given)
    assert "no/out" in message and "does not exist" in message


@pytest.mark.parametrize("name", ["folder.k2m", "folder.k2m/"])
def test_output_that_is_a_folder(name, tmp_path):
    os.mkdir(tmp_path / "folder.k2m")
    source = write_matrix(tmp_path / "a.mtx", [], (1, 1))
    result = run("build", source, "-o", f"{tmp_path}/{name}")
    assert result.code in (1, 2) and "folder.k2m" in result.err and result.err.count("\n") == 1


def limit_file_size():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))


@pytest.mark.parametrize("name", ["a.k2m", "a.mtx", "a.tsv"])
def test_disk_full(name, tmp_path):
    succeed("generate", "uniform", "--edges", "50k", "-o", tmp_path / "source.k2m")
    kept = tmp_path / "kept"
    os.mkdir(kept)
    (kept / name).write_text("what was there before")
    command = "build" if name.endswith(".k2m") else "export"
    message = fail(command, tmp_path / "source.k2m", "-o", kept / name, preexec_fn=limit_file_size)
    assert name in message and "File too large" in message
    assert (kept / name).read_text() == "what was there before"
    assert os.listdir(kept) == [name]


def test_sorting_on_a_full_disk(tmp_path):
    succeed("generate", "uniform", "--edges", "1M", "-o", tmp_path / "source.tsv")
    os.mkdir(tmp_path / "runs")
    message = fail("build", tmp_path / "source.tsv", "-o", tmp_path / "a.k2m", "--memory", "16MiB",
                   "--temporary-directory", tmp_path / "runs", preexec_fn=limit_file_size)
    assert "File too large" in message and "runs" in message
    assert os.listdir(tmp_path / "runs") == []
    assert not (tmp_path / "a.k2m").exists()


def test_missing_temporary_directory(tmp_path):
    source = write_matrix(tmp_path / "a.mtx", [(0, 0)], (1, 1))
    result = run("build", source, "-o", tmp_path / "a.k2m", "--memory", "16MiB",
                 "--temporary-directory", tmp_path / "none")
    # A build that needs no disk may succeed.
    assert result.code == 0 or "none" in result.err


def test_standard_output_on_a_full_disk(square):
    for arguments in [["info", square[0], "--json"], ["--help"], ["--version"],
                      ["export", square[0], "-o", "-", "--format", "tsv"]]:
        with open("/dev/full", "wb") as full:
            result = run(*arguments, preexec_fn=lambda: os.dup2(full.fileno(), 1))
        assert result.code == 1
        assert "standard output" in result.err and "No space left" in result.err
    assert "No space left" in fail("export", square[0], "-o", "/dev/full", "--format", "tsv")


def test_broken_pipe(tmp_path):
    succeed("generate", "uniform", "--edges", "300k", "-o", tmp_path / "a.k2m")
    process = subprocess.Popen([COMMAND, "export", tmp_path / "a.k2m", "-o", "-", "--format", "tsv"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.read(10)
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(timeout=60) == -signal.SIGPIPE


def test_broken_pipe_where_the_signal_is_ignored(tmp_path):
    succeed("generate", "uniform", "--edges", "300k", "-o", tmp_path / "a.k2m")
    process = subprocess.Popen([COMMAND, "export", tmp_path / "a.k2m", "-o", "-", "--format", "tsv"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, restore_signals=False)
    process.stdout.read(10)
    process.stdout.close()
    assert process.stderr.read() == b"baltoro: standard output: cannot write: Broken pipe\n"
    assert process.wait(timeout=60) == 1


def wait_for(condition, process):
    for _ in range(6000):
        if condition():
            return
        assert process.poll() is None, "ended before it could be interrupted"
        time.sleep(0.005)
    raise AssertionError("nothing happened")


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A graph that takes a while to export."""
    path = tmp_path_factory.mktemp("large") / "large.k2m"
    succeed("generate", "uniform", "--edges", "4M", "--shape", "4000000x4000000", "-o", path, "--quiet")
    return path


@pytest.mark.parametrize("which", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_run_leaves_nothing_behind(which, large, tmp_path):
    (tmp_path / "out.mtx").write_text("what was there before")
    process = subprocess.Popen([COMMAND, "export", large, "-o", tmp_path / "out.mtx", "--trust"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_for(lambda: len(os.listdir(tmp_path)) > 1, process)
    process.send_signal(which)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (-which, b"", b"")
    assert os.listdir(tmp_path) == ["out.mtx"]
    assert (tmp_path / "out.mtx").read_text() == "what was there before"


def test_an_interrupted_build_leaves_nothing_behind(large, tmp_path):
    source = large.with_suffix(".tsv")
    succeed("export", large, "-o", source, "--quiet")
    os.mkdir(tmp_path / "runs")
    process = subprocess.Popen([COMMAND, "build", source, "-o", tmp_path / "a.k2m", "--memory", "24MiB",
                                "--temporary-directory", tmp_path / "runs"])
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) == -signal.SIGINT
    assert os.listdir(tmp_path) == ["runs"] and os.listdir(tmp_path / "runs") == []


def test_a_shell_sees_the_usual_code(large, tmp_path):
    script = f'"{COMMAND}" export "{large}" -o "{tmp_path}/a.tsv" & p=$!; sleep 0.2; kill -TERM $p; wait $p; echo $?'
    done = subprocess.run(["sh", "-c", script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60)
    assert done.stdout.decode().split()[-1] == "143"


def test_progress_bar_on_a_terminal(large, tmp_path):
    reader, writer = pty.openpty()
    environment = {**os.environ, "TERM": "xterm"}
    process = subprocess.Popen([COMMAND, "export", large, "-o", tmp_path / "out.tsv"], stderr=writer,
                               stdout=subprocess.DEVNULL, env=environment)
    os.close(writer)
    shown = b""
    try:
        while chunk := os.read(reader, 4096):
            shown += chunk
    except OSError:  # how Linux tells that the other side is gone
        pass
    os.close(reader)
    assert process.wait(timeout=60) == 0
    assert b"\r" in shown and b"%" in shown and b"[#" in shown
    assert shown.endswith(b"\r\x1b[K")  # the bar is taken away


@pytest.fixture
def endless(tmp_path):
    """A matrix of one cell and as many rows and columns as there can be."""
    side = 2**32 - 1
    return write_matrix(tmp_path / "endless.mtx", [(0, side - 1)], (side, side))


@pytest.mark.skipif(SANITIZED, reason="sanitizers reserve terabytes of addresses")
@pytest.mark.parametrize("command", [["bfs", "--source", "0"], ["pagerank"]])
def test_out_of_memory(command, endless):
    def limit_memory():
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))

    message = fail(command[0], endless, *command[1:], "--threads", 1, preexec_fn=limit_memory)
    assert "memory" in message or "bytes needed" in message


def test_a_vector_that_lies_about_its_size(endless, tmp_path):
    (tmp_path / "x.npy").write_bytes(b"\x93NUMPY\x01\x00\x46\x00" + (
        b"{'descr': '<f8', 'fortran_order': False, 'shape': (4294967295,), }").ljust(69) + b"\n")
    assert "x.npy" in fail("mxv", endless, tmp_path / "x.npy", tmp_path / "y.npy")


def test_cuda_that_is_not_there(square, tmp_path):
    if "compiled without" not in succeed("--version").out:
        pytest.skip("this build has the GPU backend")
    assert "CUDA" in fail("pagerank", square[0], "--device", "cuda").upper()


def test_a_stream_needs_its_format(tmp_path):
    lines = "".join(f"{i} {(i * 7) % 9000}\n" for i in range(9000)).encode()
    assert len(lines) > 65536
    told = subprocess.run([COMMAND, "build", "/dev/stdin", "--from", "edges", "-o", tmp_path / "s.k2m", "--json"],
                          input=lines, capture_output=True)
    assert told.returncode == 0, told.stderr
    assert json.loads(told.stdout)["nnz"] == 9000
    untold = subprocess.run([COMMAND, "build", "/dev/stdin", "-o", tmp_path / "t.k2m"], input=lines,
                            capture_output=True)
    assert untold.returncode == 1
    assert b"say its format with --from: mtx, edges or triples" in untold.stderr
    assert not (tmp_path / "t.k2m").exists()


def test_a_format_that_cannot_be_told(tmp_path):
    (tmp_path / "a.txt").write_text("what is this\n")
    assert "say with --from which it is: mtx, edges, bvgraph, triples or k2m" in fail("info", tmp_path / "a.txt")


def test_triples_taken_for_edges(tmp_path):
    (tmp_path / "a.csv").write_text("anna\tknows\tbob\n")
    message = fail("info", tmp_path / "a.csv")
    assert "--skip-lines 1" in message and "--from triples" in message
    assert succeed("info", tmp_path / "a.csv", "--from", "triples", "--json").json["nnz"] == 1
    (tmp_path / "b.csv").write_text("from\tto\n0\t1\n")
    message = fail("info", tmp_path / "b.csv")
    assert "--skip-lines 1" in message and "--from" not in message


def test_messages_never_go_into_an_output(tmp_path):
    edges = tmp_path / "g.tsv"
    subprocess.run([COMMAND, "generate", "uniform", "--shape", "900x900", "--edges", "5000", "-o", edges],
                   close_fds=True, preexec_fn=lambda: (os.close(1), os.close(2)), check=True)
    assert all(len(line.split()) == 2 for line in edges.read_text().splitlines())


def test_a_file_size_limit_is_an_error_with_a_reason(tmp_path):
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
    result = subprocess.run([COMMAND, "generate", "uniform", "--shape", "900x900", "--edges", "90000", "-o",
                             tmp_path / "g.tsv"], capture_output=True, preexec_fn=limit)
    assert result.returncode == 1
    assert b"File too large" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_outputs_that_would_replace_each_other(tmp_path):
    (tmp_path / "e.tsv").write_text("0 1\n")
    graph = tmp_path / "g.k2m"
    subprocess.run([COMMAND, "build", tmp_path / "e.tsv", "-o", graph], check=True, capture_output=True)
    both = tmp_path / "d.npy"
    assert subprocess.run([COMMAND, "bfs", graph, "--source", "0", "-o", both, "--parents", both],
                          capture_output=True).returncode == 2
    before = graph.read_bytes()
    assert subprocess.run([COMMAND, "mxv", graph, both, graph], capture_output=True).returncode == 2
    assert graph.read_bytes() == before
