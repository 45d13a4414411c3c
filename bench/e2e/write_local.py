"""Writes 20 million rows (801 MiB of Arrow: int64, float64, 22-byte string) to local files, in alternating runs.

    .venv/bin/python bench/e2e/write_local.py [--runs 3] [--rows 20000000] [--tailrace build/release/cli/tailrace]

Compares the tailrace command with pyarrow.parquet.ParquetWriter, both with zstd and else at their defaults, both
reading the same Arrow IPC stream from a file. Prints CPU seconds, wall seconds and peak RSS of each process as
minimum, median and maximum, and the ratio of the medians.
"""
import argparse
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
import pyarrow as pa
import pyarrow.ipc as ipc

PYARROW = """
import sys, pyarrow.ipc as ipc, pyarrow.parquet as pq
with open(sys.argv[1], "rb") as f:
    batches = ipc.open_stream(f)
    with pq.ParquetWriter(sys.argv[2], batches.schema, compression="zstd") as writer:
        for batch in batches:
            writer.write_batch(batch)
"""


def make_input(path, rows, batch_rows=1 << 18):
    random = np.random.default_rng(1)
    schema = pa.schema([("id", pa.int64()), ("v", pa.float64()), ("s", pa.string())])
    with ipc.new_stream(path, schema) as sink:
        for begin in range(0, rows, batch_rows):
            n = min(batch_rows, rows - begin)
            text = np.char.add("user-id-", np.char.zfill(random.integers(0, 10**14, n).astype("U14"), 14))
            sink.write_batch(pa.record_batch([pa.array(np.arange(begin, begin + n)), pa.array(random.random(n)),
                                              pa.array(text, pa.string())], schema=schema))


def measure(command):
    """CPU seconds, wall seconds, peak RSS in MiB of one process."""
    begin = time.monotonic()
    child = subprocess.Popen(command)
    _, status, usage = os.wait4(child.pid, 0)
    assert status == 0, f"{command[0]} ended with status {status}"
    return usage.ru_utime + usage.ru_stime, time.monotonic() - begin, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--rows", type=int, default=20_000_000)
    parser.add_argument("--tailrace", default="build/release/cli/tailrace")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tailrace-bench-") as folder:
        source, target = os.path.join(folder, "in.arrows"), os.path.join(folder, "out.parquet")
        make_input(source, arguments.rows)
        print(f"{arguments.rows} rows, {os.path.getsize(source) >> 20} MiB of Arrow IPC; {os.cpu_count()} CPUs "
              f"({platform.machine()}), load {os.getloadavg()[0]:.1f}, pyarrow {pa.__version__}")
        commands = {"tailrace": [arguments.tailrace, "write", source, target, "--quiet"],
                    "pyarrow": [sys.executable, "-c", PYARROW, source, target]}
        results = {name: [] for name in commands}
        sizes = {}
        for _ in range(arguments.runs):
            for name, command in commands.items():
                results[name].append(measure(command))
                sizes[name] = os.path.getsize(target)
                os.remove(target)
    medians = {}
    for name, runs in results.items():
        columns = list(zip(*runs))
        medians[name] = [statistics.median(column) for column in columns]
        text = "  ".join(f"{label} {min(c):.2f}/{statistics.median(c):.2f}/{max(c):.2f}"
                         for label, c in zip(("CPU s", "wall s", "RSS MiB"), columns))
        print(f"{name:9} {text}  object {sizes[name] / 1e6:.1f} MB")
    ratios = [a / b for a, b in zip(medians["tailrace"], medians["pyarrow"])]
    print(f"tailrace / pyarrow: CPU {ratios[0]:.2f}, wall {ratios[1]:.2f}, RSS {ratios[2]:.2f}, "
          f"object {sizes['tailrace'] / sizes['pyarrow']:.3f}")


if __name__ == "__main__":
    main()
