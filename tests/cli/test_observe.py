"""--events and --metrics, read by somebody else's parsers; parts that grow, and sizes that are expected."""

import json
import os

import pytest
from conftest import GONE, INVALID, USAGE, assert_nothing_visible, ipc_stream, make_table, rows_of, run
from prometheus_client.parser import text_string_to_metric_families

TABLE = make_table(20_000)
DATA = ipc_stream(TABLE)
SMALL_PARTS = ("--part-size", "64KiB", "--row-group-rows", "6000", "--small-files", "upload")


def events_in(file):
    return [json.loads(line) for line in file.read_text().splitlines()]


def samples_in(file):
    """(name, labels as a frozen set) -> value, of every sample."""
    samples = {}
    for family in text_string_to_metric_families(file.read_text()):
        assert family.documentation and family.type in ("counter", "gauge", "histogram")
        for sample in family.samples:
            samples[sample.name, frozenset(sample.labels.items())] = sample.value
    return samples


def test_events_of_a_write(at, tmp_path):
    log = tmp_path / "events.jsonl"
    run("write", "-", at.target, *SMALL_PARTS, "--events", log, data=DATA)
    events = events_in(log)
    uploads = ("upload_created", "part_stored")
    assert [event["event"] for event in events if event["event"] not in uploads] == [
        "opened", *4 * ["row_group_closed"], "closed", "committed"]
    assert [event["event"] for event in events if event["event"] in uploads][0] == "upload_created"
    size = at.target.stat().st_size
    assert sum(event["bytes"] for event in events if event["event"] == "part_stored") == size
    assert sum(event["rows"] for event in events if event["event"] == "row_group_closed") == TABLE.num_rows
    assert events[-1]["bytes"] == size and events[-1]["rows"] == TABLE.num_rows
    assert len({event["write_id"] for event in events}) == 1
    assert [event["stored_bytes"] for event in events] == sorted(event["stored_bytes"] for event in events)
    assert {event["url"] for event in events} == {f"file://{at.target}"}


def test_events_are_appended_over_the_processes_of_a_write(at, tmp_path):
    log = tmp_path / "events.jsonl"
    half = ipc_stream(TABLE.slice(0, 12_000), end=False)
    cut = run("write", "-", at.target, *SMALL_PARTS, "--state", at.state, "--checkpoint-every", "5000rows", "--events",
              log, data=half, code=INVALID)
    assert "resume" in cut.err
    run("finish", at.state, "--events", log)
    events = events_in(log)
    names = [event["event"] for event in events]
    assert names[0] == "opened" and names.count("checkpoint") == 2 and names[-1] == "finished"
    assert "released" in names and "closed" not in names
    assert events[-1]["rows"] == 10_000 and events[-1]["stored_bytes"] == at.target.stat().st_size
    assert rows_of(at.target).equals(TABLE.slice(0, 10_000))


def test_events_on_standard_output(at):
    lines = run("write", "-", at.target, "--events", "-", data=DATA).out.splitlines()
    assert [json.loads(line)["event"] for line in lines][-1] == "committed"
    refused = run("write", "-", at.target, "--events", "-", "--json", data=DATA, code=USAGE)
    assert "--events -" in refused.err and "--json" in refused.err


def test_metrics_are_read_by_prometheus_own_parser(at, tmp_path):
    page = tmp_path / "tailrace.prom"
    run("write", "-", at.target, *SMALL_PARTS, "--metrics", page, "--metrics-label", 'job=a "b"\\', data=DATA)
    samples = samples_in(page)
    labels = {"job": 'a "b"\\', "store": "file"}

    def value(name, **more):
        return samples[name, frozenset({**labels, **more}.items())]

    size = at.target.stat().st_size
    assert value("tailrace_open_writers") == 0
    assert value("tailrace_stored_bytes_total") == size == value("tailrace_committed_bytes_total")
    assert value("tailrace_encoded_rows_total") == TABLE.num_rows == value("tailrace_committed_rows_total")
    assert value("tailrace_row_groups_total") == 4
    assert value("tailrace_writers_ended_total", end="closed") == 1
    assert value("tailrace_commits_total", call="commit", already_committed="false") == 1
    parts = value("tailrace_part_duration_seconds_count")
    assert parts == value("tailrace_part_duration_seconds_bucket", le="+Inf") > 1
    assert value("tailrace_last_commit_timestamp_seconds") > 1.7e9
    assert not list(tmp_path.glob("tailrace.prom.*")), "it is replaced as a whole"


def test_a_failure_is_counted(at, tmp_path):
    page = tmp_path / "tailrace.prom"
    run("write", "-", at.target, *SMALL_PARTS, "--no-commit", "--pending", at.pending, data=DATA)
    run("abort", at.pending)
    run("commit", at.pending, "--metrics", page, code=GONE)
    failures = {labels: value for (name, labels), value in samples_in(page).items()
                if name == "tailrace_failures_total"}
    assert failures == {frozenset({("store", "file"), ("step", "commit"), ("error", "upload gone")}): 1}


@pytest.mark.parametrize("option", ["--events", "--metrics"])
def test_files_that_cannot_be_are_refused_before_anything_is_written(at, tmp_path, option):
    run("write", "-", at.target, option, tmp_path / "missing" / "file", data=DATA, code=USAGE)
    assert_nothing_visible(at.target)
    refused = run("write", "-", at.target, option, at.target, data=DATA, code=USAGE)
    assert option in refused.err and "same file" in refused.err
    assert_nothing_visible(at.target)


def test_labels_that_cannot_be(at, tmp_path):
    for label in ("store=x", "9a=x", "novalue"):
        refused = run("write", "-", at.target, "--metrics", tmp_path / "m", "--metrics-label", label, data=DATA,
                      code=USAGE)
        assert "--metrics-label" in refused.err
    assert "--metrics FILE" in run("write", "-", at.target, "--metrics-label", "a=b", data=DATA, code=USAGE).err


def test_the_log_is_asked_for_by_the_environment(at):
    told = run("write", "-", at.target, data=DATA, env={**os.environ, "TAILRACE_LOG": "info"}).err
    assert f"tailrace: file://{at.target}: opened, write " in told
    assert f"tailrace: file://{at.target}: committed, 20000 rows" in told
    assert "opened, write" not in run("write", "-", at.target, data=DATA).err


def test_growing_parts(at):
    run("write", "-", at.target, *SMALL_PARTS, "--growing-parts", "--no-commit", "--pending", at.pending, data=DATA)
    run("commit", at.pending)
    assert rows_of(at.target).equals(TABLE)
    run("write", "-", at.target, *SMALL_PARTS, "--growing-parts", "--expected-bytes", "1TiB", "--state", at.state,
        "--checkpoint-every", "5000rows", data=DATA)
    shown = json.loads(run("inspect", at.state, "--json").out)
    assert shown["options"]["growing_parts"] is True and shown["options"]["expected_bytes"] == 1 << 40
    lengths = shown["part_lengths"]
    assert lengths["part_size_bytes"] == 64 << 10 < lengths["largest_bytes"]
    assert f"growing every {lengths['step_parts']:,} parts" in run("inspect", at.state).out


def test_an_expected_size_makes_parts_long_or_is_refused(at):
    run("write", "-", at.target, *SMALL_PARTS, "--expected-bytes", "10TiB", "--state", at.state, "--checkpoint-every",
        "5000rows", data=DATA)
    assert json.loads(run("inspect", at.state, "--json").out)["part_lengths"]["part_size_bytes"] == 16 << 20
    refused = run("write", "-", at.target, "--expected-bytes", "1024TiB", data=DATA, code=INVALID)
    assert "--expected-bytes = 1125899906842624" in refused.err and "--memory-budget" in refused.err
    assert rows_of(at.target).equals(TABLE)
