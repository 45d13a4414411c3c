"""A write by a C program, over several processes; pyarrow reads what comes out. LIFE names the program."""
import json
import os
import re
import signal
import subprocess
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

GUIDE = Path(__file__).resolve().parents[2] / "docs/guide/c.md"


def life(*arguments, code=0):
    done = subprocess.run([os.environ["LIFE"], *map(str, arguments)], capture_output=True, text=True, timeout=120)
    assert done.returncode == code, f"exit {done.returncode}: {done.stderr}"
    return done.stdout


def rows(end):
    names = [None if i % 7 == 0 else f"row-{i}" for i in range(end)]
    return pa.table({"id": pa.array(range(end), pa.int64()), "name": names},
                    schema=pa.schema([pa.field("id", pa.int64(), nullable=False), pa.field("name", pa.string())]))


@pytest.fixture(params=["write-and-die", "carry-and-die"])
def killed(tmp_path, request):
    """The target, and the state of 20,000 rows that a killed process left."""
    life(request.param, f"file://{tmp_path}/f.parquet", tmp_path / "state", code=-signal.SIGKILL)
    assert not (tmp_path / "f.parquet").exists()
    return tmp_path / "f.parquet", tmp_path / "state"


def test_resumed_elsewhere_then_committed_elsewhere(killed, tmp_path):
    target, state = killed
    life("resume", state, tmp_path / "pending")
    assert not target.exists()
    life("commit", tmp_path / "pending")
    assert pq.read_table(target).equals(rows(50_000))
    assert pq.ParquetFile(target).metadata.metadata[b"made.by"] == b"a C program"


def test_finished_has_exactly_the_rows_of_the_state(killed):
    target, state = killed
    life("finish", state)
    life("finish", state)
    assert pq.read_table(target).equals(rows(20_000))


def test_aborted_leaves_nothing(killed):
    target, state = killed
    life("abort", state)
    assert sorted(path.name for path in target.parent.rglob("*") if path.is_file()) == ["state"]


def test_the_example_of_the_guide(tmp_path):
    life("stream", tmp_path / "f.parquet")
    assert pq.read_table(tmp_path / "f.parquet").equals(rows(3_000))
    group = pq.ParquetFile(tmp_path / "f.parquet").metadata.row_group(0)
    assert "SNAPPY" in {group.column(i).compression for i in range(2)}


def test_describe_has_the_members_that_the_guide_lists(killed, tmp_path):
    _, state = killed
    life("resume", state, tmp_path / "pending")
    described = {"state": json.loads(life("describe", state)),
                 "pending commit": json.loads(life("describe", tmp_path / "pending"))}
    listed = {"state": set(), "pending commit": set()}
    for names, where in re.findall(r"^\| (`.*`) \| (both|state|pending commit) \|", GUIDE.read_text(), re.MULTILINE):
        for kind in listed if where == "both" else [where]:
            listed[kind] |= set(re.findall(r"`(\w+)`", names))
    assert {kind: set(members) for kind, members in described.items()} == listed
    assert described["state"]["rows"] == 20_000
    assert described["state"]["options"]["codec"] == "none"
    parts = described["state"]["parts"]
    assert sum(part["size_bytes"] for part in parts) == described["state"]["stored_bytes"] > 0
    assert described["pending commit"]["rows"] == 50_000
    assert described["pending commit"]["upload_id"] == described["state"]["upload_id"]
