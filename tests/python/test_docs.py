"""Every snippet of docs/python.md and of README.md's section on Python, and the notebook, are run."""

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


@pytest.mark.parametrize("name, least", [("docs/python.md", 15), ("README.md", 1)])
def test_snippets(name, least, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
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
