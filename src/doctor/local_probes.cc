#include "doctor/local_probes.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/clock.h"
#include "base/uuid.h"
#include "doctor/finding_table.h"
#include "store/hidden_folder.h"
#include "store/local_store.h"
#include "store/upload_file.h"

namespace tailrace {
namespace {

std::string CauseOf(int rc) { return std::strerror(-rc); }

// A file of its own, open, removed at the end.
class ProbeFile {
 public:
  ProbeFile(FileCalls* files, std::string path) : files_(files), path_(std::move(path)) {
    fd_ = files_->Open(path_, O_RDWR | O_CREAT | O_EXCL, 0600);
  }
  ~ProbeFile() {
    if (fd_ >= 0) files_->Close(fd_);
    files_->Unlink(path_);
  }
  ProbeFile(const ProbeFile&) = delete;
  ProbeFile& operator=(const ProbeFile&) = delete;

  int fd() const { return fd_; }  // or -errno
  const std::string& path() const { return path_; }

 private:
  FileCalls* const files_;
  const std::string path_;
  int fd_ = -1;
};

// What another process gets that asks for the lock of `path`.
enum class OtherGets { kNothing, kTheLock, kUnclear };
OtherGets AskFromAnotherProcess(FileCalls* files, const std::string& path) {
  const pid_t child = ::fork();
  if (child < 0) return OtherGets::kUnclear;
  if (child == 0) {
    const int fd = files->Open(path, O_RDWR, 0);
    const int rc = fd < 0 ? fd : files->Lock(fd);
    ::_exit(rc == -EWOULDBLOCK ? 0 : rc == 0 ? 1 : 2);
  }
  int status = 0;
  pid_t ended = 0;
  do {
    ended = ::waitpid(child, &status, 0);
  } while (ended < 0 && errno == EINTR);
  // Somebody else in this process may have waited for it.
  if (ended != child || !WIFEXITED(status) || WEXITSTATUS(status) > 1) return OtherGets::kUnclear;
  return WEXITSTATUS(status) == 0 ? OtherGets::kNothing : OtherGets::kTheLock;
}

// Do attributes come back, before and after a rename? The answer of the table; empty with `cause` for neither.
std::string AttributesAnswer(FileCalls* files, const ProbeFile& file, const std::string& renamed, std::string* cause) {
  const std::string value = "019b76da-a800-7000-8000-00000000d0c1";
  std::string back;
  int rc = files->SetAttribute(file.fd(), kWriteIdAttribute, value);
  if (rc >= 0) rc = files->GetAttribute(file.fd(), kWriteIdAttribute, &back);
  if (NoAttributes(rc)) {
    *cause = CauseOf(rc);
    return "missing";
  }
  if (rc >= 0 && back == value) rc = files->Rename(file.path(), renamed);
  if (rc >= 0) {
    const int fd = files->Open(renamed, O_RDONLY, 0);
    rc = fd < 0 ? fd : files->GetAttribute(fd, kWriteIdAttribute, &back);
    if (fd >= 0) files->Close(fd);
  }
  files->Unlink(renamed);
  if (rc < 0 && rc != -ENODATA) {
    *cause = CauseOf(rc);
    return {};
  }
  return rc >= 0 && back == value ? "kept" : "lost";
}

}  // namespace

void LocalRun::Found(std::string_view name, std::string_view answer, std::string cause, std::string shown) {
  report.findings.push_back(MakeFinding(name, answer, std::move(cause), std::move(shown)));
}

void LocalRun::NotKnown(std::string_view name, std::string cause) {
  report.findings.push_back(tailrace::NotKnown(name, std::move(cause)));
}

void ProbeHiddenFolder(LocalRun* run) {
  const Status made = PrepareFolders(run->files, run->place, /*create_folders=*/false);
  if (made.ok()) {
    run->Found("hidden-folder", "can be made");
  } else {
    run->Found("hidden-folder", "fails", made.message());
  }
}

void ProbeWrite(LocalRun* run) {
  const auto store = LocalStore::Make({}, run->files);
  const std::string text = "tailrace doctor\n";
  const auto write = [&]() -> Status {
    ARROW_ASSIGN_OR_RAISE(const auto upload,
                          store->CreateUpload({run->place.key, MakeWriteId(Clock::System()->Now())}));
    const auto publish = [&]() -> Status {
      ARROW_ASSIGN_OR_RAISE(const PartReceipt part,
                            upload->PutPart({.number = 1, .body = ByteSlices(ByteSlice::Copy(text))}));
      return upload->Complete({part}, {}).status();
    };
    const Status published = publish();
    if (!published.ok()) (void)upload->Abort();
    ARROW_RETURN_NOT_OK(published);
    ARROW_ASSIGN_OR_RAISE(const std::string back, store->GetRange(run->place.key, 0, 1000, ""));
    return back == text ? Status::OK() : MakeError(ErrorKind::kInternal, "other bytes came back");
  };
  const Status written = write();
  if (written.ok()) {
    run->Found("write", "works");
  } else {
    run->Found("write", "fails", written.message());
  }
}

void ProbeLocks(LocalRun* run) {
  const ProbeFile file(run->files, run->PathOf("lock"));
  if (file.fd() < 0) return run->NotKnown("locks", CauseOf(file.fd()));
  const int rc = run->files->Lock(file.fd());
  // Complete compares what it reads with the receipts, but nothing keeps another process out between that and the end.
  if (rc < 0) {
    run->report.profile.limits.checks_part_etags = false;
    return run->Found("locks", "not supported", CauseOf(rc));
  }
  switch (AskFromAnotherProcess(run->files, file.path())) {
    case OtherGets::kNothing:
      return run->Found("locks", "work");
    case OtherGets::kTheLock:
      run->report.profile.limits.checks_part_etags = false;
      return run->Found("locks", "not exclusive");
    case OtherGets::kUnclear:
      break;
  }
  run->NotKnown("locks", "no second process could ask for the lock");
}

void ProbeNoOverwrite(LocalRun* run) {
  const ProbeFile mine(run->files, run->PathOf("mine")), there(run->files, run->PathOf("there"));
  if (mine.fd() < 0 || there.fd() < 0) {
    const std::string cause = CauseOf(mine.fd() < 0 ? mine.fd() : there.fd());
    for (const std::string_view name : {"rename-if-absent", "link", "no-overwrite"}) run->NotKnown(name, cause);
    return;
  }
  const std::string linked = run->PathOf("linked");
  const int link = run->files->Link(mine.path(), linked);
  run->files->Unlink(linked);
  const bool links = link == 0 && run->files->Link(mine.path(), there.path()) == -EEXIST;
  const int rename = run->files->RenameIfAbsent(mine.path(), there.path());
  const bool renames = rename == -EEXIST;
  run->Found("rename-if-absent", renames ? "works" : "missing",
             renames       ? ""
             : rename == 0 ? "it replaced what was there"
                           : CauseOf(rename));
  run->Found("link", links ? "works" : "missing", links ? "" : link == 0 ? "it replaces what is there" : CauseOf(link));
  run->Found("no-overwrite", renames ? "by rename" : links ? "by link" : "missing");
  if (!renames && !links) run->report.profile.limits.conditional_put = false;
}

void ProbeAttributes(LocalRun* run) {
  const ProbeFile file(run->files, run->PathOf("attribute"));
  if (file.fd() < 0) return run->NotKnown("attributes", CauseOf(file.fd()));
  std::string cause;
  const std::string answer = AttributesAnswer(run->files, file, run->PathOf("renamed"), &cause);
  if (answer.empty()) return run->NotKnown("attributes", cause);
  run->Found("attributes", answer, cause);
}

void ProbeSync(LocalRun* run) {
  const ProbeFile file(run->files, run->PathOf("sync"));
  if (file.fd() < 0) {
    run->NotKnown("sync-file", CauseOf(file.fd()));
  } else {
    std::string text = "tailrace doctor\n";
    const iovec piece{text.data(), text.size()};
    int rc = run->files->WriteAt(file.fd(), {&piece, 1}, 0);
    if (rc >= 0) rc = run->files->SyncData(file.fd());
    if (rc >= 0) rc = run->files->SyncFile(file.fd());
    run->Found("sync-file", rc >= 0 ? "works" : "fails", rc >= 0 ? "" : CauseOf(rc));
  }
  const int rc = run->files->SyncFolder(run->place.folder);
  run->Found("sync-folder", rc >= 0 ? "works" : "fails", rc >= 0 ? "" : CauseOf(rc));
}

void ProbeFreeSpace(LocalRun* run) {
  constexpr double kGiB = 1 << 30;
  std::error_code error;
  const std::filesystem::space_info space = std::filesystem::space(run->place.folder, error);
  if (error) return run->NotKnown("free-space", error.message());
  char shown[32];
  std::snprintf(shown, sizeof shown, "%.1f GiB", static_cast<double>(space.available) / kGiB);
  run->Found("free-space", static_cast<double>(space.available) >= kGiB ? "enough" : "little", "", shown);
}

}  // namespace tailrace
