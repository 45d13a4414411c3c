// What differs between S3-like stores, as data.
#pragma once

#include "http/transport.h"
#include "store/s3/s3_place.h"
#include "tailrace/object_options.h"
#include "tailrace/store.h"

namespace tailrace {

struct S3Traits {
  StoreLimits limits;
  // The checksum that is tried where none is asked for. A store that refuses it is not asked again.
  S3Checksum checksum = S3Checksum::kCrc64Nvme;
  friend bool operator==(const S3Traits&, const S3Traits&) = default;
};

// What is known before the store has said anything. Of a store that is none of the known services AWS's numbers are
// assumed, and that conditions may be ignored: so the key is looked at first.
S3Traits TraitsOf(S3Dialect dialect);

// What an answer tells about the server that gave it: Swift stops at 1,000 parts; Ceph's RGW wants every stored part to
// be named; SeaweedFS completes with parts that were replaced. Answers that tell nothing change nothing.
void LearnFrom(const HttpHeaders& headers, S3Traits* traits);

}  // namespace tailrace
