"""What Spark's vectorised reader reads. `portable` and `spark` are promised to it; since Spark 4.3 it reads `all`."""
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from conftest import save, write_with_options
from every_file import PYTHON, VARIANTS, EveryFile, install, paged  # noqa: F401
from every_type import every_type

# Spark has no type for them.
UNREADABLE = [pa.float16(), pa.uuid(), pa.time32("s"), pa.time32("ms"), pa.decimal256(76, 20), pa.decimal256(39, 0)]


@pytest.fixture(scope="module")
def spark():
    sys.path.insert(0, install("spark", PYTHON))
    from pyspark.sql import SparkSession
    settings = {
        "spark.ui.enabled": "false", "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.session.timeZone": "UTC", "spark.sql.timeType.enabled": "true",
        # Else it refuses timestamps in nanoseconds.
        "spark.sql.legacy.parquet.nanosAsLong": "true",
    }
    builder = SparkSession.builder.master("local[2]").appName("tailrace")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")  # errors are raised
    yield session
    session.stop()


@pytest.fixture(scope="module")
def readable(tmp_path_factory):
    return EveryFile(tmp_path_factory.mktemp("spark"), without=UNREADABLE)


def plan_of(frame):
    return frame._jdf.queryExecution().executedPlan().toString()


def vectorised(frame):
    plan = plan_of(frame)
    # A reader that is not vectorised says "Batched: false". The vectorised one fails where it knows no encoding.
    assert "Batched: true" in plan, plan
    return frame


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_vectorised_reader_reads_every_type_that_spark_has(variant, spark, readable):
    frame = vectorised(spark.read.parquet(str(readable.path(variant))))
    readable.compare(frame.toArrow())


def test_the_file_written_by_three_processes_is_read(spark, written):
    path, table = written
    got = vectorised(spark.read.parquet(str(path))).toArrow()
    assert got["id"].to_pylist() == table["id"].to_pylist() and got["st"].to_pylist() == table["st"].to_pylist()


def test_row_groups_are_skipped_by_their_statistics(spark, paged):  # noqa: F811
    path, table = paged
    frame = vectorised(spark.read.parquet(str(path)).where("id between 25225000 and 25225900"))
    assert "GreaterThanOrEqual(id,25225000)" in plan_of(frame)
    assert [row.id for row in frame.collect()] == [25_000 * 1009]


@pytest.mark.parametrize("t", UNREADABLE, ids=str)
def test_what_spark_has_no_type_for_it_refuses(t, spark, tmp_path):
    table = every_type(rows=20)[0]
    column = next(field.name for field in table.schema if field.type == t)
    write_with_options(save(table.select([column]), tmp_path / "in.arrows"), tmp_path / "f.parquet")
    assert pq.read_metadata(tmp_path / "f.parquet").num_rows == 20
    with pytest.raises(Exception, match="PARQUET_TYPE_ILLEGAL|DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION"):
        spark.read.parquet(str(tmp_path / "f.parquet")).collect()
