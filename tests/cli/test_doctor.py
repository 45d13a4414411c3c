"""`tailrace doctor`: report, exit codes, the profile in the hands of a writer, and that nothing is left behind."""

import json

from conftest import INVALID, NOT_FOUND, RETRY, USAGE, ipc_stream, run
from s3_child import PARTS, SECRET, SMALL, fault_server  # noqa: F401

STORE_UNFIT = 19
URL = "s3://bucket/landing/"


def findings(result):
    return {one["name"]: one["answer"] for one in json.loads(result.out)["findings"]}


def keys_left(server):
    client = server.client()
    uploads = client.list_multipart_uploads(Bucket="bucket").get("Uploads", [])
    objects = client.list_objects_v2(Bucket="bucket").get("Contents", [])
    return [one["Key"] for one in [*uploads, *objects]]


def test_a_table_for_people(fault_server):
    server = fault_server(rules={"leaves_strays_out": False})
    result = run("doctor", URL, "--quick", env=server.env())
    lines = result.out.splitlines()
    assert lines[0] == URL
    assert any(line.startswith(". strays ") and "refused" in line and "laid out around" in line for line in lines)
    assert any(line.startswith("  upload ") and "works" in line for line in lines)
    assert any(line.startswith("? equal-parts ") and "not asked" in line for line in lines)
    assert lines[-2:] == ["Nothing was left behind.", "A writer can work here."]
    assert SECRET not in result.out + result.err
    assert keys_left(server) == []


def test_one_json_object(fault_server):
    result = run("doctor", URL, "--quick", "--json", env=fault_server().env())
    report = json.loads(result.out)
    assert (report["kind"], report["url"], report["can_write"]) == ("doctor", URL, True)
    assert report["leftovers"] == []
    assert 0 < report["sent_bytes"] < 100_000
    assert all({"name", "answer", "verdict", "meaning"} <= set(one) for one in report["findings"])


def test_a_full_run_asks_for_equal_parts(fault_server):
    server = fault_server(rules={"equal_parts": True})
    result = run("doctor", URL, "--json", env=server.env())
    assert findings(result)["equal-parts"] == "needed"
    assert json.loads(result.out)["sent_bytes"] < 16 << 20
    assert keys_left(server) == []


def test_a_writer_loads_the_profile(fault_server, at):
    profile = at.folder / "store.json"
    server = fault_server(rules={"max_parts": 1000, "leaves_strays_out": False})
    run("doctor", URL, "--quick", "--profile-out", profile, env=server.env())
    told = json.loads(profile.read_text())
    assert told["target"] == {"kind": "s3", "endpoint": server.endpoint, "bucket": "bucket"}
    assert told["limits"]["max_parts"] == 1000
    assert told["limits"]["stray_parts"] == "refused"
    assert told["checksum"] == "crc64nvme"
    run("write", "-", URL + "x", "--store-profile", profile, *PARTS, data=ipc_stream(SMALL), env=server.env())

    other = fault_server()
    refused = run("write", "-", URL + "x", "--store-profile", profile, data=ipc_stream(SMALL), env=other.env(),
                  code=None)
    assert refused.code in (USAGE, INVALID)
    assert other.endpoint in refused.err and server.endpoint in refused.err


def test_damaged_profiles_are_refused_by_name(fault_server, at):
    profile = at.folder / "store.json"
    server = fault_server()
    run("doctor", URL, "--quick", "--profile-out", profile, env=server.env())
    good = profile.read_text()
    for text in (good[:100], "PAR1", good.replace('"max_parts": 10000', '"max_parts": 0'), "{}"):
        profile.write_text(text)
        refused = run("write", "-", URL + "x", "--store-profile", profile, data=b"", env=server.env(), code=None)
        assert refused.code in (USAGE, INVALID)
        assert "--store-profile" in refused.err and str(profile) in refused.err
    profile.write_text(good.replace('"version": 1', '"version": 2'))
    newer = run("write", "-", URL + "x", "--store-profile", profile, data=b"", env=server.env(), code=None)
    assert "newer" in newer.err


def test_no_write_can_work(fault_server):
    denied = fault_server(rules={"denied": ["CreateMultipartUpload", "PutObject"]})
    result = run("doctor", URL, "--json", env=denied.env(), code=STORE_UNFIT)
    assert findings(result)["upload"] == "denied"
    assert not json.loads(result.out)["can_write"]
    result = run("doctor", "s3://absent/", env=fault_server().env(), code=STORE_UNFIT)
    assert "NoSuchBucket" in result.out
    assert result.out.endswith("A writer cannot work here.\n")


def test_what_cannot_be_removed_is_named(fault_server):
    server = fault_server(rules={"denied": ["DeleteObject", "AbortMultipartUpload"]})
    result = run("doctor", URL, "--quick", env=server.env())
    left = keys_left(server)
    assert left and all(key.startswith("landing/tailrace-doctor-") for key in left)
    assert len(set(left)) == 1
    assert result.out.count("Left behind: ") == len(left)


def test_a_store_that_does_not_answer(fault_server):
    server = fault_server()
    env = server.env()
    server.stop()
    result = run("doctor", URL, "--max-attempts", "1", env=env, code=RETRY)
    assert "does not answer" in result.err


def test_a_folder(at):
    result = run("doctor", at.folder, "--json")
    answers = findings(result)
    assert answers["write"] == answers["locks"].replace("work", "works") == "works"
    assert list(at.folder.iterdir()) == []
    profile = at.folder / "p.json"
    run("doctor", f"file://{at.folder}/", "--profile-out", profile)
    run("write", "-", at.target, "--store-profile", profile, data=ipc_stream(SMALL))
    run("doctor", at.folder / "none", code=NOT_FOUND)
    run("doctor", profile, code=INVALID)


def test_a_folder_that_may_not_be_written(at, unprivileged):
    at.folder.chmod(0o555)
    try:
        result = run("doctor", at.folder, code=STORE_UNFIT, prefix=unprivileged)
    finally:
        at.folder.chmod(0o755)
    assert any(line.startswith("X hidden-folder") for line in result.out.splitlines())


def test_options_that_would_do_nothing_are_refused(fault_server, at):
    run("doctor", at.folder, "--region", "eu-west-1", code=USAGE)
    profile = at.folder / "p.json"
    run("doctor", at.folder, "--profile-out", profile)
    run("doctor", at.folder, "--store-profile", profile, code=USAGE)
    run("doctor", at.folder, "--profile-out", "s3://bucket/p.json", code=USAGE)
