"""SIGINT and SIGTERM while a slow or silent source is read (C59)."""

import signal
import subprocess
import time

import pyarrow.csv
import pytest
from conftest import (DROPPED, INT, KEPT, OK, TAILRACE, TERM, assert_nothing_visible, ipc_stream, leftovers, make_table,
                      rows_of, run, write_inputs)

TABLE = make_table(10_000)
# "Within seconds", with room for a busy machine.
GRACE_S = 10


def stop(writer, number):
    started = time.monotonic()
    done = writer.end(number)
    assert time.monotonic() - started < GRACE_S
    return done


@pytest.mark.parametrize("number", [INT, TERM])
def test_with_a_state_file_the_last_batch_is_kept(live, at, number):
    writer = live("write", "-", at.target, "--state", at.state, "--checkpoint-every", "4000rows")
    writer.send(ipc_stream(TABLE.slice(0, 5000), batch_rows=1000, end=False))
    writer.wait_for_rows(5000)
    done = stop(writer, number)
    assert done.code == KEPT
    event = done.event("interrupted")
    assert event["rows"] == 5000 and event["state"] == str(at.state) and event["exit_code"] == KEPT
    assert f"tailrace resume {at.state}" in done.err
    assert_nothing_visible(at.target)
    run("resume", at.state, "-", data=ipc_stream(TABLE))
    assert rows_of(at.target).equals(TABLE)
    assert leftovers(at.target) == []


def test_a_state_file_alone_is_enough(live, at):
    writer = live("write", "-", at.target, "--state", at.state)
    writer.send(ipc_stream(TABLE.slice(0, 3000), batch_rows=1000, end=False))
    writer.wait_for_rows(3000)
    assert stop(writer, TERM).code == KEPT
    resumed = run("resume", at.state, "-", "--json", data=ipc_stream(TABLE))
    assert resumed.event("opened")["rows"] == 3000
    assert rows_of(at.target).equals(TABLE)


def test_without_a_state_file_nothing_is_kept(live, at):
    writer = live("write", "-", at.target, "--part-size", "16KiB")
    writer.send(ipc_stream(TABLE.slice(0, 8000), end=False))
    writer.wait_for_rows(8000)
    done = stop(writer, TERM)
    assert done.code == DROPPED and done.event("interrupted")["state"] is None
    assert "nothing was kept" in done.err
    assert_nothing_visible(at.target)
    assert leftovers(at.target) == []


@pytest.mark.parametrize("end", ["cut", "whole"])
def test_ctrl_c_that_ends_the_source_too_is_no_end_of_the_input(live, at, end):
    """Held still, the writer sees signal and end of its pipe at the same time."""
    writer = live("write", "-", at.target, "--state", at.state)
    writer.send(ipc_stream(TABLE.slice(0, 3000), batch_rows=1000, end=False))
    writer.wait_for_rows(3000)
    writer.hold_still()
    if end == "whole":
        writer.send(b"\xff\xff\xff\xff\0\0\0\0")
    writer.process.send_signal(signal.SIGINT)
    writer.process.stdin.close()
    writer.process.stdin = None
    done = stop(writer, signal.SIGCONT)
    assert done.code == KEPT and done.event("interrupted")["rows"] == 3000
    assert_nothing_visible(at.target)


@pytest.mark.parametrize("data", [b"", b"\xff\xff\xff\xff", b"a,b\n1,2\n"])
def test_before_the_columns_are_known(live, at, data):
    writer = live("write", "-", at.target, "--state", at.state)
    writer.send(data)
    writer.wait_until_it_heeds(TERM)
    assert stop(writer, TERM).code == DROPPED
    assert not at.state.exists()
    assert_nothing_visible(at.target)


def test_on_error_abort_voids_the_state(live, at):
    writer = live("write", "-", at.target, "--state", at.state, "--checkpoint-every", "1000rows", "--on-error", "abort")
    writer.send(ipc_stream(TABLE.slice(0, 5000), end=False))
    writer.wait_for("checkpoint")
    assert stop(writer, TERM).code == DROPPED
    assert leftovers(at.target) == []
    assert at.state.with_name("t.state.aborted").exists()


def test_resume_is_interrupted_and_resumed(live, at):
    csv = write_inputs(at.folder, TABLE)["csv"].read_bytes().splitlines(keepends=True)
    options = ["--checkpoint-every", "1000rows"]
    run("write", "-", at.target, "--state", at.state, *options, "--no-commit", "--pending", at.pending,
        data=b"".join(csv[:2501]))
    resumed = live("resume", at.state, "-", *options)
    resumed.send(b"".join(csv[:4501]))
    # The types are known: what came is handed on although the source is silent.
    resumed.wait_for_rows(4500)
    done = stop(resumed, INT)
    assert done.code == KEPT and done.event("interrupted")["rows"] == 4500
    run("resume", at.state, "-", *options, data=b"".join(csv))
    assert rows_of(at.target).equals(pyarrow.csv.read_csv(at.folder / "in.csv"))


def test_the_second_signal_ends_at_once(live, at):
    writer = live("write", "-", at.target)
    writer.send(ipc_stream(TABLE.slice(0, 100), end=False))
    writer.wait_for("opened")
    # Held still meanwhile, so that both come before the first has ended it.
    writer.hold_still()
    writer.process.send_signal(TERM)
    writer.process.send_signal(INT)
    assert stop(writer, signal.SIGCONT).code in (128 + INT, 128 + TERM)
    assert_nothing_visible(at.target)


def test_a_reader_of_the_events_that_goes_away_ends_nothing(at):
    with subprocess.Popen([TAILRACE, "write", "-", at.target, "--state", at.state, "--checkpoint-every", "500rows",
                           "--json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as writer:
        writer.stdout.close()
        writer.stdin.write(ipc_stream(TABLE))
        writer.stdin.close()
        assert writer.wait(timeout=60) == OK
    assert rows_of(at.target).equals(TABLE)
