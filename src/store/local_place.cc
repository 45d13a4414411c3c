#include "store/local_place.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/uuid.h"

namespace tailrace {
namespace {

constexpr size_t kWriteIdLength = 36;
constexpr size_t kRandomLength = 16;

Status BadKey(const std::string& key, std::string_view why) {
  // A NUL would cut the message where it is printed.
  const std::string shown = key.substr(0, key.find('\0'));
  return MakeError(ErrorKind::kInvalid, "the key '" + shown + "' of the local store " + std::string(why));
}

Status CheckKey(const std::string& key) {
  if (key.empty()) return BadKey(key, "is empty");
  if (key.find('\0') != std::string::npos) return BadKey(key, "holds a NUL character");
  for (size_t begin = 0; begin <= key.size();) {
    const size_t end = std::min(key.find('/', begin), key.size());
    const std::string_view segment = std::string_view(key).substr(begin, end - begin);
    if (segment.empty()) return BadKey(key, "holds an empty segment, or starts or ends with '/'");
    if (segment == "." || segment == "..") return BadKey(key, "holds the segment '.' or '..'");
    if (segment == kHiddenFolderName) return BadKey(key, "lies in a folder that holds uploads, .tailrace");
    begin = end + 1;
  }
  return Status::OK();
}

bool IsLowerHex(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

}  // namespace

Result<LocalPlace> LocalPlace::Of(const std::string& key) {
  ARROW_RETURN_NOT_OK(CheckKey(key));
  LocalPlace place{.key = key, .target = "/" + key, .folder = {}, .hidden = {}};
  const size_t slash = place.target.rfind('/');
  place.folder = slash == 0 ? "/" : place.target.substr(0, slash);
  place.hidden = place.target.substr(0, slash + 1) + std::string(kHiddenFolderName);
  return place;
}

std::string UploadFileName::ToString() const { return random.empty() ? write_id.text : write_id.text + "-" + random; }

UploadFileName UploadFileName::ForUpload(const WriteId& write_id) {
  return {.write_id = write_id, .random = MakeInstanceId().substr(0, kRandomLength)};
}

UploadFileName UploadFileName::ForPut(const WriteId& write_id) { return {.write_id = write_id, .random = {}}; }

std::optional<UploadFileName> UploadFileName::Parse(std::string_view text) {
  UploadFileName name{.write_id = {std::string(text.substr(0, kWriteIdLength))}, .random = {}};
  if (!name.write_id.Time()) return std::nullopt;
  if (text.size() == kWriteIdLength) return name;
  if (text.size() != kWriteIdLength + 1 + kRandomLength || text[kWriteIdLength] != '-') return std::nullopt;
  name.random = text.substr(kWriteIdLength + 1);
  if (!IsLowerHex(name.random)) return std::nullopt;
  return name;
}

UploadId LocalUploadId::ToUploadId() const { return {name.ToString() + InodeSuffix(inode)}; }

Result<LocalUploadId> LocalUploadId::Parse(const UploadId& id) {
  const std::string_view text = id.text;
  const size_t at = std::min(text.find('@'), text.size());
  const std::optional<UploadFileName> name = UploadFileName::Parse(text.substr(0, at));
  LocalUploadId parsed;
  if (name && at < text.size()) {
    parsed.name = *name;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + at + 1, end, parsed.inode);
    // One spelling per id: "@007" is no inode that we wrote.
    if (error == std::errc() && stop == end && parsed.ToUploadId() == id) return parsed;
  }
  std::string message = "'";
  message += text.substr(0, text.find('\0'));
  message += "' is no upload id of the local store (<write id>-<random>@<inode>)";
  return MakeError(ErrorKind::kBadState, std::move(message));
}

std::string InodeSuffix(uint64_t inode) { return std::string("@").append(std::to_string(inode)); }

}  // namespace tailrace
