"""Drives the program tailrace, whose path is in the environment variable TAILRACE."""

import io
import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.ipc
import pyarrow.parquet as pq
import pytest

TAILRACE = os.environ["TAILRACE"]
# Far more than any of these runs takes: only a hang meets it.
PATIENCE_S = 60

# As kExitCodes of cli/exit_codes.h.
OK, INTERNAL, USAGE, INVALID, NOT_FOUND, DENIED, LIMIT, PRECONDITION, RETRY, GONE, FENCED, UNKNOWN = range(12)
WRITER_ALIVE, BAD_STATE, STATE_TOO_NEW, KEPT, DROPPED, NOTHING_ABORTED, OUTPUT_LOST = range(12, 19)


def wait_until(is_so):
    """Until `is_so()` answers true; only a hang meets the end of it."""
    deadline = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < deadline, "it never came to be so"
        time.sleep(0.01)


class Run:
    """What one run of the program left: exit code, events of --json, text."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    def events(self, name=None):
        events = [json.loads(line) for line in self.out.splitlines()]
        return [event for event in events if name in (None, event["event"])]

    def event(self, name):
        (event,) = self.events(name)
        return event


def run(*arguments, data=b"", code=OK, prefix=(), **options):
    """Runs to the end and checks the exit code; None takes any."""
    done = subprocess.run(
        [*prefix, TAILRACE, *map(str, arguments)], input=data, capture_output=True, timeout=PATIENCE_S, **options
    )
    result = Run(done.returncode, done.stdout.decode(), done.stderr.decode())
    assert code is None or result.code == code, f"exit {result.code}\n{result.out}\n{result.err}"
    return result


class Live:
    """A run that is still going: fed through its standard input, watched through its JSON lines."""

    def __init__(self, *arguments, **options):
        self.process = subprocess.Popen(
            [TAILRACE, *map(str, arguments), "--json"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            **options,
        )
        self.seen = []

    def send(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def wait_until_it_heeds(self, number):
        """Until this signal would no longer end the process outright."""

        def is_blocked():
            status = Path(f"/proc/{self.process.pid}/status").read_text()
            mask = int(re.search(r"^SigBlk:\s*([0-9a-f]+)$", status, re.MULTILINE)[1], 16)
            # Blocked, and read from a descriptor; not because all are, which they are while a thread is being made.
            return mask >> (number - 1) & 1 and not mask >> (signal.SIGUSR1 - 1) & 1

        wait_until(is_blocked)

    def wait_for(self, name, count=1):
        """The `count`-th event of this name from now on."""
        for line in self.process.stdout:
            event = json.loads(line)
            self.seen.append(event)
            if event["event"] == name:
                count -= 1
                if count == 0:
                    return event
        raise AssertionError(f"ended before {name}: {self.process.stderr.read().decode()}")

    def wait_for_rows(self, rows):
        """Until so many were taken in all, as progress tells, at the latest when the input is silent."""
        while self.wait_for("progress")["rows"] < rows:
            pass

    def hold_still(self):
        """Stops all its threads, so that what happens until SIGCONT happens for them at once."""
        self.process.send_signal(signal.SIGSTOP)
        tasks = Path(f"/proc/{self.process.pid}/task")
        wait_until(lambda: all(re.search(r"^State:\s*T", (task / "status").read_text(), re.MULTILINE)
                               for task in tasks.iterdir()))

    def end(self, send_signal=None, close=False):
        """Waits for the end and returns the run."""
        if send_signal:
            self.process.send_signal(send_signal)
        if close:
            self.process.stdin.close()
            self.process.stdin = None
        out, err = self.process.communicate(timeout=PATIENCE_S) if close else self._drain()
        out = "".join(json.dumps(event) + "\n" for event in self.seen) + out.decode()
        return Run(self.process.returncode, out, err.decode())

    def _drain(self):
        """The input stays open, as that of a source which is silent."""
        self.process.wait(timeout=PATIENCE_S)
        out, err = self.process.stdout.read(), self.process.stderr.read()
        self.kill()
        return out, err

    def kill(self):
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream:
                try:
                    stream.close()
                except BrokenPipeError:
                    pass


@pytest.fixture
def live():
    """Starts runs that are killed, at the latest, when the test ends."""
    started = []

    def start(*arguments, **options):
        started.append(Live(*arguments, **options))
        return started[-1]

    yield start
    for one in started:
        one.kill()


def make_table(rows, first=0):
    """The same row always has the same content."""
    ids = range(first, first + rows)
    return pa.table(
        {
            "id": pa.array(ids, pa.int64()),
            "name": pa.array([f"name {i * 7919 % 10007}" if i % 11 else None for i in ids], pa.string()),
            "value": pa.array([i * 0.25 for i in ids], pa.float64()),
            "tags": pa.array([[f"t{i % 5}"] * (i % 3) for i in ids], pa.list_(pa.field("element", pa.string()))),
        }
    )


def ipc_stream(table, batch_rows=997, end=True):
    sink = io.BytesIO()
    writer = pa.ipc.new_stream(sink, table.schema)
    for batch in table.to_batches(max_chunksize=batch_rows):
        writer.write_batch(batch)
    if end:
        writer.close()
    return sink.getvalue()


def write_inputs(folder, table):
    """One file of each kind; a CSV has no lists."""
    paths = {kind: folder / f"in.{kind}" for kind in ("arrows", "arrow", "parquet", "csv")}
    paths["arrows"].write_bytes(ipc_stream(table))
    with pa.ipc.new_file(paths["arrow"], table.schema) as writer:
        writer.write_table(table, max_chunksize=1001)
    pq.write_table(table, paths["parquet"], row_group_size=3001)
    pyarrow.csv.write_csv(table.drop_columns(["tags"]), paths["csv"])
    return paths


def leftovers(target):
    """Files of uploads that lie hidden beside the target."""
    hidden = Path(target).parent / ".tailrace"
    return sorted(path.name for path in hidden.iterdir()) if hidden.exists() else []


def assert_nothing_visible(target):
    assert not os.path.lexists(target)


def rows_of(target):
    return pq.read_table(target)


@pytest.fixture
def at(tmp_path):
    """Paths in a folder of the test's own."""

    class At:
        target = tmp_path / "t.parquet"
        state = tmp_path / "t.state"
        pending = tmp_path / "t.pending"
        folder = tmp_path

    return At


KILL, TERM, INT = signal.SIGKILL, signal.SIGTERM, signal.SIGINT


@pytest.fixture
def unprivileged():
    """The prefix of a command line under which permissions count, also for root."""
    return ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
