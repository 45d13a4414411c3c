"""Measures whole writes to local files. Run by `make bench`; bench/README.md has results.

    bench_write.py --build build/release [--only compare,memory,checkpoints,states,wide] [--runs 3] [--data FOLDER]
                   [--peers pyarrow,polars,arrow_rs] [--codecs zstd,snappy,none] [--inputs table,lineitem] [--smoke]

compare      tailrace against other writers, on a table of int64, float64 and 22-byte strings and on TPC-H lineitem
memory       peak RSS for 1 GiB and 10 GiB of input
checkpoints  the cost of a checkpoint every 5 s, that flushes and that carries rows
states       the size of states by columns and row groups
wide         the cost of choosing encodings with 5,000 columns

Peers run at their defaults. CPU seconds are those of the whole process; of those in Python, without start-up. The
comparison is drawn into --out, too.
"""
import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import chart
import compare
import costs
import inputs
import measure


class Bench:
    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, folder
        self.program = str(Path(arguments.build) / "cli" / "tailrace")
        self.programs = Path(arguments.build) / "bench" / "e2e"
        self.target = str(folder / "out.parquet")
        self.data = Path(arguments.data) if arguments.data else folder
        self.data.mkdir(parents=True, exist_ok=True)
        self.runs, self.smoke = (1 if arguments.smoke else arguments.runs), arguments.smoke
        self.goals = measure.Goals()
        self.results = {}

    def table(self):
        return inputs.made(self.data, "table", 50_000 if self.smoke else 20_000_000)

    def lineitem(self):
        return inputs.made(self.data, "lineitem", 1)

    def tailrace(self, source, *options, feeder=None):
        """A function that measures one write by the command."""
        command = [self.program, "write", str(source), self.target, "--quiet", "--force", *options]
        return lambda: measure.run(command, self.target, source=feeder)


def save_results(bench, out):
    out.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"machine": measure.machine(), "compare": bench.results}, indent=1)
    (out / "bench_write.json").write_text(text + "\n")
    if bench.results:
        chart.draw(bench.results, out / "bench_write.svg")


def parse():
    def words(text):
        return text.split(",")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", required=True, help="folder of the Release build")
    parser.add_argument("--only", type=words, default=["compare", "memory", "checkpoints", "states", "wide"])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--peers", type=words, default=["pyarrow", "polars", "arrow_rs"])
    parser.add_argument("--codecs", type=words, default=["zstd", "snappy", "none"])
    parser.add_argument("--inputs", type=words, default=["table", "lineitem"])
    parser.add_argument("--data", help="folder that keeps the inputs; they are made where missing")
    parser.add_argument("--out", help="folder for results and chart")
    parser.add_argument("--smoke", action="store_true", help="tiny, and goals may be missed: does the benchmark work?")
    return parser.parse_args()


def main():
    arguments = parse()
    kinds = {"compare": compare.run, "memory": costs.memory, "checkpoints": costs.checkpoints, "states": costs.states,
             "wide": costs.wide}
    with tempfile.TemporaryDirectory(prefix="tailrace-bench-") as folder:
        bench = Bench(arguments, Path(folder))
        version = subprocess.run([bench.program, "--version"], capture_output=True, text=True, check=True)
        print(f"{measure.machine()}\n{version.stdout.strip()}")
        for kind in arguments.only:
            kinds[kind](bench)
        save_results(bench, Path(arguments.out) if arguments.out else bench.folder)
    return 0 if bench.goals.met or arguments.smoke else 1


if __name__ == "__main__":
    sys.exit(main())
