#include "upload/end_uploader.h"

#include <algorithm>
#include <utility>

namespace tailrace {

namespace {

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

}  // namespace

Result<std::vector<PartReceipt>> KeepOurParts(std::vector<PartReceipt> ours, const std::vector<PartReceipt>& listed,
                                              const std::string& what) {
  for (PartReceipt& part : ours) {
    const PartReceipt* there = FindPart(listed, part.number);
    if (there == nullptr || !SameBytes(part, *there)) return FencedInPart(part.number, what);
    part.etag = there->etag;
  }
  return ours;
}

EndUploader::EndUploader(Upload* upload, UploadProgress progress, TailBuilder build_tail, bool around_strays,
                         std::string what)
    : upload_(upload),
      progress_(std::move(progress)),
      unsent_(ByteSlice::Copy(progress_.unsent)),
      build_tail_(std::move(build_tail)),
      around_strays_(around_strays),
      what_(std::move(what)) {}

Result<std::vector<PartReceipt>> EndUploader::Store() {
  if (!around_strays_) return StoreAgainst({});
  ARROW_ASSIGN_OR_RAISE(std::vector<PartReceipt> listed, upload_->ListParts(progress_.receipts));
  return StoreAgainst(listed);
}

Result<std::vector<PartReceipt>> EndUploader::Mend(const std::vector<PartReceipt>& listed) {
  // What was put and is not there any more as it was put has to be put again.
  std::erase_if(put_, [&](const auto& put) {
    const PartReceipt* there = FindPart(listed, put.first);
    return there == nullptr || !SameBytes(put.second, *there);
  });
  for (auto& [number, receipt] : put_) receipt.etag = FindPart(listed, number)->etag;
  ARROW_ASSIGN_OR_RAISE(std::vector<PartReceipt> ours, KeepOurParts(progress_.receipts, listed, what_));
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
      ARROW_ASSIGN_OR_RAISE(PartReceipt receipt, upload_->PutPart(part));
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
