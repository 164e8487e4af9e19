"""The paper's tables and figures, from what `baltoro bench --suite paper` writes and from the paper's CSV files."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BENCH = ROOT / "bench"
PRINTED = ROOT.parent / "shared" / "paper" / "tables"
WIDTHS = [2, 4, 8, 16, 32, 64, 128, 256]
ENGINES = {"adaptive": 1.0, "level_order_tree_only": 4.0, "level_order_cached_frontier": 3.0, "cusparse": 2.0,
           "bcsr": 1.0}

CSV = {
    "table2_graphs.csv": """# comment
name,rows,cols,nnz,nodes,levels,bits_per_edge,tree_mb,k2_mb,k2f_mb,grammar_mb,bvgraph_mb,cusparse_mb,bcsr_mb,build_k2_s,build_repair_s
wd_occupation,,10610,4.60e6,17.29e6,22,15.0,8.65,9.06,39.2,5.38,,50.6,32.2,1.34,0.870
swh,4.6e7,4.6e7,1.22e9,1.27e9,26,4.2,633,644,3009,490,378,9931,5057,312,446
""",
    "table3_times.csv": """# comment
graph,right_k2_ms,right_k2f_ms,right_grammar_ms,right_bcsr_ms,right_cusparse_ms,left_k2_ms,left_k2f_ms,left_bcsr_ms,left_cusparse_ms,batch_B,batch_k2f_ms,batch_grammar_ms,batch_bcsr_ms,batch_cusparse_ms,ws_k2_mb,ws_k2f_mb,ws_grammar_mb,ws_bcsr_mb,ws_cusparse_mb
wd_occupation,0.909,0.356,0.706,0.204,0.309,2.02,1.27,1.32,1.08,128,0.216,0.362,0.082,0.089,64.1,53.1,43.4,46.1,64.5
swh,138,108,51.9,40.1,44.9,192,161,72.6,62.8,16,16.3,18.7,4.41,8.25,1115,3374,2793,5422,10296
""",
    "table4_ceilings.csv": """# comment
graph,levels_pct_of_k2,leaves_k2_gnnz_s,leaves_k2f_gnnz_s,bcsr_gb_s,cusparse_gb_s
swh,20,11.1,11.4,135,238
measured_ceiling,,19.0,19.0,241,241
""",
    "table5_gpus.csv": """# comment
section,quantity,unit,gb10,gb10_min,gb10_max,h100,h100_min,h100_max
device,GPU,,NVIDIA GB10,,,NVIDIA H100,,
device,copy bandwidth,GB/s,241,,,2152,,
ratio,"right, k2+F",x cuSPARSE,1.40,0.713,2.41,2.68,1.24,5.09
setting,"offsets, single",,directory,,,directory,,
setting,tile (nodes),,2^20,,,2^22,,
""",
    "table6_bfs.csv": """# comment
graph,direction,sources_B,levels,capped,k2_s,k2f_s,cusparse_s,k2_gb,k2f_gb,cusparse_gb
swh,fwd,16,32,1,8.18,7.06,7.03,8.06,10.32,17.44
swh,rev,16,32,1,8.12,6.95,4.82,8.06,10.32,17.61
""",
}


def product(ms, batch=1):
    return {"batch": batch, "median_ms": ms, "working_set": {"total_bytes": 30_000_000, "scratch_bytes": 1_000_000}}


def setting(kind, name, ms, tile=0):
    return {kind: name, "tile_nodes": tile, **product(ms)}


def measured(name, scale, widths):
    """A stand-in's entry, whose times are those of ENGINES, twice that on the left, a tenth in a batch."""
    return {"stand_in": name, "scale": scale, "steps": {}, "name": f"stand-in for {name}, 1/{scale}",
            "rows": 1000, "cols": 1000, "nnz": 6_000_000, "nodes": 3_000_000, "levels": 10, "bits_per_edge": 2.0,
            "bytes": {"tree": 1_500_000, "csr_float": 48_000_000, "csr_boolean": 24_000_000, "bvgraph": None},
            "engines": [{"name": engine, "persistent_bytes": int(1e6 * ms), "right": product(ms),
                         "left": product(2 * ms), "batch": [product(ms / 10, width) for width in widths]}
                        for engine, ms in ENGINES.items()]}


@pytest.fixture
def report():
    swh = measured("swh", 8, [16])
    swh["search"] = [{"engine": "level_order_tree_only", "direction": "forward", "sources": 16, "median_s": 1.5,
                      "levels": 33, "most_levels": 32, "working_set": {"total_bytes": 2_000_000_000}},
                     {"engine": "level_order_tree_only", "direction": "reverse", "sources": 16, "skipped": "no memory"}]
    swh["algorithms"] = [{"algorithm": "search from 16 sources", "engine": "bcsr", "variant": variant, "median_ms": ms,
                          "working_set": {"total_bytes": 3_000_000_000}}
                         for variant, ms in (("push", 700), ("pull", 600))]
    swh["construction"] = [{"layout": "level-order", "device": "cpu", "edges_from": "host", "median_s": 5.5},
                           {"layout": "level-order", "device": "cuda", "edges_from": "host", "median_s": 0.25}]
    relation = measured("wd_occupation", 1, WIDTHS)
    relation["ablation"] = [setting("step", name, ms) for name, ms in [
        ("naive", 8), ("preallocated scan fed from the tree", 4), ("tiles of 2^20 nodes", 2), ("directory", 1),
        ("scan, B = 128", 1), ("directory, B = 128", 1.25)]]
    relation["tiles"] = [setting("offsets", "directory, one CUDA graph", ms, tile) for tile, ms in
                         [(0, 1), (1 << 20, 1.5), (1 << 14, 9)]]
    gpu = {"name": "NVIDIA H200", "driver": "1", "cuda_runtime": "13.0", "cusparse": "12.6"}
    return {"suite": "paper",
            "context": {"date": "2026-01-02T03:04:05Z", "baltoro": "0.1", "commit": None, "threads": 16, "gpu": gpu},
            "protocol": {"runs": 10, "run_ms": 20.0, "slowest_ms": 2000.0},
            "hardware": {"copy_gb_per_s": 4242.0, "consecutive_atomics_g_per_s": 303.0}, "failures": 0,
            "graphs": [relation, swh]}


@pytest.fixture
def paper(tmp_path):
    folder = tmp_path / "paper"
    folder.mkdir()
    for name, text in CSV.items():
        (folder / name).write_text(text)
    return folder


def tables(*arguments):
    return subprocess.run([sys.executable, BENCH / "tables", *map(str, arguments)], capture_output=True, text=True,
                          timeout=120)


def write(report, folder, paper):
    (folder / "paper.json").write_text(json.dumps(report))
    done = tables("-o", folder / "out", "--paper", paper, folder / "paper.json")
    assert (done.returncode, done.stderr) == (0, "")
    return (folder / "out" / "paper.md").read_text()


def rows_of(text, title):
    """The first table under a heading: by first cell, and a column for each name."""
    lines = [line for line in text[text.index(f"## {title}"):].split("\n\n| ")[1].split("\n") if line]
    cells = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in lines]
    return {row[0]: dict(zip(cells[0], row)) for row in cells[2:] if len(row) == len(cells[0])}


def test_ours_beside_the_papers(report, tmp_path, paper):
    text = write(report, tmp_path, paper)
    sizes = rows_of(text, "Table 2")
    assert list(sizes) == ["wd_occupation", "swh"]
    assert sizes["swh"]["scale"] == "1/8" and sizes["wd_occupation"]["scale"] == "1"
    assert sizes["swh"]["non-zeros"] == "1.22 G / 6.00 M"
    assert sizes["swh"]["tree, MB"] == "633 / 1.5"
    assert sizes["swh"]["cuSPARSE, MB"] == "9,931 / 2"
    assert sizes["swh"]["adaptive, MB"] == "– / 1" and sizes["swh"]["grammar, MB"] == "490 / –"
    assert sizes["swh"]["building k², s"] == "312 / 5.5" and sizes["swh"]["on the GPU, s"] == "0.25"
    assert rows_of(text, "Table 3: right product, ms")["swh"]["k²+F"] == "108 / 3"
    left = rows_of(text, "Table 3: left product, ms")["swh"]
    assert left["bCSR"] == "72.6 / 2" and "grammar" not in left
    batch = rows_of(text, "Table 3: batch, of one vector, ms")
    assert batch["swh"]["B"] == "16" and batch["wd_occupation"]["B"] == "128"
    assert batch["swh"]["cuSPARSE"] == "8.25 / 0.2" and batch["swh"]["k²"] == "– / 0.4"
    assert rows_of(text, "Table 3: working set")["swh"]["cuSPARSE"] == "10,296 / 30"
    ratios = text[text.index("Over cuSPARSE's time"):]
    assert "| swh | 1/8 | 3.07 / 2 | 2.41 / 1.5 | 1.16 / – | 0.893 / 0.5 | 1 / 1 | – / 0.5 |" in ratios


def test_ceilings(report, tmp_path, paper):
    ceilings = rows_of(write(report, tmp_path, paper), "Table 4")
    assert ceilings["swh"]["levels, % of k²"] == "20 / 25"
    assert ceilings["swh"]["leaves of k²+F, G/s"] == "11.4 / 2"
    assert ceilings["swh"]["cuSPARSE, GB/s"] == "238 / 1.01"  # (2 MB + 12 kB) in 2 ms
    assert ceilings["*measured ceiling*"]["leaves of k²+F, G/s"] == "19 / 303"
    assert "wd_occupation" not in ceilings


def test_gpus(report, tmp_path, paper):
    gpus = rows_of(write(report, tmp_path, paper), "Table 5")
    assert gpus["GPU"] == {"quantity": "GPU", "GB10 (paper)": "NVIDIA GB10", "H100 (paper)": "NVIDIA H100",
                           "ours": "NVIDIA H200"}
    assert gpus["copy bandwidth, GB/s"]["ours"] == "4,242"
    assert gpus["right, k2+F, x cuSPARSE"]["H100 (paper)"] == "2.68 (1.24–5.09)"
    assert gpus["right, k2+F, x cuSPARSE"]["ours"] == "1.5 (1.5–1.5)"
    assert gpus["offsets, single"]["ours"].startswith("directory; directory / scan 0.5")
    assert "2^20 1.5 (1.5–1.5), 2^22 1 (1–1)" in gpus["tile (nodes)"]["ours"]
    assert gpus["batched, adaptive"]["ours"] == "0.5 (0.5–0.5)"


def test_searches_and_ablation(report, tmp_path, paper):
    text = write(report, tmp_path, paper)
    assert "| swh | 1/8 | fwd | 16 | 32* / 32* | 8.18 / 1.5 | 7.06 / – | – / 0.6 | 7.03 / – | – | 8.06 / 2 |" in text
    assert "| swh | 1/8 | rev | 16 | 32* / – | 8.12 / – |" in text
    steps = rows_of(text, "Section 5.5")
    assert steps["directory"]["wd_occupation, 1"] == "1 (2.00×)"
    assert list(steps["cached frontier"].values()) == ["cached frontier", "1.5–3.4", "–"]


def test_figures(report, tmp_path, paper):
    text = write(report, tmp_path, paper)
    for number in (3, 4, 5, 6):
        assert (tmp_path / "out" / f"figure{number}.png").stat().st_size > 5000
        assert f"(figure{number}.png)" in text


def test_what_was_not_measured(report, tmp_path, paper):
    report["graphs"] = report["graphs"][:1]
    del report["graphs"][0]["tiles"]
    text = write(report, tmp_path, paper)
    assert "1 of 2 stand-ins were measured" in text
    assert rows_of(text, "Table 3: right product, ms")["swh"]["k²+F"] == "108 / –"
    assert "Figure 6" not in text and not (tmp_path / "out" / "figure6.png").exists()


def test_several_reports(report, tmp_path, paper):
    small, large = dict(report), dict(report)
    small["graphs"], large["graphs"] = report["graphs"][:1], report["graphs"]
    for name, each in (("small", small), ("large", large)):
        (tmp_path / f"{name}.json").write_text(json.dumps(each))
    done = tables("-o", tmp_path, "--paper", paper, tmp_path / "small.json", tmp_path / "large.json")
    assert done.returncode == 0, done.stderr
    assert "2 of 2 stand-ins were measured" in (tmp_path / "paper.md").read_text()


def test_errors(report, tmp_path, paper):
    file = tmp_path / "paper.json"
    for content in ("", "{", "[]", "{}", '{"graphs": []}'):
        file.write_text(content)
        done = tables("-o", tmp_path, file)
        assert done.returncode == 1 and "not a report of 'baltoro bench --suite paper'" in done.stderr
    file.write_text(json.dumps(report))
    done = tables("-o", tmp_path, "--paper", tmp_path / "nowhere", file)
    assert done.returncode == 1 and "table2_graphs.csv: No such file" in done.stderr
    assert tables("-o", tmp_path, tmp_path / "nowhere.json").stderr.startswith("bench/tables: ")


@pytest.mark.skipif(not PRINTED.is_dir(), reason="the paper's tables are not beside the checkout")
def test_the_papers_own_tables(report, tmp_path):
    text = write(report, tmp_path, PRINTED)
    assert len(rows_of(text, "Table 2")) == 14
    assert "2 of 14 stand-ins were measured" in text
    assert rows_of(text, "Table 3: right product, ms")["it-2004"]["k²"] == "83.1 / –"
    assert rows_of(text, "Table 5")["right, k2, x cuSPARSE"]["GB10 (paper)"] == "2.87 (1.22–5.62)"
    assert len([line for line in text.split("\n") if " | fwd | " in line]) == 3


def test_without_matplotlib(report, tmp_path, paper):
    (tmp_path / "paper.json").write_text(json.dumps(report))
    (tmp_path / "matplotlib.py").write_text("raise ImportError('hidden')\n")
    done = subprocess.run([sys.executable, BENCH / "tables", "-o", tmp_path, "--paper", paper, tmp_path / "paper.json"],
                          capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(tmp_path)})
    assert done.returncode == 0
    assert done.stderr.startswith("bench/tables: no figures: bench/plot: matplotlib is needed")
    assert "Figure 3" not in (tmp_path / "paper.md").read_text()
