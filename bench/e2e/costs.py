"""What single features cost: memory by input, checkpoints, states, trials of encodings."""
import subprocess
import sys
from pathlib import Path

import inputs
import measure

HERE = Path(__file__).resolve().parent
BUDGET_MIB = 256


def repeated(bench, gib):
    """A process whose output is the table's batches again and again, until they have so many bytes."""
    size = int(gib * (1 << 30)) if not bench.smoke else 8 << 20
    return [sys.executable, str(HERE / "repeat_stream.py"), str(bench.table()), str(size)]


def memory(bench):
    sizes = (1, 10)
    measure.heading(f"peak RSS by input, memory budget {BUDGET_MIB} MiB", bench.runs)
    costs = measure.in_turns({f"{gib} GiB": bench.tailrace("-", "--memory-budget", f"{BUDGET_MIB}MiB",
                                                           feeder=repeated(bench, gib)) for gib in sizes}, bench.runs)
    measure.print_table(costs)
    peaks = [max(cost.rss_mib for cost in runs) for runs in costs.values()]
    print(f"above the budget: {peaks[0] - BUDGET_MIB:.0f} and {peaks[1] - BUDGET_MIB:.0f} MiB")
    bench.goals.check("peak RSS of 10 GiB against that of 1 GiB", peaks[1] / peaks[0], 1.1)


def checkpoints(bench):
    gib = 4
    measure.heading(f"a checkpoint every 5 s, {gib} GiB of input", bench.runs)
    every = ["--state", str(bench.folder / "state"), "--checkpoint-every", "5s" if not bench.smoke else "20000rows"]
    modes = {"none": [], "flush": every, "carry": [*every, "--checkpoint-mode", "carry"]}
    costs = measure.in_turns({name: bench.tailrace("-", *options, feeder=repeated(bench, gib))
                              for name, options in modes.items()}, bench.runs)
    measure.print_table(costs)
    cpu = {name: measure.median(runs, "cpu_s") for name, runs in costs.items()}
    bench.goals.check("CPU with checkpoints that flush against none", cpu["flush"] / cpu["none"], 1.03)
    print(f"CPU with checkpoints that carry against none {cpu['carry'] / cpu['none']:.3f}")


def states(bench):
    measure.heading("size of states: int64 columns, row groups of 256 rows")
    print(f"{'columns':>8}{'row groups':>12}{'state bytes':>14}{'a row group':>13}{'a chunk':>9}"
          f"{'a chunk without index blobs':>29}")
    for columns in (10, 1000):
        groups = 1000 if not bench.smoke else 10
        done = subprocess.run([bench.programs / "state_bytes", str(columns), str(groups)], stdout=subprocess.PIPE,
                              text=True, check=True)
        for line in done.stdout.splitlines():
            count, whole, _, bare = map(int, line.split())
            print(f"{columns:8}{count:12}{whole:14}{whole / count:13.0f}{whole / count / columns:9.1f}"
                  f"{bare / count / columns:29.1f}")
        bench.goals.check(f"bytes a column chunk without index blobs, {columns} columns, {count} row groups",
                          bare / count / columns, 40)


def wide(bench):
    columns, rows = (5000, 20_000) if not bench.smoke else (50, 1000)
    source = inputs.made(bench.data, "wide", columns, rows)
    measure.heading(f"{columns} columns of random numbers, {source.stat().st_size >> 20} MiB of Arrow", bench.runs)
    # Random numbers are best written plain, which portable has to find out.
    levels = {"off": ["--adaptive", "off"], "off, plain": ["--adaptive", "off", "--dictionary", "off"],
              "portable": [], "all": ["--encodings", "all"]}
    costs = measure.in_turns({name: bench.tailrace(source, *options) for name, options in levels.items()}, bench.runs)
    measure.print_table(costs)
    cpu = {name: measure.median(runs, "cpu_s") for name, runs in costs.items()}
    for level in ("portable", "all"):
        print(f"CPU of {level} against off {cpu[level] / cpu['off']:.3f}, against plain without a choice "
              f"{cpu[level] / cpu['off, plain']:.3f}")
