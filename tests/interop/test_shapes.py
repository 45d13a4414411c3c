"""Tables of unusual shape: very many columns, names with dots."""
import json
import re

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from conftest import run, save, write_with_options


def test_five_thousand_columns(tmp_path):
    types = [(pa.int64(), lambda i: i), (pa.float64(), lambda i: i / 7), (pa.string(), lambda i: f"v{i % 10}")]
    columns = {}
    for c in range(5000):
        t, value = types[c % 3]
        columns[f"c{c}"] = pa.array([None if (i + c) % 11 == 0 else value(i + c) for i in range(60)], t)
    table = pa.table(columns)
    source = save(table, tmp_path / "in.arrows", batch_rows=25)
    write_with_options(source, tmp_path / "f.parquet", "row_group_rows=40", "resume=30")
    assert pq.read_table(tmp_path / "f.parquet").equals(table)
    metadata = pq.read_metadata(tmp_path / "f.parquet")
    assert (metadata.num_columns, [metadata.row_group(g).num_rows for g in range(metadata.num_row_groups)]) == (
        5000, [30, 30])
    got = duckdb.sql(f"select count(c0), sum(c4998), max(c4999) from '{tmp_path / 'f.parquet'}'").fetchall()
    numbers = [v for v in columns["c4998"].to_pylist() if v is not None]
    assert got[0][:2] == (54, sum(numbers))


def test_two_leaves_with_one_dotted_path_keep_the_default_and_inspect_says_so(tmp_path):
    table = pa.table({
        "a.b": pa.array(range(3000)),
        "a": pa.array([{"b": i, "c": i * 2} for i in range(3000)]),
        "x.y": pa.array([f"t{i}" for i in range(3000)]),
    })
    source, target, state = save(table, tmp_path / "in.arrows"), tmp_path / "f.parquet", tmp_path / "state"
    run("write", source, target, "--checkpoint-every", "2000rows", "--state", state, "--no-commit", "--pending",
        tmp_path / "pending")
    chosen = json.loads(run("inspect", state, "--json").stdout)["encodings"]
    told = [(c["path"], c["encoding"], c["why"]) for c in chosen]
    shared = [(encoding, why) for path, encoding, why in told if path == "a.b"]
    assert shared == [("dictionary", "the default, since another column has the same dotted path")] * 2
    assert {path for path, _, why in told if why.startswith("smallest")} == {"a.c", "x.y"}
    assert re.search(r"\n  a\.b: .*same dotted path", run("inspect", state).stdout)
    run("commit", tmp_path / "pending")
    assert pq.read_table(target).equals(table)
    # By their own names the two are told apart.
    assert duckdb.sql(f"""select sum("a.b"), sum(a.b), max("x.y") from '{target}'""").fetchall() == [
        (4498500, 4498500, "t999")]
