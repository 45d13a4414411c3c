#include "c/fields.h"

#include <limits>

namespace tailrace::c {

void ReadText(const char* given, std::string* out) {
  if (given != nullptr) *out = given;
}

Status ReadFlag(const char* name, int64_t given, bool* out) {
  if (given != 0 && given != 1) return UnknownChoice(name, given);
  *out = given == 1;
  return Status::OK();
}

Status ReadPairs(const char* name, const char* const* given, std::vector<std::pair<std::string, std::string>>* out) {
  if (given == nullptr) return Status::OK();
  out->clear();
  for (; given[0] != nullptr; given += 2) {
    if (given[1] == nullptr) {
      return MakeError(ErrorKind::kInvalid, std::string(name) + ": " + given[0] + " has no value");
    }
    out->emplace_back(given[0], given[1]);
  }
  return Status::OK();
}

Status ReadInt(const char* name, int64_t given, int* out) {
  if (given < std::numeric_limits<int>::min() || given > std::numeric_limits<int>::max()) {
    return UnknownChoice(name, given);
  }
  *out = static_cast<int>(given);
  return Status::OK();
}

Status UnknownChoice(const char* name, int64_t given) {
  return MakeError(ErrorKind::kInvalid,
                   std::string(name) + " is " + std::to_string(given) + ", which this library does not know");
}

}  // namespace tailrace::c
