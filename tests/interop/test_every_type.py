"""A column for every type, written with each choice of encodings, as the readers see it that are Python packages."""
import datafusion
import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from every_file import VARIANTS, EveryFile, every  # noqa: F401

LARGE_DECIMALS = [pa.decimal256(76, 20), pa.decimal256(39, 0)]
# What a reader refuses, or has another type for that holds less.
WITHOUT = {
    "pyarrow": [],
    "duckdb": [*LARGE_DECIMALS, pa.uuid()],
    "polars": [*LARGE_DECIMALS, pa.duration("s"), pa.list_view(pa.float64()), pa.large_list_view(pa.binary()),
               *(pa.timestamp(unit, "+05:30") for unit in ("s", "ms", "us", "ns"))],
    "datafusion": [],
}


def with_datafusion(path):
    return datafusion.SessionContext().read_parquet(str(path)).to_arrow_table()


READERS = {
    "pyarrow": pq.read_table,
    "duckdb": lambda path: duckdb.sql(f"from '{path}'").to_arrow_table(),
    "polars": lambda path: pl.read_parquet(path).to_arrow(),
    "datafusion": with_datafusion,
}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return {reader: EveryFile(tmp_path_factory.mktemp(reader), without) for reader, without in WITHOUT.items()}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("reader", READERS)
def test_every_type_is_read(reader, variant, files):
    files[reader].compare(READERS[reader](files[reader].path(variant)))


def test_every_encoding_is_there(every):  # noqa: F811
    metadata = pq.read_metadata(every.path("all"))
    chunks = [metadata.row_group(g).column(c) for g in range(metadata.num_row_groups)
              for c in range(metadata.num_columns)]
    used = {encoding for chunk in chunks for encoding in chunk.encodings}
    assert used >= {"PLAIN", "RLE_DICTIONARY", "DELTA_BINARY_PACKED", "DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY",
                    "BYTE_STREAM_SPLIT"}
    assert {chunk.compression for chunk in chunks} == {"ZSTD", "UNCOMPRESSED"}
