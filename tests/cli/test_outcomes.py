"""How finish, resume, commit and abort end when others were there before."""

import fcntl
import shutil

import pytest
from conftest import (DENIED, FENCED, GONE, KILL, NOTHING_ABORTED, OK, PRECONDITION, UNKNOWN, WRITER_ALIVE,
                      assert_nothing_visible, ipc_stream, leftovers, make_table, rows_of, run)

TABLE = make_table(9000)
EVERY = ["--checkpoint-every", "2000rows", "--part-size", "16KiB"]


@pytest.fixture
def killed(live, at):
    """A write that died after 6,000 rows were safe."""
    writer = live("write", "-", at.target, "--state", at.state, *EVERY)
    writer.send(ipc_stream(TABLE.slice(0, 7000), end=False))
    writer.wait_for("checkpoint", 3)
    writer.end(KILL)
    return at


def test_finish_is_repeatable(killed):
    first = run("finish", killed.state, "--json").event("committed")
    assert first["rows"] == 6000 and not first["already_committed"]
    again = run("finish", killed.state, "--json", code=OK).event("committed")
    assert again["rows"] == 6000 and again["already_committed"]
    assert rows_of(killed.target).equals(TABLE.slice(0, 6000))
    assert leftovers(killed.target) == []


def test_resume_after_commit_is_done_already(killed):
    run("resume", killed.state, "-", data=ipc_stream(TABLE))
    # It does not even open its input.
    again = run("resume", killed.state, killed.folder / "missing", "--json", code=OK)
    assert again.event("committed")["already_committed"] and again.event("committed")["rows"] == 9000


def test_resume_after_finish_is_fenced_at_its_row(killed):
    run("finish", killed.state)
    before = killed.target.read_bytes()
    fenced = run("resume", killed.state, killed.folder / "missing", "--json", code=FENCED)
    assert fenced.event("error")["rows"] == 6000 and "6000" in fenced.err
    assert killed.target.read_bytes() == before


def test_finish_after_commit_is_fenced(killed):
    shutil.copy(killed.state, killed.pending)
    run("resume", killed.state, "-", data=ipc_stream(TABLE))
    before = killed.target.read_bytes()
    fenced = run("finish", killed.pending, "--json", code=FENCED)
    assert fenced.event("error")["outcome"] == "fenced" and fenced.event("error")["rows"] == 9000
    assert killed.target.read_bytes() == before


def test_abort_leaves_nothing_and_what_follows_is_gone(killed):
    run("abort", killed.state)
    run("abort", killed.state)
    assert leftovers(killed.target) == []
    gone = run("finish", killed.state, "--json", code=GONE)
    assert gone.event("error")["outcome"] == "gone"
    run("resume", killed.state, "-", data=ipc_stream(TABLE), code=GONE)
    assert_nothing_visible(killed.target)


def test_abort_after_commit_aborts_nothing(killed):
    run("finish", killed.state)
    run("abort", killed.state, "--json", code=NOTHING_ABORTED)
    assert rows_of(killed.target).num_rows == 6000


def test_a_replaced_object_is_gone(killed):
    run("finish", killed.state)
    run("write", "-", killed.target, data=ipc_stream(TABLE.slice(0, 5)))
    run("finish", killed.state, code=GONE)
    assert rows_of(killed.target).num_rows == 5


def test_a_live_writer_is_left_alone(live, at):
    writer = live("write", "-", at.target, "--state", at.state, *EVERY)
    writer.send(ipc_stream(TABLE.slice(0, 5000), end=False))
    writer.wait_for("checkpoint", 2)
    for command in (["finish", at.state], ["resume", at.state, "-"], ["abort", at.state]):
        alive = run(*command, code=WRITER_ALIVE)
        assert str(writer.process.pid) in alive.err
    writer.end(KILL)
    run("finish", at.state)
    assert rows_of(at.target).num_rows == 4000


def test_if_exists_fail(at):
    run("write", "-", at.target, data=ipc_stream(TABLE.slice(0, 7)))
    for extra in ([], ["--small-files", "upload"]):
        refused = run("write", "-", at.target, "--if-exists", "fail", *extra, data=ipc_stream(TABLE), code=PRECONDITION)
        assert "--if-exists" in refused.err
    # One that appears later is met at the commit.
    later = at.folder / "later.parquet"
    for extra in ([], ["--small-files", "upload"]):
        later.unlink(missing_ok=True)
        run("write", "-", later, "--if-exists", "fail", *extra, "--no-commit", "--pending", at.pending,
            data=ipc_stream(TABLE))
        shutil.copy(at.target, later)
        run("commit", at.pending, code=PRECONDITION)
        assert later.read_bytes() == at.target.read_bytes()
        run("abort", at.pending)
    assert leftovers(later) == []


def test_a_small_commit_does_not_replace_what_is_newer(at):
    run("write", "-", at.target, "--no-commit", "--pending", at.pending, data=ipc_stream(TABLE))
    run("write", "-", at.target, data=ipc_stream(TABLE.slice(0, 7)))
    run("commit", at.pending, code=PRECONDITION)
    assert rows_of(at.target).num_rows == 7
    run("commit", at.pending, "--force")
    assert rows_of(at.target).equals(TABLE)


def test_two_processes_do_not_save_one_state(at):
    with open(f"{at.state}.tmp", "w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        run("write", "-", at.target, "--state", at.state, *EVERY, data=ipc_stream(TABLE), code=WRITER_ALIVE)
    assert_nothing_visible(at.target)
    assert leftovers(at.target) == []


def test_an_unreadable_state_is_denied(killed, unprivileged):
    killed.state.chmod(0)
    run("finish", killed.state, prefix=unprivileged, code=DENIED)


def test_an_object_that_cannot_be_looked_at_is_unknown(at, unprivileged):
    """It may be ours from an earlier try. With the right to look the same command tells."""
    run("write", "-", at.target, "--no-commit", "--pending", at.pending, data=ipc_stream(TABLE))
    run("commit", at.pending)
    at.target.chmod(0)
    unknown = run("commit", at.pending, "--json", prefix=unprivileged, code=UNKNOWN)
    assert unknown.event("error")["outcome"] == "unknown"
    at.target.chmod(0o644)
    assert run("commit", at.pending, "--json").event("committed")["already_committed"]
