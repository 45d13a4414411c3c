#include <string_view>

#include "encode/prepared_schema.h"
#include "tailrace/inspect.h"

namespace tailrace {
namespace {

std::string_view WordsOf(ChunkEncoding encoding) {
  switch (encoding) {
    case ChunkEncoding::kPlain:
      return "plain";
    case ChunkEncoding::kDictionary:
      return "dictionary";
    case ChunkEncoding::kDelta:
      return "delta binary packed";
    case ChunkEncoding::kDeltaLength:
      return "delta length byte array";
    case ChunkEncoding::kDeltaBytes:
      return "delta byte array";
    case ChunkEncoding::kByteStreamSplit:
      return "byte-stream-split";
  }
  return "unknown";
}

std::string_view WordsOf(ChoiceReason reason) {
  switch (reason) {
    case ChoiceReason::kSmallest:
      return "smallest in a sample";
    case ChoiceReason::kByOption:
      return "by an option";
    case ChoiceReason::kAsBefore:
      return "as two row groups before, with too few values of its own";
    case ChoiceReason::kTooFewValues:
      return "the default, with too few values to choose by";
    case ChoiceReason::kSharedPath:
      return "the default, since another column has the same dotted path";
  }
  return "unknown";
}

std::string WhyOf(const ColumnChoice& choice) {
  std::string why(WordsOf(choice.reason));
  if (choice.plain_bytes > 0) {
    why += ": " + std::to_string(choice.chosen_bytes) + " bytes, plain " + std::to_string(choice.plain_bytes);
  }
  if (choice.dictionary_gave_way) why += "; its dictionary outgrew its page before";
  if (choice.codec_saved_little) why += "; the codec saved too little before";
  return why;
}

}  // namespace

Result<std::vector<ChosenColumn>> DescribeChoices(const ParquetContent& content) {
  std::vector<ChosenColumn> out;
  if (content.row_groups.empty() || content.row_groups.back().choices.empty()) return out;
  ARROW_ASSIGN_OR_RAISE(const PreparedSchema schema, RestoreSchema(content));
  const std::vector<ColumnChoice>& choices = content.row_groups.back().choices;
  if (choices.size() != schema.leaves.size()) {
    return MakeError(ErrorKind::kBadState, "content.row_groups: choices of other columns");
  }
  for (size_t i = 0; i < choices.size(); ++i) {
    out.push_back(
        {schema.leaves[i].path, std::string(WordsOf(choices[i].encoding)), choices[i].compressed, WhyOf(choices[i])});
  }
  return out;
}

}  // namespace tailrace
