// The requests of a probe: each answer as it came, and everything that was made remembered, to be removed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "store/s3/s3_calls.h"

namespace tailrace {

// What came of one request.
struct ProbeReply {
  Status status;
  S3Failure failure;  // of an answer that is no success; its status is 0 where no answer came
  HttpResponse answer;

  bool ok() const { return status.ok(); }
  bool answered() const { return ok() || failure.status != 0; }
  bool Is(ErrorKind kind) const { return answered() && !ok() && KindOf(status) == kind; }
  // "503 SlowDown: ...", or why no answer came; empty for a success.
  std::string Cause() const;
};

struct PartToSend {
  int number = 1;
  ByteSlices body;
  bool wrong_checksum = false;  // the checksum is that of other bytes
};

// All requests are about one key, which nobody else uses. Not thread-safe.
class S3Session {
 public:
  S3Session(S3Context context, std::string key) : context_(std::move(context)), key_(std::move(key)) {}

  // The checksum of the requests below.
  void UseChecksum(S3Checksum kind) { context_.settings.object.checksum = kind; }
  S3Checksum checksum() const { return context_.settings.object.checksum; }

  ProbeReply Put(const ByteSlices& body, const PutCondition& condition);
  ProbeReply Head();
  ProbeReply Get();
  ProbeReply ListUploads();
  ProbeReply Delete();

  // `id` is set on success.
  ProbeReply Create(UploadId* id);
  // `receipt` is set on success; its checksum is empty where the store did not echo it.
  ProbeReply PutPart(const UploadId& id, const PartToSend& part, PartReceipt* receipt);
  // `wrong_whole`: with the checksum of another object, where one is sent.
  ProbeReply Complete(const UploadId& id, const std::vector<PartReceipt>& parts, const PutCondition& condition = {},
                      bool wrong_whole = false);
  ProbeReply Abort(const UploadId& id);
  // At most `most` parts behind number `after`; `page` is set on success.
  ProbeReply ListPartsPage(const UploadId& id, int after, int most, PartsPage* page);

  // Aborts and deletes what may be left; returns the answer to the last Delete, if one was needed.
  std::optional<ProbeReply> CleanUp();
  // After CleanUp: what is still there.
  const std::vector<std::string>& leftovers() const { return leftovers_; }

  const S3Client& client() const { return *context_.client; }
  const std::string& key() const { return key_; }
  std::string url() const;
  int64_t sent_bytes() const { return sent_bytes_; }
  int requests() const { return requests_; }

 private:
  ProbeReply Send(HttpRequest request, std::string_view name, bool of_upload = false);
  void AbortAll();

  S3Context context_;
  const std::string key_;
  std::map<std::string, std::string> open_;  // upload id -> why it could not be aborted, empty while nobody tried
  bool create_lost_ = false;                 // an upload may be there whose id is not known
  bool object_may_exist_ = false;
  bool keeps_versions_ = false;
  std::vector<std::string> leftovers_;
  int64_t sent_bytes_ = 0;
  int requests_ = 0;
};

}  // namespace tailrace
