// Names and facts of objects, uploads and parts: the plain values that all layers share.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>

#include "tailrace/bytes.h"

namespace tailrace {

// Wall-clock time with microseconds, as stores report it.
using Timestamp = std::chrono::time_point<std::chrono::system_clock, std::chrono::microseconds>;

// Where an object lives: everything that tells two objects apart, and never a credential. A WriterState is
// bound to its target. For "file" only `key` is set, the absolute path without its leading slash; for "memory"
// `bucket` names the store.
struct Target {
  std::string kind;  // "file", "memory"; later "s3", ...
  std::string endpoint;
  std::string region;
  std::string addressing;
  std::string bucket;
  std::string key;  // never starts with '/'

  friend bool operator==(const Target&, const Target&) = default;
  // "file:///data/x.parquet", for messages and for opening it again.
  std::string ToUrl() const;
};

// Identifies one write from open to commit: a UUIDv7, so its time of birth can be read from it. Object metadata
// carries it (locally the extended attribute user.tailrace.write_id).
struct WriteId {
  std::string text;  // 8-4-4-4-12 lower-case hex
  friend auto operator<=>(const WriteId&, const WriteId&) = default;
  // The millisecond it was made; nullopt where `text` is no UUIDv7.
  std::optional<Timestamp> Time() const;
};

// Names one upload within its store and key; opaque to all but the store.
struct UploadId {
  std::string text;
  friend auto operator<=>(const UploadId&, const UploadId&) = default;
};

// A part to be stored. `number` starts at 1; `offset_bytes` is its place in the finished object, which the
// local store writes to and others ignore.
struct Part {
  int number = 0;
  int64_t offset_bytes = 0;
  ByteSlices body;
};

// A count that is told on the way and is no part of the value that has it: neither compared nor stored.
struct PassingCount {
  int count = 0;
  friend bool operator==(const PassingCount&, const PassingCount&) { return true; }
};

// What a store said of a stored part, plus what we know of it.
struct PartReceipt {
  int number = 0;
  int64_t offset_bytes = 0;
  int64_t size_bytes = 0;
  std::string etag;       // opaque; empty where the store has none
  uint64_t crc64 = 0;     // CRC-64/NVME of the bytes that we sent; in a listing 0 where nobody knows it
  std::string checksum;   // as the store echoed it, to be repeated at Complete; empty where it did not
  PassingCount requests;  // that it took to store the part; 0 where the store does not tell
  // The store encrypts the bytes in a way that makes its tag no digest of them, however much it looks like one.
  bool sealed_etag = false;
  friend bool operator==(const PartReceipt&, const PartReceipt&) = default;
};

// How long part k is: a function of its number alone, fixed at open and stored in every state. Parts are of one length,
// or grow in steps: of each `step_parts` parts in turn, counted from step 0, those of step n have part_size_bytes +
// n * n * growth_bytes, and largest_bytes at most. The last part of a file is as long as what is left.
struct PartLengths {
  int64_t part_size_bytes = 0;  // of part 1; of every part where they do not grow
  int step_parts = 0;           // 0: they do not grow, and the other two are 0
  int64_t growth_bytes = 0;
  int64_t largest_bytes = 0;
  friend bool operator==(const PartLengths&, const PartLengths&) = default;

  bool grows() const { return step_parts > 0; }
  // At least 1 byte a part, growing by at least 1 to at most 2^62, or not at all. What all others require.
  bool valid() const;
  int64_t LongestBytes() const { return grows() ? largest_bytes : part_size_bytes; }
  int64_t LengthOf(int number) const;
  int64_t OffsetOf(int number) const;
  // How many parts `total_bytes` take; 0 for 0.
  int64_t PartsFor(int64_t total_bytes) const;
  // What so many parts hold; INT64_MAX where it is more.
  int64_t BytesOf(int64_t parts) const;

 private:
  int64_t StepsToLargest() const;
  int64_t LengthOfStep(int64_t step) const;
};

// What a store tells about an object without its bytes.
struct ObjectMeta {
  int64_t size_bytes = 0;
  std::string etag;  // opaque; changes whenever the content is replaced
  Timestamp last_modified{};
  std::string write_id;           // empty where the object has none
  std::optional<uint64_t> crc64;  // full-object CRC-64/NVME, where the store keeps one
  // The upload this object was made from, for stores that can tell but lost the metadata: what the id of that upload
  // ends in (a local file system without extended attributes knows "@<inode>"). Empty where unknown or where write_id
  // tells. A hint beside size and content, since inodes are used again.
  std::string from_upload;
  // Of an answer to Complete: it does not prove that the object is made of the parts that were named. Some stores
  // answer the second Complete of an upload as they did the first, whoever sent that and of which parts.
  bool unproven = false;

  bool MadeFrom(const UploadId& id) const { return !from_upload.empty() && id.text.ends_with(from_upload); }
};

// On what condition an object may be put under its key. At most one is set.
struct PutCondition {
  bool if_absent = false;     // fails with kPrecondition where an object exists
  std::string if_match_etag;  // fails with kPrecondition where the object has another etag or is absent
  bool atomic = false;        // fails with kInvalid on a store that is not known to honour it; a look is not enough
};

}  // namespace tailrace
