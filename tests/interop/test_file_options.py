"""What options put into a file, as other people's readers see it, and use it."""
import json
import re

import datafusion
import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from conftest import run, save, write_with_options

ROWS = 24_000


@pytest.fixture(scope="module")
def table():
    random = np.random.default_rng(5)
    i = np.arange(ROWS)
    return pa.table({
        "id": pa.array(i),
        "key": pa.array(random.integers(0, 2**60, ROWS)),
        "name": pa.array([f"name-{k}" for k in random.integers(0, 10**9, ROWS)]),
        "v": pa.array(random.random(ROWS)),
        "word": pa.array([f"w{k % 40}" for k in i]),
        "tags": pa.array([[f"t{k % 7}", f"u{k}"] for k in i]),
    })


@pytest.fixture(scope="module")
def source(table, tmp_path_factory):
    return save(table, tmp_path_factory.mktemp("options") / "in.arrows")


def encodings_of(path):
    metadata = pq.read_metadata(path)
    return {metadata.row_group(g).column(c).path_in_schema: set(metadata.row_group(g).column(c).encodings)
            for g in range(metadata.num_row_groups) for c in range(metadata.num_columns)}


READERS = {
    "pyarrow": lambda path: pq.read_table(path),
    "duckdb": lambda path: duckdb.sql(f"select * from '{path}' order by id").to_arrow_table(),
    "polars": lambda path: pl.read_parquet(path).to_arrow(),
    "datafusion": lambda path: datafusion.SessionContext().read_parquet(str(path)).sort("id").to_arrow_table(),
}
VARIANTS = {
    "portable": ["encodings=portable"],
    "spark": ["encodings=spark"],
    "all": ["encodings=all"],
    "all_v2": ["encodings=all", "pages=v2", "page_bytes=8000"],
    "off": ["adaptive=off"],
    "none_1.0": ["encodings=all", "codec=none", "version=1.0"],
    "sorted": ["sorted=id", "bloom=key", "no_dictionary=word"],
}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("reader", READERS)
def test_every_reader_reads_every_variant(reader, variant, table, source, tmp_path):
    target = tmp_path / "f.parquet"
    write_with_options(source, target, "row_group_rows=10000", *VARIANTS[variant])
    got = READERS[reader](target)
    for name in table.schema.names:
        assert got[name].to_pylist() == table[name].to_pylist(), name


def test_the_encodings_are_those_that_the_readers_know(source, tmp_path):
    found = {}
    for variant in ("portable", "spark", "all"):
        write_with_options(source, tmp_path / variant, f"encodings={variant}")
        found[variant] = encodings_of(tmp_path / variant)
    known = {"PLAIN", "RLE", "RLE_DICTIONARY", "PLAIN_DICTIONARY", "BIT_PACKED"}
    assert set().union(*found["portable"].values()) <= known
    assert "DELTA_BINARY_PACKED" in found["spark"]["id"]
    assert not any("BYTE_STREAM_SPLIT" in encodings for encodings in found["spark"].values())
    assert "BYTE_STREAM_SPLIT" in found["all"]["v"]
    assert "RLE_DICTIONARY" in found["portable"]["word"] and "RLE_DICTIONARY" not in found["portable"]["id"]


@pytest.mark.parametrize("options", [["encodings=all"], ["encodings=spark", "bloom=name", "pages=v2"]])
def test_a_resume_gives_the_bytes_of_an_uninterrupted_write(options, source, tmp_path):
    common = ["row_group_rows=3000", *options]
    write_with_options(source, tmp_path / "whole", *common, "checkpoint=8000", "checkpoint=8100", "checkpoint=20000")
    write_with_options(source, tmp_path / "resumed", *common, "resume=8000", "resume=8100", "resume=20000",
                       "threads=1")
    write_with_options(source, tmp_path / "threads", *common, "checkpoint=8000", "resume=8100", "checkpoint=20000",
                       "threads=6")
    whole = (tmp_path / "whole").read_bytes()
    assert (tmp_path / "resumed").read_bytes() == whole
    assert (tmp_path / "threads").read_bytes() == whole


def test_inspect_tells_what_was_chosen_and_why(source, tmp_path):
    state = tmp_path / "state"
    run("write", source, tmp_path / "f.parquet", "--checkpoint-every", "9000rows", "--state", state, "--no-commit",
        "--pending", tmp_path / "pending")
    told = {c["path"]: c for c in json.loads(run("inspect", state, "--json").stdout)["encodings"]}
    assert told["id"]["encoding"] == "plain" and told["word"]["encoding"] == "dictionary"
    assert re.fullmatch(r"smallest in a sample: \d+ bytes, plain \d+", told["id"]["why"])
    assert re.search(r"\n  word: dictionary, \w+.* \(smallest in a sample", run("inspect", state).stdout)


def test_sorting_columns_are_recorded(source, tmp_path):
    write_with_options(source, tmp_path / "f", "sorted=id", "sorted=name", "row_group_rows=10000")
    metadata = pq.read_metadata(tmp_path / "f")
    for g in range(metadata.num_row_groups):
        assert [c.column_index for c in metadata.row_group(g).sorting_columns] == [0, 2]


@pytest.fixture(scope="module")
def filtered(source, tmp_path_factory):
    path = tmp_path_factory.mktemp("bloom") / "f.parquet"
    write_with_options(source, path, "bloom=key", "bloom=name", "row_group_rows=8000", "resume=12000")
    return path


def test_duckdb_skips_row_groups_by_bloom_filters(filtered, table):
    probed = duckdb.sql(f"select bloom_filter_excludes from parquet_bloom_probe('{filtered}', 'key', 12345)").fetchall()
    assert len(probed) == 4 and all(excluded for (excluded,) in probed)
    present = table["key"][17_000].as_py()
    probed = duckdb.sql(f"select row_group_id, bloom_filter_excludes from parquet_bloom_probe('{filtered}', 'key', "
                        f"{present})").fetchall()
    # Rows 0 to 7,999, to 11,999, to 19,999, to 23,999.
    assert (2, False) in probed and sum(excluded for _, excluded in probed) >= 2
    assert duckdb.sql(f"select id from '{filtered}' where key = {present}").fetchall() == [(17_000,)]


def test_datafusion_prunes_row_groups_by_bloom_filters(filtered, table):
    context = datafusion.SessionContext()
    context.register_parquet("f", str(filtered))
    name = table["name"][10_000].as_py()
    assert context.sql(f"select id from f where name = '{name}'").to_pydict()["id"] == [10_000]
    plan = str(context.sql(f"explain analyze select id from f where name = '{name}'").to_pydict())
    pruned = re.search(r"row_groups_pruned_bloom_filter=([^,\]]*)", plan).group(1)
    assert re.search(r"[1-9]", pruned), plan


def test_text_that_is_not_utf8_is_refused_or_written_as_bytes(tmp_path):
    broken = pa.Array.from_buffers(pa.string(), 3, pa.array([b"ok", b"\xc3\x28", b"\xff"]).buffers())
    source = save(pa.table({"id": pa.array([1, 2, 3]), "t": broken}), tmp_path / "in.arrows")
    done = write_with_options(source, tmp_path / "refused.parquet", check=False)
    assert done.returncode != 0 and "column t, row 1" in done.stderr and not (tmp_path / "refused.parquet").exists()
    write_with_options(source, tmp_path / "bytes.parquet", "text=binary")
    got = pq.read_table(tmp_path / "bytes.parquet")
    assert got["t"].type == pa.binary() and got["t"].to_pylist() == [b"ok", b"\xc3\x28", b"\xff"]
    assert duckdb.sql(f"select t from '{tmp_path / 'bytes.parquet'}' where id = 2").fetchall() == [(b"\xc3\x28",)]


def test_field_ids_are_kept(tmp_path):
    inner = pa.field("x", pa.int32(), metadata={"PARQUET:field_id": "7"})
    lists = pa.list_(pa.field("element", pa.struct([inner])))
    schema = pa.schema([pa.field("a", pa.int64(), metadata={"PARQUET:field_id": "3"}),
                        pa.field("l", lists, metadata={"PARQUET:field_id": "5"})])
    table = pa.table([pa.array([1]), pa.array([[{"x": 2}]], lists)], schema=schema)
    write_with_options(save(table, tmp_path / "in.arrows"), tmp_path / "f")
    ids = dict(duckdb.sql(f"select name, field_id from parquet_schema('{tmp_path / 'f'}')").fetchall())
    assert ids["a"] == 3 and ids["l"] == 5 and ids["x"] == 7
    assert pc.sum(pq.read_table(tmp_path / "f")["a"]).as_py() == 1
