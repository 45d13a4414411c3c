// What is asked of an S3 store: one small function asks one question, or those that one request answers together.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "doctor/finding_table.h"
#include "doctor/s3_session.h"
#include "tailrace/doctor.h"

namespace tailrace {

// What the probes of one run share.
struct S3Run {
  S3Session session;
  Clock* clock = nullptr;
  bool checksum_is_asked = false;  // by the options: it is used, whatever is found
  std::string asked_region;        // empty: nobody said
  StoreReport report;              // its profile begins with AWS's limits

  StoreLimits* limits() { return &report.profile.limits; }
  void Found(std::string_view name, std::string_view answer, std::string cause = {}, std::string shown = {});
  void NotKnown(std::string_view name, std::string cause);
  // "denied" for a lack of rights, "fails" for another answer, not known without one.
  void Refused(std::string_view name, const ProbeReply& reply);
};

struct S3Probe {
  std::vector<std::string_view> names;  // of what it finds, all of them whatever happens
  void (*run)(S3Run*) = nullptr;
  bool needs_upload = true;  // not asked where no upload can be completed
  bool sends_5_mib = false;  // not asked by a quick run
};

// In their order: later ones use what earlier ones made.
std::span<const S3Probe> S3Probes();

// s3_probe_basics.cc
void ProbeAbsent(S3Run* run);  // rights.head-absent, clock, region
void ProbeUpload(S3Run* run);  // upload, etag, complete.etag, complete.again
void ProbePut(S3Run* run);     // rights.put
void ProbeObject(S3Run* run);  // rights.head, rights.get, metadata
void ProbeAbort(S3Run* run);   // rights.abort, gone.part, gone.complete
void ProbeListUploads(S3Run* run);
// s3_probe_checksums.cc
void ProbeMd5(S3Run* run);
void ProbeCrc32(S3Run* run);
void ProbeCrc32c(S3Run* run);
void ProbeSha256(S3Run* run);
void ProbeCrc64(S3Run* run);  // checksum.crc64nvme, checksum.whole
// s3_probe_completion.cc
void ProbePartEtags(S3Run* run);
void ProbeStrays(S3Run* run);
void ProbePutIfAbsent(S3Run* run);
void ProbePutIfMatch(S3Run* run);
void ProbeCompleteIfAbsent(S3Run* run);
// s3_probe_parts.cc
void ProbeListParts(S3Run* run);  // rights.list-parts, list-parts.pages, list-parts.order
void ProbeMostParts(S3Run* run);
void ProbeSmallestPart(S3Run* run);
void ProbeEqualParts(S3Run* run);  // equal-parts; may find 5 MiB to be too small

// For the probes: an upload of these parts, numbered from 1. The first answer that is no success, or the last.
struct FilledUpload {
  UploadId id;
  std::vector<PartReceipt> parts;
  ProbeReply reply;
};
FilledUpload Fill(S3Session* session, const std::vector<ByteSlices>& bodies);
// A few bytes that hold `word`; `size` of them.
ByteSlices SmallBody(std::string_view word);
ByteSlices LargeBody(int64_t size);

}  // namespace tailrace
