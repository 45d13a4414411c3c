#include "encode/choose_columns.h"

#include <algorithm>
#include <array>
#include <bit>

#include "encode/encoder_properties.h"

namespace tailrace {
namespace {

// In per cent. Below it neither a codec nor a dearer encoding is worth its time (docs/adr/0008).
constexpr int64_t kWorthwhile = 5;
// What an earlier row group showed is believed until a sample shows more than this, or fewer distinct values.
constexpr int64_t kClearSaving = 10;
constexpr int64_t kClearlyRepeated = 16;  // times, on average

bool Saves(const TrialSize& size, int64_t per_cent) {
  return size.compressed_bytes * 100 <= size.raw_bytes * (100 - per_cent);
}
// A hundredth of what plain values take, so that what an encoding left is not compressed for nothing.
bool SavesEnough(const TrialSize& size, int64_t plain_bytes) {
  return Saves(size, kWorthwhile) && (size.raw_bytes - size.compressed_bytes) * 100 >= plain_bytes;
}

bool IsSmallerBy(int64_t size, int64_t than, int64_t per_cent) { return size * 100 <= than * (100 - per_cent); }

// Bits of an index into a dictionary.
int64_t IndexBits(int64_t distinct) {
  return std::max<int64_t>(1, std::bit_width(static_cast<uint64_t>(distinct - 1)));
}

// What the sample would take as its share of a row group with one dictionary; nullopt where it would outgrow its page.
std::optional<TrialSize> DictionarySize(const TrialDictionary& trial, const SampleScale& scale) {
  if (trial.gave_way || trial.distinct < 1 || trial.values < 1) return std::nullopt;
  const int64_t group_values =
      std::max(trial.values, trial.values * std::max<int64_t>(1, scale.group_rows / scale.sample_rows));
  const int64_t distinct = std::min(EstimateDistinct(trial.distinct, trial.values), group_values);
  if (trial.page.raw_bytes * distinct / trial.distinct > kDictionaryPageBytes) return std::nullopt;
  const int64_t bits = IndexBits(distinct), sample_bits = IndexBits(trial.distinct);
  const auto share = [&](int64_t page_bytes, int64_t rest_bytes) {
    return page_bytes * distinct / trial.distinct * trial.values / group_values + rest_bytes * bits / sample_bits;
  };
  return TrialSize{share(trial.page.raw_bytes, trial.rest.raw_bytes),
                   share(trial.page.compressed_bytes, trial.rest.compressed_bytes)};
}

// One way to write a column chunk.
struct Candidate {
  ChunkEncoding encoding;
  TrialSize size;
};

// From cheap to dear.
std::vector<Candidate> CandidatesOf(const ColumnTrial& trial, const SampleScale& scale, bool dictionary) {
  std::vector<Candidate> out;
  const auto add = [&](ChunkEncoding encoding, const std::optional<TrialSize>& size) {
    if (size) out.push_back({encoding, *size});
  };
  add(ChunkEncoding::kPlain, trial.plain);
  add(ChunkEncoding::kByteStreamSplit, trial.byte_stream_split);
  add(ChunkEncoding::kDelta, trial.delta);
  if (dictionary && trial.dictionary) add(ChunkEncoding::kDictionary, DictionarySize(*trial.dictionary, scale));
  add(ChunkEncoding::kDeltaLength, trial.delta_length);
  add(ChunkEncoding::kDeltaBytes, trial.delta_bytes);
  return out;
}

std::optional<bool> DictionaryByOption(const LeafColumn& leaf, const ParquetOptions& options) {
  for (const ColumnOptions& column : options.columns) {
    if (column.path == leaf.path) return column.dictionary;
  }
  return std::nullopt;
}

// What is known about the dictionary of this column from before, unless the sample contradicts it.
bool DictionaryGaveWay(const ColumnTrial& trial, const std::optional<ChunkFacts>& before) {
  if (!before || !(before->dictionary_gave_way || before->choice.dictionary_gave_way)) return false;
  return !trial.dictionary || trial.dictionary->distinct * kClearlyRepeated > trial.dictionary->values;
}

bool CodecSavedLittle(ChunkEncoding encoding, const std::optional<ChunkFacts>& before) {
  if (!before || before->choice.encoding != encoding) return false;
  return before->choice.compressed ? !Saves({before->raw_bytes, before->compressed_bytes}, kWorthwhile)
                                   : before->choice.codec_saved_little;
}

ColumnChoice Default(const LeafColumn& leaf, const ParquetOptions& options, ChoiceReason reason) {
  ColumnChoice choice;
  choice.encoding =
      MayGet(leaf, ChunkEncoding::kDictionary, options) ? ChunkEncoding::kDictionary : ChunkEncoding::kPlain;
  choice.compressed = options.codec != Codec::kNone;
  choice.reason = reason;
  return choice;
}

}  // namespace

int64_t EstimateDistinct(int64_t distinct, int64_t values) {
  // Where `values` draws from m equally frequent ones show d distinct ones, d / values = (1 - e^-x) / x with x = values
  // / m. m / values in thousandths, for d / values of 0/16, 1/16, ... 15/16; whole numbers, since bytes depend on them.
  constexpr std::array<int64_t, 16> kTotal = {0,   63,  125, 188,  255,  328,  411,  509,
                                              628, 777, 974, 1246, 1651, 2322, 3659, 7663};
  const int64_t sixteenths = distinct * 16 / values;
  if (sixteenths >= 15) return kManyValues;
  // A straight line between two entries.
  const int64_t low = kTotal[sixteenths], high = kTotal[sixteenths + 1];
  const int64_t rest = distinct * 16 - sixteenths * values;  // in [0, values)
  const int64_t total = (low * values + (high - low) * rest) / 1000;
  return std::max(distinct, total);
}

ColumnChoice ChooseColumn(const LeafColumn& leaf, const ParquetOptions& options, const ColumnTrial& trial,
                          const SampleScale& scale, const std::optional<ChunkFacts>& before) {
  if (leaf.ambiguous) return Default(leaf, options, ChoiceReason::kSharedPath);
  if (!trial.plain || trial.slots < kMinSampleValues) {
    if (!before) return Default(leaf, options, ChoiceReason::kTooFewValues);
    ColumnChoice choice = before->choice;
    choice.reason = ChoiceReason::kAsBefore;
    choice.plain_bytes = choice.chosen_bytes = 0;
    return choice;
  }
  ColumnChoice choice;
  choice.reason = ChoiceReason::kSmallest;
  choice.plain_bytes = trial.plain->raw_bytes;
  choice.dictionary_gave_way = DictionaryGaveWay(trial, before);
  std::vector<Candidate> candidates = CandidatesOf(trial, scale, !choice.dictionary_gave_way);
  if (DictionaryByOption(leaf, options) == true && trial.dictionary) {
    // However large it gets.
    const TrialDictionary& dictionary = *trial.dictionary;
    candidates = {{ChunkEncoding::kDictionary,
                   {dictionary.page.raw_bytes + dictionary.rest.raw_bytes,
                    dictionary.page.compressed_bytes + dictionary.rest.compressed_bytes}}};
    choice.reason = ChoiceReason::kByOption;
  }
  bool first = true;
  for (const Candidate& candidate : candidates) {
    const bool saved_little = CodecSavedLittle(candidate.encoding, before) && !Saves(candidate.size, kClearSaving);
    const bool compressed =
        options.codec != Codec::kNone && !saved_little && SavesEnough(candidate.size, choice.plain_bytes);
    const int64_t bytes = compressed ? candidate.size.compressed_bytes : candidate.size.raw_bytes;
    if (!first && !IsSmallerBy(bytes, choice.chosen_bytes, kWorthwhile)) continue;
    first = false;
    choice.encoding = candidate.encoding;
    choice.compressed = compressed;
    choice.codec_saved_little = saved_little;
    choice.chosen_bytes = bytes;
  }
  return choice;
}

}  // namespace tailrace
