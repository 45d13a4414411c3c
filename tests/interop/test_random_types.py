"""Random tables of every type: equal type and values come back, or the write is refused before it begins, naming the
column. TAILRACE_ROUNDS says how many."""
import os

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from conftest import run, save, write_with_options
from random_tables import read_back, table

ROUNDS = int(os.environ.get("TAILRACE_ROUNDS", 40))


def wanted_of(column, values):
    """The column with the type that comes back."""
    t = read_back(column.type)
    if pa.types.is_dictionary(column.type):
        # Readers number dictionaries anew.
        return pa.array(values, t.value_type if pa.types.is_dictionary(t) else t)
    return column if column.type == t else column.cast(t)


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_a_random_table_comes_back(seed, tmp_path):
    given, values = table(seed)
    source, target = save(given, tmp_path / "in.arrows", batch_rows=17), tmp_path / "out.parquet"
    run("write", source, target)
    got = pq.read_table(target)
    assert got.schema.names == given.schema.names
    for f, column_values in zip(given.schema, values):
        column, wanted = got[f.name].combine_chunks(), wanted_of(given[f.name].combine_chunks(), column_values)
        assert column.type == read_back(f.type), f
        assert got.schema.field(f.name).nullable == f.nullable
        if pa.types.is_dictionary(column.type):
            column = column.cast(column.type.value_type)
        assert column.equals(wanted), f


@pytest.mark.parametrize("encodings", ["spark", "all"])
@pytest.mark.parametrize("seed", range(max(4, ROUNDS // 10)))
def test_every_encoding_gives_the_same_values(encodings, seed, tmp_path):
    given, _ = table(1000 + seed, columns=5, rows=1500, depth=1)
    source = save(given, tmp_path / "in.arrows", batch_rows=400)
    write_with_options(source, tmp_path / "off.parquet", "adaptive=off")
    write_with_options(source, tmp_path / "on.parquet", f"encodings={encodings}", "row_group_rows=500", "pages=v2")
    assert pq.read_table(tmp_path / "on.parquet").equals(pq.read_table(tmp_path / "off.parquet"))


REFUSED = {
    "interval": pa.array([None], pa.month_day_nano_interval()),
    "union": pa.UnionArray.from_sparse(pa.array([0], pa.int8()), [pa.array([1])]),
    "run_end": pa.RunEndEncodedArray.from_arrays([1], ["a"]),
    "no_bytes": pa.array([b""], pa.binary(0)),
    "no_fields": pa.array([{}], pa.struct([])),
    "date64": pa.array([0], pa.date64()),
    "nested": pa.array([[{"x": None}]], pa.list_(pa.struct([("x", pa.month_day_nano_interval())]))),
    "no_items": pa.array([[]], pa.list_(pa.int8(), 0)),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_held_is_refused_by_name(name, tmp_path):
    source = save(pa.table({"good": pa.array([1]), name: REFUSED[name]}), tmp_path / "in.arrows")
    done = run("write", source, tmp_path / "out.parquet", check=False)
    assert done.returncode != 0
    assert f"column {name}" in done.stderr
    assert not (tmp_path / "out.parquet").exists()
    assert [p.name for p in tmp_path.iterdir()] == ["in.arrows"]
