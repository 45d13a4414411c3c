"""A file of relocated row groups, read by the readers that people have; page indexes are used, not only present."""
import re

import datafusion
import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq


def test_pyarrow_reads_every_row_equal(written):
    path, table = written
    assert pq.read_table(path).equals(table)


def test_pyarrow_sees_statistics_and_page_indexes_in_every_chunk(written):
    path, table = written
    metadata = pq.read_metadata(path)
    assert metadata.num_rows == len(table)
    assert metadata.num_row_groups > 8
    for g in range(metadata.num_row_groups):
        for c in range(metadata.num_columns):
            chunk = metadata.row_group(g).column(c)
            assert chunk.has_offset_index and chunk.has_column_index, (g, chunk.path_in_schema)
            assert chunk.is_stats_set, (g, chunk.path_in_schema)


def test_pyarrow_reads_each_row_group_alone(written):
    path, table = written
    file, row = pq.ParquetFile(path), 0
    for g in range(file.num_row_groups):
        part = file.read_row_group(g)
        assert part.equals(table.slice(row, len(part)).combine_chunks()), g
        row += len(part)
    assert row == len(table)


def test_dictionary_columns_come_back_as_dictionaries(written):
    path, table = written
    assert pa.types.is_dictionary(pq.read_table(path).schema.field("dict").type)


def test_duckdb(written):
    path, table = written
    got = duckdb.sql(f"select count(*), sum(id), count(s), sum(st.a), max(dec), count(distinct dict) from '{path}' "
                     "where id between 6990 and 20010").fetchall()[0]
    part = table.filter(pc.and_(pc.greater_equal(table["id"], 6990), pc.less_equal(table["id"], 20010)))
    ids = pc.sum(part["id"]).as_py()
    assert got == (len(part), ids, len(part) - part["s"].null_count, ids, 20010, 100)


def test_polars(written):
    path, table = written
    picked = pl.scan_parquet(path).filter(pl.col("id").is_between(6990, 20010))
    got = picked.select(pl.len(), pl.col("v").sum()).collect()
    assert got.row(0)[0] == 20010 - 6990 + 1
    assert pl.read_parquet(path, columns=["id", "s", "list"]).height == len(table)


def test_datafusion_prunes_by_page_index(written):
    path, table = written
    context = datafusion.SessionContext()
    context.register_parquet("f", str(path))
    assert context.sql("select count(*), sum(id) from f").to_pydict() == {
        "count(*)": [len(table)], "sum(f.id)": [pc.sum(table["id"]).as_py()]}
    plan = str(context.sql("explain analyze select id, s from f where id between 15990 and 16005").to_pydict())
    pruned = re.search(r"page_index_rows_pruned=([^,\]]*)", plan).group(1)
    numbers = [float(n) * {"": 1, "K": 1e3}[unit] for n, unit in re.findall(r"([\d.]+) ?(K?)", pruned)]
    assert max(numbers) > 0, plan
    groups = re.search(r"row_groups_pruned_statistics=([^,\]]*)", plan).group(1)
    assert re.search(r"[1-9]", groups), plan


def test_the_file_says_how_it_ended_and_what_it_holds(written):
    path, _ = written
    metadata = pq.read_metadata(path).metadata
    assert metadata[b"tailrace.end"] == b"close"
    assert re.fullmatch(rb"[0-9a-f]{16}", metadata[b"tailrace.digest"])
