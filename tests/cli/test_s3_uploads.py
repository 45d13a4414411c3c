"""Open uploads of a store: listed, told apart, aborted."""

import pytest
from conftest import DENIED, INVALID, KILL, OK, ipc_stream, run
from s3_child import BIG, PARTS, fault_server  # noqa: F401

EVERY = ["--checkpoint-every", "20000rows"]


@pytest.fixture
def store(fault_server, live, at):
    """Three uploads that nobody knows, and one of a killed writer whose state is there; pages of two."""

    class Store:
        server = fault_server(rules={"page_size": 2})
        env = server.env()
        state = at.state

        def run(self, *arguments, **options):
            return run(*arguments, env=self.env, **options)

        def listed(self, *arguments):
            return self.run("uploads", "list", *arguments, "--json").events("upload")

    s3 = Store.server.client()
    for key in ("a/x", "a/x", "ab/y"):
        upload = s3.create_multipart_upload(Bucket="bucket", Key=key)["UploadId"]
        s3.upload_part(Bucket="bucket", Key=key, UploadId=upload, PartNumber=1, Body=b"part")
    writer = live("write", "-", "s3://bucket/a/k.parquet", "--state", at.state, *EVERY, *PARTS, env=Store.env)
    writer.send(ipc_stream(BIG.slice(0, 70_000), 5000, end=False))
    writer.wait_for("checkpoint", 3)
    writer.end(KILL)
    return Store()


def test_all_pages_by_whole_path_segments(store):
    urls = [upload["url"] for upload in store.listed("s3://bucket/a")]
    assert urls == ["s3://bucket/a/k.parquet", "s3://bucket/a/x", "s3://bucket/a/x"]
    assert len(store.listed("s3://bucket")) == len(store.listed("s3://bucket/")) == 4
    assert [upload["url"] for upload in store.listed("s3://bucket/ab/")] == ["s3://bucket/ab/y"]
    (upload,) = store.listed("s3://bucket/ab")
    assert upload["initiator"] == "tailrace" and upload["write_id"] is None and upload["parts"] is None


def test_sizes_and_states(store):
    found = {upload["url"]: upload for upload in store.listed("s3://bucket/a", "--sizes", "--states", store.state)}
    ours, other = found["s3://bucket/a/k.parquet"], found["s3://bucket/a/x"]
    assert (ours["finishable"], ours["state"], ours["state_rows"]) == (True, str(store.state), 60_000)
    assert ours["parts"] == 1 and ours["stored_bytes"] == 5 << 20
    assert (other["finishable"], other["parts"], other["stored_bytes"]) == (False, 1, 4)
    counts = store.server.counts()
    assert counts["ListParts"] == 3 and "AbortMultipartUpload" not in counts


def test_what_states_know_stays_and_tells_who_we_are(store):
    done = store.run("uploads", "abort", "s3://bucket/a", "--older-than", "1ms", "--states", store.state, "--yes",
                     "--json")
    assert sorted(event["verdict"] for event in done.events("plan")) == ["abort", "abort", "claimed"]
    assert [event["url"] for event in done.events("aborted")] == ["s3://bucket/a/x"] * 2
    assert sorted(upload["Key"] for upload in store.server.uploads()) == ["a/k.parquet", "ab/y"]
    store.run("finish", store.state)
    assert store.server.table("a/k.parquet").equals(BIG.slice(0, 60_000))


def test_whose_uploads_go_has_to_be_said_where_nobody_knows(store):
    abort = ["uploads", "abort", "s3://bucket/ab", "--older-than", "1ms", "--yes"]
    refused = store.run(*abort, code=INVALID)
    assert "tailrace" in refused.err and "--initiator" in refused.err
    done = store.run(*abort, "--initiator", "somebody", "--json")
    assert done.event("plan")["verdict"] == "other_initiator" and done.events("aborted") == []
    assert len(store.listed("s3://bucket/ab")) == 1
    store.run(*abort, "--initiator", "any")
    assert store.listed("s3://bucket/ab") == []


def test_a_state_is_aborted_by_name(store):
    done = store.run("uploads", "abort", "--state", store.state, "--yes")
    assert done.code == OK
    assert "a/k.parquet" not in [upload["Key"] for upload in store.server.uploads()]
    assert store.state.with_name("t.state.aborted").exists()


def test_a_denied_listing_names_the_right(fault_server):
    server = fault_server(rules={"denied": ["ListMultipartUploads"]})
    for command in (["list", "s3://bucket/a"], ["abort", "s3://bucket/a", "--older-than", "1h", "--yes"]):
        refused = run("uploads", *command, env=server.env(), code=DENIED)
        assert "s3:ListBucketMultipartUploads" in refused.err and "ListMultipartUploads" in refused.err


def test_an_abort_that_is_denied_is_told_and_the_rest_goes_on(fault_server):
    server = fault_server(rules={"denied": ["AbortMultipartUpload"]})
    s3 = server.client()
    for key in ("x", "y"):
        s3.create_multipart_upload(Bucket="bucket", Key=key)
    failed = run("uploads", "abort", "s3://bucket", "--older-than", "1ms", "--initiator", "any", "--yes", "--json",
                 env=server.env(), code=DENIED)
    first, second = (event["message"] for event in failed.events("error"))
    assert "s3://bucket/x" in first and "s3://bucket/y" in second
