// Stores: where objects live, and uploads, the invisible objects that are being written.
//
// Implementations: local files (section 4 of docs/design), memory (tests), S3 (issue 4). Decorators wrap both
// interfaces below. All functions block; none retries. Every error has a kind (error.h).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <arrow/result.h>

#include "tailrace/error.h"
#include "tailrace/object.h"
#include "tailrace/object_options.h"
#include "tailrace/s3_options.h"
#include "tailrace/store_limits.h"
#include "tailrace/store_profile.h"

namespace tailrace {

using arrow::Result;

// One open upload: the right to put parts into it, complete it or abort it. On the local store it holds the
// exclusive lock of the upload's file from creation to destruction, so that no other process writes; elsewhere
// it is only the id. Destruction neither completes nor aborts.
//
// Thread-safe: PutPart may run in several threads for different numbers; the rest is called by one thread
// while no part is being put.
class Upload {
 public:
  virtual ~Upload() = default;

  virtual const UploadId& id() const = 0;

  // Safe to repeat: the same number replaces the part. Kinds: kUploadGone, kNoSpace, kDenied, kTransient, ...
  virtual Result<PartReceipt> PutPart(const Part& part) = 0;

  // After it returns, all stored parts and the upload itself survive loss of power.
  virtual Status Sync() = 0;

  // All stored parts by number, with what the store knows of them; parts that the store cannot tell apart
  // (local) come from `expected` where their bytes are still the same, and are missing where not.
  virtual Result<std::vector<PartReceipt>> ListParts(const std::vector<PartReceipt>& expected) = 0;

  // Makes the object, of exactly these parts in this order, visible under its key, atomically and durably.
  // Parts not named are dropped. A failure does NOT prove that nothing happened, kTransient least of all: the
  // answer may have been lost. kPartMismatch: a part is absent or differs from its receipt (part_number says
  // which, where the store does); the upload stays. kUploadGone: no such upload (any more); the object may be ours.
  // Where the answer is `unproven` the object has to be looked at.
  virtual Result<ObjectMeta> Complete(const std::vector<PartReceipt>& parts, const PutCondition& condition) = 0;

  // The tag that the store gives an object made of these parts; empty where nobody can know it before.
  virtual std::string EtagOf(const std::vector<PartReceipt>& parts) const {
    (void)parts;
    return {};
  }

  // Drops the upload and its parts. Where it is gone already: OK, or kUploadGone from stores that are told so.
  virtual Status Abort() = 0;

  // An opaque word that, given to OpenUpload, lets the store skip reading parts back if nobody opened the upload in
  // between. Never stored. Empty where it means nothing.
  virtual std::string Seal() const { return {}; }
};

struct UploadSummary {
  std::string key;  // ends in '/' where the store only knows the folder (local, without extended attributes)
  UploadId id;
  std::string write_id;  // empty where the store does not tell
  Timestamp initiated{};
  std::string initiator;                // whose credentials made it, as the store calls them; empty as above
  std::optional<int64_t> stored_bytes;  // of its parts, where listing tells
};

// Reads and whole-object writes. Thread-safe.
class ObjectStore {
 public:
  virtual ~ObjectStore() = default;

  // What is known so far: a store that is not a well-known service is known better after its first answers.
  virtual StoreLimits limits() const = 0;
  // What the objects made here are given, for a state to remember. Of the checksum kind the one in use, which is
  // settled when the first upload has been created.
  virtual ObjectOptions object_options() const { return {}; }
  // The target that `key` has in this store.
  virtual Target TargetOf(const std::string& key) const = 0;

  // kNotFound where there is none.
  virtual Result<ObjectMeta> Head(const std::string& key) = 0;
  // After it returns OK the object under `key`, as it is now, survives loss of power. Called before an object that was
  // found, not made by this call, is reported as committed: whoever made it may have died before it synced. Stores that
  // answer only when an object is durable have nothing to do. kNotFound where there is none.
  virtual Status SyncObject(const std::string& key) {
    (void)key;
    return Status::OK();
  }
  // Exactly `length` bytes, fewer only at the end of the object. kNotFound, kPrecondition (if_etag given and changed).
  virtual Result<std::string> GetRange(const std::string& key, int64_t offset, int64_t length,
                                       const std::string& if_etag) = 0;
  // The object appears whole or not at all. A failure does not prove that nothing happened.
  virtual Result<ObjectMeta> Put(const std::string& key, const ByteSlices& body, const WriteId& write_id,
                                 const PutCondition& condition) = 0;
};

struct UploadRequest {
  std::string key;
  WriteId write_id;
};

struct OpenUploadOptions {
  // What Upload::Seal() said before that handle was given up: skips reading parts back if nobody opened the upload in
  // between.
  std::string seal;
  // Read the bytes of parts back and compare checksums (ListParts, Complete) where the store does not keep checksums
  // of its own. false checks sizes alone; for big files.
  bool verify = true;
};

// A store that knows uploads. Thread-safe.
class MultipartStore : public ObjectStore {
 public:
  // Refuses what can be known, without a request, to fail when an object is put under `key`: locally that it is a
  // folder, or its folder missing or read-only. Makes nothing.
  virtual Status CheckNewObject(const std::string& key) {
    (void)key;
    return Status::OK();
  }
  // Refuses what can be known to fail at Complete: the key is a folder, its folder is missing or read-only.
  virtual Result<std::unique_ptr<Upload>> CreateUpload(const UploadRequest& request) = 0;
  // An upload that exists. kUploadGone where it does not; kWriterAlive where a live process holds it (names host
  // and pid where known); kDenied without the right to write to it.
  virtual Result<std::unique_ptr<Upload>> OpenUpload(const std::string& key, const UploadId& id,
                                                     const OpenUploadOptions& options = {}) = 0;
  // Open uploads whose key starts with `prefix`. The local store looks into the folder of `prefix` alone.
  virtual Result<std::vector<UploadSummary>> ListUploads(const std::string& prefix) = 0;
  // The same, and of the folders below, for stores that have folders. There may be more than asked for: keys that only
  // start with the same characters.
  virtual Result<std::vector<UploadSummary>> ListUploadsUnder(const std::string& prefix) { return ListUploads(prefix); }

  // The same store, but objects are given `options`, as a state remembers them: uploads opened in it were created with
  // them. kInvalid where they need a secret (SSE-C) that this store does not have. nullptr from stores whose objects
  // are given nothing.
  virtual Result<std::shared_ptr<MultipartStore>> WithObjectOptions(const ObjectOptions& options) {
    (void)options;
    return std::shared_ptr<MultipartStore>();
  }
};

struct StoreOptions {
  bool create_folders = false;  // local: make the missing parent folders of a key instead of refusing it
  S3Options s3;
  // Of S3-like stores: instead of what is known of such stores, or of the profile's.
  std::optional<StoreLimits> limits;
  // What a probe found: its limits, and its checksum kind where s3.checksum asks for none. Opening a store that is not
  // the one it was made for is kInvalid.
  std::optional<StoreProfile> profile;
};

struct StoreAndKey {
  std::shared_ptr<MultipartStore> store;
  std::string key;
};

// Opens the store of a URL. kInvalid for an unknown scheme, which is named; nothing is created and nothing is sent.
//
//   file:///abs/path, or a plain path, which is taken relative to the working folder
//   s3://BUCKET/KEY, s3a://...; s3::https://HOST[:PORT]/BUCKET/KEY (or http) for an endpoint of its own
//   r2://[ACCOUNT@]BUCKET/KEY; gs://BUCKET/KEY, through Google's XML API with HMAC keys
//   the https forms of AWS, R2 and Google Cloud Storage, path style or virtual host
//
//   ARROW_ASSIGN_OR_RAISE(tailrace::StoreAndKey at, tailrace::OpenStore("file:///data/flights.parquet"));
Result<StoreAndKey> OpenStore(const std::string& url, const StoreOptions& options = {});
// Opens the store of a target, which a state names. Endpoint, region, addressing and bucket are the target's; only the
// rest comes from `options` and the environment.
Result<StoreAndKey> OpenTarget(const Target& target, const StoreOptions& options = {});

}  // namespace tailrace
