"""What parquet-java reads. One process answers all questions (parquet_java/ReadParquet.java)."""
import json
import subprocess

import pytest

from every_file import VARIANTS, every, install, paged  # noqa: F401
from row_text import row_text


class Java:
    def __init__(self):
        self.process = subprocess.Popen(
            ["java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", install("parquet_java"), "ReadParquet"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, *words):
        self.process.stdin.write("\t".join(map(str, words)) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().rstrip("\n")
        assert answer and not answer.startswith("error "), answer or "parquet-java's process ended"
        return answer

    def rows(self, path, target, word="rows", *more):
        count = int(self.ask(word, path, target, *more))
        rows = [json.loads(line) for line in target.read_text().splitlines()]
        assert len(rows) == count
        return rows


@pytest.fixture(scope="module")
def java():
    java = Java()
    yield java
    java.process.stdin.close()
    assert java.process.wait(timeout=60) == 0


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_type_is_read(variant, java, every, tmp_path):  # noqa: F811
    rows = java.rows(every.path(variant), tmp_path / "rows")
    assert len(rows) == len(every.table)
    for field, column in zip(every.table.schema, zip(*rows)):
        wanted = [row_text(field.type, value) for value in every.values[field.name]]
        differing = [i for i, (a, b) in enumerate(zip(column, wanted)) if a != b]
        assert not differing, (field, differing[0], column[differing[0]], wanted[differing[0]])


def test_the_file_written_by_three_processes_is_read(java, written, tmp_path):
    path, table = written
    rows = java.rows(path, tmp_path / "rows")
    assert [row[0] for row in rows] == table["id"].to_pylist()
    assert [row[9] for row in rows] == table["flag"].to_pylist()


def test_pages_are_skipped_by_the_page_index(java, paged, tmp_path):  # noqa: F811
    path, table = paged
    low, high = 25_000 * 1009, 25_100 * 1009
    got = [row[0] for row in java.rows(path, tmp_path / "rows", "between", "id", low, high)]
    ids = table["id"].to_pylist()
    # The rows of whole pages, those asked for among them, and far fewer than their row group has.
    assert set(ids[25_000:25_101]) <= set(got) and got == ids[got[0] // 1009:][:len(got)]
    assert len(got) < 10_000


def test_bloom_filters_are_used(java, paged):  # noqa: F811
    path, table = paged
    present = table["id"][45_000].as_py()
    # Rows 0 to 19,999, to 29,999, to 49,999, to 59,999.
    assert java.ask("bloom", path, "id", present)[2] == "1"
    absent = [java.ask("bloom", path, "id", 5 + i * 1009) for i in range(50)]
    assert all(len(answer) == 4 for answer in absent)
    assert sum(answer.count("1") for answer in absent) < 20  # of 200; one in a hundred is expected
    assert int(java.ask("groups", path, "id", present)) < 4
