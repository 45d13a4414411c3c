"""JSON lines, and several inputs as one stream."""

import io
import json

import pyarrow as pa
import pyarrow.json
import pyarrow.parquet as pq
import pytest
from conftest import (INVALID, USAGE, assert_nothing_visible, ipc_stream, leftovers, make_table, rows_of, run,
                      write_inputs)

TABLE = make_table(9000)
EVERY = ["--checkpoint-every", "1000rows"]


def json_lines(table):
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in table.to_pylist()).encode()


LINES = json_lines(TABLE)


def test_json_lines(at):
    source = at.folder / "in.jsonl"
    source.write_bytes(LINES)
    run("write", source, at.target, "--row-group-rows", "4000")
    expected = pyarrow.json.read_json(io.BytesIO(LINES))
    assert rows_of(at.target).cast(expected.schema).equals(expected.combine_chunks())
    plain = at.target.read_bytes()
    # By its look, from a pipe, in blocks of another size.
    run("write", "-", at.target, "--row-group-rows", "4000", "--json-block-size", "20KiB", data=LINES)
    assert at.target.read_bytes() == plain


def test_a_cut_last_line(at):
    refused = run("write", "-", at.target, data=LINES[:-1], code=INVALID)
    assert "number 9000" in refused.err and "no line end" in refused.err and "--allow-cut-input" in refused.err
    run("write", "-", at.target, "--allow-cut-input", data=LINES[:-1])
    assert rows_of(at.target).num_rows == 9000
    at.target.unlink()
    assert "row 9000" in run("write", "-", at.target, "--allow-cut-input", data=LINES[:-3], code=INVALID).err
    assert_nothing_visible(at.target)
    assert leftovers(at.target) == []


def test_unicode_nesting_and_blank_lines(at):
    data = '{"ä€":"\\ud83d\\ude00 ü","n":{"l":[{"x":1},null,{"x":3}]}}\n\n \t\r\n{"n":null}\r\n'.encode()
    run("write", "-", at.target, data=data)
    assert rows_of(at.target).to_pylist() == [
        {"ä€": "\U0001f600 ü", "n": {"l": [{"x": 1}, None, {"x": 3}]}}, {"ä€": None, "n": None}]


@pytest.mark.parametrize("line, text", [
    ('{"a":18446744073709551616}', "row 2: 18446744073709551616 is no int64"), ("null", "no object: null"),
    ('{"a":1}{"a":2}', "more than one object"), ('{"a":"x"}', "changed from number to string"),
    ('{"a":[1}', "JSON parse error"), ("[1,2]", "one object on each line"),
])
def test_lines_that_are_wrong_are_told_and_publish_nothing(at, line, text):
    refused = run("write", "-", at.target, data=f'{{"a":1}}\n{line}\n'.encode(), code=INVALID)
    assert text in refused.err and "standard input" in refused.err
    assert_nothing_visible(at.target)


def test_types_can_be_given(at):
    typed = at.folder / "typed.arrows"
    schema = pa.schema([("a", pa.uint64()), ("t", pa.timestamp("us", "UTC")), ("d", pa.decimal128(10, 2))])
    typed.write_bytes(ipc_stream(schema.empty_table()))
    data = b'{"t":"2026-01-02T03:04:05Z","a":18446744073709551615,"d":"1.25"}\n'
    run("write", "-", at.target, "--schema-of", typed, data=data)
    found = rows_of(at.target)
    assert found.schema.equals(schema) and found["a"].to_pylist() == [2**64 - 1]
    refused = run("write", "-", at.target, "--schema-of", typed, data=b'{"b":1}\n', code=INVALID)
    assert "unexpected field" in refused.err and str(typed) in refused.err
    assert "--schema-of" in run("write", "-", at.target, "--schema-of", "-", data=data, code=USAGE).err
    assert "--schema-of" in run("write", "-", at.target, "--schema-of", at.folder / "no", data=data, code=None).err
    # And of CSV.
    run("write", "-", at.target, "--schema-of", typed, data=b"a,t,d\n1,2026-01-02T03:04:05Z,2.50\n")
    assert rows_of(at.target).schema.equals(schema)


def test_a_json_source_is_resumed(live, at):
    run("write", "-", at.folder / "whole.parquet", "--state", at.folder / "s", *EVERY, data=LINES)
    # Types are inferred from a first block that never is short.
    writer = live("write", "-", at.target, "--state", at.state, *EVERY, "--json-block-size", "20KiB")
    writer.send(LINES + LINES[:1])
    writer.wait_for("checkpoint", 5)
    writer.kill()
    run("resume", at.state, "-", *EVERY, data=LINES)
    assert at.target.read_bytes() == (at.folder / "whole.parquet").read_bytes()


@pytest.fixture
def four(at):
    """3,000 rows each; the one without is passed over."""
    paths = []
    for number, kind in enumerate(["parquet", "arrows", "arrow"]):
        folder = at.folder / str(number)
        folder.mkdir()
        paths.append(write_inputs(folder, TABLE.slice(3000 * number, 3000))[kind])
    empty = at.folder / "empty.arrows"
    empty.write_bytes(ipc_stream(TABLE.slice(0, 0)))
    return [paths[0], empty, *paths[1:]]


@pytest.mark.parametrize("rows", [1, 2999, 3000, 3001, 6000, 8999, 9000])
def test_a_resume_passes_over_exactly_the_rows_that_are_safe_over_files(at, four, rows):
    """Also where they end in the middle of a file, at its end, and where whole files need not be read."""
    run("write", "-", at.target, "--state", at.state, "--checkpoint-every", f"{rows}rows", "--no-commit", "--pending",
        at.pending, data=ipc_stream(TABLE.slice(0, rows)))
    assert json.loads(run("inspect", at.state, "--json").out)["rows"] == rows
    run("resume", at.state, *four)
    assert rows_of(at.target).equals(TABLE)


def test_several_inputs_that_are_killed_between_files(at, four):
    cut = at.folder / "cut.arrows"
    cut.write_bytes(four[2].read_bytes()[:-8])
    failed = run("write", *four[:2], cut, at.target, "--state", at.state, *EVERY, "--json", code=INVALID)
    assert str(cut) in failed.event("error")["message"]
    assert [event["rows"] for event in failed.events("checkpoint")] == [1000, 2000, 3000, 4000, 5000, 6000]
    run("resume", at.state, *four, *EVERY)
    run("write", *four, at.folder / "whole.parquet", "--state", at.folder / "s", *EVERY)
    assert at.target.read_bytes() == (at.folder / "whole.parquet").read_bytes()


def test_inputs_that_do_not_go_together_name_both_and_the_column(at, four):
    renamed = at.folder / "renamed.arrows"
    renamed.write_bytes(ipc_stream(TABLE.rename_columns(["id", "name", "price", "tags"])))
    refused = run("write", four[0], renamed, at.target, code=INVALID)
    assert f'{renamed}: its columns are others than those of {four[0]}' in refused.err
    assert 'its column 3 is "price", that of' in refused.err and 'is "value"' in refused.err
    retyped = at.folder / "retyped.arrows"
    retyped.write_bytes(ipc_stream(TABLE.set_column(0, "id", TABLE["id"].cast(pa.string()))))
    refused = run("write", four[0], retyped, at.target, code=INVALID)
    assert str(retyped) in refused.err and f"read as the columns of {four[0]}" in refused.err and "id" in refused.err
    assert_nothing_visible(at.target)


def test_a_resume_from_other_columns_is_refused(at, four):
    run("write", four[0], at.target, "--state", at.state, *EVERY, "--no-commit", "--pending", at.pending)
    other = at.folder / "other.arrows"
    other.write_bytes(ipc_stream(TABLE.drop_columns(["tags"])))
    refused = run("resume", at.state, other, code=INVALID)
    assert "those of the state" in refused.err and 'no column 4, the state has "tags"' in refused.err
    short = run("resume", at.state, four[1], code=INVALID)
    assert "ends after 0 rows" in short.err
    run("resume", at.state, *four)
    assert pq.read_metadata(at.target).num_rows == 9000
