"""The life of a write in a store: killed, resumed, finished, committed, aborted, with its outcomes and its requests."""

import json

import pytest
from conftest import (DENIED, FENCED, GONE, INVALID, KILL, NOTHING_ABORTED, OK, PRECONDITION, UNKNOWN, ipc_stream, run)
from s3_child import BIG, BIG_STREAM, MIB, PARTS, SECRET, SMALL, fault_server, wide_table  # noqa: F401

URL = "s3://bucket/k.parquet"
EVERY = ["--checkpoint-every", "20000rows"]
CREATE, PART, COMPLETE, PUT = "CreateMultipartUpload", "UploadPart", "CompleteMultipartUpload", "PutObject"


@pytest.fixture
def killed(fault_server, live, at):
    """A write that died after 60,000 rows were safe: one part stored, the rest in the state."""

    class Killed:
        server = fault_server()
        state = at.state
        pending = at.pending
        env = server.env()

        def run(self, *arguments, **options):
            return run(*arguments, env=self.env, **options)

    writer = live("write", "-", URL, "--state", at.state, *EVERY, *PARTS, env=Killed.env)
    writer.send(ipc_stream(BIG.slice(0, 70_000), 5000, end=False))
    writer.wait_for("checkpoint", 3)
    writer.end(KILL)
    return Killed()


def test_requests_are_exact(fault_server, at):
    server = fault_server()
    run("write", "-", URL, *PARTS, data=BIG_STREAM, env=server.env())
    run("write", "-", URL, "--small-files", "upload", data=ipc_stream(SMALL), env=server.env())
    run("write", "-", URL, data=ipc_stream(SMALL), env=server.env())
    run("write", "-", URL, "--checkpoint-every", "60rows", "--state", at.state, data=ipc_stream(SMALL),
        env=server.env())
    names = [call["operation"] for call in server.stop()]
    whole_upload = [CREATE, PART, PART, PART, COMPLETE]
    assert [sorted(names[:5]), names[4]] == [sorted(whole_upload), COMPLETE]
    assert names[5:] == [CREATE, PART, COMPLETE, PUT, CREATE, PART, COMPLETE]


def test_resumed_and_committed(killed):
    assert killed.server.is_absent() and len(killed.server.uploads()) == 1
    before = len(killed.server.client().list_parts(
        Bucket="bucket", Key="k.parquet", UploadId=killed.server.uploads()[0]["UploadId"])["Parts"])
    assert before == 1
    killed.run("resume", killed.state, "-", *EVERY, "--no-commit", "--pending", killed.pending, data=BIG_STREAM)
    assert killed.server.is_absent()
    first = killed.run("commit", killed.pending, "--json").event("committed")
    again = killed.run("commit", killed.pending, "--json").event("committed")
    assert [first["already_committed"], again["already_committed"]] == [False, True]
    assert first["url"] == URL and first["rows"] == BIG.num_rows
    assert killed.server.table().equals(BIG)
    assert killed.server.uploads() == []
    # A third process that still has the state: it is done already, and no input is opened.
    done = killed.run("resume", killed.state, "/nonexistent", "--json")
    assert done.event("committed")["already_committed"]


def test_resume_gives_the_same_bytes_as_no_interruption(killed):
    s3 = killed.server.client()
    killed.run("resume", killed.state, "-", *EVERY, data=BIG_STREAM)
    killed.run("write", "-", "s3://bucket/whole.parquet", "--state", killed.pending, *EVERY, *PARTS, data=BIG_STREAM)
    bodies = [s3.get_object(Bucket="bucket", Key=key)["Body"].read() for key in ("k.parquet", "whole.parquet")]
    assert bodies[0] == bodies[1]


def test_resume_looks_once_before_it_reads(killed):
    killed.run("resume", killed.state, "/nonexistent", code=None)
    before = killed.server.stop()
    looks = [call["operation"] for call in before if call["operation"] in ("HeadObject", "ListParts")]
    assert looks == ["HeadObject", "ListParts"]


def test_finish_is_repeatable_and_fences_the_rest(killed):
    first = killed.run("finish", killed.state, "--json").event("committed")
    again = killed.run("finish", killed.state, "--json").event("committed")
    assert first["rows"] == again["rows"] == 60_000
    assert not first["already_committed"] and again["already_committed"]
    assert killed.server.table().equals(BIG.slice(0, 60_000))
    fenced = killed.run("resume", killed.state, "-", "--json", data=BIG_STREAM, code=FENCED)
    assert fenced.event("error")["rows"] == 60_000
    killed.run("finish", f"{killed.state}.prev", "--json", code=FENCED)
    killed.run("abort", killed.state, code=NOTHING_ABORTED)
    assert killed.server.table().num_rows == 60_000


def test_abort_twice_and_what_follows_is_gone(killed):
    killed.run("abort", killed.state)
    killed.run("abort", killed.state)
    assert killed.server.uploads() == [] and killed.server.is_absent()
    gone = killed.run("finish", killed.state, "--json", code=GONE)
    assert gone.event("error")["outcome"] == "gone"
    killed.run("resume", killed.state, "-", data=BIG_STREAM, code=GONE)


def test_a_foreign_object_is_never_success(killed):
    killed.run("abort", killed.state)
    killed.run("write", "-", URL, data=ipc_stream(SMALL))
    killed.run("finish", killed.state, code=GONE)
    assert killed.server.table().equals(SMALL)


def test_the_state_leads_back_without_any_option(killed):
    """Endpoint, region and bucket are in the state; only credentials are the environment's."""
    env = killed.env | {"AWS_ENDPOINT_URL": "http://elsewhere.test", "AWS_REGION": "eu-west-1"}
    run("finish", killed.state, env=env)
    assert killed.server.table().num_rows == 60_000


def test_another_store_is_refused_and_retarget_says_so(killed, fault_server):
    other = fault_server()
    refused = killed.run("finish", killed.state, "--endpoint", other.endpoint, code=None)
    assert "--endpoint" in refused.err and "--retarget" in refused.err
    # The upload is not there: gone, but only because it was asked to look there.
    killed.run("finish", killed.state, "--endpoint", other.endpoint, "--retarget", URL, code=GONE)
    killed.run("finish", killed.state, "--endpoint", killed.server.endpoint, "--retarget", URL)


def test_if_exists_fail(fault_server, at):
    server = fault_server()
    write = ["write", "-", URL, "--if-exists", "fail"]
    run(*write, data=ipc_stream(SMALL), env=server.env())
    run(*write, data=ipc_stream(SMALL), env=server.env(), code=PRECONDITION)
    assert server.counts() == {"HeadObject": 3, PUT: 1}


@pytest.mark.parametrize("extra, commits", [([], PUT), (["--small-files", "upload"], COMPLETE)])
def test_an_object_that_appears_before_the_commit(fault_server, at, extra, commits):
    """Where conditions are ignored the key is looked at; that this is not atomic is why --require-atomic refuses."""
    server = fault_server(rules={"put_conditions": "ignored", "complete_conditions": "ignored"})
    run("write", "-", URL, "--if-exists", "fail", *extra, "--no-commit", "--pending", at.pending,
        data=ipc_stream(SMALL), env=server.env())
    server.client().put_object(Bucket="bucket", Key="k.parquet", Body=b"theirs")
    run("commit", at.pending, env=server.env(), code=PRECONDITION)
    assert server.client().get_object(Bucket="bucket", Key="k.parquet")["Body"].read() == b"theirs"
    atomic = run("write", "-", "s3://bucket/new", "--if-exists", "fail", "--require-atomic", data=ipc_stream(SMALL),
                 env=server.env(), code=INVALID)
    assert "--require-atomic" in atomic.err
    assert server.is_absent("new")
    assert server.counts()[commits] == (1 if commits == PUT else 0)  # that one is boto3's


def test_require_atomic_needs_its_policy(at):
    refused = run("write", "-", at.target, "--require-atomic", data=ipc_stream(SMALL), code=2)
    assert "--if-exists" in refused.err
    run("write", "-", at.target, "--require-atomic", "--if-exists", "fail", data=ipc_stream(SMALL))
    run("write", "-", at.target, "--require-atomic", "--if-exists", "fail", data=ipc_stream(SMALL), code=PRECONDITION)


def test_whoever_may_only_write_can(fault_server, at):
    server = fault_server(rules={"denied": ["GetObject", "HeadObject", "ListParts", "ListMultipartUploads",
                                            "ListObjectsV2"]})
    env = server.env()
    run("write", "-", URL, *PARTS, *EVERY, "--state", at.state, "--no-commit", "--pending", at.pending,
        data=BIG_STREAM, env=env)
    run("commit", at.pending, env=env)
    unknown = run("commit", at.pending, "--json", env=env, code=UNKNOWN)
    assert unknown.event("error")["outcome"] == "unknown" and "HeadObject" in unknown.err
    run("write", "-", "s3://bucket/other.parquet", *PARTS, *EVERY, "--state", at.state, "--force", "--no-commit",
        "--pending", at.pending, data=BIG_STREAM, env=env)
    run("abort", at.pending, env=env)
    assert "HeadObject" in run("inspect", URL, env=env, code=DENIED).err


def test_inspect_of_a_state_tells_where_and_what(fault_server, at):
    server = fault_server()
    given = ["--storage-class", "STANDARD_IA", "--tag", "team=a", "--object-metadata", "owner=me", "--sse", "s3"]
    run("write", "-", URL, *PARTS, *EVERY, *given, "--state", at.state, "--no-commit", "--pending", at.pending,
        data=BIG_STREAM, env=server.env())
    for path in (at.state, at.pending):
        text = run("inspect", path).out
        for word in (URL, "bucket", server.endpoint, "us-east-1", "path", "STANDARD_IA", "team=a", "owner=me",
                     "crc64nvme"):
            assert word in text, word
        line = run("inspect", path, "--json").out
        assert line.count("\n") == 1
        found = json.loads(line)
        assert found["target"] == {"kind": "s3", "endpoint": server.endpoint, "region": "us-east-1",
                                   "addressing": "path", "bucket": "bucket", "key": "k.parquet"}
        assert found["object"]["tags"] == {"team": "a"} and found["object"]["sse"] == "s3"
        assert all(part["etag"] and part["checksum"] for part in found["parts"]) and found["parts"]
        assert SECRET not in text + line and SECRET.encode() not in path.read_bytes()
    assert run("inspect", at.state).out.count(found["parts"][0]["etag"]) == 1


RGW = {
    "leaves_strays_out": False, "checksums": "ignored", "complete_conditions": "ignored", "empty_complete_etag": True,
    "complete_twice_is_ok": True, "missing_upload_code": "NoSuchKey",
    "reply_headers": {"x-amz-request-id": "tx00000a1b2c3d4e5f60708-0065f1a2b3-1a2b-default"},
}


# Sizes by part number, and how many whole parts become filler, beside the padding of the last part of rows.
@pytest.mark.parametrize("strays, whole_parts", [({}, None), ({2: MIB}, None), ({5: MIB}, 0),
                                                 ({3: 5 * MIB, 6: 5 * MIB}, 1), ({2: MIB, 3: MIB, 4: MIB, 9: MIB}, 2)])
def test_inspect_shows_the_filler_around_stray_parts(fault_server, live, at, strays, whole_parts):
    """Parts of a lost process that the store refuses to leave out; see docs/guide/s3.md."""
    server = fault_server(rules=RGW)
    writer = live("write", "-", URL, "--state", at.state, *EVERY, *PARTS, env=server.env())
    writer.send(ipc_stream(BIG.slice(0, 45_000), 5000, end=False))
    writer.wait_for("checkpoint", 2)
    writer.end(KILL)
    state = json.loads(run("inspect", at.state, "--json").out)
    assert len(state["parts"]) == 1
    for number, size in strays.items():
        server.client().upload_part(Bucket="bucket", Key="k.parquet", UploadId=state["upload_id"], PartNumber=number,
                                    Body=b"s" * size)
    run("finish", at.state, env=server.env())
    assert server.table().equals(BIG.slice(0, 40_000))
    found = json.loads(run("inspect", URL, "--json", env=server.env()).out)
    text = run("inspect", URL, env=server.env()).out
    total = sum(one["size_bytes"] for one in found["filler"])
    if whole_parts is None:
        assert found["filler"] == [] and "filler" not in text
        return
    assert whole_parts * 5 * MIB < total < (whole_parts + 1) * 5 * MIB
    assert f"{total:,} bytes that nothing points to" in text
    body = server.client().get_object(Bucket="bucket", Key="k.parquet")["Body"].read()
    for one in found["filler"]:
        assert set(body[one["offset_bytes"]:one["offset_bytes"] + one["size_bytes"]]) <= set(b"\0s")


def test_files_of_others_have_no_filler(fault_server, at):
    server = fault_server()
    run("write", "-", at.target, data=ipc_stream(SMALL))
    server.client().put_object(Bucket="bucket", Key="k.parquet", Body=at.target.read_bytes())
    found = json.loads(run("inspect", URL, "--json", env=server.env()).out)
    assert found["filler"] == [] and found["rows"] == SMALL.num_rows and found["write_id"] == ""
    server.client().put_object(Bucket="bucket", Key="text", Body=b"no Parquet")
    run("inspect", "s3://bucket/text", env=server.env(), code=INVALID)
    absent = run("inspect", "s3://bucket/absent", env=server.env(), code=None)
    assert absent.code not in (OK, INVALID) and "absent" in absent.err


def test_states_in_a_store_are_shown_too(fault_server, killed):
    killed.server.client().put_object(Bucket="bucket", Key="x.state", Body=killed.state.read_bytes())
    found = json.loads(killed.run("inspect", "s3://bucket/x.state", "--json").out)
    assert found["kind"] == "state" and found["rows"] == 60_000


@pytest.mark.parametrize("url", ["s3a://bucket/a%20b/p=1/x+y%2Bz.parquet",
                                 "s3::{endpoint}/bucket/a%20b/p=1/x+y%2Bz.parquet"])
def test_forms_of_urls(fault_server, url):
    server = fault_server()
    env = server.env() if url.startswith("s3a") else server.env(AWS_ENDPOINT_URL=None)
    run("write", "-", url.format(endpoint=server.endpoint), data=ipc_stream(SMALL), env=env)
    assert server.table("a b/p=1/x+y+z.parquet").equals(SMALL)


def test_stopped_without_a_state_nothing_is_left(fault_server, live):
    server = fault_server()
    writer = live("write", "-", URL, *PARTS, env=server.env())
    writer.send(ipc_stream(wide_table(60_000), 5000, end=False))
    writer.wait_for("opened")
    assert writer.end(15).code == 16
    assert server.uploads() == [] and server.is_absent()


def test_a_profile_of_the_store_is_believed(fault_server, at):
    """What doctor found: conditions are honoured, which is not taken for granted of a store like this one."""
    server, other = fault_server(), fault_server()
    profile = at.folder / "profile.json"
    run("doctor", "s3://bucket/probe/", "--quick", "--profile-out", profile, env=server.env())
    atomic = ["write", "-", URL, "--if-exists", "fail", "--require-atomic"]
    refused = run(*atomic, data=ipc_stream(SMALL), env=server.env(), code=INVALID)
    assert "--store-profile" in refused.err
    run(*atomic, "--store-profile", profile, data=ipc_stream(SMALL), env=server.env())
    run(*atomic, "--store-profile", profile, data=ipc_stream(SMALL), env=server.env(), code=PRECONDITION)
    elsewhere = run(*atomic, "--store-profile", profile, data=ipc_stream(SMALL), env=other.env(), code=INVALID)
    assert other.endpoint in elsewhere.err
    assert "--store-profile" in run(*atomic, "--store-profile", at.folder / "none", env=server.env(), code=2).err


def test_demo_on_a_store(fault_server, at):
    server = fault_server()
    csv = at.folder / "in.csv"
    csv.write_text("a,b\n" + "".join(f"{i},{i * 7919 % 10007}\n" for i in range(5000)))
    shown = run("demo", "--csv", csv, "--dir", at.folder / "d", "--url", URL, "--checkpoint-every", "1000rows",
                "--region", "us-east-1", env=server.env())
    assert "all 5,000 rows are there" in shown.out and "--region us-east-1" in shown.out
    assert server.table().num_rows == 5000 and server.uploads() == []
    assert SECRET not in shown.out + shown.err
