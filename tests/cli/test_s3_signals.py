"""SIGINT and SIGTERM while a store refuses what it is sent (C59)."""

import json

import pytest
from conftest import INT, RETRY, TERM, ipc_stream, run
from s3_child import BIG, BIG_STREAM, PARTS, fault_server  # noqa: F401

URL = "s3://bucket/k.parquet"


def busy(folder, times):
    """A file of faults: the parts behind the first are refused so many times."""
    when = {"operation": "UploadPart", "skip": 1, "times": times}
    rule = {"when": when, "then": {"apply": False, "status": 503, "code": "SlowDown"}}
    path = folder / "busy.json"
    path.write_text(json.dumps({"about": "Parts are not taken for a while.", "rules": [rule]}))
    return path


@pytest.mark.parametrize("number", [INT, TERM])
def test_the_last_checkpoint_stays_and_the_exit_code_says_so(fault_server, live, tmp_path, number):
    server = fault_server(faults=busy(tmp_path, times=2))
    state = tmp_path / "state"
    flags = ["--state", state, "--checkpoint-every", "40000rows", "--max-attempts", "2", *PARTS]
    writer = live("write", "-", URL, *flags, env=server.env())
    writer.send(ipc_stream(BIG.slice(0, 75_000), batch_rows=5000, end=False))
    writer.wait_for("checkpoint")
    done = writer.end(number)
    assert done.code == RETRY
    assert done.event("error")["kind"] == "throttled"
    assert f"40,000 rows are safe; go on with: tailrace resume {state}" in done.err
    assert server.is_absent()
    run("resume", state, "-", data=BIG_STREAM, env=server.env())
    assert server.table().equals(BIG)
    assert server.uploads() == []
