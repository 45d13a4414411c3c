"""What checkpoints cost: writes the table of write_local.py without any, with flushes, and with carried rows.

    .venv/bin/python bench/e2e/checkpoints.py [--runs 3] [--rows 20000000] [--every 200000] [--tailrace PROGRAM]

Runs alternate. Prints CPU and wall seconds (minimum, median, maximum), the size and number of row groups of the object,
the size of the states, and the ratio of the CPU medians to that without checkpoints.
"""
import argparse
import json
import os
import statistics
import subprocess
import tempfile

import pyarrow.parquet as pq
from write_local import make_input, measure


def state_sizes(command):
    """Bytes that travelled in each state: unsent, and carried rows."""
    done = subprocess.run([*command, "--json"], capture_output=True, check=True)
    events = [json.loads(line) for line in done.stdout.splitlines()]
    return [event["unsent_bytes"] + event["carried_bytes"] for event in events if event["event"] == "checkpoint"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--rows", type=int, default=20_000_000)
    parser.add_argument("--every", type=int, default=200_000, help="rows from one checkpoint to the next")
    parser.add_argument("--tailrace", default="build/release/cli/tailrace")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tailrace-bench-") as folder:
        source, target = os.path.join(folder, "in.arrows"), os.path.join(folder, "out.parquet")
        make_input(source, arguments.rows)
        write = [arguments.tailrace, "write", source, target, "--force"]
        every = ["--state", os.path.join(folder, "state"), "--checkpoint-every", f"{arguments.every}rows"]
        # The copy alone, without a checkpoint that reads it.
        commands = {"none": write, "none, kept": [*write, "--checkpoint-mode", "carry"], "flush": [*write, *every],
                    "carry": [*write, *every, "--checkpoint-mode", "carry"]}
        results = {name: [] for name in commands}
        files = {}
        for _ in range(arguments.runs):
            for name, command in commands.items():
                results[name].append(measure([*command, "--quiet"]))
                files[name] = os.path.getsize(target), pq.ParquetFile(target).metadata.num_row_groups
        print(f"{arguments.rows} rows, a checkpoint every {arguments.every}, load {os.getloadavg()[0]:.1f}")
        base = statistics.median(run[0] for run in results["none"])
        for name, runs in results.items():
            cpu, wall, rss = zip(*runs)
            text = "  ".join(f"{label} {min(c):.2f}/{statistics.median(c):.2f}/{max(c):.2f}"
                             for label, c in (("CPU s", cpu), ("wall s", wall), ("RSS MiB", rss)))
            print(f"{name:10} {text}  CPU ratio {statistics.median(cpu) / base:.3f}  "
                  f"object {files[name][0] / 1e6:.1f} MB, {files[name][1]} row groups")
        for name in ("flush", "carry"):
            sizes = state_sizes(commands[name])
            print(f"{name:10} {len(sizes)} states, MiB beside the metadata: median "
                  f"{statistics.median(sizes) / 2**20:.2f}, largest {max(sizes) / 2**20:.2f}")


if __name__ == "__main__":
    main()
