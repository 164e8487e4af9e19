"""Every snippet of docs and of README.md's section on Python, and the notebooks, are run. Those of docs/gpu.md are
run on the emulated GPU, by test_emulated_gpu.py."""

import doctest
import json
import re
from pathlib import Path

import matplotlib.pyplot
import pytest

ROOT = Path(__file__).parents[2]
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def blocks(path):
    """The Python blocks of a Markdown file, with the lines they begin at."""
    text = path.read_text()
    for found in re.finditer(r"^```python\n(.*?)^```$", text, re.M | re.S):
        yield text.count("\n", 0, found.start(1)), found[1]


@pytest.mark.parametrize("name, least", [("docs/index.md", 1), ("docs/tutorial.md", 9), ("docs/python.md", 15),
                                         ("README.md", 1)])
def test_snippets(name, least, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    run_snippets(name, least, capsys)


def test_no_page_is_forgotten():
    with_snippets = {path.name for path in (ROOT / "docs").glob("*.md") if "```python" in path.read_text()}
    assert with_snippets == {"index.md", "tutorial.md", "python.md", "gpu.md"}
    nav = (ROOT / "mkdocs.yml").read_text()
    assert all(f": {path.name}" in nav for path in (ROOT / "docs").glob("*.md"))


def test_everything_exported_is_in_the_reference():
    import baltoro

    page = (ROOT / "docs" / "reference.md").read_text()
    for name in baltoro.__all__:
        assert re.search(rf"baltoro\.{name}\b", page) or name in ("__version__",), name


def run_snippets(name, least, capsys):
    names = {}
    ran = 0
    for line, code in blocks(ROOT / name):
        assert ">>>" in code, f"{name}:{line} shows Python without a prompt, so nothing would run it"
        test = doctest.DocTestParser().get_doctest(code, names, name, str(ROOT / name), line)
        result = doctest.DocTestRunner(optionflags=OPTIONS).run(test, clear_globs=False)
        names.update(test.globs)
        assert result.failed == 0, capsys.readouterr().out
        ran += result.attempted > 0
    assert ran >= least
    matplotlib.pyplot.close("all")


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.ipynb")), ids=lambda path: path.name)
def test_notebooks(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    notebook = json.loads(path.read_text())
    assert notebook["nbformat"] == 4
    names = {}
    code = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(code) > 3
    for cell in code:
        exec(compile(cell, path.name, "exec"), names)
    matplotlib.pyplot.close("all")


def test_doctest_of_the_package():
    import baltoro

    result = doctest.testmod(baltoro)
    assert result.attempted >= 3 and result.failed == 0
