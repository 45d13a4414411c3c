#include "state/column_options_codec.h"

#include <bit>
#include <utility>

#include "state/wire.h"

namespace tailrace {
namespace {

// Bits of the byte behind a path.
constexpr uint64_t kDictionarySet = 1;
constexpr uint64_t kDictionaryOn = 2;
constexpr uint64_t kBloomFilterSet = 4;
constexpr uint64_t kDescending = 1;
constexpr uint64_t kNullsFirst = 2;

// The length of a path and its flags.
constexpr int64_t kMinEntryBytes = 2;

void PutPath(const std::string& path, uint64_t flags, std::string* out) {
  PutVarint(path.size(), out);
  out->append(path);
  PutVarint(flags, out);
}

Status Malformed(const std::string& path) { return MakeError(ErrorKind::kBadState, path + ": cut short or malformed"); }

// Of a newer format, whose flags are more.
Status TooNew(const std::string& path, uint64_t flags) {
  return MakeError(ErrorKind::kStateTooNew, path + ": unknown flags " + std::to_string(flags));
}

// Reads a count, then as many entries by `read`, which gets the path and its flags.
template <typename Entry, typename Read>
Result<std::vector<Entry>> DecodeList(std::string_view bytes, const std::string& path, Read read) {
  WireReader wire(bytes);
  int64_t count;
  if (!wire.ReadSize(&count) || count > wire.remaining() / kMinEntryBytes) return Malformed(path);
  std::vector<Entry> entries(static_cast<size_t>(count));
  for (Entry& entry : entries) {
    std::string_view name;
    uint64_t flags;
    if (!wire.ReadSizedBytes(&name) || !wire.ReadVarint(&flags)) return Malformed(path);
    entry.path = name;
    ARROW_RETURN_NOT_OK(read(flags, &wire, &entry));
  }
  if (wire.remaining() > 0) return Malformed(path);
  return entries;
}

}  // namespace

std::string EncodeColumnOptions(const std::vector<ColumnOptions>& columns) {
  std::string out;
  PutVarint(columns.size(), &out);
  for (const ColumnOptions& column : columns) {
    const uint64_t dictionary = column.dictionary ? kDictionarySet | (*column.dictionary ? kDictionaryOn : 0) : 0;
    PutPath(column.path, dictionary | (column.bloom_filter ? kBloomFilterSet : 0), &out);
    if (!column.bloom_filter) continue;
    PutVarint(static_cast<uint64_t>(column.bloom_filter->distinct_values), &out);
    PutFixed64(std::bit_cast<uint64_t>(column.bloom_filter->false_positives), &out);
  }
  return out;
}

Result<std::vector<ColumnOptions>> DecodeColumnOptions(std::string_view bytes, const std::string& path) {
  return DecodeList<ColumnOptions>(bytes, path, [&](uint64_t flags, WireReader* wire, ColumnOptions* column) -> Status {
    if (flags > (kDictionarySet | kDictionaryOn | kBloomFilterSet)) return TooNew(path, flags);
    if ((flags & kDictionarySet) != 0) {
      column->dictionary = (flags & kDictionaryOn) != 0;
    } else if ((flags & kDictionaryOn) != 0) {
      return Malformed(path);
    }
    if ((flags & kBloomFilterSet) == 0) return Status::OK();
    BloomFilterOptions filter;
    uint64_t share;
    if (!wire->ReadSize(&filter.distinct_values) || !wire->ReadFixed64(&share)) return Malformed(path);
    filter.false_positives = std::bit_cast<double>(share);
    // Also not a number, which would never equal itself.
    if (!(filter.false_positives > 0 && filter.false_positives < 1)) return Malformed(path);
    column->bloom_filter = filter;
    return Status::OK();
  });
}

std::string EncodeSortingColumns(const std::vector<SortingColumn>& columns) {
  std::string out;
  PutVarint(columns.size(), &out);
  for (const SortingColumn& column : columns) {
    PutPath(column.path, (column.descending ? kDescending : 0) | (column.nulls_first ? kNullsFirst : 0), &out);
  }
  return out;
}

Result<std::vector<SortingColumn>> DecodeSortingColumns(std::string_view bytes, const std::string& path) {
  return DecodeList<SortingColumn>(bytes, path, [&](uint64_t flags, WireReader*, SortingColumn* column) -> Status {
    if (flags > (kDescending | kNullsFirst)) return TooNew(path, flags);
    column->descending = (flags & kDescending) != 0;
    column->nulls_first = (flags & kNullsFirst) != 0;
    return Status::OK();
  });
}

}  // namespace tailrace
