#include "store/object_facts.h"

#include <cerrno>
#include <cinttypes>
#include <cstdio>

#include "store/file_error.h"
#include "store/local_place.h"
#include "store/upload_file.h"

namespace tailrace {

std::string EtagOf(const FileFacts& facts) {
  char text[64];
  std::snprintf(text, sizeof text, "%" PRIx64 "-%" PRIx64 "-%" PRIx64, facts.inode,
                static_cast<uint64_t>(facts.mtime_ns), static_cast<uint64_t>(facts.size_bytes));
  return text;
}

Result<ObjectMeta> DescribeObject(FileCalls* files, int fd, const std::string& path, const FileFacts& facts) {
  ObjectMeta meta;
  meta.size_bytes = facts.size_bytes;
  meta.etag = EtagOf(facts);
  meta.last_modified =
      Timestamp(std::chrono::floor<std::chrono::microseconds>(std::chrono::nanoseconds(facts.mtime_ns)));
  const int rc = files->GetAttribute(fd, kWriteIdAttribute, &meta.write_id);
  // ERANGE: longer than any of ours.
  if (rc < 0 && rc != -ENODATA && rc != -ERANGE && !NoAttributes(rc)) {
    return FileError("read the attribute user.tailrace.write_id of", path, rc);
  }
  if (rc < 0) meta.write_id.clear();
  // Only where there can be no write id: elsewhere its absence says that the object is not of ours, and the inode may
  // have been used again.
  if (NoAttributes(rc)) meta.from_upload = InodeSuffix(facts.inode);
  return meta;
}

}  // namespace tailrace
