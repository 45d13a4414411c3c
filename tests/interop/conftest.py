"""Files written by the tailrace command, for other people's readers. TAILRACE names the command, WRITE_WITH_OPTIONS a
program that takes every option of the library."""
import os
import subprocess

import numpy as np
import pyarrow as pa
import pyarrow.ipc as ipc
import pytest

TAILRACE = os.environ["TAILRACE"]
WRITE_WITH_OPTIONS = os.environ["WRITE_WITH_OPTIONS"]


def run(*arguments, check=True, **more):
    done = subprocess.run([TAILRACE, *map(str, arguments)], capture_output=True, text=True, timeout=120, **more)
    assert not check or done.returncode == 0, f"exit {done.returncode}: {done.stderr}"
    return done


def write_with_options(source, target, *options, check=True):
    done = subprocess.run([WRITE_WITH_OPTIONS, str(source), str(target), *options], capture_output=True, text=True,
                          timeout=120)
    assert not check or done.returncode == 0, f"exit {done.returncode}: {done.stderr}"
    return done


def rows(begin, end):
    """Row i is a function of i: flat and nested columns, nulls, times with zones, decimals, dictionaries."""
    i = np.arange(begin, end)
    return pa.table({
        "id": pa.array(i),
        "v": pa.array(np.sin(i)),
        "s": pa.array([None if k % 11 == 0 else f"k{(k * 7919) % 5000}" for k in i]),
        "list": pa.array([[int(k) % 5] * (int(k) % 4) for k in i], pa.list_(pa.int32())),
        "st": pa.array([{"a": int(k), "b": None if k % 3 else str(k)} for k in i]),
        "map": pa.array([[(f"m{k % 3}", int(k))] for k in i], pa.map_(pa.string(), pa.int64())),
        "t": pa.array(i, pa.timestamp("us", "Europe/Berlin")),
        "dec": pa.array([int(k) for k in i], pa.decimal128(18, 0)),
        "dict": pa.array([f"d{k % 100}" for k in i]).dictionary_encode(),
        "flag": pa.array([bool(k % 2) for k in i]),
    })


def save(table, path, batch_rows=5000):
    with ipc.new_stream(path, table.schema) as sink:
        for batch in table.to_batches(max_chunksize=batch_rows):
            sink.write_batch(batch)
    return path


@pytest.fixture(scope="session")
def written(tmp_path_factory):
    """40,000 rows in many row groups of unequal length, written by three processes: two resumes, then committed."""
    folder = tmp_path_factory.mktemp("interop")
    table = rows(0, 40_000)
    whole = save(table, folder / "whole.arrows")
    target, state = folder / "f.parquet", folder / "state"
    common = ["--checkpoint-every", "7000rows", "--state", state]
    first = save(table.slice(0, 9_000), folder / "first.arrows")
    run("write", first, target, "--part-size", "64KiB", "--row-group-rows", "5000", "--no-commit", "--pending",
        folder / "pending", *common)
    assert not target.exists()
    second = save(table.slice(0, 23_000), folder / "second.arrows")
    run("resume", state, second, "--no-commit", "--pending", folder / "pending2", *common[:2])
    assert not target.exists()
    run("resume", state, whole, *common[:2])
    return target, table
