"""Damaged, foreign and too new states: one exit code with the reason, no crash, nothing touched (C57)."""

import os

import pytest
from conftest import (BAD_STATE, INVALID, NOT_FOUND, OK, PRECONDITION, STATE_TOO_NEW, assert_nothing_visible,
                      ipc_stream, leftovers, make_table, rows_of, run)

TABLE = make_table(5000)


@pytest.fixture
def written(at):
    """A write that was closed and not committed, with a state of 4,000 rows."""
    run("write", "-", at.target, "--state", at.state, "--checkpoint-every", "2000rows", "--part-size", "16KiB",
        "--no-commit", "--pending", at.pending, data=ipc_stream(TABLE))
    return at


def flip(data, at, bit=0):
    return data[:at] + bytes([data[at] ^ (1 << bit)]) + data[at + 1 :]


def crc64_nvme(data):
    crc = ~0 & MASK
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x9A6C9329AC4BC9B5 if crc & 1 else 0)
    return ~crc & MASK


MASK = (1 << 64) - 1


def with_version(data, version):
    """An intact value of another version, by the envelope of docs/formats/README.md."""
    covered = version.to_bytes(4, "little") + data[20:]
    return data[:8] + crc64_nvme(covered).to_bytes(8, "little") + covered


def commands(state, pending):
    yield ["finish", state]
    yield ["resume", state, "-"]
    yield ["abort", state]
    yield ["commit", pending]
    yield ["abort", pending]


def damages(data):
    yield b""
    yield data[: len(data) // 2]
    yield data[:-1]
    yield data + b"x"
    for place in range(0, len(data), max(1, len(data) // 7)):
        yield flip(data, place, place % 8)


@pytest.mark.parametrize("endless", ["/dev/zero", "/dev/urandom"])
def test_what_never_ends_is_no_state(written, endless):
    for command in commands(endless, endless):
        refused = run(*command, code=BAD_STATE)
        assert endless in refused.err and "magic" in refused.err
    run("write", "-", written.folder / "other.parquet", "--state", endless, "--checkpoint-every", "9rows",
        data=ipc_stream(TABLE), code=PRECONDITION)


@pytest.mark.parametrize("command, event", [("abort", "aborted"), ("finish", "committed")])
def test_a_state_may_come_through_a_pipe(written, command, event):
    done = run(command, "/dev/stdin", "--json", data=written.state.read_bytes())
    assert done.event(event)["url"] == f"file://{written.target}"
    assert not os.path.exists(f"/dev/stdin.{event}"), "nothing to put a mark beside"
    assert leftovers(written.target) == []


def test_damaged_states(written):
    before = leftovers(written.target)
    good = {path: path.read_bytes() for path in (written.state, written.pending)}
    for state, pending in zip(damages(good[written.state]), damages(good[written.pending])):
        bad_state, bad_pending = written.folder / "bad.state", written.folder / "bad.pending"
        bad_state.write_bytes(state)
        bad_pending.write_bytes(pending)
        for command in commands(bad_state, bad_pending):
            failed = run(*command, "--json", code=None)
            assert failed.code == BAD_STATE, f"{command}: {failed.code} {failed.err}"
            error = failed.event("error")
            assert error["exit_code"] == failed.code and "bad." in error["message"]
    assert leftovers(written.target) == before
    assert_nothing_visible(written.target)
    run("finish", written.state)
    assert rows_of(written.target).equals(TABLE.slice(0, 4000))


def test_a_damaged_state_points_at_the_one_before(written):
    written.state.write_bytes(flip(written.state.read_bytes(), 60))
    failed = run("finish", written.state, code=BAD_STATE)
    assert f"{written.state}.prev" in failed.err and "2000 rows" in failed.err
    run("finish", f"{written.state}.prev")
    assert rows_of(written.target).equals(TABLE.slice(0, 2000))


def test_a_newer_format(written):
    for path, command in ((written.state, "finish"), (written.pending, "commit")):
        data = path.read_bytes()
        assert with_version(data, int.from_bytes(data[16:20], "little")) == data
        newer = written.folder / "newer"
        newer.write_bytes(with_version(data, 1000))
        failed = run(command, newer, "--json", code=STATE_TOO_NEW)
        assert failed.event("error")["exit_name"] == "state too new" and "1000" in failed.err
        run("inspect", newer, code=STATE_TOO_NEW)
        run("abort", newer, code=STATE_TOO_NEW)


def test_the_other_kind_of_file(written):
    assert "pending" in run("finish", written.pending, code=BAD_STATE).err
    assert "state" in run("commit", written.state, code=BAD_STATE).err


def test_a_missing_file(at):
    for command in commands(at.state, at.pending):
        assert "t." in run(*command, code=NOT_FOUND).err
    run("finish", at.folder, code=INVALID)


def test_another_target_needs_to_be_said(written):
    """The folder was moved: only --retarget finds the upload, and the state itself is not changed by it."""
    moved = written.folder / "moved"
    moved.mkdir()
    (written.folder / ".tailrace").rename(moved / ".tailrace")
    failed = run("finish", written.state, code=None)
    assert failed.code not in (OK, BAD_STATE)
    assert_nothing_visible(written.target)
    run("finish", written.state, "--retarget", moved / "t.parquet")
    assert rows_of(moved / "t.parquet").equals(TABLE.slice(0, 4000))
    assert_nothing_visible(written.target)


def test_resume_elsewhere(written):
    moved = written.folder / "moved"
    moved.mkdir()
    (written.folder / ".tailrace").rename(moved / ".tailrace")
    run("resume", written.state, "-", "--retarget", moved / "t.parquet", data=ipc_stream(TABLE))
    assert rows_of(moved / "t.parquet").equals(TABLE)
    assert_nothing_visible(written.target)
