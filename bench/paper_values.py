"""What the paper prints in its tables 2 to 6, from CSV files: table2_graphs.csv, table3_times.csv, table4_ceilings.csv,
table5_gpus.csv and table6_bfs.csv of one folder. Lines that begin with # are comments, then comes a header; an empty
cell is a value that the paper does not give. Times are milliseconds or seconds, sizes 10^6 or 10^9 bytes, as the
names of the columns say.
"""

import csv
from pathlib import Path

FILES = {2: "table2_graphs.csv", 3: "table3_times.csv", 4: "table4_ceilings.csv", 5: "table5_gpus.csv",
         6: "table6_bfs.csv"}
NEAR = Path(__file__).resolve().parents[2] / "shared" / "paper" / "tables"  # beside the checkout


def _cell(text):
    try:
        return float(text)
    except ValueError:
        return text or None


def read_table(folder, number):
    """The rows of a table; each a dictionary without the cells that are empty."""
    with open(Path(folder) / FILES[number], encoding="utf-8") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return [{key: _cell(text) for key, text in row.items() if text} for row in rows]


def read_graphs(folder, number):
    """The rows of table 2, 3 or 4 by the graph's name."""
    return {row.get("graph", row.get("name")): row for row in read_table(folder, number)}
