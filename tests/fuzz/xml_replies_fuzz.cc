// Bodies of S3's answers. Each goes through every parser, as a confused server may send any of them.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "store/s3/s3_replies.h"
#include "tests/fuzz/fuzz_check.h"

namespace tailrace {
namespace {

void CheckPages(std::string_view body) {
  for (S3Checksum kind : {S3Checksum::kNone, S3Checksum::kSha256, S3Checksum::kCrc64Nvme}) {
    const auto parts = ParsePartsPage(body, kind);
    if (!parts.ok()) continue;
    FuzzCheck(parts->next_after >= 0, "markers are not negative");
    for (const ListedPart& part : parts->parts) {
      FuzzCheck(part.number >= 1 && part.size_bytes >= 0, "a part has a number and a size");
      FuzzCheck(kind != S3Checksum::kNone || part.checksum.empty(), "no checksum without a kind");
    }
  }
  if (const auto uploads = ParseUploadsPage(body); uploads.ok()) {
    for (const UploadSummary& upload : uploads->uploads) {
      FuzzCheck(!upload.key.empty() && !upload.id.text.empty(), "an upload has a key and an id");
    }
  }
  if (const auto objects = ParseObjectsPage(body); objects.ok()) {
    for (const ListedObject& object : objects->objects) {
      FuzzCheck(!object.key.empty() && object.size_bytes >= 0, "an object has a key and a size");
    }
  }
}

void Check(std::string_view body) {
  CheckPages(body);
  const auto error = ParseErrorBody(body);
  FuzzCheck(!error || !error->part_number || *error->part_number >= 0, "part numbers are not negative");
  const auto created = ParseCreateReply(body);
  FuzzCheck(!created.ok() || !created->text.empty(), "an upload has an id");
  const auto copied = ParseCopyPartReply(body);
  FuzzCheck(!copied.ok() || !copied->etag.empty(), "a copied part has a tag");
  const auto completed = ParseCompleteReply(body);
  FuzzCheck(!(completed.ok() && error), "one document is not both a success and an error");
  FuzzCheck(!completed.ok() || !created.ok(), "one document is not two answers");
  if (const auto deleted = ParseDeleteReply(body); deleted.ok()) FuzzCheck(!error, "a DeleteResult is no error");
  for (const Status& status : {created.status(), copied.status(), completed.status()}) {
    FuzzCheck(status.message().size() < 200, "messages repeat nothing of the body");
  }
}

}  // namespace
}  // namespace tailrace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  tailrace::Check({reinterpret_cast<const char*>(data), size});
  return 0;
}
