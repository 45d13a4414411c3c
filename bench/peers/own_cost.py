"""What a block of code costs its process."""
import contextlib
import json
import resource
import time


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


@contextlib.contextmanager
def printed_cost():
    """Prints CPU and wall seconds of the block as one line of JSON."""
    cpu, wall = cpu_seconds(), time.monotonic()
    yield
    print(json.dumps({"cpu_s": cpu_seconds() - cpu, "wall_s": time.monotonic() - wall}))
