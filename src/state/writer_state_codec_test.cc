#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "state/column_options_codec.h"
#include "state/envelope.h"
#include "state/state_samples.h"
#include "state/tagged_codec.h"
#include "tailrace/state.h"

namespace tailrace {
namespace {

using testing::HasSubstr;

constexpr BlobKind kKind = BlobKind::kWriterState;

void ExpectRoundTrip(const WriterState& state) {
  const std::string bytes = state.ToBytes();
  auto again = WriterState::FromBytes(bytes);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(*again, state);
  EXPECT_EQ(again->ToBytes(), bytes);
}

TEST(WriterStateCodec, EmptyFileComesBack) { ExpectRoundTrip(EmptyState()); }

TEST(WriterStateCodec, SmallStateComesBack) { ExpectRoundTrip(SmallState()); }

TEST(WriterStateCodec, CarriedRowsComeBackAndCount) {
  const WriterState state = CarryingState();
  ExpectRoundTrip(state);
  EXPECT_EQ(state.rows(), SmallState().rows() + 16384 + 17);
  EXPECT_EQ(state.carried.size_bytes(), 35);
}

TEST(WriterStateCodec, GrowingPartsComeBack) {
  WriterState state = LargeState(3, 2);
  state.progress.part_lengths = {.part_size_bytes = 10, .step_parts = 2, .growth_bytes = 3, .largest_bytes = 17};
  std::string data;
  for (RowGroupEntry& group : state.content.row_groups) data.append(static_cast<size_t>(group.size_bytes), 'x');
  SetBytes(data, &state);
  ASSERT_EQ(state.progress.receipts.back().size_bytes, 17);
  ExpectRoundTrip(state);
}

TEST(WriterStateCodec, ThousandRowGroupsOfHundredColumnsComeBack) {
  const WriterState state = LargeState(1000, 100);
  EXPECT_GT(state.progress.receipts.size(), 8u);
  ExpectRoundTrip(state);
}

TEST(WriterStateCodec, EveryOptionComesBack) {
  WriterState state = SmallState();
  FileOptions& options = state.options;
  for (Codec codec : {Codec::kNone, Codec::kSnappy, Codec::kGzip, Codec::kBrotli, Codec::kZstd, Codec::kLz4}) {
    options.parquet.codec = codec;
    ExpectRoundTrip(state);
  }
  for (int level : {-131072, -1, 0, 22}) {
    options.parquet.codec_level = level;
    ExpectRoundTrip(state);
  }
  options.parquet.statistics = false;
  ExpectRoundTrip(state);
  options.parquet.page_index = false;
  options.parquet.row_group_bytes = 1;
  options.parquet.row_group_rows = int64_t{1} << 62;
  options.parquet.key_value_metadata = {{"a", ""}, {"", std::string("\0\xff", 2)}, {"a", std::string(300, 'z')}};
  options.overwrite = OverwritePolicy::kFailIfExists;
  options.small_files = SmallFiles::kUpload;
  options.inline_max_bytes = 0;
  options.checkpoint_mode = CheckpointMode::kCarry;
  options.carry_max_bytes = 1;
  options.expected_bytes = int64_t{1} << 46;
  options.growing_parts = true;
  ExpectRoundTrip(state);
  options.parquet.adaptive = false;
  options.parquet.encodings = Encodings::kAll;
  options.parquet.dictionary = false;
  options.parquet.page_bytes = 1;
  options.parquet.version = ParquetVersion::k1_0;
  options.parquet.data_page_version = DataPageVersion::kV2;
  options.parquet.text_not_utf8 = TextNotUtf8::kBinary;
  options.parquet.columns = {{"a", true, {}}, {"b.list.element", false, BloomFilterOptions{7, 0.001}}, {"", {}, {}}};
  options.parquet.sorting_columns = {{"a", true, false}, {"b", false, true}};
  ExpectRoundTrip(state);
}

// A list that is cut anywhere, or holds what no writer puts there, is refused by the name of its field.
TEST(WriterStateCodec, ListsOfColumnOptionsAreChecked) {
  const std::string columns = EncodeColumnOptions({{"a", true, BloomFilterOptions{300, 0.5}}, {"b", {}, {}}});
  const std::string sorting = EncodeSortingColumns({{"a", true, true}, {"b", false, false}});
  const auto expect_refused = [](const Status& status) {
    EXPECT_EQ(KindOf(status), ErrorKind::kBadState) << status;
    EXPECT_THAT(status.message(), testing::StartsWith("list: "));
  };
  for (size_t size = 0; size < columns.size(); ++size) {
    expect_refused(DecodeColumnOptions(std::string_view(columns).substr(0, size), "list").status());
  }
  for (size_t size = 0; size < sorting.size(); ++size) {
    expect_refused(DecodeSortingColumns(std::string_view(sorting).substr(0, size), "list").status());
  }
  expect_refused(DecodeColumnOptions(columns + "x", "list").status());
  expect_refused(DecodeColumnOptions(std::string("\1\0\2", 3), "list").status());
  expect_refused(DecodeColumnOptions(EncodeColumnOptions({{"a", {}, BloomFilterOptions{1, 1.0}}}), "list").status());
  EXPECT_EQ(KindOf(DecodeColumnOptions(std::string("\1\0\10", 3), "list").status()), ErrorKind::kStateTooNew);
  EXPECT_EQ(KindOf(DecodeSortingColumns(std::string("\1\0\4", 3), "list").status()), ErrorKind::kStateTooNew);
}

TEST(WriterStateCodec, EveryPartOfATargetComesBack) {
  WriterState state = SmallState();
  state.target = {"s3", "https://store.example:9000", "eu-north-1", "path", "bucket", "a b/ü.parquet"};
  ExpectRoundTrip(state);
}

TEST(WriterStateCodec, RowGroupsWithoutIndexesComeBack) {
  WriterState state = SmallState();
  state.content.row_groups[0].indexes.clear();
  state.content.row_groups[0].choices.clear();
  ExpectRoundTrip(state);
}

TEST(WriterStateCodec, ColumnsWithoutIndexesComeBack) {
  WriterState state = LargeState(2, 3);
  state.content.row_groups[0].indexes[1] = {};
  state.content.row_groups[1].indexes[0].column_index.clear();
  ExpectRoundTrip(state);
}

TEST(WriterStateCodec, UnsentBytesAreStoredAsTheyAre) {
  const WriterState state = SmallState();
  EXPECT_THAT(state.ToBytes(), HasSubstr(state.progress.unsent));
}

constexpr Field kLater{100, WireType::kBytes, false, "later"};
constexpr Field kLaterMust{100, WireType::kBytes, true, "later"};

std::string WithFieldAppended(const WriterState& state, const Field& field) {
  const std::string bytes = state.ToBytes();
  MessageWriter more;
  more.PutBytes(field, "from the future");
  return WrapBody(kKind, std::string(*UnwrapBody(kKind, bytes)) + more.Take());
}

TEST(WriterStateCodec, UnknownOptionalFieldIsSkipped) {
  auto again = WriterState::FromBytes(WithFieldAppended(SmallState(), kLater));
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(*again, SmallState());
}

TEST(WriterStateCodec, UnknownFieldThatMustBeUnderstoodIsTooNew) {
  const Status status = WriterState::FromBytes(WithFieldAppended(SmallState(), kLaterMust)).status();
  EXPECT_EQ(KindOf(status), ErrorKind::kStateTooNew);
  EXPECT_THAT(status.ToString(), HasSubstr("tag 100"));
}

TEST(WriterStateCodec, NewerVersionIsTooNew) {
  const std::string bytes = SmallState().ToBytes();
  const std::string newer = WrapWithVersion(kKind, *UnwrapBody(kKind, bytes), kFormatVersion + 1);
  EXPECT_EQ(KindOf(WriterState::FromBytes(newer).status()), ErrorKind::kStateTooNew);
}

TEST(WriterStateCodec, PendingCommitIsNamedAsSuch) {
  const Status status = WriterState::FromBytes(SmallInlinePending().ToBytes()).status();
  EXPECT_EQ(KindOf(status), ErrorKind::kBadState);
  EXPECT_THAT(status.ToString(), HasSubstr("this is a pending commit, not a writer state"));
}

TEST(WriterStateCodec, FieldWithRepeatedTagIsRefused) {
  const std::string bytes = SmallState().ToBytes();
  MessageWriter more;
  more.PutBytes({13, WireType::kBytes, false, "library_version"}, "again");
  const std::string body = std::string(*UnwrapBody(kKind, bytes)) + more.Take();
  const Status status = WriterState::FromBytes(WrapBody(kKind, body)).status();
  EXPECT_EQ(KindOf(status), ErrorKind::kBadState);
  EXPECT_THAT(status.ToString(), HasSubstr("library_version: repeated or out of order"));
}

}  // namespace
}  // namespace tailrace
