// What Complete makes of odd lists and conditions.
#include <utility>

#include "tests/conformance/wire_checks.h"

namespace tailrace {
namespace {

// The request with `from` replaced in its body.
HttpRequest WithBody(HttpRequest request, const std::string& from, const std::string& to) {
  std::string body = request.body.ToString();
  for (size_t at = 0; (at = body.find(from, at)) != body.npos; at += to.size()) body.replace(at, from.size(), to);
  request.body = ByteSlices(ByteSlice::Copy(std::move(body)));
  return request;
}

std::string ResultEtag(S3Wire& wire) {
  const WireUpload upload = wire.Begin({5});
  const HttpResponse answer = wire.Send(wire.CompleteRequest(upload));
  const Result<CompleteReply> reply = ParseCompleteReply(answer.body);
  if (!reply.ok()) return S3Wire::WordsOf(answer);
  if (reply->etag.empty()) return "none";
  return reply->etag == wire.Head(upload.key).headers.Get("ETag") ? "the object's" : "another";
}

std::string EtagWithoutQuotes(S3Wire& wire) {
  return wire.Ask(WithBody(wire.CompleteRequest(wire.Begin({5})), "&quot;", ""));
}

std::string NoEtag(S3Wire& wire) {
  const WireUpload upload = wire.Begin({5});
  const std::string element = "<ETag>" + XmlEscape(upload.parts[0].etag) + "</ETag>";
  return wire.Ask(WithBody(wire.CompleteRequest(upload), element, ""));
}

std::string AnotherEtag(S3Wire& wire) {
  WireUpload upload = wire.Begin({5});
  upload.parts[0].etag = "\"0123456789abcdef0123456789abcdef\"";
  return wire.Complete(upload);
}

std::string OldEtag(S3Wire& wire) {
  const WireUpload upload = wire.Begin({5});
  wire.PutPart(upload, 1, 5, 'z');
  const std::string words = wire.Complete(upload);
  if (words != "200") return words;
  const std::string now = wire.Send(GetObjectRequest(wire.settings, upload.key, 0, 5, "")).body;
  return now == "zzzzz" ? "200, new bytes" : "200, old bytes";
}

std::string AbsentPart(S3Wire& wire) {
  WireUpload upload = wire.Begin({kWholePart});
  upload.parts.push_back(upload.parts[0]);
  upload.parts[1].number = 2;
  return wire.Complete(upload);
}

std::string WrongOrder(S3Wire& wire) {
  WireUpload upload = wire.Begin({kWholePart, kWholePart});
  std::swap(upload.parts[0], upload.parts[1]);
  return wire.Complete(upload);
}

std::string Subset(S3Wire& wire) {
  WireUpload upload = wire.Begin({5, 6});
  upload.parts.pop_back();
  return wire.Complete(upload);
}

std::string SmallPart(S3Wire& wire) { return wire.Complete(wire.Begin({5, 6})); }

std::string Twice(S3Wire& wire) {
  const WireUpload upload = wire.Begin({5});
  wire.Complete(upload);
  return wire.Complete(upload);
}

std::string AfterAbort(S3Wire& wire) {
  const WireUpload upload = wire.Begin({5});
  wire.Abort(upload);
  return wire.Complete(upload);
}

// Somebody else's object under the key, made otherwise.
std::string AfterAbortOverForeign(S3Wire& wire) {
  const WireUpload upload = wire.Begin({5});
  wire.Abort(upload);
  wire.Put(upload.key, "foreign");
  return wire.Complete(upload);
}

std::string IfNoneMatch(S3Wire& wire) {
  const WireUpload upload = wire.Begin({5});
  wire.Put(upload.key, "there");
  return wire.Ask(wire.CompleteRequest(upload, {.if_absent = true}));
}

std::string AfterIfNoneMatch(S3Wire& wire) {
  const WireUpload upload = wire.Begin({5});
  wire.Put(upload.key, "there");
  wire.Send(wire.CompleteRequest(upload, {.if_absent = true}));
  const std::string aborted = wire.Abort(upload);
  return aborted + ", object " + std::to_string(wire.Head(upload.key).status);
}

std::string WrongObjectSize(S3Wire& wire) {
  HttpRequest request = wire.CompleteRequest(wire.Begin({5}));
  request.headers.Add("x-amz-mp-object-size", "6");
  return wire.Ask(request);
}

}  // namespace

std::vector<WireCheck> CompleteChecks() {
  return {
      {"complete: ETag of its result", "the object's", ResultEtag},
      {"complete: ETag without quotes", "200", EtagWithoutQuotes},
      {"complete: no ETag", "400 MalformedXML", NoEtag},
      {"complete: another ETag", "400 InvalidPart", AnotherEtag},
      {"complete: old ETag of a replaced part", "400 InvalidPart", OldEtag},
      {"complete: absent part", "400 InvalidPart", AbsentPart},
      {"complete: wrong order", "400 InvalidPartOrder", WrongOrder},
      {"complete: subset of the parts", "200", Subset},
      {"complete: small part in the middle", "400 EntityTooSmall", SmallPart},
      {"complete: twice", "200", Twice},
      {"complete: after abort", "404 NoSuchUpload", AfterAbort},
      {"complete: after abort, over a foreign object", "404 NoSuchUpload", AfterAbortOverForeign},
      {"complete: If-None-Match where an object is", "412 PreconditionFailed", IfNoneMatch},
      {"complete: abort after a failed condition", "204, object 200", AfterIfNoneMatch},
      {"complete: wrong x-amz-mp-object-size", "400 InvalidRequest", WrongObjectSize},
  };
}

}  // namespace tailrace
