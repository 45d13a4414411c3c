"""Open uploads of folders: listed, told apart, aborted."""

import json
import os

import pytest
from conftest import (BAD_STATE, DENIED, KILL, NOTHING_ABORTED, OK, USAGE, WRITER_ALIVE, ipc_stream, leftovers,
                      make_table, rows_of, run, wait_until)

TABLE = make_table(5000)
SMALL_PARTS = ["--part-size", "4KiB", "--row-group-rows", "1000", "--small-files", "upload"]


@pytest.fixture
def leave(live, at):
    """Leaves an open upload of the target, and its state where one is asked for, as a killed writer does."""

    def leave(target, state=None):
        target.parent.mkdir(parents=True, exist_ok=True)
        before = leftovers(target)
        options = ["--state", state, "--checkpoint-every", "1000rows"] if state else []
        writer = live("write", "-", target, *SMALL_PARTS, *options)
        writer.send(ipc_stream(TABLE, end=False))
        if state:
            writer.wait_for("checkpoint", 5)
        # An upload is made with the first part.
        wait_until(lambda: leftovers(target) != before)
        writer.end(KILL)
        return target

    return leave


def listed(*arguments):
    return run("uploads", "list", *arguments, "--json").events("upload")


def test_what_a_killed_writer_left_is_told_with_its_state(leave, at):
    leave(at.target, at.state)
    (upload,) = listed(at.folder, "--states", at.folder)
    assert upload["url"] == f"file://{at.target}" and upload["key"] == str(at.target)[1:]
    assert upload["state"] == str(at.state) and upload["state_rows"] == 5000 and upload["finishable"]
    assert upload["stored_bytes"] > 4096 and 0 <= upload["age_seconds"] < 600 and upload["initiator"] is None
    assert upload["write_id"] == json.loads(run("inspect", at.state, "--json").out)["write_id"]
    text = run("uploads", "list", at.folder, "--states", at.state).out
    assert f"finishable: {at.state} with 5,000 rows" in text and upload["upload_id"] in text
    (unknown,) = listed(at.folder)
    assert unknown["state"] is None and not unknown["finishable"]
    run("finish", at.state)
    assert listed(at.folder) == []
    assert "no open uploads" in run("uploads", "list", at.folder).err


def test_prefixes_are_whole_path_segments_and_folders_are_searched(leave, at):
    for name in ("a/x.parquet", "a/b/y.parquet", "ab/z.parquet"):
        leave(at.folder / name)

    def names(prefix):
        return sorted(upload["url"].removeprefix(f"file://{at.folder}/") for upload in listed(f"{at.folder}/{prefix}"))

    assert names("a") == names("a/") == ["a/b/y.parquet", "a/x.parquet"]
    assert names("") == ["a/b/y.parquet", "a/x.parquet", "ab/z.parquet"]
    assert names("a/x.parquet") == ["a/x.parquet"] and names("missing") == []


def test_nothing_is_aborted_without_yes_and_every_key_is_shown(leave, at):
    leave(at.target)
    leave(at.folder / "other.parquet")
    refused = run("uploads", "abort", at.folder, "--older-than", "1ms", code=USAGE)
    assert str(at.target) in refused.out and "other.parquet" in refused.out
    assert "--yes aborts 2 of these" in refused.err
    assert len(listed(at.folder)) == 2


def test_old_ones_that_no_state_needs_go(leave, at):
    leave(at.target)
    kept = leave(at.folder / "kept.parquet", at.state)
    done = run("uploads", "abort", at.folder, "--older-than", "1h", "--yes", "--json")
    assert [event["verdict"] for event in done.events("plan")] == ["too_young", "too_young"]
    assert len(listed(at.folder)) == 2
    done = run("uploads", "abort", at.folder, "--older-than", "1ms", "--states", at.folder, "--yes", "--json")
    verdicts = {event["url"]: event["verdict"] for event in done.events("plan")}
    assert verdicts == {f"file://{at.target}": "abort", f"file://{kept}": "claimed"}
    assert done.event("aborted")["url"] == f"file://{at.target}"
    assert [upload["url"] for upload in listed(at.folder)] == [f"file://{kept}"]
    run("resume", at.state, "-", data=ipc_stream(TABLE))
    assert rows_of(kept).equals(TABLE)
    assert leftovers(kept) == []


def test_a_state_that_is_named_goes_though_it_is_known(leave, at):
    leave(at.target, at.state)
    leave(at.folder / "other.parquet")
    # The one before it, t.state.prev, is of the same write.
    done = run("uploads", "abort", at.folder, "--older-than", "1ms", "--states", at.folder, "--state", at.state,
               "--yes", "--json")
    assert {event.get("state", event.get("url")) for event in done.events("plan")} >= {str(at.state)}
    assert len(done.events("aborted")) == 2
    assert listed(at.folder) == [] and leftovers(at.target) == []
    assert at.state.with_name("t.state.aborted").exists()
    # Its states are void now, and claim nothing.
    assert run("uploads", "abort", "--state", at.state, "--yes").code == OK


def test_what_a_living_writer_holds_stays(live, at):
    writer = live("write", "-", at.target, *SMALL_PARTS)
    writer.send(ipc_stream(TABLE, end=False))
    wait_until(lambda: leftovers(at.target))
    refused = run("uploads", "abort", at.folder, "--older-than", "1ms", "--yes", "--json", code=WRITER_ALIVE)
    assert refused.event("error")["kind"] == "writer alive" and str(at.target) in refused.event("error")["message"]
    writer.send(b"\xff\xff\xff\xff\0\0\0\0")
    assert writer.end(close=True).code == OK
    assert rows_of(at.target).equals(TABLE)


def test_what_is_committed_is_not_aborted(leave, at):
    leave(at.target, at.state)
    run("finish", at.state)
    run("uploads", "abort", "--state", at.state, "--yes", code=NOTHING_ABORTED)
    assert rows_of(at.target).equals(TABLE)


def test_a_state_that_cannot_be_read_stops_everything(leave, at):
    leave(at.target, at.state)
    damaged = at.folder / "damaged.state"
    damaged.write_bytes(at.state.read_bytes()[:-5])
    (at.folder / "note.txt").write_text("no state")
    refused = run("uploads", "abort", at.folder, "--older-than", "1ms", "--states", at.folder, "--yes", code=BAD_STATE)
    assert str(damaged) in refused.err
    assert len(listed(at.folder)) == 1
    run("uploads", "list", at.folder, "--states", at.folder / "note.txt", code=BAD_STATE)


@pytest.mark.parametrize("arguments, text", [
    ([], "--state FILE"), (["/data"], "--older-than"), (["--state", "x", "--older-than", "1h"], "goes with URL"),
    (["--state", "x", "--initiator", "me"], "goes with URL"), (["/data", "--older-than", "soon"], "--older-than soon"),
    (["/data", "--older-than", "1h", "--states", ""], "--states"),
])
def test_what_makes_no_sense_is_refused(arguments, text):
    assert text in run("uploads", "abort", *arguments, "--yes", code=USAGE).err
    run("uploads", code=USAGE)
    run("uploads", "list", code=USAGE)


def test_a_folder_that_may_not_be_read_is_named(leave, at, unprivileged):
    leave(at.folder / "closed" / "x.parquet")
    os.chmod(at.folder / "closed", 0)
    try:
        refused = run("uploads", "list", at.folder, prefix=unprivileged, code=DENIED)
    finally:
        os.chmod(at.folder / "closed", 0o700)
    assert str(at.folder / "closed") in refused.err and "the right to read" in refused.err
