"""The command line itself: options reach the file, wrong ones are refused by name, help and codes are told."""

import json
import re
import subprocess
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import (INVALID, LIMIT, NOT_FOUND, OK, OUTPUT_LOST, PATIENCE_S, TAILRACE, USAGE, assert_nothing_visible,
                      ipc_stream, make_table, rows_of, run)

TABLE = make_table(20_000)
DATA = ipc_stream(TABLE)
ROOT = Path(__file__).resolve().parents[2]


def written(at, *options):
    run("write", "-", at.target, *options, data=DATA)
    assert rows_of(at.target).equals(TABLE)
    return pq.ParquetFile(at.target).metadata


CODECS = [("zstd", "ZSTD"), ("snappy", "SNAPPY"), ("gzip", "GZIP"), ("brotli", "BROTLI"), ("lz4", "LZ4"),
          ("none", "UNCOMPRESSED")]


@pytest.mark.parametrize("name, stored", CODECS)
def test_codec(at, name, stored):
    assert written(at, "--codec", name).row_group(0).column(0).compression.startswith(stored)


def test_level(at):
    fast = written(at, "--codec", "gzip", "--level", "1").row_group(0).total_byte_size
    small = at.target.stat().st_size
    written(at, "--codec", "gzip", "--level", "9")
    assert at.target.stat().st_size < small and fast > 0


def test_row_groups(at):
    assert written(at, "--row-group-rows", "6000").num_row_groups == 4
    assert written(at, "--row-group-bytes", "100KB").num_row_groups > 4


def test_statistics_and_page_index(at):
    chunk = written(at).row_group(0).column(0)
    assert chunk.is_stats_set and chunk.has_offset_index and chunk.has_column_index
    chunk = written(at, "--no-page-index").row_group(0).column(0)
    assert chunk.is_stats_set and not chunk.has_offset_index
    chunk = written(at, "--no-statistics").row_group(0).column(0)
    assert not chunk.is_stats_set and not chunk.has_offset_index


def test_metadata(at):
    metadata = written(at, "--metadata", "origin=a=b", "--metadata", "owner=").metadata
    assert metadata[b"origin"] == b"a=b" and metadata[b"owner"] == b""
    assert "origin=a=b" in run("inspect", at.target).out


def data_encodings(at):
    """Of each column, over all row groups, those of data pages."""
    groups = json.loads(run("inspect", at.target, "--json").out)["row_groups"]
    return {column["path"]: {name for group in groups for name in group["columns"][i]["data_encodings"]}
            for i, column in enumerate(groups[0]["columns"])}


def test_encodings_and_adaptive(at):
    dictionary = {"RLE_DICTIONARY"}
    written(at, "--adaptive", "off")
    assert data_encodings(at)["name"] == dictionary
    written(at, "--adaptive", "off", "--dictionary", "off")
    assert set().union(*data_encodings(at).values()) == {"PLAIN"}
    written(at, "--adaptive", "off", "--dictionary", "off", "--column-dictionary", "name=on")
    found = data_encodings(at)
    assert found.pop("name") == dictionary and set().union(*found.values()) == {"PLAIN"}
    written(at, "--encodings", "portable")
    assert set().union(*data_encodings(at).values()) <= {"PLAIN", "RLE_DICTIONARY"}
    written(at, "--encodings", "spark")
    assert data_encodings(at)["id"] == {"DELTA_BINARY_PACKED"}
    refused = run("write", "-", at.target, "--adaptive", "off", "--encodings", "all", data=DATA, code=USAGE)
    assert "--encodings all" in refused.err and "--adaptive off" in refused.err


def test_bloom_filters_are_of_the_size_that_was_asked_for(at):
    def size(*arguments):
        written(at, "--bloom-filter", *arguments)
        columns = json.loads(run("inspect", at.target, "--json").out)["row_groups"][0]["columns"]
        assert [column["path"] for column in columns if column["bloom_filter"]] == ["id"]
        return at.target.stat().st_size

    assert size("id=20000") < size("id=20000,0.0001")
    assert pq.ParquetFile(at.target).metadata.row_group(0).column(0).is_stats_set


def test_pages_and_versions(at):
    written(at, "--codec", "none", "--dictionary", "off")
    large = json.loads(run("inspect", at.target, "--json").out)["row_groups"][0]["columns"][0]["offset_index_bytes"]
    written(at, "--codec", "none", "--dictionary", "off", "--page-bytes", "4KiB")
    small = json.loads(run("inspect", at.target, "--json").out)["row_groups"][0]["columns"][0]["offset_index_bytes"]
    assert small > 10 * large
    assert written(at, "--parquet-version", "1.0").format_version == "1.0"
    assert written(at, "--parquet-version", "2.4").format_version == "2.6"  # all of 2.x are one number in the file
    plain = at.target.read_bytes()
    written(at, "--data-page-version", "2", "--parquet-version", "2.4")
    assert at.target.read_bytes() != plain


def test_sorting_columns(at):
    metadata = written(at, "--row-group-rows", "6000", "--sorting-column", "value=descending,nulls-first",
                       "--sorting-column", "id")
    for group in range(metadata.num_row_groups):
        found = [(c.column_index, c.descending, c.nulls_first) for c in metadata.row_group(group).sorting_columns]
        assert found == [(2, True, True), (0, False, False)]


def test_text_that_is_not_utf8(at):
    broken = pa.Array.from_buffers(pa.string(), 2, pa.array([b"ok", b"\xff"]).buffers())
    data = ipc_stream(pa.table({"t": broken}))
    refused = run("write", "-", at.target, data=data, code=INVALID)
    assert "column t, row 1" in refused.err and "--text-not-utf8 binary" in refused.err
    run("write", "-", at.target, "--text-not-utf8", "binary", data=data)
    assert rows_of(at.target)["t"].to_pylist() == [b"ok", b"\xff"]


@pytest.mark.parametrize("option, value", [("--bloom-filter", "nam"), ("--column-dictionary", "tags=off"),
                                           ("--sorting-column", "x.y")])
def test_columns_that_the_file_does_not_have_are_named(at, option, value):
    refused = run("write", "-", at.target, option, value, data=DATA, code=INVALID)
    assert option in refused.err and f"column {value.split('=')[0]}" in refused.err
    assert_nothing_visible(at.target)


def test_inspect_tells_which_chunk_is_written_how(at):
    """The first row group repeats its values, the second does not."""
    rows = 50_000
    values = [f"w{i % 10}" for i in range(rows)] + [f"{i * 7919 % 1000003:032d}" for i in range(rows)]
    run("write", "-", at.target, "--row-group-rows", rows, data=ipc_stream(pa.table({"a": values})))
    text = run("inspect", at.target).out
    assert re.search(r"chunks that are written differently\n  a\n    row group 0 +\w+ +RLE_DICTIONARY\n"
                     r"    row group 1 +\w+ +PLAIN\n", text), text
    groups = json.loads(run("inspect", at.target, "--json").out)["row_groups"]
    assert [group["columns"][0]["data_encodings"] for group in groups] == [["RLE_DICTIONARY"], ["PLAIN"]]


def test_options_travel_in_the_state(at):
    run("write", "-", at.target, "--state", at.state, "--checkpoint-every", "9000rows", "--encodings", "spark",
        "--bloom-filter", "id=100,0.5", "--column-dictionary", "id=off", "--sorting-column", "id=descending",
        "--parquet-version", "2.4", "--data-page-version", "2", "--page-bytes", "64KiB", data=DATA)
    options = json.loads(run("inspect", at.state, "--json").out)["options"]
    expected = {
        "encodings": "spark", "parquet_version": "2.4", "data_page_version": "2", "page_bytes": 65536,
        "columns": [{"path": "id", "dictionary": False,
                     "bloom_filter": {"distinct_values": 100, "false_positives": 0.5}}],
        "sorting_columns": [{"path": "id", "descending": True, "nulls_first": False}],
    }
    assert {name: options[name] for name in expected} == expected


def test_runtime_options_change_no_byte(at):
    written(at, "--part-size", "64KiB")
    plain = at.target.read_bytes()
    for options in (["--threads", "1"], ["--threads", "3", "--parts-in-flight", "1"], ["--memory-budget", "160MiB"],
                    ["--encode-threads", "1"], ["--encode-threads", "5"], ["--encode-threads", "3", "--threads", "2"],
                    ["--small-files", "upload"], ["--on-error", "keep"], ["--no-verify"]):
        written(at, "--part-size", "64KiB", *options)
        assert at.target.read_bytes() == plain


def test_part_size_reaches_the_upload(at):
    run("write", "-", at.target, "--part-size", "50000", "--small-files", "upload", "--no-commit", "--pending",
        at.pending, data=DATA)
    pending = json.loads(run("inspect", "--json", at.pending).out)
    assert pending["kind"] == "pending_commit" and len(pending["parts"]) > 1
    assert {part["size_bytes"] for part in pending["parts"][:-1]} == {50000}
    assert pending["rows"] == TABLE.num_rows


WRONG = [
    ("--part-size", "lots"), ("--part-size", "0"), ("--row-group-rows", "0"), ("--row-group-bytes", "-1"),
    ("--codec", "lzma"), ("--level", "23"), ("--metadata", "novalue"), ("--memory-budget", "x"),
    ("--parts-in-flight", "0"), ("--encode-threads", "0"), ("--encode-threads", "257"), ("--threads", "0"),
    ("--if-exists", "maybe"), ("--small-files", "no"),
    ("--on-error", "panic"), ("--input-format", "xml"), ("--checkpoint-every", "50000"), ("--csv-block-size", "2GiB"),
    ("--adaptive", "yes"), ("--encodings", "flink"), ("--dictionary", "1"), ("--column-dictionary", "name"),
    ("--bloom-filter", "id=0"), ("--bloom-filter", "id=5,2"), ("--page-bytes", "17MiB"), ("--parquet-version", "2"),
    ("--data-page-version", "3"), ("--text-not-utf8", "drop"), ("--sorting-column", "id=down"),
]


@pytest.mark.parametrize("option, value", WRONG)
def test_wrong_values_are_refused_by_name(at, option, value):
    refused = run("write", "-", at.target, "--state", at.state, option, value, "--json", data=DATA, code=USAGE)
    assert option in refused.event("error")["message"] and value in refused.event("error")["message"]
    assert_nothing_visible(at.target)


def test_options_that_would_do_nothing_are_refused(at):
    assert "levels" in run("write", "-", at.target, "--codec", "snappy", "--level", "3", data=DATA, code=USAGE).err
    assert "--state" in run("write", "-", at.target, "--checkpoint-every", "9rows", data=DATA, code=USAGE).err
    assert "--pending" in run("write", "-", at.target, "--no-commit", data=DATA, code=USAGE).err


EMPTY = ["--part-size", "--row-group-rows", "--codec", "--metadata", "--state", "--pending", "--memory-budget",
         "--if-exists", "--small-files", "--input-format", "--checkpoint-every", "--region", "--tag", "--encodings",
         "--bloom-filter", "--page-bytes"]


@pytest.mark.parametrize("option", EMPTY)
def test_an_empty_value_is_refused(at, option):
    """A script whose variable is empty did not mean the default."""
    for arguments in ([option, ""], [f"{option}="]):
        refused = run("write", "-", at.target, *arguments, data=DATA, code=USAGE)
        assert option in refused.err
    assert_nothing_visible(at.target)


def test_empty_paths_are_refused(at):
    run("write", "-", "", data=DATA, code=USAGE)
    run("write", "", at.target, data=DATA, code=USAGE)
    run("finish", "", code=USAGE)
    run("inspect", "", code=USAGE)


def test_one_file_for_two_purposes_is_refused(at):
    source = at.folder / "in.arrows"
    source.write_bytes(DATA)
    alias = at.folder / "alias"
    alias.symlink_to(source)
    for arguments in (
        ["write", "-", at.target, "--state", at.state, "--pending", at.state],
        ["write", "-", at.target, "--state", at.target],
        ["write", "-", at.target, "--pending", f"{at.folder}/./t.parquet"],
        ["resume", at.state, "-", "--pending", at.state],
        ["write", source, source],
        ["write", source, alias],
        ["write", alias, source, source],
        ["write", source, at.target, "--state", source],
        ["resume", source, source],
    ):
        refused = run(*arguments, "--force", data=DATA, code=USAGE)
        assert "same file" in refused.err, arguments
    with open(source) as stream:
        done = subprocess.run([TAILRACE, "write", "-", source], stdin=stream, capture_output=True, timeout=PATIENCE_S)
    assert done.returncode == USAGE and b"same file" in done.stderr
    assert source.read_bytes() == DATA
    assert_nothing_visible(at.target)


def test_a_missing_folder_is_told_before_the_input_is_read(at, live):
    silent = live("write", "-", at.folder / "missing" / "t.parquet")
    ended = silent.end()
    assert ended.code == NOT_FOUND and "missing" in ended.err
    run("write", "-", at.folder / "missing" / "t.parquet", "--create-folders", data=DATA)


def test_json_that_cannot_be_written_is_no_success(at):
    with open("/dev/full", "w") as full:
        for command in (["write", "-", at.target, "--json"], ["inspect", at.target], ["inspect", at.target, "--json"],
                        ["--help"], ["finish", at.state, "--json"]):
            done = subprocess.run([TAILRACE, *map(str, command)], input=DATA, stdout=full, stderr=subprocess.PIPE,
                                  timeout=PATIENCE_S)
            # One that failed has its own code.
            assert done.returncode == (NOT_FOUND if "finish" in command else OUTPUT_LOST), command
            assert b"standard output" in done.stderr
    assert rows_of(at.target).equals(TABLE)


def test_inspect_prints_one_line_of_json(at):
    run("write", "-", at.target, "--state", at.state, "--checkpoint-every", "9000rows", data=DATA)
    for path in (at.target, at.state):
        out = run("inspect", path, "--json").out
        assert out.count("\n") == 1 and out.endswith("\n") and json.loads(out)


def test_limits_of_the_store_name_the_setting(at):
    refused = run("write", "-", at.target, "--part-size", "9TiB", data=DATA, code=None)
    assert refused.code in (INVALID, LIMIT) and "part" in refused.err
    refused = run("write", "-", at.target, "--metadata", "tailrace.digest=0", data=DATA, code=INVALID)
    assert "tailrace." in refused.err


@pytest.mark.parametrize("url", ["s3x://b/k", "ftp://host/x", "http://u:secret@host/x?token=secret"])
def test_an_unknown_scheme_is_named_and_no_secret_shown(at, url):
    refused = run("write", "-", url, data=DATA, code=INVALID)
    assert url.split(":")[0] in refused.err and "secret" not in refused.err
    assert list(at.folder.iterdir()) == []


def test_no_subcommand_and_unknown_options():
    run(code=USAGE)
    run("fly", code=USAGE)
    assert "URL" in run("write", "a", code=USAGE).err
    run("write", code=USAGE)
    run("finish", code=USAGE)
    run("write", "a", "b", "--no-such-option", code=USAGE)


@pytest.mark.parametrize("command", ["write", "resume", "finish", "commit", "abort", "inspect", "demo"])
def test_help_has_examples_and_exit_codes(command):
    text = run(command, "--help", code=OK).out
    assert f"Usage: tailrace {command}" in text
    examples, codes = text.split("Examples:")[1].split("Exit codes:")
    assert f"tailrace {command}" in examples and "15  interrupted" in codes


def test_version():
    assert run("--version").out == f"tailrace {(ROOT / 'VERSION').read_text().split()[0]}\n"


def test_quiet_and_plain_output(at):
    plain = run("write", "-", at.target, "--state", at.state, "--checkpoint-every", "9000rows", data=DATA)
    assert plain.out == "" and "9,000 rows are safe" in plain.err and "committed: file://" in plain.err
    assert run("write", "-", at.target, "--quiet", data=DATA).err == ""


def test_inspect_tells_what_is_in_an_object(at):
    written(at, "--row-group-rows", "6000")
    text = run("inspect", at.target).out
    assert "20,000 in 4 row groups" in text and "zstd" in text.lower() and "tags.list.element" in text
    found = json.loads(run("inspect", f"file://{at.target}", "--json").out)
    assert found["rows"] == 20_000 and found["end"] == "close" and re.fullmatch("[0-9a-f]{16}", found["digest"])
    for group in found["row_groups"]:
        assert all(column["offset_index_bytes"] > 0 and column["encodings"] for column in group["columns"])
    pq.write_table(TABLE, at.folder / "foreign.parquet")
    assert "parquet-cpp-arrow" in run("inspect", at.folder / "foreign.parquet").out
    (at.folder / "text").write_text("no Parquet")
    run("inspect", at.folder / "text", code=INVALID)


def test_inspect_tells_what_is_in_a_state(at):
    run("write", "-", at.target, "--state", at.state, "--checkpoint-every", "9000rows", data=DATA)
    text = run("inspect", at.state).out
    assert "18,000 in 2 row groups" in text and f"file://{at.target}" in text and "tags" in text
    found = json.loads(run("inspect", at.state, "--json").out)
    assert found["kind"] == "state" and found["rows"] == 18_000 and len(found["row_groups"]) == 2
