// Uploads that unfinished writes left open: found, matched with the states that know them, and dropped.
//
//   // What lies under "landing/", and is older than a week and not known to any of our states, goes.
//   ARROW_ASSIGN_OR_RAISE(auto uploads, tailrace::ListOpenUploads(store, "landing", {.claims = claims}));
//   const tailrace::SweepOptions options{.older_than = std::chrono::hours(24 * 7)};
//   for (const tailrace::OpenUpload& upload : uploads) {
//     if (tailrace::JudgeUpload(upload, options) != tailrace::SweepVerdict::kAbort) continue;
//     ARROW_RETURN_NOT_OK(tailrace::AbortOpenUpload(store, upload));
//   }
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <arrow/result.h>

#include "tailrace/state.h"
#include "tailrace/store.h"

namespace tailrace {

class Clock;

// What a state or pending commit says of its upload. A plain value.
struct UploadClaim {
  std::string name;  // for people: the file it was read from
  UploadId upload_id;
  WriteId write_id;
  int64_t rows = 0;
};
UploadClaim ClaimOf(const WriterState& state, std::string name);
UploadClaim ClaimOf(const PendingCommit& pending, std::string name);

// One upload that is neither completed nor aborted.
struct OpenUpload {
  UploadSummary summary;
  // What is stored of it; nullopt where nobody asked or the store does not tell.
  std::optional<int64_t> parts;
  std::optional<int64_t> stored_bytes;
  // Of those that know it, the one with most rows. By `finishable` it names this very upload, else another one of the
  // same write: an upload whose creation was answered into the void.
  std::optional<UploadClaim> claim;
  bool finishable = false;
};

struct ListUploadsOptions {
  // What is known of uploads.
  std::vector<UploadClaim> claims;
  // Ask for the parts of each upload: one request more for each, or a few. Local uploads tell their size anyway.
  bool sizes = false;
};

// As OpenStore, of a place that is no object: a bucket, a folder, the start of keys. `key` is the prefix; it may be
// empty.
Result<StoreAndKey> OpenPrefix(const std::string& url, const StoreOptions& options = {});

// Is `key` the key `prefix`, or in the folder of that name? "a/b" holds "a/b" and "a/b/c", not "a/bc"; "a/b/" not
// "a/b";
// "" holds everything.
bool KeyIsAtOrUnder(const std::string& key, const std::string& prefix);

// The open uploads at or under `prefix`, on whole path segments, by key and age, all pages. Of local files those of the
// folder and the folders in it, links not followed; nothing is locked or changed. kDenied, naming the missing right,
// and what else the store's listing fails with. Thread-safe.
Result<std::vector<OpenUpload>> ListOpenUploads(MultipartStore* store, const std::string& prefix,
                                                const ListUploadsOptions& options = {});

struct SweepOptions {
  // Since the upload was created. Longer than any write takes: on stores other than local files nobody can tell a dead
  // writer from a slow one.
  std::chrono::milliseconds older_than = std::chrono::hours(24 * 7);
  // Only uploads that this one made, as UploadSummary::initiator has it. nullopt: anybody's.
  std::optional<std::string> initiator;
  // For tests; nullptr is the system's.
  Clock* clock = nullptr;
};

enum class SweepVerdict {
  kAbort,
  kClaimed,         // a state needs it, or may
  kTooYoung,        // or its age is not known
  kOtherInitiator,  // or it is not known who made it
};
// Pure but for the clock. Never kAbort for an upload with a claim.
SweepVerdict JudgeUpload(const OpenUpload& upload, const SweepOptions& options = {});

// Drops the upload whatever anybody knows of it; the states that know it are void then. OK where it is gone already.
// kWriterAlive for a local one that a living process holds: nothing is touched. kDenied and others. Thread-safe.
Status AbortOpenUpload(MultipartStore* store, const OpenUpload& upload);

}  // namespace tailrace
