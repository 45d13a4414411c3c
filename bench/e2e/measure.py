"""Runs processes in turns and tells what they cost."""
import json
import os
import platform
import statistics
import subprocess
import time
from dataclasses import dataclass


@dataclass
class Cost:
    cpu_s: float
    wall_s: float
    rss_mib: float
    bytes: int


def run(command, target, own=False, source=None, keep=False):
    """The cost of one process, which makes `target`; the file is removed, unless `keep`. With `own` it tells CPU and
    wall seconds itself, as a line of JSON: what takes long to start does. `source` is the command of a process whose
    output it reads."""
    feeder = subprocess.Popen(source, stdout=subprocess.PIPE) if source else None
    begin = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stdin=feeder.stdout if feeder else subprocess.DEVNULL)
    if feeder:
        feeder.stdout.close()
    said = child.stdout.read()
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    wall = time.monotonic() - begin
    if child.returncode != 0:
        raise RuntimeError(f"{command[0]} ended with {child.returncode}")
    if feeder and feeder.wait() != 0:
        raise RuntimeError(f"{source[0]} ended with {feeder.returncode}")
    cost = Cost(used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1024, os.path.getsize(target))
    if not keep:
        os.remove(target)
    if own:
        told = json.loads(said.splitlines()[-1])
        cost.cpu_s, cost.wall_s = told["cpu_s"], told["wall_s"]
    return cost


def in_turns(runs, times):
    """`runs` maps a name to a function that measures once: the costs of each, in turns, so that a change of the machine
    meets all alike."""
    costs = {name: [] for name in runs}
    for _ in range(times):
        for name, measure in runs.items():
            costs[name].append(measure())
    return costs


def median(costs, key):
    return statistics.median(getattr(cost, key) for cost in costs)


def spread(costs, key, digits=2):
    values = [getattr(cost, key) for cost in costs]
    return "/".join(f"{v:.{digits}f}" for v in (min(values), statistics.median(values), max(values)))


def print_table(costs):
    print(f"{'':20}{'CPU s':>18}{'wall s':>18}{'peak RSS MiB':>18}{'object MB':>11}")
    for name, runs in costs.items():
        print(f"{name:20}{spread(runs, 'cpu_s'):>18}{spread(runs, 'wall_s'):>18}{spread(runs, 'rss_mib', 0):>18}"
              f"{runs[0].bytes / 1e6:11.1f}")


def heading(text, times=None):
    runs = f", {times} runs in turns, figures min/median/max" if times else ""
    print(f"\n{text}\n{time.strftime('%Y-%m-%d %H:%M')}, load {os.getloadavg()[0]:.1f}{runs}", flush=True)


def machine():
    model = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "")
    return (f"{os.cpu_count()} CPUs ({model or platform.machine()}), Linux {platform.release()}, Python "
            f"{platform.python_version()}")


class Goals:
    """Prints each as met or missed, and remembers whether all were met."""

    def __init__(self):
        self.met = True

    def check(self, text, value, limit):
        met = value <= limit
        self.met &= met
        print(f"goal: {text} {value:.3f} <= {limit:.2f}: {'met' if met else 'MISSED'}")
