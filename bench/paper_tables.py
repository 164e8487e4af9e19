"""The paper's tables 2 to 6 as Markdown: what `baltoro bench --suite paper` measured beside what the paper prints
(paper_values.py). Every function takes stand-ins (Graph) and the paper's tables by number.
"""

import math

TREE_ONLY = "level_order_tree_only"
CACHED = "level_order_cached_frontier"
# What a column is called, in the paper's CSV files, and among our engines.
ENGINES = [("k²", "k2", TREE_ONLY), ("k²+F", "k2f", CACHED), ("grammar", "grammar", None), ("bCSR", "bcsr", "bcsr"),
           ("cuSPARSE", "cusparse", "cusparse"), ("adaptive", None, "adaptive")]
ABSENT = "–"
LARGEST = ["wd_cites_work", "swh", "ljournal-2008", "enwiki-2013", "indochina-2004", "uk-2002", "arabic-2005",
           "it-2004"]  # of table 4
DEFAULT_TILE = 1 << 20


# Cells and tables

def number(value):
    """Three digits, as the paper prints."""
    if value is None:
        return ABSENT
    if isinstance(value, str):
        return value
    if abs(value) >= 1e6:
        size, unit = (1e9, "G") if abs(value) >= 1e9 else (1e6, "M")
        return f"{value / size:.2f} {unit}"
    return f"{value:,.0f}" if abs(value) >= 999.5 else f"{value:.3g}"


def beside(paper, ours):
    """"138 / 12.5": what the paper has, and what the stand-in has."""
    if paper is None and ours is None:
        return ABSENT
    return f"{number(paper)} / {number(ours)}"


def divided(value, by):
    return None if value is None or not by else value / by


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "| --- |" + " --: |" * (len(header) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def mean(values):
    """"2.87 (1.22–5.62)": the geometric mean and the range."""
    if not values:
        return ABSENT
    middle = math.exp(sum(map(math.log, values)) / len(values))
    return f"{number(middle)} ({number(min(values))}–{number(max(values))})"


# What a report says

class Graph:
    """A stand-in as it was measured; without an entry, one that was not."""

    def __init__(self, name, entry):
        self.name = name
        self.entry = entry or {}
        self.engines = {each["name"]: each for each in self.entry.get("engines", []) if "persistent_bytes" in each}

    def get(self, key):
        return self.entry.get(key)

    def scale(self):
        scale = self.get("scale")
        return ABSENT if scale is None else "1" if scale == 1 else f"1/{scale}"

    def megabytes(self, engine):
        return divided(self.engines.get(engine, {}).get("persistent_bytes"), 1e6)

    def product(self, engine, block, width=None):
        """The entry of a product that was timed: right, left, or the batch of a width."""
        found = self.engines.get(engine, {})
        if block == "batch":
            found = next((each for each in found.get("batch", []) if each["batch"] == width), {})
        else:
            found = found.get(block, {})
        return found if "median_ms" in found else {}

    def ms(self, engine, block, width=None):
        return self.product(engine, block, width).get("median_ms")

    def over_cusparse(self, engine, block, width=None):
        return divided(self.ms(engine, block, width), self.ms("cusparse", block, width))

    def width(self):
        """The widest batch that the paper has for this graph: 16 or 128."""
        return 16 if self.name in ("swh", "it-2004") else 128

    def seconds(self, layout, device):
        times = [each["median_s"] for each in self.entry.get("construction", [])
                 if (each["layout"], each["device"]) == (layout, device) and "median_s" in each
                 and each["edges_from"] == "host"]
        return times[0] if times else None

    def steps(self):
        """Milliseconds of the ablation's steps by name."""
        return {each["step"]: each["median_ms"] for each in self.entry.get("ablation", []) if "median_ms" in each}


# The tables

def table2(graphs, paper):
    rows = []
    for graph in graphs:
        printed = paper[2].get(graph.name, {})
        megabytes = [beside(printed.get(f"{key}_mb"), graph.megabytes(engine)) for _, key, engine in ENGINES]
        tree = divided((graph.get("bytes") or {}).get("tree"), 1e6)
        rows.append([graph.name, graph.scale(), beside(printed.get("nnz"), graph.get("nnz")),
                     beside(printed.get("nodes"), graph.get("nodes")),
                     beside(printed.get("levels"), graph.get("levels")),
                     beside(printed.get("bits_per_edge"), graph.get("bits_per_edge")),
                     beside(printed.get("tree_mb"), tree), *megabytes, number(printed.get("bvgraph_mb")),
                     beside(printed.get("build_k2_s"), graph.seconds("level-order", "cpu")),
                     number(graph.seconds("level-order", "cuda"))])
    header = ["stand-in for", "scale", "non-zeros", "nodes", "levels", "bits/edge", "tree, MB"]
    header += [f"{name}, MB" for name, _, _ in ENGINES] + ["BVGraph, MB", "building k², s", "on the GPU, s"]
    return table(header, rows)


def table3(graphs, paper, block, cell):
    """One block of table 3; `cell` makes a value of (graph, paper's row, key, engine)."""
    columns = [each for each in ENGINES if not (block == "left" and each[0] == "grammar")]
    rows = []
    for graph in graphs:
        printed = paper[3].get(graph.name, {})
        cells = [cell(graph, printed, key, engine) for _, key, engine in columns]
        rows.append([graph.name, graph.scale(), *([str(graph.width())] if block == "batch" else []), *cells])
    header = ["stand-in for", "scale", *(["B"] if block == "batch" else []), *(name for name, _, _ in columns)]
    return table(header, rows)


def times(graphs, paper, block):
    def cell(graph, printed, key, engine):
        return beside(printed.get(f"{block}_{key}_ms"), graph.ms(engine, block, graph.width()))
    return table3(graphs, paper, block, cell)


def ratios(graphs, paper, block):
    def cell(graph, printed, key, engine):
        return beside(divided(printed.get(f"{block}_{key}_ms"), printed.get(f"{block}_cusparse_ms")),
                      graph.over_cusparse(engine, block, graph.width()))
    return table3(graphs, paper, block, cell)


def working_set(graph, engine):
    return divided(graph.product(engine, "right").get("working_set", {}).get("total_bytes"), 1e6)


def working_sets(graphs, paper):
    def cell(graph, printed, key, engine):
        return beside(printed.get(f"ws_{key}_mb"), working_set(graph, engine))
    return table3(graphs, paper, "right", cell)


def working_set_ratios(graphs, paper):
    def cell(graph, printed, key, engine):
        return beside(divided(printed.get(f"ws_{key}_mb"), printed.get("ws_cusparse_mb")),
                      divided(working_set(graph, engine), working_set(graph, "cusparse")))
    return table3(graphs, paper, "right", cell)


def csr_gb_per_s(graph, engine):
    """Over what must be moved: the matrix, x read once, y read and written once."""
    ms = graph.ms(engine, "right")
    if ms is None:
        return None
    return (1e6 * graph.megabytes(engine) + 4 * graph.get("cols") + 8 * graph.get("rows")) / ms / 1e6


def table4(graphs, paper, hardware):
    rows = []
    for graph in (each for each in graphs if each.name in LARGEST):
        printed = paper[4].get(graph.name, {})
        tree, cached = graph.ms(TREE_ONLY, "right"), graph.ms(CACHED, "right")
        share = 100 * (1 - cached / tree) if tree and cached else None
        rate = divided(graph.get("nnz"), cached * 1e6) if cached else None
        rows.append([graph.name, graph.scale(), beside(printed.get("levels_pct_of_k2"), share),
                     beside(printed.get("leaves_k2f_gnnz_s"), rate),
                     beside(printed.get("bcsr_gb_s"), csr_gb_per_s(graph, "bcsr")),
                     beside(printed.get("cusparse_gb_s"), csr_gb_per_s(graph, "cusparse"))])
    printed = paper[4].get("measured_ceiling", {})
    copy = beside(printed.get("cusparse_gb_s"), hardware.get("copy_gb_per_s"))
    rows.append(["*measured ceiling*", "", "", beside(printed.get("leaves_k2f_gnnz_s"),
                                                      hardware.get("consecutive_atomics_g_per_s")), copy, copy])
    return table(["stand-in for", "scale", "levels, % of k²", "leaves of k²+F, G/s", "bCSR, GB/s", "cuSPARSE, GB/s"],
                 rows)


def faster_offsets(graphs, scan, directory):
    """Which source of offsets takes less time in the ablations, and how the two compare."""
    both = [(graph.steps().get(scan.format(graph.width())), graph.steps().get(directory.format(graph.width())))
            for graph in graphs]
    both = [by_directory / by_scan for by_scan, by_directory in both if by_scan and by_directory]
    if not both:
        return ABSENT
    winner = "directory" if math.prod(both) < 1 else "scan"
    return f"{winner}; directory / scan {mean(both)}"


def tile_time(graphs, tile):
    """The time of tree-only with tiles of so many nodes over that of whole levels."""
    found = []
    for graph in graphs:
        points = {each["tile_nodes"]: each.get("median_ms") for each in graph.entry.get("tiles", [])
                  if each["offsets"] == "directory, one CUDA graph"}
        # A tile that is wider than every level is not measured apart.
        ratio = divided(points.get(tile, points.get(0)), points.get(0))
        if ratio:
            found.append(ratio)
    return mean(found)


def table5(graphs, paper, context, hardware):
    gpu = context["gpu"]
    ours = {"GPU": gpu.get("name"), "compute capability": gpu.get("compute_capability"),
            "SMs": gpu.get("multiprocessors"), "memory": divided(gpu.get("memory_bytes"), 1e9),
            "L2 cache": divided(gpu.get("l2_cache_bytes"), 1 << 20), "copy bandwidth": hardware.get("copy_gb_per_s"),
            "kernel launch": hardware.get("launch_us"), "graph node": hardware.get("graph_node_us"),
            "offsets, single": faster_offsets(graphs, "tiles of 2^20 nodes", "directory"),
            "offsets, batched": faster_offsets(graphs, "scan, B = {}", "directory, B = {}"),
            "tile (nodes)": f"over whole levels: 2^20 {tile_time(graphs, DEFAULT_TILE)}, "
                            f"2^22 {tile_time(graphs, DEFAULT_TILE << 2)}"}
    for name, _, engine in ENGINES:
        for block, label in (("right", "right"), ("left", "left"), ("batch", "batched")):
            found = [graph.over_cusparse(engine, block, graph.width()) for graph in graphs]
            ours[f"{label}, {name.replace('²', '2')}"] = mean([each for each in found if each is not None])
    rows = [(row["quantity"], row.get("unit"), row) for row in paper[5]]
    # What the paper has no row for; without the paper that is everything.
    rows += [(name, None, {}) for name in ours if name.endswith("adaptive") or not rows]

    def printed(row, column):
        if f"{column}_min" in row:
            return f"{number(row[column])} ({number(row[f'{column}_min'])}–{number(row[f'{column}_max'])})"
        return number(row.get(column))
    return table(["quantity", "GB10 (paper)", "H100 (paper)", "ours"],
                 [[name + (f", {unit}" if unit else ""), printed(row, "gb10"), printed(row, "h100"),
                   number(ours.get(name))] for name, unit, row in rows])


def table6(graphs, paper):
    rows = []
    for graph in graphs:
        searches = graph.entry.get("search", [])
        printed = [row for row in paper[6] if row["graph"] == graph.name]
        if not searches and not printed:
            continue
        for direction, short in (("forward", "fwd"), ("reverse", "rev")):
            row = next((each for each in printed if each["direction"] == short), {})
            by = {each["engine"]: each for each in searches if each["direction"] == direction and "median_s" in each}
            if short == "fwd":
                by.update(fastest_searches(graph))
            rows.append([graph.name, graph.scale(), short, number(row.get("sources_B", graph.width())),
                         beside(levels_of_the_paper(row), levels(by.get(TREE_ONLY))),
                         *(beside(row.get(f"{key}_s"), by.get(engine, {}).get("median_s"))
                           for _, key, engine in ENGINES if engine),
                         *(beside(row.get(f"{key}_gb"), gigabytes(by.get(engine)))
                           for _, key, engine in ENGINES if engine)])
    names = [name for name, _, engine in ENGINES if engine]
    return table(["stand-in for", "scale", "edges", "B", "levels", *(f"{name}, s" for name in names),
                  *(f"{name}, GB" for name in names)], rows)


def fastest_searches(graph):
    """By engine, of those in the part `peers`, which search along the edges only."""
    found = {}
    for each in graph.entry.get("algorithms", []):
        if each["algorithm"] != f"search from {graph.width()} sources" or "median_ms" not in each:
            continue
        entry = {**each, "median_s": each["median_ms"] / 1000}
        if each["engine"] not in found or entry["median_s"] < found[each["engine"]]["median_s"]:
            found[each["engine"]] = entry
    return found


def levels_of_the_paper(row):
    return f"{row['levels']:.0f}{'*' if row.get('capped') else ''}" if "levels" in row else None


def levels(search):
    if not search:
        return None
    most = search.get("most_levels", math.inf)
    return f"{most}*" if search["levels"] > most else str(search["levels"])


def gigabytes(search):
    return divided((search or {}).get("working_set", {}).get("total_bytes"), 1e9)


# A step, the one that its gain is over, and what section 5.5 has of that on six relations.
STEPS = [("naive", None, ""), ("preallocated scan fed from the tree", "naive", "2.6–7.4"),
         ("leaves in place", "preallocated scan fed from the tree", ""),
         ("top levels on the host", "preallocated scan fed from the tree", "1.2–1.5"),
         ("tiles of 2^20 nodes", "top levels on the host", "0.94–1.20"),
         ("directory", "tiles of 2^20 nodes", "1.3–1.6"), ("CUDA graph", "directory", "1.02–1.11"),
         ("cached frontier", "CUDA graph", "1.5–3.4")]


def ablation(graphs):
    measured = [graph for graph in graphs if graph.steps()]
    rows = []
    for step, before, printed in STEPS:
        cells = []
        for graph in measured:
            ms = graph.steps().get(step)
            gain = divided(graph.steps().get(before), ms)
            cells.append(number(ms) + (f" ({gain:.2f}×)" if gain else ""))
        rows.append([step, printed, *cells])
    return table(["step", "gain, paper", *(f"{graph.name}, {graph.scale()}" for graph in measured)], rows)
