// Blocks of text that end with a row, out of a stream that may be silent: what the readers of CSV and JSON lines share.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cli/fd_stream.h"

namespace tailrace::cli {

// Finds where rows end. Fed with bytes in any pieces. Not thread-safe.
class RowScanner {
 public:
  virtual ~RowScanner() = default;
  virtual void Feed(std::string_view bytes) = 0;
  // Nothing follows.
  virtual void FeedEnd() {}
  // Counts from the first byte ever fed; 0 before the first row ended. A row includes its line end.
  virtual int64_t last_row_end() const = 0;
  // How many rows ended; blank lines count as the format has it.
  virtual int64_t rows() const = 0;
  // Why the bytes after the last row can never be one, "ends inside quotes"; empty where only the line end is missing.
  virtual std::string Unfinished() const { return {}; }
};

// What is held is one block and the rest of a row. Not thread-safe.
class RowBlocks {
 public:
  struct Settings {
    std::string format;      // "CSV", for messages
    std::string row_number;  // "row, number # with the header,": # becomes the number
    int64_t block_bytes = int64_t{1} << 20;
    bool allow_cut = false;  // take a missing last line end as it is
  };
  // `scanner` outlives this.
  RowBlocks(std::shared_ptr<FdStream> stream, Settings settings, RowScanner* scanner)
      : stream_(std::move(stream)), settings_(std::move(settings)), scanner_(scanner) {}

  // UTF-8's mark at the start, where there is one; it is not counted. REQUIRES: nothing was filled.
  Status SkipByteOrderMark();
  // Reads until a block with at least one whole row is held, or the input ends. How much that is depends on the bytes
  // alone, unless `may_be_short`: then a silent source hands on the whole rows that have come. kInvalid where the input
  // ends within a row, kLimit for a row that no reader takes.
  Status Fill(bool may_be_short);

  // What is held, from the first byte that was not dropped.
  std::string_view held() const { return buffer_; }
  // Of it, whole rows.
  std::string_view rows() const;
  void Drop(int64_t bytes);
  // Bytes dropped, without a byte order mark.
  int64_t taken() const { return taken_; }
  bool ended() const { return ended_; }
  const std::string& name() const { return stream_->name(); }

 private:
  Result<bool> ReadMore(int64_t nbytes, std::optional<std::chrono::milliseconds> wait);
  Status TakeEnd();
  // `row_number` of the settings, filled in.
  std::string RowNumber() const;

  const std::shared_ptr<FdStream> stream_;
  const Settings settings_;
  RowScanner* const scanner_;
  std::string buffer_;  // begins at byte taken_
  int64_t taken_ = 0;
  bool ended_ = false;
};

}  // namespace tailrace::cli
