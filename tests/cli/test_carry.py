"""Checkpoints that leave the row group open: --checkpoint-mode carry."""

import json
import re

import pyarrow.parquet as pq
from conftest import (INVALID, KILL, USAGE, assert_nothing_visible, ipc_stream, leftovers, make_table, rows_of, run)

TABLE = make_table(20_000)
OPTIONS = ["--part-size", "64KiB", "--row-group-rows", "9000"]
CARRY = ["--checkpoint-mode", "carry", "--checkpoint-every", "500rows"]


def inspected(state):
    return json.loads(run("inspect", state, "--json").out)


def killed_carrying(live, at, rows=13_400):
    """The last state before the kill, which is in the middle of the second row group."""
    writer = live("write", "-", at.target, "--state", at.state, *OPTIONS, *CARRY)
    writer.send(ipc_stream(TABLE.slice(0, rows), batch_rows=700, end=False))
    event = writer.wait_for("checkpoint", rows // 500)
    writer.end(KILL)
    assert_nothing_visible(at.target)
    return event


def test_checkpoints_leave_no_trace_in_the_file(live, at):
    run("write", "-", at.folder / "whole.parquet", *OPTIONS, data=ipc_stream(TABLE))
    event = killed_carrying(live, at)
    assert event["rows"] == 13_000 and event["carried_rows"] == 4000 and event["carried_bytes"] > 1000
    resumed = run("resume", at.state, "-", "--checkpoint-every", "500rows", "--json", data=ipc_stream(TABLE))
    assert resumed.event("opened")["rows"] == 13_000
    assert resumed.events("checkpoint")[-1]["carried_rows"] > 0, "the state says how to go on"
    assert at.target.read_bytes() == (at.folder / "whole.parquet").read_bytes()
    assert pq.ParquetFile(at.target).metadata.num_row_groups == 3
    assert leftovers(at.target) == []


def test_finish_has_the_carried_rows(live, at):
    killed_carrying(live, at)
    told = inspected(at.state)
    assert told["rows"] == 13_000 and told["carried_rows"] == 4000
    assert [group["rows"] for group in told["row_groups"]] == [9000]
    assert told["options"]["checkpoint_mode"] == "carry" and told["options"]["carry_max_bytes"] == 8 << 20
    assert re.search(r"13,000 in 1 row groups, the last 4,000 carried here", run("inspect", at.state).out)
    run("finish", at.state)
    assert rows_of(at.target).equals(TABLE.slice(0, 13_000))
    assert run("finish", at.state, "--json").event("committed")["already_committed"] is True
    assert leftovers(at.target) == []


def test_rows_beyond_the_most_end_the_row_group(at):
    done = run("write", "-", at.target, "--state", at.state, *OPTIONS, *CARRY, "--carry-max-bytes", "20KiB", "--json",
               data=ipc_stream(TABLE))
    carried = [event["carried_rows"] for event in done.events("checkpoint")]
    assert 0 in carried and max(carried) > 0
    assert all(event["carried_bytes"] <= 20 << 10 for event in done.events("checkpoint"))
    assert pq.ParquetFile(at.target).metadata.num_row_groups > 3
    assert rows_of(at.target).equals(TABLE)


def test_resume_may_change_the_mode(live, at):
    killed_carrying(live, at)
    done = run("resume", at.state, "-", "--checkpoint-every", "4500rows", "--checkpoint-mode", "flush", "--json",
               data=ipc_stream(TABLE))
    assert [event["carried_rows"] for event in done.events("checkpoint")] == [0, 0]
    assert rows_of(at.target).equals(TABLE)


def test_what_cannot_be_is_refused_by_option(at):
    refused = run("write", "-", at.target, "--checkpoint-mode", "keep", code=USAGE)
    assert "--checkpoint-mode keep: must be flush or carry" in refused.err
    refused = run("write", "-", at.target, "--checkpoint-mode", "carry", "--carry-max-bytes", "2GiB", code=INVALID,
                  data=ipc_stream(TABLE))
    assert "--carry-max-bytes" in refused.err
    refused = run("write", "-", at.target, "--checkpoint-mode", "carry", "--memory-budget", "160MiB", code=INVALID,
                  data=ipc_stream(TABLE))
    assert "--carry-max-bytes = 8388608" in refused.err
