// What servers make of odd parts, of uploads that are gone, and how they page their lists.
#include <algorithm>
#include <utility>

#include "tests/conformance/wire_checks.h"

namespace tailrace {
namespace {

std::string PutNumber(S3Wire& wire, int number) { return wire.Ask(wire.PartRequest(wire.Begin({}), number, "hello")); }

std::string PutToNoUpload(S3Wire& wire) {
  WireUpload upload = wire.Begin({});
  // Of the form of the server's own.
  std::string& text = upload.id.text;
  std::replace_if(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }, '0');
  return wire.Ask(wire.PartRequest(upload, 1, "hello"));
}

std::string PutAfterAbort(S3Wire& wire) {
  const WireUpload upload = wire.Begin({5});
  wire.Abort(upload);
  return wire.Ask(wire.PartRequest(upload, 2, "hello"));
}

std::string ListAfterAbort(S3Wire& wire) {
  const WireUpload upload = wire.Begin({5});
  wire.Abort(upload);
  return wire.Ask(ListPartsRequest(wire.settings, upload.key, upload.id, 0));
}

std::string AbortTwice(S3Wire& wire) {
  const WireUpload upload = wire.Begin({5});
  const std::string once = wire.Abort(upload);
  return once + ", then " + wire.Abort(upload);
}

std::string Reversed(S3Wire& wire) {
  WireUpload upload = wire.Begin({});
  upload.parts = {{}, wire.PutPart(upload, 2, 6)};
  upload.parts[0] = wire.PutPart(upload, 1, kWholePart + 1);
  return wire.Complete(upload);
}

std::string Copied(S3Wire& wire) {
  const std::string source = wire.NewKey();
  wire.Put(source, "0123456789");
  WireUpload upload = wire.Begin({});
  const HttpResponse answer =
      wire.Send(UploadPartCopyRequest(wire.settings, upload.key, upload.id, 1,
                                      {.bucket = wire.settings.place.bucket, .key = source, .offset = 2, .length = 5}));
  const Result<CopyPartReply> reply = ParseCopyPartReply(answer.body);
  if (!reply.ok()) return S3Wire::WordsOf(answer);
  upload.parts = {{.number = 1, .size_bytes = 5, .etag = reply->etag}};
  const std::string words = wire.Complete(upload);
  if (words != "200") return "completing: " + words;
  return wire.Send(GetObjectRequest(wire.settings, upload.key, 0, 100, "")).body;
}

// The numbers on each page, "1 2, 3 4, 5".
std::string PartPages(S3Wire& wire, std::vector<int64_t> sizes) {
  const WireUpload upload = wire.Begin(sizes);
  std::string pages;
  for (int after = 0, count = 0; count < 9; ++count) {
    HttpRequest request = ListPartsRequest(wire.settings, upload.key, upload.id, after);
    request.url.query = "max-parts=2&" + request.url.query;
    const HttpResponse answer = wire.Send(request);
    const Result<PartsPage> page = ParsePartsPage(answer.body, S3Checksum::kNone);
    if (!page.ok()) return pages + ", then " + S3Wire::WordsOf(answer);
    if (!pages.empty()) pages += ",";
    for (const ListedPart& part : page->parts) pages += (pages.empty() ? "" : " ") + std::to_string(part.number);
    if (!page->truncated || page->next_after <= after) break;
    after = page->next_after;
  }
  return pages;
}

// How many are on each page.
std::string UploadPages(S3Wire& wire) {
  const std::string folder = wire.NewKey() + "/";
  const WireUpload one = wire.Begin({}, folder + "a"), other = wire.Begin({}, folder + "b");
  std::string pages, key, id;
  for (int count = 0; count < 5; ++count) {
    HttpRequest request = ListUploadsRequest(wire.settings, folder, key, id);
    // Where it stands in the alphabet.
    request.url.query.insert(request.url.query.find("prefix="), "max-uploads=1&");
    const HttpResponse answer = wire.Send(request);
    const Result<UploadsPage> page = ParseUploadsPage(answer.body);
    if (!page.ok()) return pages + ", then " + S3Wire::WordsOf(answer);
    pages += (pages.empty() ? "" : ", ") + std::to_string(page->uploads.size());
    if (!page->truncated) break;
    if (page->next_key.empty()) return pages + ", no marker";
    key = page->next_key;
    id = page->next_id;
  }
  wire.Abort(one);
  wire.Abort(other);
  return pages;
}

std::string CreateInNoBucket(S3Wire& wire) {
  S3Settings elsewhere = wire.settings;
  elsewhere.place.bucket = "no-such-bucket-here";
  return wire.Ask(CreateUploadRequest(elsewhere, wire.NewKey(), {"019b76da-a800-7000-8000-00000000cafe"}));
}

std::string HeadOfOnePart(S3Wire& wire) {
  const WireUpload upload = wire.Begin({kWholePart, 5});
  wire.Complete(upload);
  HttpRequest request = HeadObjectRequest(wire.settings, upload.key);
  request.url.query = "partNumber=1";
  const HttpResponse answer = wire.Send(request);
  return S3Wire::WordsOf(answer) + ", parts " + answer.headers.Get("x-amz-mp-parts-count").value_or("not told");
}

}  // namespace

std::vector<WireCheck> PartChecks() {
  const auto number = [](int n) { return [n](S3Wire& wire) { return PutNumber(wire, n); }; };
  return {
      {"part: number 0", "400 InvalidArgument", number(0)},
      {"part: number 1,001", "200", number(1001)},
      {"part: number 10,001", "400 InvalidArgument", number(10001)},
      {"part: unknown upload", "404 NoSuchUpload", PutToNoUpload},
      {"part: after abort", "404 NoSuchUpload", PutAfterAbort},
      {"part: unequal, reversed", "200", Reversed},
      {"part: copied from an object", "23456", Copied},
      {"list: after abort", "404 NoSuchUpload", ListAfterAbort},
      {"list: two a page", "1 2, 3 4, 5", [](S3Wire& wire) { return PartPages(wire, {5, 5, 5, 5, 5}); }},
      {"list uploads: one a page", "1, 1", UploadPages},
      {"abort: twice", "204, then 404 NoSuchUpload", AbortTwice},
      {"create: absent bucket", "404 NoSuchBucket", CreateInNoBucket},
      {"head: partNumber=1", "206, parts 2", HeadOfOnePart},
  };
}

}  // namespace tailrace
