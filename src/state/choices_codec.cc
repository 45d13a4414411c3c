#include "state/choices_codec.h"

#include <cstddef>

namespace tailrace {
namespace {

// The format's numbering.
constexpr ChunkEncoding kEncodings[] = {ChunkEncoding::kPlain,      ChunkEncoding::kDictionary,
                                        ChunkEncoding::kDelta,      ChunkEncoding::kDeltaLength,
                                        ChunkEncoding::kDeltaBytes, ChunkEncoding::kByteStreamSplit};
constexpr ChoiceReason kReasons[] = {ChoiceReason::kSmallest, ChoiceReason::kByOption, ChoiceReason::kAsBefore,
                                     ChoiceReason::kTooFewValues, ChoiceReason::kSharedPath};

constexpr uint64_t kCompressed = 1;
constexpr uint64_t kDictionaryGaveWay = 2;
constexpr uint64_t kCodecSavedLittle = 4;
constexpr uint64_t kAllFlags = kCompressed | kDictionaryGaveWay | kCodecSavedLittle;

template <typename Enum, size_t size>
uint64_t NumberOf(Enum value, const Enum (&values)[size]) {
  uint64_t number = 0;
  while (values[number] != value) ++number;
  return number;
}

uint64_t FlagsOf(const ColumnChoice& choice) {
  return (choice.compressed ? kCompressed : 0) | (choice.dictionary_gave_way ? kDictionaryGaveWay : 0) |
         (choice.codec_saved_little ? kCodecSavedLittle : 0);
}

template <typename Put>
void ForEach(const std::vector<RowGroupEntry>& row_groups, Put put) {
  for (const RowGroupEntry& group : row_groups) {
    for (const ColumnChoice& choice : group.choices) put(choice);
  }
}

// Reads one column of entries by `take`, which says whether it knows the number.
template <typename Take>
Status ReadColumn(WireReader* wire, const std::string& path, const char* column, std::vector<RowGroupEntry>* row_groups,
                  Take take) {
  for (RowGroupEntry& group : *row_groups) {
    for (ColumnChoice& choice : group.choices) {
      int64_t number;
      if (!wire->ReadSize(&number)) {
        return MakeError(ErrorKind::kBadState, path + ": choices: " + column + ": cut short or malformed");
      }
      if (!take(static_cast<uint64_t>(number), &choice)) {
        return MakeError(ErrorKind::kStateTooNew,
                         path + ": choices: " + column + ": unknown value " + std::to_string(number));
      }
    }
  }
  return Status::OK();
}

bool TakeFlags(uint64_t flags, ColumnChoice* choice) {
  choice->compressed = (flags & kCompressed) != 0;
  choice->dictionary_gave_way = (flags & kDictionaryGaveWay) != 0;
  choice->codec_saved_little = (flags & kCodecSavedLittle) != 0;
  return flags <= kAllFlags;
}

template <typename Enum, size_t size>
bool TakeEnum(uint64_t number, const Enum (&values)[size], Enum* value) {
  if (number >= size) return false;
  *value = values[number];
  return true;
}

}  // namespace

void PutChoices(const std::vector<RowGroupEntry>& row_groups, std::string* out) {
  ForEach(row_groups, [&](const auto& choice) { PutVarint(NumberOf(choice.encoding, kEncodings), out); });
  ForEach(row_groups, [&](const auto& choice) { PutVarint(FlagsOf(choice), out); });
  ForEach(row_groups, [&](const auto& choice) { PutVarint(NumberOf(choice.reason, kReasons), out); });
  ForEach(row_groups, [&](const auto& choice) { PutVarint(static_cast<uint64_t>(choice.plain_bytes), out); });
  ForEach(row_groups, [&](const auto& choice) { PutVarint(static_cast<uint64_t>(choice.chosen_bytes), out); });
}

Status ReadChoices(WireReader* wire, const std::string& path, std::vector<RowGroupEntry>* row_groups) {
  ARROW_RETURN_NOT_OK(ReadColumn(wire, path, "encodings", row_groups, [](uint64_t number, ColumnChoice* choice) {
    return TakeEnum(number, kEncodings, &choice->encoding);
  }));
  ARROW_RETURN_NOT_OK(ReadColumn(wire, path, "flags", row_groups, TakeFlags));
  ARROW_RETURN_NOT_OK(ReadColumn(wire, path, "reasons", row_groups, [](uint64_t number, ColumnChoice* choice) {
    return TakeEnum(number, kReasons, &choice->reason);
  }));
  ARROW_RETURN_NOT_OK(ReadColumn(wire, path, "plain bytes", row_groups, [](uint64_t number, ColumnChoice* choice) {
    choice->plain_bytes = static_cast<int64_t>(number);
    return true;
  }));
  return ReadColumn(wire, path, "chosen bytes", row_groups, [](uint64_t number, ColumnChoice* choice) {
    choice->chosen_bytes = static_cast<int64_t>(number);
    return true;
  });
}

}  // namespace tailrace
