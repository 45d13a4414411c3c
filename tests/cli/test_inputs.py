"""Every kind of input, whole and cut short."""

import os

import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from conftest import (INVALID, LIMIT, NOT_FOUND, assert_nothing_visible, ipc_stream, leftovers, make_table, rows_of,
                      run, write_inputs)

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
