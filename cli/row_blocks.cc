#include "cli/row_blocks.h"

#include <algorithm>

namespace tailrace::cli {

namespace {

// Rows that came are handed on once the source was silent for this long.
constexpr std::chrono::milliseconds kLinger{200};
// Arrow's parsers count in 32 bits.
constexpr int64_t kMaxRowBytes = int64_t{1} << 30;
constexpr int64_t kReadBytes = int64_t{256} << 10;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

}  // namespace

Status RowBlocks::SkipByteOrderMark() {
  ARROW_ASSIGN_OR_RAISE(const std::string_view first, stream_->Peek(kByteOrderMark.size()));
  char mark[kByteOrderMark.size()];
  return first == kByteOrderMark ? stream_->Read(kByteOrderMark.size(), mark).status() : Status::OK();
}

std::string_view RowBlocks::rows() const {
  const int64_t size = std::max<int64_t>(0, scanner_->last_row_end() - taken_);
  return std::string_view(buffer_).substr(0, static_cast<size_t>(size));
}

std::string RowBlocks::RowNumber() const {
  std::string text = settings_.row_number;
  return text.replace(text.find('#'), 1, std::to_string(scanner_->rows() + 1));
}

Status RowBlocks::Fill(bool may_be_short) {
  int64_t limit = settings_.block_bytes;
  while (!ended_) {
    const int64_t held = static_cast<int64_t>(buffer_.size());
    if (held >= limit) {
      if (!rows().empty()) break;
      limit = std::max(held + 1, 2 * limit);
    }
    if (held > kMaxRowBytes) {
      return MakeError(ErrorKind::kLimit, name() + ": " + settings_.format + " " + RowNumber() +
                                              " is longer than 1 GiB, the most that can be read");
    }
    std::optional<std::chrono::milliseconds> wait;
    if (may_be_short && !rows().empty()) wait = kLinger;
    ARROW_ASSIGN_OR_RAISE(const bool came, ReadMore(std::min(limit - held, kReadBytes), wait));
    if (!came) break;
  }
  return Status::OK();
}

// False when nothing came within `wait`.
Result<bool> RowBlocks::ReadMore(int64_t nbytes, std::optional<std::chrono::milliseconds> wait) {
  const size_t before = buffer_.size();
  buffer_.resize(before + static_cast<size_t>(nbytes));
  const auto count = stream_->ReadSome(nbytes, buffer_.data() + before, wait);
  const int64_t came = count.ok() ? count->value_or(0) : 0;
  buffer_.resize(before + static_cast<size_t>(came));
  ARROW_RETURN_NOT_OK(count.status());
  if (!*count) return false;
  scanner_->Feed(std::string_view(buffer_).substr(before));
  if (came == 0) ARROW_RETURN_NOT_OK(TakeEnd());
  return true;
}

// The input ended: what follows the last line end was cut.
Status RowBlocks::TakeEnd() {
  ended_ = true;
  scanner_->FeedEnd();
  if (buffer_.size() == rows().size()) return Status::OK();
  const std::string cut = name() + ": the " + settings_.format + " was cut short: its last " + RowNumber() + " ";
  if (const std::string why = scanner_->Unfinished(); !why.empty()) return MakeError(ErrorKind::kInvalid, cut + why);
  if (!settings_.allow_cut) {
    return MakeError(ErrorKind::kInvalid, cut + "has no line end (--allow-cut-input takes it as it is)");
  }
  buffer_ += '\n';
  scanner_->Feed("\n");
  return Status::OK();
}

void RowBlocks::Drop(int64_t bytes) {
  buffer_.erase(0, static_cast<size_t>(bytes));
  taken_ += bytes;
}

}  // namespace tailrace::cli
