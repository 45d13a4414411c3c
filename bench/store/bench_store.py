"""Measures uploads to a server that discards them. Run by `make bench-store`; bench/store/README.md has results.

    bench_store.py --build build/release [--only upload,write,faults,slow] [--runs 3] [--parts 64] [--rows 20000000]
                   [--peers tailrace,curl,obstore,pyarrow,boto3] [--data FILE] [--in-flight 16] [--smoke]

upload   already encoded bytes in parts of 16 MiB, plain and TLS, against other clients
write    the whole write of an Arrow stream, against one whose parts go nowhere
faults   the same upload while 2 % of the requests fail, half by 500, half by a reset
slow     a store that takes 20 ms a request and 50 MB/s a connection

CPU seconds are those of the client's process alone. Runs alternate between what is compared; figures are
minimum/median/maximum, ratios are of medians. Wall clock means little while the machine does other things: the load is
printed with each table.
"""
import argparse
import contextlib
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
URL = "s3://bucket/object"
PART_MIB, IN_FLIGHT = 16, 8
ALL_CLIENTS = ["tailrace", "curl", "obstore", "pyarrow", "boto3"]


class Bench:
    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, Path(folder)
        self.programs = Path(arguments.build) / "bench" / "store"
        self.goals_met = True

    def heading(self, text, runs=None):
        runs = runs or self.arguments.runs
        print(f"\n{text}\n{time.strftime('%Y-%m-%d %H:%M')}, load {os.getloadavg()[0]:.1f}, {runs} runs")

    @contextlib.contextmanager
    def server(self, *options, tls=False):
        """The environment of a client of a server with these options."""
        ca_file = str(self.folder / "ca.pem")
        command = [str(self.programs / "discard_server"), *options, *(["--tls", ca_file] if tls else [])]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            environment = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
            while line := process.stdout.readline().strip():
                name, _, value = line.partition("=")
                environment[name] = value
            if tls:
                environment["AWS_CA_BUNDLE"] = ca_file
            yield environment
        finally:
            process.stdin.close()
            summary = process.stdout.read()
            process.wait()
            print(f"server: {summary.strip()}")

    def measure(self, runs, times=None):
        """`runs` maps a name to a function that measures once; takes turns, and gives a list of results for each."""
        results = {name: [] for name in runs}
        for _ in range(times or self.arguments.runs):
            for name, run in runs.items():
                results[name].append(run())
        return results

    def goal(self, text, value, limit):
        met = value <= limit
        self.goals_met &= met
        print(f"goal: {text} {value:.2f} <= {limit:.2f}: {'met' if met else 'MISSED'}")


def client(command, environment):
    """Runs a client that prints what it cost."""
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def curl(environment, folder, parts, ca_file):
    """curl tells nothing of its cost: the process is measured from outside. It starts in 10 ms."""
    block, config = folder / "block", folder / "curl.conf"
    block.write_bytes(os.urandom(PART_MIB << 20))
    url = environment["AWS_ENDPOINT_URL"]
    config.write_text("".join(f'url = "{url}/bucket/{i}"\nupload-file = "{block}"\n' for i in range(parts)))
    tls = ["--cacert", ca_file] if ca_file else []
    begin = time.monotonic()
    child = subprocess.Popen(["curl", "-sS", *tls, "-K", config], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    assert status == 0, f"curl ended with status {status}"
    return {"cpu_s": used.ru_utime + used.ru_stime, "wall_s": time.monotonic() - begin,
            "rss_mib": used.ru_maxrss / 1024, "bytes": parts * PART_MIB << 20}


def median(results, key):
    return statistics.median(run[key] for run in results)


def spread(results, key, scale=1.0):
    values = [run[key] * scale for run in results]
    return f"{min(values):.2f}/{statistics.median(values):.2f}/{max(values):.2f}"


def gib(run):
    return run["bytes"] / (1 << 30)


def print_table(results):
    for name, runs in results.items():
        per_gib = 1 / gib(runs[0])
        print(f"{name:10} CPU s/GiB {spread(runs, 'cpu_s', per_gib)}  wall s/GiB {spread(runs, 'wall_s', per_gib)}"
              f"  RSS MiB {spread(runs, 'rss_mib')}")


def upload_command(bench, parts, part_mib=PART_MIB, in_flight=IN_FLIGHT):
    return [str(bench.programs / "upload_bytes"), URL, str(parts), str(part_mib), str(in_flight)]


def bench_upload(bench):
    parts = bench.arguments.parts
    for tls, own_goal, obstore_goal in ((False, 0.6, 0.6), (True, 1.3, 0.8)):
        bench.heading(f"upload of {parts} parts of {PART_MIB} MiB, {'TLS' if tls else 'plain'}, {IN_FLIGHT} at once")
        with bench.server(tls=tls) as environment:
            runs = {}
            for name in bench.arguments.peers:
                if name == "tailrace":
                    runs[name] = lambda: client(upload_command(bench, parts), environment)
                elif name == "curl":
                    runs[name] = lambda: curl(environment, bench.folder, parts, environment.get("AWS_CA_BUNDLE"))
                else:
                    command = [sys.executable, str(HERE / "peers.py"), name, str(parts), str(PART_MIB), str(IN_FLIGHT)]
                    runs[name] = lambda command=command: client(command, environment)
            results = bench.measure(runs)
        print_table(results)
        own = median(results["tailrace"], "cpu_s")
        bench.goal("CPU s/GiB", own / gib(results["tailrace"][0]), own_goal)
        for name in bench.arguments.peers:
            if name == "obstore":
                bench.goal("CPU against obstore", own / median(results[name], "cpu_s"), obstore_goal)
            elif name != "tailrace":
                print(f"CPU against {name} {own / median(results[name], 'cpu_s'):.2f}")


def make_data(bench):
    """801 MiB with the rows of bench/e2e/inputs.py; kept in --data."""
    sys.path.insert(0, str(HERE.parent / "e2e"))
    from inputs import save_stream, table_batches
    path = Path(bench.arguments.data) if bench.arguments.data else bench.folder / "in.arrows"
    if not path.exists():
        save_stream(table_batches(bench.arguments.rows), path)
    return str(path)


def bench_write(bench):
    data = make_data(bench)
    program = str(bench.programs / "write_stream")
    # The difference asked for is smaller than what two runs of the same differ by: three pairs say nothing.
    times = bench.arguments.runs if bench.arguments.smoke else max(9, bench.arguments.runs)
    for codec in ("zstd", "none"):
        bench.heading(f"whole write of {os.path.getsize(data) >> 20} MiB of Arrow, codec {codec}", times)
        with bench.server() as environment:
            results = bench.measure({"uploaded": lambda: client([program, data, URL, codec], environment),
                                     "nowhere": lambda: client([program, data, "null:", codec], environment)}, times)
        for name, runs in results.items():
            print(f"{name:10} CPU s {spread(runs, 'cpu_s')}  wall s {spread(runs, 'wall_s')}  "
                  f"RSS MiB {spread(runs, 'rss_mib')}  object {runs[0]['bytes'] / 1e6:.1f} MB")
        ratios = [median(results["uploaded"], key) / median(results["nowhere"], key) for key in ("cpu_s", "wall_s")]
        if codec == "zstd":
            bench.goal("CPU against the write to nowhere", ratios[0], 1.15)
            bench.goal("wall clock against the write to nowhere", ratios[1], 1.05)
        else:
            print(f"against the write to nowhere: CPU {ratios[0]:.2f}, wall {ratios[1]:.2f}")


# A server that is the bottleneck, as in a network: losses of throughput are the client's waits then, not the CPU's.
STEADY = ("--wait-ms", "20", "--bytes-per-second", "25000000")


def bench_faults(bench):
    # Small parts, so that there are enough requests for 2 % of them to be a number.
    parts, part_mib = 6 * bench.arguments.parts, 5
    bench.heading(f"upload of {parts} parts of {part_mib} MiB, 25 MB/s a connection, 2 % of the requests failing")
    command = upload_command(bench, parts, part_mib)
    with bench.server(*STEADY) as steady, bench.server(*STEADY, "--fail-percent", "2") as failing:
        results = bench.measure({"steady": lambda: client(command, steady),
                                 "failing": lambda: client(command, failing)})
    print_table(results)
    bench.goal("wall clock against no failures", sum(run["wall_s"] for run in results["failing"]) /
               sum(run["wall_s"] for run in results["steady"]), 1 / 0.9)


def bench_slow(bench):
    data = make_data(bench)
    program = str(bench.programs / "write_stream")
    bench.heading("store with 20 ms a request and 50 MB/s a connection")
    slow = ("--wait-ms", "20", "--bytes-per-second", "50000000")
    in_flight = bench.arguments.in_flight
    upload = upload_command(bench, bench.arguments.parts, in_flight=in_flight)
    with bench.server(*slow) as environment:
        results = bench.measure({"bytes": lambda: client(upload, environment),
                                 "uncoded": lambda: client([program, data, URL, "none"], environment),
                                 "nowhere": lambda: client([program, data, "null:", "none"], environment)})
    for name, runs in results.items():
        rates = [run["bytes"] / run["wall_s"] / 1e6 for run in runs]
        print(f"{name:10} MB/s {min(rates):.0f}/{statistics.median(rates):.0f}/{max(rates):.0f}  "
              f"RSS MiB {spread(runs, 'rss_mib')}")
    rate = {name: statistics.median(run["bytes"] / run["wall_s"] / 1e6 for run in runs)
            for name, runs in results.items()}
    bench.goal(f"400 MB/s over what {in_flight} parts in flight reach:", 400 / rate["bytes"], 1.0)
    # A row group without a codec fills half of the budget, so that uploads of one and encoding of the next overlap in
    # part.
    print(f"a whole write without a codec: {rate['uncoded']:.0f} MB/s, to nowhere {rate['nowhere']:.0f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", required=True, help="folder of the Release build")
    parser.add_argument("--only", default="upload,write,faults,slow")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--parts", type=int, default=64)
    parser.add_argument("--rows", type=int, default=20_000_000)
    parser.add_argument("--data", help="Arrow IPC stream to write; made there where it is missing")
    parser.add_argument("--smoke", action="store_true", help="goals may be missed: does the benchmark itself work?")
    parser.add_argument("--in-flight", type=int, default=16, help="parts in flight of the slow store")
    parser.add_argument("--peers", type=lambda text: text.split(","), default=ALL_CLIENTS)
    arguments = parser.parse_args()
    kinds = {"upload": bench_upload, "write": bench_write, "faults": bench_faults, "slow": bench_slow}
    print(f"{os.cpu_count()} CPUs ({platform.machine()}), Linux {platform.release()}, Python "
          f"{platform.python_version()}")
    with tempfile.TemporaryDirectory(prefix="tailrace-bench-") as folder:
        bench = Bench(arguments, folder)
        for kind in arguments.only.split(","):
            kinds[kind](bench)
    return 0 if bench.goals_met or arguments.smoke else 1


if __name__ == "__main__":
    sys.exit(main())
