"""What arrow-rs reads (arrow_rs/): types and values, by the page index and bloom filters too."""
import subprocess

import pyarrow as pa
import pytest

from every_file import VARIANTS, every, install, paged  # noqa: F401


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    folder = tmp_path_factory.mktemp("arrow_rs")
    install("arrow_rs", folder)
    return folder / "read-with-arrow-rs"


def ask(program, *words, check=True):
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True, timeout=300)
    assert not check or done.returncode == 0, done.stderr
    return done.stdout if check else done.stderr


def rows(program, path, folder, word="rows", *more):
    said = ask(program, word, path, folder / "rows.arrows", *more)
    with pa.ipc.open_stream(folder / "rows.arrows") as reader:
        return reader.read_all(), said


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_type_is_read(variant, program, every, tmp_path):  # noqa: F811
    got, _ = rows(program, every.path(variant), tmp_path)
    every.compare(got)


def test_the_file_written_by_three_processes_is_read(program, written, tmp_path):
    path, table = written
    got, _ = rows(program, path, tmp_path)
    assert got.drop_columns("dict").equals(table.drop_columns("dict"))
    assert got["dict"].to_pylist() == table["dict"].to_pylist()


def test_pages_are_skipped_by_the_page_index(program, paged, tmp_path):  # noqa: F811
    path, table = paged
    got, said = rows(program, path, tmp_path, "between", "id", 25_000 * 1009, 25_100 * 1009)
    taken, pages = map(int, said.split()[0:3:2])
    assert pages > 30 and 0 < taken < 5
    first = got["id"][0].as_py() // 1009
    assert first <= 25_000 and first + len(got) > 25_100 and got.equals(table.slice(first, len(got)))


def test_bloom_filters_are_used(program, paged):  # noqa: F811
    path, table = paged
    absent = [5 + i * 1009 for i in range(50)]
    present, *answers = ask(program, "bloom", path, "id", table["id"][45_000].as_py(), *absent).split()
    assert present[2] == "1" and len(answers) == 50 and all(len(answer) == 4 for answer in answers)
    assert sum(answer.count("1") for answer in answers) < 20  # of 200; one in a hundred is expected
