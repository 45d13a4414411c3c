#include "settle/identity.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/clock.h"
#include "encode/object_footer.h"

namespace tailrace {

using std::chrono::milliseconds;

namespace {

enum class Origin { kThisWrite, kAnotherWrite, kUntold };

Origin OriginOf(const ObjectMeta& meta, const ExpectedObject& expected) {
  if (!meta.write_id.empty()) {
    return meta.write_id == expected.write_id.text ? Origin::kThisWrite : Origin::kAnotherWrite;
  }
  if (meta.from_upload.empty()) return expected.may_be_made_now ? Origin::kUntold : Origin::kAnotherWrite;
  // A file system without extended attributes still knows which hidden file the object was.
  return expected.upload_id.text.ends_with(meta.from_upload) ? Origin::kThisWrite : Origin::kAnotherWrite;
}

std::string_view Unquoted(std::string_view etag) {
  const bool quoted = etag.size() >= 2 && etag.front() == '"' && etag.back() == '"';
  return quoted ? etag.substr(1, etag.size() - 2) : etag;
}

bool EtagProves(const ObjectMeta& meta, const ExpectedObject& expected) {
  return !expected.etag.empty() && Unquoted(meta.etag) == Unquoted(expected.etag);
}

bool ChecksumProves(const ObjectMeta& meta, const ExpectedObject& expected) {
  return meta.crc64 && expected.crc64 && expected.size_bytes && *meta.crc64 == *expected.crc64 &&
         meta.size_bytes == *expected.size_bytes;
}

SeenObject Unreadable(const Status& why, const std::string& what) {
  return {.sighting = Sighting::kUnreadable, .why = WithContext(why, what)};
}

Result<ContentId> ReadContent(ObjectStore* store, const std::string& key, const ObjectMeta& meta) {
  ARROW_ASSIGN_OR_RAISE(const std::string footer, ReadObjectFooter(store, key, meta));
  return ReadContentId(footer);
}

// Waits between looks at a key under which nothing of ours was found. Stores may show an object seconds after its
// Complete, and a Complete whose answer was lost may still be at work.
constexpr std::array<milliseconds, 5> kLookAgain = {milliseconds(200), milliseconds(500), milliseconds(1000),
                                                    milliseconds(2000), milliseconds(5000)};

}  // namespace

SeenObject LookAtObject(ObjectStore* store, const std::string& key, const ExpectedObject& expected) {
  SeenObject seen;
  Result<ObjectMeta> head = store->Head(key);
  if (!head.ok()) {
    if (KindOf(head.status()) == ErrorKind::kNotFound) return seen;
    return Unreadable(head.status(), "reading the metadata of '" + key + "'");
  }
  seen.meta = *std::move(head);
  const Origin origin = OriginOf(seen.meta, expected);
  if (origin == Origin::kAnotherWrite) {
    seen.sighting = Sighting::kForeign;
    return seen;
  }
  if (EtagProves(seen.meta, expected) || ChecksumProves(seen.meta, expected)) {
    seen.content = expected.content;
    seen.sighting = Sighting::kOurs;
    return seen;
  }
  Result<ContentId> content = ReadContent(store, key, seen.meta);
  if (!content.ok()) {
    // What is no file of this library and bears no name of ours is somebody else's.
    if (origin == Origin::kThisWrite || KindOf(content.status()) != ErrorKind::kInvalid) {
      return Unreadable(content.status(), "reading the footer of '" + key + "'");
    }
    seen.sighting = Sighting::kForeign;
    return seen;
  }
  seen.content = *std::move(content);
  const Sighting otherwise = origin == Origin::kThisWrite ? Sighting::kOtherContent : Sighting::kForeign;
  seen.sighting = seen.content.SameContent(expected.content) ? Sighting::kOurs : otherwise;
  return seen;
}

Status FencedBy(const SeenObject& seen, const std::string& key) {
  auto detail = std::make_shared<ErrorDetail>(ErrorKind::kFenced);
  detail->rows = seen.content.rows;
  return MakeError(std::move(detail), "'" + key + "' was finished elsewhere at row " +
                                          std::to_string(seen.content.rows) + " by another process of the same write");
}

Result<ObjectMeta> SettleGone(ObjectStore* store, const std::string& key, const ExpectedObject& expected,
                              const SettleRules& rules) {
  const auto deadline = rules.clock->Steady() + rules.settle_timeout;
  for (size_t looks = 0;; ++looks) {
    const SeenObject seen = LookAtObject(store, key, expected);
    switch (seen.sighting) {
      case Sighting::kOurs:
        ARROW_RETURN_NOT_OK(store->SyncObject(key));
        return seen.meta;
      case Sighting::kOtherContent:
        return FencedBy(seen, key);
      case Sighting::kUnreadable:
        return MakeError(ErrorKind::kOutcomeUnknown,
                         "the upload is gone and the object cannot be examined: " + seen.why.message());
      case Sighting::kAbsent:
      case Sighting::kForeign:
        break;
    }
    const milliseconds wait = kLookAgain[std::min(looks, kLookAgain.size() - 1)];
    const bool may_turn_up = rules.answer_lost ? rules.clock->Steady() + wait <= deadline
                                               : seen.sighting == Sighting::kAbsent &&
                                                     !store->limits().reads_settle_at_once && looks < kLookAgain.size();
    if (!may_turn_up) break;
    rules.clock->SleepFor(wait);
  }
  return MakeError(ErrorKind::kUploadGone,
                   "the upload of '" + key + "' (" + expected.upload_id.text +
                       ") is gone and no object of this write is under the key: it expired or was aborted, or it was "
                       "committed and the object has been replaced or deleted since");
}

}  // namespace tailrace
