// Is the object under the key ours? The one function that finish, commit, abort and resume decide by.
//
// "Ours" means: the write id matches, and the tag that follows from the parts does, or size and full-object checksum,
// or the footer shows the same rows, row groups and digest. A match proves; a mismatch of tag, size or checksum proves
// nothing and the next is tried. An object without a write id is somebody else's, whatever it holds, unless this very
// call may have made it: some stores lose metadata, and the content decides then.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include <arrow/result.h>

#include "encode/file_tail.h"
#include "tailrace/error.h"
#include "tailrace/object.h"
#include "tailrace/store.h"

namespace tailrace {

class Clock;

struct ExpectedObject {
  WriteId write_id;
  UploadId upload_id;             // empty for a small file
  std::optional<uint64_t> crc64;  // of the whole object, where known
  std::optional<int64_t> size_bytes;
  std::string etag;  // that the store gives the parts of the last Complete; empty where not known
  ContentId content;
  // A request of this call that makes the object was sent, and the answer was lost or proves nothing.
  bool may_be_made_now = false;
};

enum class Sighting {
  kAbsent,
  kForeign,       // an object of another write
  kOurs,          // this write, this content
  kOtherContent,  // this write, other content: finished elsewhere
  kUnreadable,    // a right or an answer is missing to tell; `why` names it
};

struct SeenObject {
  Sighting sighting = Sighting::kAbsent;
  ObjectMeta meta;    // unless kAbsent or kUnreadable
  ContentId content;  // where the footer was read
  Status why;         // for kUnreadable
};

// One look: at most HEAD and two ranged reads.
SeenObject LookAtObject(ObjectStore* store, const std::string& key, const ExpectedObject& expected);

// The error for an object of this write with other content: kFenced with its rows.
Status FencedBy(const SeenObject& seen, const std::string& key);

struct SettleRules {
  // A Complete of this call was sent and its answer did not come: the object may still turn up.
  bool answer_lost = false;
  std::chrono::milliseconds settle_timeout{};
  Clock* clock = nullptr;  // outlives the call
};
// What became of a write whose upload does not exist (any more). OK with the object's facts when it is ours and
// durable; else kFenced, kOutcomeUnknown, or kUploadGone. Looks again while the answer may still change.
Result<ObjectMeta> SettleGone(ObjectStore* store, const std::string& key, const ExpectedObject& expected,
                              const SettleRules& rules);

}  // namespace tailrace
