#include "upload/end_uploader.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/clock.h"

namespace tailrace {

namespace {

// Two processes that replace each other's parts must both end.
constexpr int kMaxResends = 3;

const PartReceipt* FindPart(const std::vector<PartReceipt>& parts, int number) {
  auto it = std::find_if(parts.begin(), parts.end(), [&](const PartReceipt& part) { return part.number == number; });
  return it == parts.end() ? nullptr : &*it;
}

Status FencedInPart(int number, const std::string& what) {
  auto detail = std::make_shared<ErrorDetail>(ErrorKind::kFenced);
  detail->part_number = number;
  return MakeError(std::move(detail),
                   "part " + std::to_string(number) + " of the upload of " + what +
                       " is not as it was stored: another writer of the same write replaced it, or it was damaged; "
                       "a state whose parts are intact still finishes");
}

bool SameBytes(const PartReceipt& ours, const PartReceipt& listed) {
  return ours.size_bytes == listed.size_bytes && (ours.etag == listed.etag || ours.crc64 == listed.crc64);
}

// As S3 tells the MD5 of a part: 32 hexadecimal digits, where the bytes are not sealed. Any other tag is a word without
// a meaning.
bool IsDigest(std::string_view etag) {
  if (etag.size() >= 2 && etag.front() == '"' && etag.back() == '"') etag = etag.substr(1, etag.size() - 2);
  return etag.size() == 32 && etag.find_first_not_of("0123456789abcdefABCDEF") == etag.npos;
}

// Is the part that the store lists under the number of one of ours still that part?
Status CheckPart(const PartReceipt& ours, const PartReceipt* listed, const std::string& what) {
  if (listed == nullptr || listed->size_bytes != ours.size_bytes) return FencedInPart(ours.number, what);
  if (SameBytes(ours, *listed)) return Status::OK();
  const bool digests = !ours.sealed_etag && IsDigest(ours.etag) && IsDigest(listed->etag);
  if (listed->crc64 != 0 || digests) return FencedInPart(ours.number, what);
  auto detail = std::make_shared<ErrorDetail>(ErrorKind::kOutcomeUnknown);
  detail->part_number = ours.number;
  return MakeError(std::move(detail),
                   "part " + std::to_string(ours.number) + " of the upload of " + what +
                       " was stored again by another process, and nobody can tell whether its bytes are the same: "
                       "this store's tags are no digests and it keeps no checksum of parts");
}

}  // namespace

Result<std::vector<PartReceipt>> KeepOurParts(std::vector<PartReceipt> ours, const std::vector<PartReceipt>& listed,
                                              const std::string& what) {
  for (PartReceipt& part : ours) {
    const PartReceipt* there = FindPart(listed, part.number);
    ARROW_RETURN_NOT_OK(CheckPart(part, there, what));
    part.etag = there->etag;
  }
  return ours;
}

EndUploader::EndUploader(Upload* upload, UploadProgress progress, TailBuilder build_tail, bool around_strays,
                         std::string what, const std::vector<PartReceipt>& stored_end)
    : upload_(upload),
      progress_(std::move(progress)),
      unsent_(ByteSlice::Copy(progress_.unsent)),
      build_tail_(std::move(build_tail)),
      what_(std::move(what)),
      around_strays_(around_strays) {
  for (const PartReceipt& part : stored_end) put_.emplace(part.number, part);
}

Result<std::vector<PartReceipt>> EndUploader::Store() {
  if (!around_strays_) return StoreAgainst({});
  ARROW_ASSIGN_OR_RAISE(std::vector<PartReceipt> listed, upload_->ListParts(progress_.receipts));
  return StoreAgainst(listed);
}

Result<std::vector<PartReceipt>> EndUploader::Mend(const std::vector<PartReceipt>& listed) {
  ARROW_ASSIGN_OR_RAISE(std::vector<PartReceipt> ours, KeepOurParts(progress_.receipts, listed, what_));
  // What was put and is not there any more as it was put has to be put again.
  const size_t replaced = std::erase_if(put_, [&](const auto& put) {
    const PartReceipt* there = FindPart(listed, put.first);
    return there == nullptr || !SameBytes(put.second, *there);
  });
  if (replaced > 0 && ++resends_ > kMaxResends) {
    return MakeError(ErrorKind::kTransient, "parts of the end of " + what_ + " were replaced by another process " +
                                                std::to_string(resends_) + " times; try again later");
  }
  for (auto& [number, receipt] : put_) receipt.etag = FindPart(listed, number)->etag;
  // Every part is as Complete named it, and yet it was refused: then it was for those that it did not name.
  const bool unnamed = listed.size() > progress_.receipts.size() + put_.size();
  if (replaced == 0 && unnamed) around_strays_ = true;
  ARROW_ASSIGN_OR_RAISE(std::vector<PartReceipt> parts,
                        StoreAgainst(around_strays_ ? listed : std::vector<PartReceipt>{}));
  std::copy(ours.begin(), ours.end(), parts.begin());
  return parts;
}

Result<std::vector<PartReceipt>> EndUploader::StoreAgainst(const std::vector<PartReceipt>& listed) {
  const std::vector<PartReceipt>& ours = progress_.receipts;
  ARROW_ASSIGN_OR_RAISE(EndLayout layout,
                        LayOutEnd(progress_.part_lengths, static_cast<int>(ours.size()), unsent_, listed, build_tail_));
  std::vector<PartReceipt> parts = ours;
  for (int number : layout.kept_numbers) parts.push_back(*FindPart(listed, number));
  for (const Part& part : layout.parts) {
    auto put = put_.find(part.number);
    const bool there =
        put != put_.end() && put->second.size_bytes == part.body.size() && put->second.crc64 == part.body.crc64();
    if (!there) {
      const auto begin = std::chrono::steady_clock::now();
      ARROW_ASSIGN_OR_RAISE(PartReceipt receipt, upload_->PutPart(part));
      if (report_) report_(receipt, Since(begin));
      put = put_.insert_or_assign(part.number, std::move(receipt)).first;
    }
    parts.push_back(put->second);
  }
  std::sort(parts.begin() + static_cast<ptrdiff_t>(ours.size()), parts.end(),
            [](const PartReceipt& a, const PartReceipt& b) { return a.number < b.number; });
  // A part that was kept came to stand elsewhere than its writer thought.
  int64_t offset_bytes = 0;
  for (PartReceipt& part : parts) {
    part.offset_bytes = offset_bytes;
    offset_bytes += part.size_bytes;
  }
  return parts;
}

}  // namespace tailrace
