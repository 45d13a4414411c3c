"""tailrace against other writers, on the same Arrow IPC input, each in a process of its own."""
import importlib.metadata
import subprocess
import sys
from pathlib import Path

import inputs
import measure

PEERS = Path(__file__).resolve().parent.parent / "peers"
LEVELS = {
    "tailrace portable": ["--encodings", "portable"],
    "tailrace spark": ["--encodings", "spark"],
    "tailrace all": ["--encodings", "all"],
    "tailrace off": ["--adaptive", "off"],
}
# CPU of a level against a peer, at most, on the table with zstd.
CPU_GOALS = [("tailrace portable", "pyarrow", 0.8), ("tailrace portable", "arrow-rs", 0.9),
             ("tailrace all", "pyarrow", 0.65), ("tailrace all", "arrow-rs", 0.7), ("tailrace off", "pyarrow", 1.0)]


def python_peer(bench, name, source, codec):
    command = [sys.executable, str(PEERS / f"write_{name}.py"), str(source), bench.target, codec]
    return lambda: measure.run(command, bench.target, own=True)


def arrow_rs_program(bench):
    done = subprocess.run([PEERS / "arrow_rs.sh", bench.folder], stdout=subprocess.DEVNULL)
    if done.returncode != 0:
        raise SystemExit("the peer over arrow-rs could not be built; leave it out with --peers pyarrow,polars")
    return str(bench.folder / "write-with-arrow-rs")


def writers(bench, source, codec, arrow_rs):
    runs = {name: bench.tailrace(source, "--codec", codec, *options) for name, options in LEVELS.items()}
    if "pyarrow" in bench.arguments.peers:
        runs["pyarrow"] = python_peer(bench, "pyarrow", source, codec)
    if "polars" in bench.arguments.peers:
        runs["Polars"] = python_peer(bench, "polars", inputs.made(bench.data, "as_file", source), codec)
    if arrow_rs:
        for name, mode in (("arrow-rs", "writer"), ("arrow-rs columns", "columns")):
            command = [arrow_rs, mode, str(source), bench.target, codec]
            runs[name] = lambda command=command: measure.run(command, bench.target)
    return runs


def check_goals(bench, costs):
    cpu = {name: measure.median(runs, "cpu_s") for name, runs in costs.items()}
    wall = {name: measure.median(runs, "wall_s") for name, runs in costs.items()}
    size = {name: runs[0].bytes for name, runs in costs.items()}
    for level, peer, limit in CPU_GOALS:
        if peer in cpu:
            bench.goals.check(f"CPU of {level} against {peer}", cpu[level] / cpu[peer], limit)
    single = [wall[peer] for peer in ("pyarrow", "arrow-rs") if peer in wall]
    for level in ("tailrace portable", "tailrace all"):
        bench.goals.check(f"wall of {level} against the faster single-threaded", wall[level] / min(single), 0.55)
        if "arrow-rs columns" in wall:
            bench.goals.check(f"wall of {level} against arrow-rs columns", wall[level] / wall["arrow-rs columns"], 0.7)
        for peer in size:
            if not peer.startswith("tailrace"):
                bench.goals.check(f"size of {level} against {peer}", size[level] / size[peer], 1.0)


def settings():
    versions = {name: importlib.metadata.version(name) for name in ("pyarrow", "polars")}
    print(f"peers: pyarrow {versions['pyarrow']}, Polars {versions['polars']} (maps an IPC file, the others read a "
          "stream), arrow-rs of bench/peers/arrow_rs/Cargo.toml; all at their defaults but for the codec")


def run(bench):
    settings()
    arrow_rs = arrow_rs_program(bench) if "arrow_rs" in bench.arguments.peers else None
    sources = {"table": bench.table, "lineitem": bench.lineitem}
    for kind in ["table"] if bench.smoke else bench.arguments.inputs:
        source = sources[kind]()
        for codec in bench.arguments.codecs:
            measure.heading(f"{kind}, {source.stat().st_size >> 20} MiB of Arrow, codec {codec}", bench.runs)
            costs = measure.in_turns(writers(bench, source, codec, arrow_rs), bench.runs)
            measure.print_table(costs)
            if kind == "table" and codec == "zstd":
                check_goals(bench, costs)
            bench.results[f"{kind}, {codec}"] = {
                name: {"cpu_s": measure.median(runs, "cpu_s"), "wall_s": measure.median(runs, "wall_s"),
                       "rss_mib": measure.median(runs, "rss_mib"), "bytes": runs[0].bytes}
                for name, runs in costs.items()}
