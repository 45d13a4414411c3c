"""The progress bar, over a pseudo-terminal that is read as a terminal reads it."""

import fcntl
import json
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time

import pytest
from conftest import KEPT, OK, PATIENCE_S, TAILRACE, TERM, ipc_stream, make_table, rows_of, run, write_inputs

TABLE = make_table(20_000)


class Screen:
    """One that knows what the bar uses: carriage return, line feed, and erasing the rest of the line."""

    def __init__(self):
        self.lines, self.column, self.rest = [""], 0, ""
        self.shown = []  # the last line, each time that it was drawn over

    def feed(self, text):
        self.rest += text
        while self.rest:
            if self.rest.startswith("\x1b"):
                if len(self.rest) < 3:
                    return
                assert self.rest.startswith("\x1b[K"), repr(self.rest[:8])
                self.lines[-1] = self.lines[-1][: self.column]
                self.shown.append(self.lines[-1])
                self.rest = self.rest[3:]
                continue
            char, self.rest = self.rest[0], self.rest[1:]
            if char == "\r":
                self.column = 0
            elif char == "\n":
                self.lines.append("")
                self.column = 0
            else:
                line = self.lines[-1]
                self.lines[-1] = line[: self.column] + char + line[self.column + 1:]
                self.column += 1


class Terminal:
    """A run whose standard error is a terminal."""

    def __init__(self, *arguments, columns=100, term="xterm", **options):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.process = subprocess.Popen([TAILRACE, *map(str, arguments)], stderr=slave, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, env={**os.environ, "TERM": term}, **options)
        os.close(slave)
        self.screen = Screen()

    def read(self, seconds):
        """What comes within that time; False at the end."""
        if not select.select([self.master], [], [], seconds)[0]:
            return True
        try:
            text = os.read(self.master, 65536)
        except OSError:  # the other side was closed
            return False
        self.screen.feed(text.decode())
        return bool(text)

    def wait_for(self, pattern):
        deadline = time.monotonic() + PATIENCE_S
        while not re.search(pattern, self.screen.lines[-1]):
            assert time.monotonic() < deadline and self.read(1), self.screen.lines

    def end(self):
        if self.process.stdin:
            self.process.stdin.close()
        while self.read(PATIENCE_S):
            pass
        os.close(self.master)
        self.out = self.process.stdout.read().decode()
        self.process.stdout.close()
        return self.process.wait(timeout=PATIENCE_S)


@pytest.fixture
def terminal():
    started = []

    def start(*arguments, **options):
        started.append(Terminal(*arguments, **options))
        return started[-1]

    yield start
    for one in started:
        one.process.kill()
        one.process.wait()


def test_a_pipe_shows_rows_bytes_rate_and_parts_and_nothing_stays(terminal, at):
    writer = terminal("write", "-", at.target, "--part-size", "16KiB", "--row-group-rows", "2000",
                      "--small-files", "upload")
    writer.process.stdin.write(ipc_stream(TABLE, end=False))
    writer.process.stdin.flush()
    writer.wait_for(r"^20,000 rows  [\d.]+ [KM]iB  [\d.]+ [KMG]?i?B/s  [1-9]\d* parts, [\d.]+ KiB  \d+:\d\d$")
    writer.process.stdin.write(b"\xff\xff\xff\xff\0\0\0\0")
    assert writer.end() == OK
    assert [line.split(":")[0] for line in writer.screen.lines if line] == ["writing file", "committed"]
    assert rows_of(at.target).equals(TABLE)


def test_a_file_shows_its_share(terminal, at):
    source = write_inputs(at.folder, TABLE)["csv"]
    writer = terminal("write", source, at.target, "--csv-block-size", "8KiB", "--row-group-rows", "500")
    assert writer.end() == OK
    drawn = [line for line in writer.screen.shown if line]
    assert drawn and all(re.match(r"\[#*\.*\] \d+%  [\d,]+ rows  [\d.]+ .?i?B of [\d.]+ KiB  ", line) for line in drawn)


def test_lines_are_told_above_the_bar(terminal, at):
    writer = terminal("write", "-", at.target, "--state", at.state, "--checkpoint-every", "5000rows")
    writer.process.stdin.write(ipc_stream(TABLE, batch_rows=1000, end=False))
    writer.process.stdin.flush()
    writer.wait_for(r"^20,000 rows  ")
    writer.process.send_signal(TERM)
    assert writer.end() == KEPT
    text = [line for line in writer.screen.lines if line]
    assert [line.split(" ")[0] for line in text] == ["writing"] + ["checkpoint:"] * 4 + ["tailrace:"]
    assert all("MiB/s" not in line for line in text)


def test_it_is_drawn_over_itself_and_seldom(terminal, at):
    """Never is the line empty between two drawings, so nothing flickers; each one differs from the one before."""
    writer = terminal("write", "-", at.target)
    started = time.monotonic()
    for first in range(0, 20_000, 1000):
        writer.process.stdin.write(batch_of(first) if first else ipc_stream(TABLE.slice(0, 1000), 1000, end=False))
        writer.process.stdin.flush()
        writer.wait_for(rf"^{first + 1000:,} rows  ")
    writer.process.stdin.write(b"\xff\xff\xff\xff\0\0\0\0")
    assert writer.end() == OK
    took = time.monotonic() - started
    shown = writer.screen.shown
    assert shown[-1] == "" and shown.index("") == len(shown) - 1
    assert all(a != b for a, b in zip(shown, shown[1:]))
    assert 20 <= len(shown) <= took * 10 + 2


def batch_of(first):
    """As it stands in a stream."""
    (batch,) = TABLE.slice(first, 1000).combine_chunks().to_batches()
    return batch.serialize().to_pybytes()


def test_no_wider_than_the_terminal(terminal, at):
    writer = terminal("write", "-", at.target, columns=24)
    writer.process.stdin.write(ipc_stream(TABLE, end=False))
    writer.process.stdin.flush()
    writer.wait_for("^20,000 rows")
    assert all(len(line) < 24 for line in writer.screen.shown)


@pytest.mark.parametrize("options, term", [(["--quiet"], "xterm"), (["--json"], "xterm"), ([], "dumb")])
def test_where_no_bar_is_wanted_there_is_none(terminal, at, options, term):
    writer = terminal("write", "-", at.target, *options, term=term)
    writer.process.stdin.write(ipc_stream(TABLE))
    assert writer.end() == OK
    assert writer.screen.shown == []
    if "--json" in options:
        assert [json.loads(line)["event"] for line in writer.out.splitlines()][-1] == "committed"


def test_elsewhere_lines_come_as_ever(at, live):
    writer = live("write", "-", at.target)
    writer.send(ipc_stream(TABLE, end=False))
    writer.wait_for_rows(20_000)
    assert set(writer.seen[-1]) == {"event", "rows", "durable_rows", "input_bytes", "seconds"}
    assert "\r" not in run("write", "-", at.folder / "o.parquet", data=ipc_stream(TABLE)).err
