// What servers make of checksums, right and wrong.
#include <utility>

#include "base/base64.h"
#include "store/s3/s3_checksum.h"
#include "tests/conformance/wire_checks.h"

namespace tailrace {
namespace {

// Begins an upload of two parts declared with this kind.
WireUpload BeginWith(S3Wire& wire, S3Checksum kind) {
  wire.settings.object.checksum = kind;
  return wire.Begin({kWholePart, 5});
}

std::string WrongPart(S3Wire& wire, S3Checksum kind) {
  wire.settings.object.checksum = kind;
  const WireUpload upload = wire.Begin({});
  HttpRequest request = wire.PartRequest(upload, 1, "hello");
  request.headers.Set(NamesOf(kind).header, ChecksumOf(kind, ByteSlices(ByteSlice::Copy("other"))));
  return wire.Ask(request);
}

std::string WrongPut(S3Wire& wire, S3Checksum kind) {
  wire.settings.object.checksum = kind;
  HttpRequest request = wire.PutRequest(wire.NewKey(), "hello");
  request.headers.Set(NamesOf(kind).header, ChecksumOf(kind, ByteSlices(ByteSlice::Copy("other"))));
  return wire.Ask(request);
}

// Which kinds the answers to parts repeat.
std::string Echoed(S3Wire& wire) {
  std::string kinds;
  for (const S3Checksum kind : {S3Checksum::kCrc32, S3Checksum::kCrc32c, S3Checksum::kSha256, S3Checksum::kCrc64Nvme}) {
    wire.settings.object.checksum = kind;
    const WireUpload upload = wire.Begin({});
    const HttpRequest request = wire.PartRequest(upload, 1, "hello");
    const std::string_view header = NamesOf(kind).header;
    if (wire.Send(request).headers.Get(header) != request.headers.Get(header)) continue;
    kinds += (kinds.empty() ? "" : " ") + std::string(NamesOf(kind).algorithm);
  }
  return kinds.empty() ? "none" : kinds;
}

std::string CompleteWith(S3Wire& wire, S3Checksum kind) { return wire.Complete(BeginWith(wire, kind)); }

std::string Composite(S3Wire& wire) {
  const WireUpload upload = BeginWith(wire, S3Checksum::kCrc32c);
  const std::string words = wire.Complete(upload);
  if (words != "200") return words;
  const std::string kept = wire.Head(upload.key).headers.Get("x-amz-checksum-crc32c").value_or("");
  return kept.ends_with("-2") ? "kept" : "lost";
}

std::string FullObject(S3Wire& wire) {
  const WireUpload upload = BeginWith(wire, S3Checksum::kCrc64Nvme);
  const std::string words = wire.Complete(upload);
  if (words != "200") return words;
  return wire.Head(upload.key).headers.Get("x-amz-checksum-crc64nvme") ? "kept" : "lost";
}

std::string WrongFullObject(S3Wire& wire) {
  HttpRequest request = wire.CompleteRequest(BeginWith(wire, S3Checksum::kCrc64Nvme));
  request.headers.Set("x-amz-checksum-crc64nvme", FormatCrc64(1));
  return wire.Ask(request);
}

std::string FullObjectAlone(S3Wire& wire) {
  WireUpload upload = BeginWith(wire, S3Checksum::kCrc64Nvme);
  const std::string whole = wire.CompleteRequest(upload).headers.Get("x-amz-checksum-crc64nvme").value_or("");
  for (PartReceipt& part : upload.parts) part.checksum.clear();
  HttpRequest request = wire.CompleteRequest(upload);
  request.headers.Set("x-amz-checksum-crc64nvme", whole);
  request.headers.Set("x-amz-checksum-type", "FULL_OBJECT");
  return wire.Ask(request);
}

// A body in chunks with its checksum behind it, as newer SDKs send by themselves; tailrace never does.
std::string PutTrailer(S3Wire& wire, const std::string& key, S3Checksum kind, const std::string& checksum_of) {
  const std::string header(NamesOf(kind).header);
  const std::string sum = ChecksumOf(kind, ByteSlices(ByteSlice::Copy(checksum_of)));
  HttpRequest request = wire.PutRequest(key, "5\r\nhello\r\n0\r\n" + header + ":" + sum + "\r\n\r\n");
  request.headers.Set("Content-Encoding", "aws-chunked");
  request.headers.Set("x-amz-decoded-content-length", "5");
  request.headers.Set("x-amz-trailer", header);
  return wire.Ask(request, {.payload_hash = "STREAMING-UNSIGNED-PAYLOAD-TRAILER"});
}

std::string Trailer(S3Wire& wire, S3Checksum kind, const std::string& checksum_of) {
  const std::string key = wire.NewKey();
  const std::string words = PutTrailer(wire, key, kind, checksum_of);
  if (words != "200") return words;
  return wire.Head(key).headers.Get("Content-Length") == "5" ? "200" : "200, framing stored";
}

std::string EncodingOfTrailer(S3Wire& wire) {
  const std::string key = wire.NewKey();
  if (PutTrailer(wire, key, S3Checksum::kCrc64Nvme, "hello") != "200") return "refused";
  const std::string encoding = wire.Head(key).headers.Get("Content-Encoding").value_or("");
  return encoding.empty() ? "none" : encoding;
}

}  // namespace

std::vector<WireCheck> ChecksumChecks() {
  const auto wrong_part = [](S3Checksum kind) { return [kind](S3Wire& wire) { return WrongPart(wire, kind); }; };
  const auto wrong_put = [](S3Checksum kind) { return [kind](S3Wire& wire) { return WrongPut(wire, kind); }; };
  const auto complete = [](S3Checksum kind) { return [kind](S3Wire& wire) { return CompleteWith(wire, kind); }; };
  const auto trailer = [](S3Checksum kind, std::string of) {
    return [kind, of](S3Wire& wire) { return Trailer(wire, kind, of); };
  };
  return {
      {"part: wrong Content-MD5", "400 BadDigest", wrong_part(S3Checksum::kMd5)},
      {"part: wrong CRC32", "400 BadDigest", wrong_part(S3Checksum::kCrc32)},
      {"part: wrong CRC32C", "400 BadDigest", wrong_part(S3Checksum::kCrc32c)},
      {"part: wrong SHA256", "400 BadDigest", wrong_part(S3Checksum::kSha256)},
      {"part: wrong CRC64NVME", "400 BadDigest", wrong_part(S3Checksum::kCrc64Nvme)},
      {"part: echoed checksums", "CRC32 CRC32C SHA256 CRC64NVME", Echoed},
      {"put: wrong Content-MD5", "400 BadDigest", wrong_put(S3Checksum::kMd5)},
      {"put: wrong CRC64NVME", "400 BadDigest", wrong_put(S3Checksum::kCrc64Nvme)},
      {"complete: with CRC32C of its parts", "200", complete(S3Checksum::kCrc32c)},
      {"complete: with CRC64NVME of its parts", "200", complete(S3Checksum::kCrc64Nvme)},
      {"complete: composite CRC32C", "kept", Composite},
      {"complete: full-object CRC64NVME", "kept", FullObject},
      {"complete: wrong full-object CRC64NVME", "400 BadDigest", WrongFullObject},
      {"complete: full-object CRC64NVME without those of parts", "200", FullObjectAlone},
      {"put: trailer with CRC64NVME", "200", trailer(S3Checksum::kCrc64Nvme, "hello")},
      {"put: trailer with CRC32C", "200", trailer(S3Checksum::kCrc32c, "hello")},
      {"put: trailer with a wrong CRC64NVME", "400 BadDigest", trailer(S3Checksum::kCrc64Nvme, "other")},
      {"head: encoding after a trailer", "none", EncodingOfTrailer},
  };
}

}  // namespace tailrace
