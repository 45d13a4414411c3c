"""Disks that are full, folders that refuse."""

import os
import resource
import signal
import subprocess

import pytest
from conftest import (DENIED, INVALID, LIMIT, NOT_FOUND, OK, RETRY, TAILRACE, assert_nothing_visible, ipc_stream,
                      leftovers, make_table, rows_of, run)

TABLE = make_table(200_000)
DATA = ipc_stream(TABLE)
PARTS = ["--part-size", "64KiB", "--codec", "none"]


def limit_file_size():
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))


def test_no_room_in_a_file(at):
    """Files of at most 1 MiB: as a full disk, but without privileges."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    options = ["--state", at.state, "--checkpoint-every", "5000rows", *PARTS]
    failed = run("write", "-", at.target, *options, data=DATA, preexec_fn=limit_file_size, restore_signals=False,
                 code=LIMIT)
    assert f"tailrace resume {at.state}" in failed.err
    assert_nothing_visible(at.target)
    run("resume", at.state, "-", *options[2:4], data=DATA)
    assert rows_of(at.target).equals(TABLE)


def test_no_room_without_a_state_leaves_nothing(at):
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    run("write", "-", at.target, *PARTS, data=DATA, preexec_fn=limit_file_size, restore_signals=False, code=LIMIT)
    assert_nothing_visible(at.target)
    assert leftovers(at.target) == []


SMALL_DISK = """
mount -t tmpfs -o size=2m none "$1" || exit 99
cd "$1" && "$2" write "$3" t.parquet --state ../t.state --checkpoint-every 5000rows --part-size 64KiB --codec none
code=$?
test -e t.parquet && exit 98
rm -f filler
mount -o remount,size=64m "$1" || exit 97
[ $code = 8 ] && "$2" resume ../t.state "$3" --checkpoint-every 5000rows && cp t.parquet "$4" && exit $code
exit $code
"""


def test_a_full_disk_goes_on_when_there_is_room(at):
    """A file system of 2 MiB in a mount namespace of its own, enlarged after the write failed."""
    disk, source, copy = at.folder / "disk", at.folder / "in.arrows", at.folder / "copy.parquet"
    disk.mkdir()
    source.write_bytes(DATA)
    namespace = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--user", "--map-root-user", "--mount"]
    done = subprocess.run([*namespace, "sh", "-c", SMALL_DISK, "sh", disk, TAILRACE, source, copy], capture_output=True,
                          timeout=60)
    if done.returncode == 99 or b"unshare" in done.stderr:
        # No namespaces or mounts for us here (a locked-down container): the limit on file sizes stands in.
        return test_no_room_in_a_file(at)
    assert done.returncode == RETRY, done.stderr.decode()
    assert b"resume ../t.state" in done.stderr
    assert rows_of(copy).equals(TABLE)


@pytest.mark.parametrize("rows", [10, 200_000])
def test_a_read_only_folder(at, unprivileged, rows):
    at.folder.chmod(0o555)
    data = ipc_stream(TABLE.slice(0, rows))
    refused = run("write", "-", at.target, *PARTS, data=data, prefix=unprivileged, code=DENIED)
    assert str(at.folder) in refused.err
    assert os.listdir(at.folder) == []
    at.folder.chmod(0o755)


def test_a_missing_folder(at):
    target = at.folder / "no" / "such" / "t.parquet"
    run("write", "-", target, data=ipc_stream(TABLE.slice(0, 10)), code=NOT_FOUND)
    run("write", "-", target, "--create-folders", data=ipc_stream(TABLE.slice(0, 10)), code=OK)
    assert rows_of(target).num_rows == 10


def test_a_target_that_is_a_folder(at):
    at.target.mkdir()
    for rows in (10, 200_000):
        run("write", "-", at.target, *PARTS, data=ipc_stream(TABLE.slice(0, rows)), code=INVALID)
    assert os.listdir(at.target) == []
    assert leftovers(at.target) == []


@pytest.mark.parametrize("option", ["--state", "--pending"])
def test_a_state_file_that_cannot_be_saved(at, option):
    """Nothing leads back to the upload: it is aborted."""
    extra = ["--checkpoint-every", "5000rows"] if option == "--state" else ["--no-commit"]
    run("write", "-", at.target, option, at.folder / "no" / "file", *extra, *PARTS, data=DATA, code=NOT_FOUND)
    assert_nothing_visible(at.target)
    assert leftovers(at.target) == []
