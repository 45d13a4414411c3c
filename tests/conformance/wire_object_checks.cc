// Whole objects: ranges, conditions, and what an object is given.
#include <utility>

#include "tests/conformance/wire_checks.h"

namespace tailrace {
namespace {

std::string Range(S3Wire& wire, const std::string& range) {
  const std::string key = wire.NewKey();
  wire.Put(key, "0123456789");
  HttpRequest request = GetObjectRequest(wire.settings, key, 0, 1, "");
  request.headers.Set("Range", "bytes=" + range);
  const HttpResponse answer = wire.Send(request);
  if (answer.status != 206 && answer.status != 200) return S3Wire::WordsOf(answer);
  return std::to_string(answer.status) + " " + answer.body;
}

std::string PutIf(S3Wire& wire, const PutCondition& condition) {
  const std::string key = wire.NewKey();
  wire.Put(key, "there");
  return wire.Ask(wire.PutRequest(key, "new", condition));
}

std::string PutIfMatch(S3Wire& wire) {
  const std::string key = wire.NewKey();
  wire.Put(key, "there");
  return wire.Ask(wire.PutRequest(key, "new", {.if_match_etag = wire.Head(key).headers.Get("ETag").value_or("")}));
}

// Of an upload with what `give` sets, the words of its creation, then what `look` sees of the object.
std::string Given(S3Wire& wire, const std::function<void(ObjectOptions*)>& give,
                  const std::function<std::string(const std::string& key)>& look) {
  give(&wire.settings.object);
  const std::string key = wire.NewKey();
  const HttpResponse created =
      wire.Send(CreateUploadRequest(wire.settings, key, {"019b76da-a800-7000-8000-00000000cafe"}));
  if (created.status != 200) return S3Wire::WordsOf(created);
  WireUpload upload{.key = key, .id = ParseCreateReply(created.body).ValueOrDie()};
  upload.parts = {wire.PutPart(upload, 1, 5)};
  const std::string words = wire.Complete(upload);
  return words == "200" ? look(key) : "completing: " + words;
}

std::string HeaderGiven(S3Wire& wire, const std::function<void(ObjectOptions*)>& give, const std::string& header) {
  return Given(wire, give, [&](const std::string& key) { return wire.Head(key).headers.Get(header).value_or("lost"); });
}

std::string Tags(S3Wire& wire) {
  return Given(
      wire, [](ObjectOptions* object) { object->tags = {{"team", "a b"}}; },
      [&](const std::string& key) {
        HttpRequest request = HeadObjectRequest(wire.settings, key);
        request.method = "GET";
        request.headers = {};
        request.url.query = "tagging=";
        const HttpResponse answer = wire.Send(request);
        if (answer.status != 200) return "reading: " + S3Wire::WordsOf(answer);
        return std::string(answer.body.find("<Value>a b</Value>") == answer.body.npos ? "lost" : "kept");
      });
}

std::string RequestIds(S3Wire& wire) {
  const HttpHeaders headers = wire.Head(wire.NewKey()).headers;
  std::string ids;
  for (const char* name : {"x-amz-request-id", "x-amz-id-2"}) {
    if (headers.Get(name)) ids += (ids.empty() ? "" : " ") + std::string(name);
  }
  return ids.empty() ? "none" : ids;
}

}  // namespace

std::vector<WireCheck> ObjectChecks() {
  const auto range = [](std::string text) { return [text](S3Wire& wire) { return Range(wire, text); }; };
  const auto put_if = [](PutCondition condition) { return [=](S3Wire& wire) { return PutIf(wire, condition); }; };
  const auto given = [](std::function<void(ObjectOptions*)> give, std::string header) {
    return [=](S3Wire& wire) { return HeaderGiven(wire, give, header); };
  };
  return {
      {"range: 2-4", "206 234", range("2-4")},
      {"range: 7-", "206 789", range("7-")},
      {"range: last 3", "206 789", range("-3")},
      {"range: last 5,000", "206 0123456789", range("-5000")},
      {"range: 7-5000", "206 789", range("7-5000")},
      {"range: 10-", "416 InvalidRange", range("10-")},
      {"put: If-None-Match where an object is", "412 PreconditionFailed", put_if({.if_absent = true})},
      {"put: If-Match, right", "200", PutIfMatch},
      {"put: If-Match, wrong", "412 PreconditionFailed",
       put_if({.if_match_etag = "\"0123456789abcdef0123456789abcdef\""})},
      {"given: content type", "application/vnd.apache.parquet",
       given([](ObjectOptions* o) { o->content_type = "application/vnd.apache.parquet"; }, "Content-Type")},
      {"given: metadata", "a=b; c",
       given([](ObjectOptions* o) { o->metadata = {{"note", "a=b; c"}}; }, "x-amz-meta-note")},
      {"given: write id", "019b76da-a800-7000-8000-00000000cafe",
       given([](ObjectOptions*) {}, std::string(kWriteIdHeader))},
      {"given: SSE-S3", "AES256",
       given([](ObjectOptions* o) { o->encryption = S3EncryptionKind::kSseS3; }, "x-amz-server-side-encryption")},
      {"given: storage class STANDARD_IA", "STANDARD_IA",
       given([](ObjectOptions* o) { o->storage_class = "STANDARD_IA"; }, "x-amz-storage-class")},
      {"given: tags", "kept", Tags},
      {"head: ids of requests", "x-amz-request-id x-amz-id-2", RequestIds},
  };
}

}  // namespace tailrace
