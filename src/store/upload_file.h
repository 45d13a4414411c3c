// The file of one upload in the hidden folder, open and locked by this process.
#pragma once

#include <memory>
#include <string>

#include "store/file_calls.h"
#include "store/fork_guard.h"
#include "store/local_place.h"

namespace tailrace {

// Extended attributes. The write id stays on the published object; the other two are only on uploads.
inline constexpr char kWriteIdAttribute[] = "user.tailrace.write_id";
inline constexpr char kTargetAttribute[] = "user.tailrace.target";  // last segment of the key
inline constexpr char kOwnerAttribute[] = "user.tailrace.owner";    // "<host> <pid> <instance>"

// -ENOTSUP and its kin: this file system has no extended attributes.
bool NoAttributes(int rc);

// While one lives, no other process (and nobody else in this one) can open the same upload, as far as the file system
// has locks. Thread-safe as FileCalls; Close is for one thread alone.
class UploadFile {
 public:
  // A new file with its attributes. kWriterAlive and others; nothing is left behind on error.
  static Result<std::unique_ptr<UploadFile>> Create(FileCalls* files, const LocalPlace& place,
                                                    const UploadFileName& name);
  // One that is there. kUploadGone where it is not, is another file, or is published already: then what a killed
  // process left undone (names, syncs) is done.
  static Result<std::unique_ptr<UploadFile>> Open(FileCalls* files, const LocalPlace& place, const LocalUploadId& id);
  // For a single Put: one that is there, as it is, or a new one.
  static Result<std::unique_ptr<UploadFile>> CreateOrOpen(FileCalls* files, const LocalPlace& place,
                                                          const UploadFileName& name);

  int fd() const { return file_->fd(); }
  const std::string& path() const { return path_; }
  // As it was when it was opened: device and inode.
  const FileFacts& facts() const { return facts_; }
  // Random, of this opening; recorded in the file. Empty where the file system has no attributes.
  const std::string& instance() const { return instance_; }
  // The instance of the opening before this one; empty where none is recorded.
  const std::string& previous_instance() const { return previous_instance_; }

  // Does `path` name this file?
  Result<bool> IsAt(const std::string& path) const;
  // Removes the name in the hidden folder if it is still ours.
  Status Unlink();
  // Takes away what only an upload has, before it is published.
  Status RemoveUploadAttributes();
  void Close() { file_->Close(); }

 private:
  UploadFile(FileCalls* files, std::string path) : files_(files), path_(std::move(path)) {}

  enum class LockResult { kLocked, kReplaced };
  int OpenFile(int flags);
  // Locks, and tells whether the path still names the locked file.
  Result<LockResult> Lock();
  Status RecordOwner(const LocalPlace& place, const UploadFileName& name);
  Status HeldByOther() const;

  FileCalls* const files_;
  const std::string path_;
  std::unique_ptr<GuardedFile> file_;
  FileFacts facts_;
  std::string instance_;
  std::string previous_instance_;
};

}  // namespace tailrace
