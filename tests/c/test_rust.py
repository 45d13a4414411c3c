"""A Rust program hands batches of arrow-rs to libtailrace.so. CARGO builds it, LIBRARY names the library, TARGET is the
folder to build in."""
import os
import re
import subprocess
from pathlib import Path

import pyarrow.parquet as pq
import pytest


@pytest.fixture(scope="module")
def program():
    folder = Path(os.environ["LIBRARY"]).parent
    flags = "\x1f".join(["-L", f"native={folder}", "-C", f"link-arg=-Wl,-rpath,{folder}"])
    done = subprocess.run([os.environ["CARGO"], "build", "--locked", "--quiet"], cwd=Path(__file__).parent / "rust",
                          capture_output=True, text=True, timeout=500,
                          env=os.environ | {"CARGO_TARGET_DIR": os.environ["TARGET"], "CARGO_ENCODED_RUSTFLAGS": flags})
    assert done.returncode == 0, done.stderr
    return Path(os.environ["TARGET"]) / "debug/tailrace-from-rust"


def write(program, path, batches, rows):
    """The program itself checks that each batch is released once, and its memory given back."""
    done = subprocess.run([program, path, str(batches), str(rows)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return int(re.search(r"peak_kib (-?\d+)", done.stdout)[1])


def test_batches_go_in_and_are_released_once(program, tmp_path):
    write(program, tmp_path / "f.parquet", batches=7, rows=1000)
    assert pq.read_table(tmp_path / "f.parquet")["id"].to_pylist() == list(range(7000))


def test_a_batch_far_above_the_budget_is_not_copied(program, tmp_path):
    rows = 32 << 20
    grown = write(program, tmp_path / "f.parquet", batches=1, rows=rows)
    assert pq.ParquetFile(tmp_path / "f.parquet").metadata.num_rows == rows
    # The batch has 256 MiB, the writer's budget 32 MiB: a copy of it would show.
    assert grown < 160 << 10, f"{grown} KiB"
