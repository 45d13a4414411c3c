"""Every kind of input, whole and cut short."""

import os

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from conftest import (GONE, INVALID, LIMIT, NOT_FOUND, assert_nothing_visible, ipc_stream, leftovers, make_table,
                      rows_of, run, write_inputs)

TABLE = make_table(20_000)


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    return write_inputs(tmp_path_factory.mktemp("inputs"), TABLE)


@pytest.mark.parametrize("kind", ["arrows", "arrow", "parquet"])
def test_each_kind_gives_the_same_file(at, inputs, kind):
    run("write", inputs[kind], at.target, "--row-group-rows", "6000")
    assert rows_of(at.target).equals(TABLE)
    run("write", inputs["arrows"], at.folder / "other.parquet", "--row-group-rows", "6000")
    assert at.target.read_bytes() == (at.folder / "other.parquet").read_bytes()
    assert leftovers(at.target) == []


def test_csv(at, inputs):
    run("write", inputs["csv"], at.target)
    assert rows_of(at.target).equals(pyarrow.csv.read_csv(inputs["csv"]))


@pytest.mark.parametrize("kind", ["arrows", "csv"])
def test_standard_input(at, inputs, kind):
    run("write", "-", at.target, data=inputs[kind].read_bytes())
    assert rows_of(at.target).num_rows == TABLE.num_rows


@pytest.mark.parametrize("kind", ["arrow", "parquet"])
def test_files_with_their_index_at_the_end(at, inputs, kind):
    """From a pipe they are refused; standard input that is a file is a file."""
    refused = run("write", "-", at.target, data=inputs[kind].read_bytes(), code=INVALID)
    assert "pipe" in refused.err
    assert_nothing_visible(at.target)
    with open(inputs[kind], "rb") as file:
        run("write", "-", at.target, data=None, stdin=file)
    assert rows_of(at.target).equals(TABLE)


def test_several_inputs_follow_one_another(at):
    paths = []
    for number, kind in enumerate(["arrows", "arrow", "parquet"]):
        folder = at.folder / kind
        folder.mkdir()
        paths.append(write_inputs(folder, make_table(1000, first=1000 * number))[kind])
    run("write", *paths, at.target)
    assert rows_of(at.target).equals(make_table(3000))


def test_zero_rows_give_a_valid_file(at):
    run("write", "-", at.target, data=ipc_stream(TABLE.slice(0, 0)))
    assert rows_of(at.target).schema.equals(TABLE.schema)
    assert pq.ParquetFile(at.target).metadata.num_row_groups == 0


def cut_inputs():
    stream, csv = ipc_stream(TABLE), b"a,b\n1,2\n3,4\n"
    return {
        "no end marker": (stream[:-8], "end-of-stream"),
        "in a batch": (stream[: len(stream) // 2], "cut short"),
        "in the schema": (stream[:100], "cut short"),
        "csv row": (csv[:-1], "no line end"),
        "csv quotes": (b'a,b\n1,2\n3,"4\n', "quotes"),
        "csv fields": (b"a,b\n1,2\n3\n", "Expected 2 columns"),
    }


@pytest.mark.parametrize("name", cut_inputs())
def test_a_cut_input_publishes_nothing(at, name):
    data, text = cut_inputs()[name]
    failed = run("write", "-", at.target, "--json", data=data, code=INVALID)
    error = failed.event("error")
    assert error["kind"] == "invalid" and text in error["message"] and "standard input" in error["message"]
    assert_nothing_visible(at.target)
    assert leftovers(at.target) == []


@pytest.mark.parametrize("kind", ["arrow", "parquet"])
def test_a_file_without_footer_publishes_nothing(at, inputs, kind):
    cut = at.folder / f"cut.{kind}"
    cut.write_bytes(inputs[kind].read_bytes()[:-10])
    failed = run("write", cut, at.target, code=INVALID)
    assert "footer" in failed.err and str(cut) in failed.err
    assert_nothing_visible(at.target)


@pytest.mark.parametrize("name", ["no end marker", "csv row"])
def test_a_cut_input_can_be_allowed(at, name):
    run("write", "-", at.target, "--allow-cut-input", data=cut_inputs()[name][0])
    assert rows_of(at.target).num_rows == (TABLE.num_rows if name == "no end marker" else 2)


def test_a_cut_input_after_a_checkpoint_resumes(at):
    stream = ipc_stream(TABLE)
    options = ["--checkpoint-every", "5000rows"]
    failed = run("write", "-", at.target, "--state", at.state, *options, data=stream[: len(stream) * 3 // 4],
                 code=INVALID)
    assert f"tailrace resume {at.state}" in failed.err
    assert_nothing_visible(at.target)
    run("resume", at.state, "-", *options, data=stream)
    assert rows_of(at.target).equals(TABLE)


def test_unknown_formats_ask_for_one(at):
    for data in (b"", b"\0\1\2\3\4\5\6\7"):
        refused = run("write", "-", at.target, data=data, code=INVALID)
        assert "--input-format" in refused.err
    run("write", at.folder / "missing", at.target, code=NOT_FOUND)
    run("write", at.folder, at.target, code=INVALID)


def test_a_source_of_other_columns_is_named(at, inputs):
    other = at.folder / "other.arrows"
    other.write_bytes(ipc_stream(TABLE.rename_columns(["id", "name", "price", "tags"])))
    failed = run("write", inputs["arrows"], other, at.target, code=INVALID)
    assert str(other) in failed.err and "price" in failed.err
    assert_nothing_visible(at.target)


def test_memory_that_cannot_do_is_refused_with_numbers(at, inputs):
    refused = run("write", inputs["arrows"], at.target, "--memory-budget", "1KiB", code=None)
    assert refused.code in (INVALID, LIMIT) and "memory" in refused.err
    assert os.listdir(at.folder) == []


def save(path, table):
    with pa.ipc.new_stream(path, table.schema) as sink:
        sink.write_table(table)
    return path


def test_a_second_input_may_differ_in_what_fits_and_no_more(at):
    first = save(at.folder / "1.arrows", pa.table({"a": pa.array([1], pa.int64()), "s": ["x"]}))
    second = save(at.folder / "2.arrows", pa.table({"a": pa.nulls(1), "s": pa.array(["y"], pa.large_string())}))
    other = save(at.folder / "3.arrows", pa.table({"a": pa.array([3], pa.int64()), "b": ["z"]}))
    run("write", first, second, at.target)
    assert pq.read_table(at.target).to_pydict() == {"a": [1, None], "s": ["x", "y"]}
    at.target.unlink()
    assert str(other) in run("write", first, other, at.target, code=INVALID).err
    assert_nothing_visible(at.target)


def test_an_empty_line_of_a_single_column_is_a_row(at):
    run("write", "-", at.target, "--input-format", "csv", data=b"a\n1\n\n3\n")
    assert pq.read_table(at.target)["a"].to_pylist() == [1, None, 3]


def test_a_closed_standard_input_ends_at_once(at):
    run("write", "-", at.target, prefix=["sh", "-c", 'exec "$0" "$@" <&-'], code=INVALID)


def test_a_url_where_a_file_is_read_is_refused_without_its_secret(at):
    url = "s3://key:topsecret@bucket/in.arrows"
    for arguments in (("write", url, at.target), ("finish", url)):
        done = run(*arguments, code=INVALID)
        assert "topsecret" not in done.out + done.err and "'s3'" in done.err


def test_an_aborted_small_file_is_not_committed(at, inputs):
    small = save(at.folder / "small.arrows", TABLE.slice(0, 5))
    run("write", small, at.target, "--no-commit", "--pending", at.folder / "p")
    run("abort", at.folder / "p")
    assert "aborted" in run("commit", at.folder / "p", code=GONE).err
    assert_nothing_visible(at.target)
    run("commit", at.folder / "p", "--force")
    assert pq.read_metadata(at.target).num_rows == 5


def test_a_folder_that_is_away_is_no_reason_to_give_a_write_up(at, inputs):
    moved = at.target.parent.parent / "moved"
    run("write", inputs["arrows"], at.target, "--part-size", "64KiB", "--no-commit", "--pending", at.folder / "p")
    at.target.parent.rename(moved)
    pending = moved / "p" if at.folder == at.target.parent else at.folder / "p"
    assert "retarget" in run("commit", pending, code=NOT_FOUND).err
    moved.rename(at.target.parent)
    run("commit", at.folder / "p")
    assert rows_of(at.target).equals(TABLE)


def test_a_hidden_file_that_was_cut_is_found_without_reading_it_back(at, inputs):
    run("write", inputs["arrows"], at.target, "--part-size", "64KiB", "--checkpoint-every", "9000rows", "--state",
        at.folder / "s", "--no-commit", "--pending", at.folder / "p")
    hidden, = (at.target.parent / ".tailrace").iterdir()
    os.truncate(hidden, 60_000)  # within the first part
    assert run("finish", at.folder / "s", "--no-verify", code=None).code not in (0, 1)
    assert_nothing_visible(at.target)
