// State files: how a WriterState or PendingCommit is kept between processes.
//
// A state file is replaced as a whole and the one before it is kept as FILE.prev, so that at every moment, also
// after loss of power, there is a good one. When the write has ended, a mark is put beside it, FILE.committed or
// FILE.aborted, which names the write; the file itself stays.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <arrow/result.h>

#include "tailrace/commit.h"
#include "tailrace/error.h"
#include "tailrace/state.h"

namespace tailrace::cli {

using arrow::Result;

// kInvalid for a URL where a local file is meant; the message has its scheme alone, since the rest may hold a secret.
Status CheckIsPath(const std::string& path);
// States are small; what is larger is no state, whatever its first bytes say.
inline constexpr int64_t kMaxStateBytes = int64_t{4} << 30;
// The bytes of a small local file. kNotFound, kDenied, kInvalid for a folder, kBadState for more than `max_bytes`, also
// of a pipe or a device that never ends.
Result<std::string> ReadSmallFile(const std::string& path, int64_t max_bytes = kMaxStateBytes);
// The bytes of a state or pending commit. kBadState, before much of it is read, for what does not begin like one.
Result<std::string> ReadBlobFile(const std::string& path);

enum class Previous { kKeep, kDrop };
// Temporary file, fsync, rename, fsync of the folder. With kKeep the file that was there becomes PATH.prev.
// kWriterAlive when another process is saving to the same path at this moment.
Status SaveSmallFile(const std::string& path, std::string_view bytes, Previous previous);

// On kBadState says so when PATH.prev can be read.
Result<WriterState> LoadState(const std::string& path);
Result<PendingCommit> LoadPending(const std::string& path);

// Marks the state or pending commit of this write as ended: FILE.committed, with what was committed. Nothing is put
// beside a pipe or device.
Status MarkCommitted(const std::string& path, const WriteId& write_id, const std::string& url, const CommitInfo& info);
Status MarkAborted(const std::string& path, const WriteId& write_id);
// Has this write been marked as aborted beside the file? A small file leaves nothing in the store that would tell.
bool IsMarkedAborted(const std::string& path, const WriteId& write_id);
// Has it either mark? Those of FILE.prev are beside FILE.
bool HasEnded(const std::string& path, const WriteId& write_id);
// The file holds a write that has neither mark; nullopt where there is no such file or it is damaged beyond telling.
Result<std::optional<std::string>> UnfinishedWriteIn(const std::string& path);

}  // namespace tailrace::cli
