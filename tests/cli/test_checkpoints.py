"""Checkpoints, SIGKILL and resume: the same bytes, no row twice, none lost."""

import time

import pyarrow.parquet as pq
import pytest
from conftest import (INVALID, KILL, OK, PRECONDITION, assert_nothing_visible, ipc_stream, leftovers, make_table,
                      rows_of, run, write_inputs)

TABLE = make_table(30_000)
OPTIONS = ["--part-size", "64KiB"]
EVERY = ["--checkpoint-every", "4000rows"]


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    folder = tmp_path_factory.mktemp("uninterrupted")
    run("write", "-", folder / "t.parquet", "--state", folder / "s", *OPTIONS, *EVERY, data=ipc_stream(TABLE))
    return (folder / "t.parquet").read_bytes()


def kill_after(live, at, checkpoints, table=TABLE):
    """A writer that gets SIGKILL after this many checkpoints while its source goes on."""
    writer = live("write", "-", at.target, "--state", at.state, *OPTIONS, *EVERY)
    rows = checkpoints * 4000 + 1234
    writer.send(ipc_stream(table.slice(0, rows), end=False))
    event = writer.wait_for("checkpoint", checkpoints)
    assert event["rows"] == checkpoints * 4000
    writer.end(KILL)
    assert_nothing_visible(at.target)
    return event


@pytest.mark.parametrize("checkpoints", [1, 3, 6])
def test_killed_and_resumed_gives_the_same_bytes(live, at, uninterrupted, checkpoints):
    kill_after(live, at, checkpoints)
    # The source batches its rows in another way the second time.
    resumed = run("resume", at.state, "-", *EVERY, "--json", data=ipc_stream(TABLE, batch_rows=1500))
    assert resumed.event("opened")["rows"] == checkpoints * 4000
    assert resumed.event("committed")["rows"] == TABLE.num_rows
    assert at.target.read_bytes() == uninterrupted
    assert rows_of(at.target).equals(TABLE)
    assert leftovers(at.target) == []


@pytest.mark.parametrize("kind", ["arrow", "parquet", "csv"])
def test_every_kind_of_source_resumes(at, kind):
    source = write_inputs(at.folder, TABLE)[kind]
    run("write", source, at.folder / "whole.parquet", "--state", at.folder / "s", *OPTIONS, *EVERY)
    (at.folder / "half").mkdir()
    half = write_inputs(at.folder / "half", TABLE.slice(0, 18_500))[kind]
    run("write", half, at.target, "--state", at.state, *OPTIONS, *EVERY, "--no-commit", "--pending", at.pending)
    run("resume", at.state, source, *EVERY)
    assert at.target.read_bytes() == (at.folder / "whole.parquet").read_bytes()


def test_resume_from_here(live, at, uninterrupted):
    kill_after(live, at, 2)
    run("resume", at.state, "-", "--from-here", *EVERY, data=ipc_stream(TABLE.slice(8000)))
    assert at.target.read_bytes() == uninterrupted


@pytest.mark.parametrize("header", [True, False])
def test_resume_csv_from_here(at, header):
    csv = write_inputs(at.folder, TABLE)["csv"].read_bytes()
    lines = csv.splitlines(keepends=True)
    run("write", "-", at.target, "--state", at.state, "--checkpoint-every", "1000rows", "--no-commit", "--pending",
        at.pending, data=b"".join(lines[:1501]))
    rest = b"".join(([lines[0]] if header else []) + lines[1001:])
    run("resume", at.state, "-", "--from-here", data=rest)
    assert rows_of(at.target).column("id").equals(TABLE.column("id"))


def test_json_checkpoints_tell_what_is_durable(live, at):
    """A source that forgets what a checkpoint reported and sends only the rest loses and repeats nothing (C60)."""
    held, durable = list(range(1000)), 0
    batches = TABLE.slice(0, 20_000).to_batches(max_chunksize=20)
    writer = live("write", "-", at.target, "--state", at.state, "--checkpoint-every", "1500rows")
    writer.send(ipc_stream(TABLE.slice(0, 10_000), batch_rows=20, end=False))
    for _ in range(6):
        durable = writer.wait_for("checkpoint")["rows"]
        held = [number for number in range(1000) if (number + 1) * 20 > durable]
    writer.end(KILL)
    assert durable == 9000 and held[0] == 450
    rest = TABLE.slice(durable, 20_000 - durable)
    assert rest.num_rows == sum(batches[number].num_rows for number in held)
    run("resume", at.state, "-", "--from-here", data=ipc_stream(rest))
    assert rows_of(at.target).equals(TABLE.slice(0, 20_000))


def test_the_state_before_is_kept_and_good(live, at):
    kill_after(live, at, 3)
    previous = at.state.with_name("t.state.prev")
    assert "8,000" in run("inspect", previous).out
    run("finish", previous)
    assert rows_of(at.target).equals(TABLE.slice(0, 8000))


def test_a_shorter_source_is_refused(live, at):
    kill_after(live, at, 3)
    refused = run("resume", at.state, "-", data=ipc_stream(TABLE.slice(0, 5000)), code=INVALID)
    assert "5,000" in refused.err and "12,000" in refused.err and "--from-here" in refused.err
    assert_nothing_visible(at.target)
    run("resume", at.state, "-", data=ipc_stream(TABLE))
    assert rows_of(at.target).equals(TABLE)


def test_checkpoints_by_input_bytes(at):
    data = ipc_stream(TABLE)
    done = run("write", "-", at.target, "--state", at.state, "--checkpoint-every", "200KiB", "--json", data=data)
    checkpoints = done.events("checkpoint")
    assert len(data) // 300_000 <= len(checkpoints) <= len(data) // 200_000
    assert pq.ParquetFile(at.target).metadata.num_row_groups == len(checkpoints) + 1


def test_checkpoints_by_time_need_no_new_rows(live, at):
    """The rows that came become durable although the source is silent."""
    writer = live("write", "-", at.target, "--state", at.state, "--checkpoint-every", "300ms")
    started = time.monotonic()
    writer.send(ipc_stream(TABLE.slice(0, 100), end=False))
    assert writer.wait_for("checkpoint")["rows"] == 100
    assert time.monotonic() - started < 5
    progress = writer.wait_for("progress")
    assert progress["rows"] == progress["durable_rows"] == 100 and progress["input_bytes"] > 0


def test_a_state_of_an_unfinished_write_is_not_overwritten(live, at):
    kill_after(live, at, 1)
    again = ["write", "-", at.folder / "other.parquet", "--state", at.state, *EVERY]
    refused = run(*again, data=ipc_stream(TABLE), code=PRECONDITION)
    assert str(at.state) in refused.err and "--force" in refused.err
    run("resume", at.state, "-", data=ipc_stream(TABLE))
    assert at.state.exists() and at.state.with_name("t.state.committed").exists()
    # Marked as ended, it is free for the next write.
    run(*again, data=ipc_stream(TABLE))


def test_force_overwrites_a_state(live, at):
    kill_after(live, at, 1)
    run("write", "-", at.target, "--state", at.state, *EVERY, "--force", data=ipc_stream(TABLE))
    assert rows_of(at.target).equals(TABLE)


def test_close_and_commit_apart(at):
    for extra in ([], ["--small-files", "upload"], OPTIONS):
        for path in (at.pending, at.target):
            path.unlink(missing_ok=True)
        run("write", "-", at.target, "--no-commit", "--pending", at.pending, *extra, data=ipc_stream(TABLE))
        assert_nothing_visible(at.target)
        assert "30,000" in run("inspect", at.pending).out
        assert run("commit", at.pending, "--json").event("committed")["already_committed"] is False
        assert run("commit", at.pending, "--json", code=OK).event("committed")["already_committed"] is True
        assert rows_of(at.target).equals(TABLE)
        assert leftovers(at.target) == []
