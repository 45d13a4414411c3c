#include "testing/fault_files.h"

namespace tailrace {

FileFault FaultFiles::FailNth(int64_t index, int error) {
  return [index, error](const FileCall& call) { return call.index == index ? -error : 0; };
}

FileFault FaultFiles::FailFrom(int64_t index, int error) {
  return [index, error](const FileCall& call) { return call.index >= index ? -error : 0; };
}

FileFault FaultFiles::FailAll(std::string_view name, int error) {
  return [name = std::string(name), error](const FileCall& call) { return call.name == name ? -error : 0; };
}

int FaultFiles::Ask(std::string_view name, const std::string& path) {
  const int rc = fault_({.index = calls_++, .name = name, .path = path});
  if (rc != 0) ++fired_;
  return rc;
}

int FaultFiles::Close(int fd) {
  ++calls_;
  return files_->Close(fd);
}

int FaultFiles::Open(const std::string& path, int flags, uint32_t mode) {
  const int rc = Ask("Open", path);
  return rc != 0 ? rc : files_->Open(path, flags, mode);
}

int FaultFiles::WriteAt(int fd, std::span<const iovec> pieces, int64_t offset) {
  const int rc = Ask("WriteAt", {});
  return rc != 0 ? rc : files_->WriteAt(fd, pieces, offset);
}

int64_t FaultFiles::ReadAt(int fd, void* out, int64_t size, int64_t offset) {
  const int rc = Ask("ReadAt", {});
  return rc != 0 ? rc : files_->ReadAt(fd, out, size, offset);
}

int FaultFiles::Truncate(int fd, int64_t size) {
  const int rc = Ask("Truncate", {});
  return rc != 0 ? rc : files_->Truncate(fd, size);
}

int FaultFiles::SyncData(int fd) {
  const int rc = Ask("SyncData", {});
  return rc != 0 ? rc : files_->SyncData(fd);
}

int FaultFiles::SyncFile(int fd) {
  const int rc = Ask("SyncFile", {});
  return rc != 0 ? rc : files_->SyncFile(fd);
}

int FaultFiles::SyncFolder(const std::string& path) {
  const int rc = Ask("SyncFolder", path);
  return rc != 0 ? rc : files_->SyncFolder(path);
}

int FaultFiles::StatFile(int fd, FileFacts* facts) {
  const int rc = Ask("StatFile", {});
  return rc != 0 ? rc : files_->StatFile(fd, facts);
}

int FaultFiles::Stat(const std::string& path, FileFacts* facts) {
  const int rc = Ask("Stat", path);
  return rc != 0 ? rc : files_->Stat(path, facts);
}

int FaultFiles::StatLink(const std::string& path, FileFacts* facts) {
  const int rc = Ask("StatLink", path);
  return rc != 0 ? rc : files_->StatLink(path, facts);
}

int FaultFiles::MayWriteTo(const std::string& folder) {
  const int rc = Ask("MayWriteTo", folder);
  return rc != 0 ? rc : files_->MayWriteTo(folder);
}

int FaultFiles::Rename(const std::string& from, const std::string& to) {
  const int rc = Ask("Rename", from);
  return rc != 0 ? rc : files_->Rename(from, to);
}

int FaultFiles::RenameIfAbsent(const std::string& from, const std::string& to) {
  const int rc = Ask("RenameIfAbsent", from);
  return rc != 0 ? rc : files_->RenameIfAbsent(from, to);
}

int FaultFiles::Link(const std::string& from, const std::string& to) {
  const int rc = Ask("Link", from);
  return rc != 0 ? rc : files_->Link(from, to);
}

int FaultFiles::Unlink(const std::string& path) {
  const int rc = Ask("Unlink", path);
  return rc != 0 ? rc : files_->Unlink(path);
}

int FaultFiles::MakeFolder(const std::string& path, uint32_t mode) {
  const int rc = Ask("MakeFolder", path);
  return rc != 0 ? rc : files_->MakeFolder(path, mode);
}

int FaultFiles::ChangeMode(const std::string& path, uint32_t mode) {
  const int rc = Ask("ChangeMode", path);
  return rc != 0 ? rc : files_->ChangeMode(path, mode);
}

int FaultFiles::ListFolder(const std::string& path, std::vector<std::string>* names) {
  const int rc = Ask("ListFolder", path);
  return rc != 0 ? rc : files_->ListFolder(path, names);
}

int FaultFiles::Lock(int fd) {
  const int rc = Ask("Lock", {});
  return rc != 0 ? rc : files_->Lock(fd);
}

int FaultFiles::GetAttribute(int fd, const std::string& name, std::string* value) {
  const int rc = Ask("GetAttribute", {});
  return rc != 0 ? rc : files_->GetAttribute(fd, name, value);
}

int FaultFiles::SetAttribute(int fd, const std::string& name, const std::string& value) {
  const int rc = Ask("SetAttribute", {});
  return rc != 0 ? rc : files_->SetAttribute(fd, name, value);
}

int FaultFiles::RemoveAttribute(int fd, const std::string& name) {
  const int rc = Ask("RemoveAttribute", {});
  return rc != 0 ? rc : files_->RemoveAttribute(fd, name);
}

}  // namespace tailrace
