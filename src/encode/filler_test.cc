#include "encode/filler.h"

#include <limits>

#include <gtest/gtest.h>

#include "encode/file_tail.h"
#include "encode/written_file_fixture.h"
#include "testing/batch_makers.h"
#include "testing/status_macros.h"

namespace tailrace {
namespace {

// Of the file of three row groups whose tail begins so much behind the last of them.
Result<std::vector<ByteRange>> FillerOfFileWithGap(int64_t gap) {
  ParquetOptions options;
  options.row_group_rows = 300;
  ARROW_ASSIGN_OR_RAISE(const WrittenFile file,
                        WriteBatches(NestedSchema(), {MakeBatch(NestedSchema(), 900, 1)}, options));
  const int64_t data_end = 4 + file.content.data_bytes();
  ARROW_ASSIGN_OR_RAISE(const FileTail tail, BuildTail(file.content, FileEnd::kFinish, data_end + gap));
  ARROW_ASSIGN_OR_RAISE(const ThriftStruct footer, DecodeThrift(tail.footer));
  const int64_t size = data_end + gap + tail.bytes.size();
  std::vector<ByteRange> filler = FillerOf(footer, size - 8 - static_cast<int64_t>(tail.footer.size()));
  for (ByteRange& range : filler) range.offset_bytes -= data_end;
  return filler;
}

TEST(Filler, APlainFileHasNone) {
  ASSERT_OK_AND_ASSIGN(const auto filler, FillerOfFileWithGap(0));
  EXPECT_EQ(filler, std::vector<ByteRange>());
}

TEST(Filler, BytesBeforeTheIndexesAreOneRun) {
  for (int64_t gap : {1, 4096, 10'000'000}) {
    ASSERT_OK_AND_ASSIGN(const auto filler, FillerOfFileWithGap(gap));
    EXPECT_EQ(filler, (std::vector<ByteRange>{{0, gap}}));
  }
}

ThriftStruct FooterOf(int64_t pages_offset, int64_t pages_bytes) {
  ThriftStruct metadata, chunk, group, footer;
  metadata.Set(7, ThriftValue::I64(pages_bytes));
  metadata.Set(9, ThriftValue::I64(pages_offset));
  chunk.Set(3, ThriftValue::Struct(metadata));
  group.Set(1, ThriftValue::List({ThriftType::kStruct, {ThriftValue::Struct(chunk)}}));
  footer.Set(4, ThriftValue::List({ThriftType::kStruct, {ThriftValue::Struct(group)}}));
  return footer;
}

TEST(Filler, OffsetsOfADamagedFooterDoNoHarm) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(FillerOf(FooterOf(10, 20), 100), (std::vector<ByteRange>{{4, 6}, {30, 70}}));
  EXPECT_EQ(FillerOf(FooterOf(10, kMost), 100), (std::vector<ByteRange>{{4, 6}}));
  EXPECT_EQ(FillerOf(FooterOf(kMost, kMost), 100), (std::vector<ByteRange>{{4, 96}}));
  EXPECT_EQ(FillerOf(FooterOf(-5, -5), 100), (std::vector<ByteRange>{{4, 96}}));
  EXPECT_EQ(FillerOf(ThriftStruct(), 4), std::vector<ByteRange>());
}

}  // namespace
}  // namespace tailrace
