#include "encode/file_tail.h"

#include <string>
#include <utility>
#include <vector>

#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/crc64.h"
#include "encode/footer_key_values.h"
#include "encode/footer_template.h"
#include "encode/parquet_fields.h"
#include "encode/thrift_compact.h"
#include "encode/written_file_fixture.h"
#include "testing/batch_makers.h"
#include "testing/status_macros.h"

namespace tailrace {
namespace {

Result<WrittenFile> FileOf(int64_t rows, int64_t rows_per_group) {
  ParquetOptions options;
  options.row_group_rows = rows_per_group;
  return WriteBatches(NestedSchema(), {MakeBatch(NestedSchema(), rows, 1)}, options);
}

TEST(FileTail, RowGroupsStandOneBehindTheOther) {
  ASSERT_OK_AND_ASSIGN(const WrittenFile file, FileOf(1000, 300));
  ASSERT_EQ(file.content.row_groups.size(), 4u);
  ASSERT_OK_AND_ASSIGN(const ContentId id, ReadContentId(file.footer));
  EXPECT_EQ(id.rows, 1000);
  ASSERT_EQ(id.groups.size(), 4u);
  int64_t offset = 4;
  for (size_t i = 0; i < id.groups.size(); ++i) {
    EXPECT_EQ(id.groups[i].rows, i < 3 ? 300 : 100);
    EXPECT_EQ(id.groups[i].first_offset, offset);
    EXPECT_GT(id.groups[i].total_bytes, 0);
    offset += file.content.row_groups[i].size_bytes;
  }
  EXPECT_EQ(offset, 4 + file.content.data_bytes());
}

TEST(FileTail, DigestIsOfTheRowGroupBytes) {
  ASSERT_OK_AND_ASSIGN(const WrittenFile file, FileOf(1000, 300));
  EXPECT_EQ(file.content.digest, Crc64Nvme(file.bytes.data() + 4, file.content.data_bytes()));
  ASSERT_OK_AND_ASSIGN(const ContentId id, ReadContentId(file.footer));
  EXPECT_EQ(std::stoull(id.digest, nullptr, 16), file.content.digest);
  EXPECT_EQ(id.digest.size(), 16u);
  EXPECT_EQ(id.end, "close");
}

TEST(FileTail, EqualContentGivesEqualBytesAndTheEndIsNotCompared) {
  ASSERT_OK_AND_ASSIGN(const WrittenFile file, FileOf(500, 200));
  ASSERT_OK_AND_ASSIGN(const FileTail once, BuildTail(file.content, FileEnd::kFinish));
  ASSERT_OK_AND_ASSIGN(const FileTail twice, BuildTail(file.content, FileEnd::kFinish));
  EXPECT_EQ(once.bytes.ToString(), twice.bytes.ToString());
  ASSERT_OK_AND_ASSIGN(const ContentId finished, ReadContentId(once.footer));
  ASSERT_OK_AND_ASSIGN(const ContentId closed, ReadContentId(file.footer));
  EXPECT_EQ(finished.end, "finish");
  EXPECT_TRUE(finished.SameContent(closed));
}

TEST(FileTail, ContentIdsTellFilesApart) {
  ASSERT_OK_AND_ASSIGN(const WrittenFile file, FileOf(500, 200));
  ASSERT_OK_AND_ASSIGN(const ContentId id, ReadContentId(file.footer));
  ContentId other = id;
  EXPECT_TRUE(other.SameContent(id));
  other.digest[0] ^= 1;
  EXPECT_FALSE(other.SameContent(id));
  other = id;
  other.rows += 1;
  EXPECT_FALSE(other.SameContent(id));
  other = id;
  other.groups[1].first_offset += 1;
  EXPECT_FALSE(other.SameContent(id));
  other = id;
  other.groups.pop_back();
  EXPECT_FALSE(other.SameContent(id));
  ContentId without_digest = id;
  without_digest.digest.clear();
  EXPECT_FALSE(without_digest.SameContent(without_digest)) << "nothing is proved";
}

TEST(FileTail, ContentIdsOfCarriedRowsAreTheSameHoweverEncoded) {
  ASSERT_OK_AND_ASSIGN(WrittenFile file, FileOf(500, 200));
  ASSERT_OK_AND_ASSIGN(file.content.footer_template, WithCarriedId(file.content.footer_template, 0xfedcba9876543210));
  ASSERT_OK_AND_ASSIGN(const FileTail tail, BuildTail(file.content, FileEnd::kFinish));
  ASSERT_OK_AND_ASSIGN(const ContentId id, ReadContentId(tail.footer));
  EXPECT_EQ(id.carried, "fedcba9876543210");
  ContentId other = id;
  other.digest[0] ^= 1;
  other.groups.back().total_bytes += 7;
  EXPECT_TRUE(other.SameContent(id));
  other.groups.front().total_bytes += 1;
  EXPECT_FALSE(other.SameContent(id)) << "the state's own row groups are not encoded again";
  other = id;
  other.digest[0] ^= 1;
  other.carried[0] ^= 1;
  EXPECT_FALSE(other.SameContent(id));
  other.carried.clear();
  EXPECT_FALSE(other.SameContent(id));
  other = id;
  other.digest[0] ^= 1;
  other.rows += 1;
  EXPECT_FALSE(other.SameContent(id));
  other = id;
  other.carried.clear();
  EXPECT_TRUE(other.SameContent(id)) << "by its digest, as the file of a close of the same rows";
}

TEST(FileTail, IndexesLieTogetherBeforeTheFooter) {
  ASSERT_OK_AND_ASSIGN(const WrittenFile file, FileOf(1000, 300));
  ASSERT_OK_AND_ASSIGN(const ThriftStruct footer, DecodeThrift(file.footer));
  int64_t at = 4 + file.content.data_bytes();
  // All column indexes, then all offset indexes, without a gap.
  for (const auto& [offset_id, length_id] :
       {std::pair(column_chunk::kColumnIndexOffset, column_chunk::kColumnIndexLength),
        std::pair(column_chunk::kOffsetIndexOffset, column_chunk::kOffsetIndexLength)}) {
    for (const ThriftValue& group : footer.FindList(file_metadata::kRowGroups)->values) {
      for (const ThriftValue& column : std::get<ThriftStruct>(group.data).FindList(row_group::kColumns)->values) {
        const auto& chunk = std::get<ThriftStruct>(column.data);
        if (chunk.FindInt(offset_id) == nullptr) continue;
        EXPECT_EQ(*chunk.FindInt(offset_id), at);
        at += *chunk.FindInt(length_id);
      }
    }
  }
  EXPECT_EQ(at, static_cast<int64_t>(file.bytes.size() - file.footer.size()) - 8);
}

TEST(FileTail, OrdinalsCount) {
  ASSERT_OK_AND_ASSIGN(const WrittenFile file, FileOf(1000, 300));
  ASSERT_OK_AND_ASSIGN(const ThriftStruct footer, DecodeThrift(file.footer));
  int64_t ordinal = 0;
  for (const ThriftValue& group : footer.FindList(file_metadata::kRowGroups)->values) {
    EXPECT_EQ(*std::get<ThriftStruct>(group.data).FindInt(row_group::kOrdinal), ordinal++);
  }
  EXPECT_EQ(ordinal, 4);
}

TEST(FileTail, BoundHolds) {
  for (const int64_t rows_per_group : {1, 7, 300}) {
    ASSERT_OK_AND_ASSIGN(WrittenFile file, FileOf(rows_per_group * 10, rows_per_group));
    for (const int64_t shift : {int64_t{0}, int64_t{1} << 45, int64_t{1} << 61}) {
      // As if much came before the second row group.
      ParquetContent content = file.content;
      content.row_groups[0].size_bytes += shift;
      ASSERT_OK_AND_ASSIGN(const FileTail tail, BuildTail(content, FileEnd::kFinish));
      EXPECT_LE(tail.bytes.size(), TailBytesBound(content));
      EXPECT_LT(TailBytesBound(content), 3 * tail.bytes.size());
    }
  }
}

TEST(FileTail, NoRowsIsAFileWithoutRowGroups) {
  ASSERT_OK_AND_ASSIGN(const WrittenFile no_batch, WriteBatches(NestedSchema(), {}));
  ASSERT_OK_AND_ASSIGN(const WrittenFile no_rows, WriteBatches(NestedSchema(), {MakeBatch(NestedSchema(), 0, 1),
                                                                                MakeBatch(NestedSchema(), 0, 2)}));
  EXPECT_EQ(no_batch.bytes, no_rows.bytes);
  ASSERT_OK_AND_ASSIGN(const ContentId id, ReadContentId(no_batch.footer));
  EXPECT_EQ(id.rows, 0);
  EXPECT_TRUE(id.groups.empty());
  ASSERT_OK_AND_ASSIGN(auto read, ReadBack(no_batch.bytes));
  EXPECT_EQ(read->num_rows(), 0);
  EXPECT_TRUE(read->schema()->Equals(*NestedSchema()));
}

TEST(FileTail, TooManyRowGroupsAreALimit) {
  ASSERT_OK_AND_ASSIGN(const WrittenFile file, WriteBatches(DictionarySchema(), {MakeBatch(DictionarySchema(), 1, 1)}));
  ParquetContent content = file.content;
  content.row_groups.resize(32767, content.row_groups[0]);
  EXPECT_OK(BuildTail(content, FileEnd::kClose));
  content.row_groups.push_back(content.row_groups[0]);
  const auto tail = BuildTail(content, FileEnd::kClose);
  EXPECT_KIND(ErrorKind::kLimit, tail);
  EXPECT_THAT(tail.status().message(), testing::HasSubstr("32767"));
}

TEST(FileTail, EntriesThatDoNotFitAreRefused) {
  ASSERT_OK_AND_ASSIGN(const WrittenFile file, FileOf(500, 200));
  ParquetContent content = file.content;
  content.row_groups[1].rows += 1;
  EXPECT_KIND(ErrorKind::kBadState, BuildTail(content, FileEnd::kClose));
  content = file.content;
  content.row_groups[1].indexes.pop_back();
  EXPECT_KIND(ErrorKind::kBadState, BuildTail(content, FileEnd::kClose));
  content = file.content;
  content.row_groups[1].metadata.pop_back();
  EXPECT_KIND(ErrorKind::kBadState, BuildTail(content, FileEnd::kClose));
  content = file.content;
  content.row_groups[1].indexes[0].offset_index = "x";
  EXPECT_KIND(ErrorKind::kBadState, BuildTail(content, FileEnd::kClose));
}

TEST(FileTail, MetadataIsAppended) {
  ParquetOptions options;
  options.key_value_metadata = {{"b", "2"}, {"a", "1"}};
  ASSERT_OK_AND_ASSIGN(const WrittenFile file, WriteBatches(NestedSchema(), {}, options));
  ASSERT_OK_AND_ASSIGN(const ThriftStruct footer, DecodeThrift(file.footer));
  const KeyValues entries = ReadKeyValues(footer);
  ASSERT_EQ(entries.size(), 5u);
  EXPECT_EQ(entries[0], std::pair(std::string("b"), std::string("2")));
  EXPECT_EQ(entries[1], std::pair(std::string("a"), std::string("1")));
  EXPECT_EQ(entries[2].first, "ARROW:schema");
  EXPECT_EQ(entries[3], std::pair(std::string("tailrace.digest"), std::string("0000000000000000")));
  EXPECT_EQ(entries[4], std::pair(std::string("tailrace.end"), std::string("close")));
}

TEST(ContentIdTest, DamagedFootersAreRefusedOrRead) {
  ASSERT_OK_AND_ASSIGN(const WrittenFile file,
                       WriteBatches(DictionarySchema(), {MakeBatch(DictionarySchema(), 50, 1)}));
  for (size_t size = 0; size < file.footer.size(); ++size) {
    EXPECT_KIND(ErrorKind::kInvalid, ReadContentId(std::string_view(file.footer).substr(0, size)));
  }
  ASSERT_OK_AND_ASSIGN(const ContentId id, ReadContentId(file.footer));
  std::string damaged = file.footer;
  for (char& byte : damaged) {
    for (const int mask : {1, 2, 4, 8, 16, 32, 64, 128, 255}) {
      byte = static_cast<char>(byte ^ mask);
      const auto other = ReadContentId(damaged);
      if (!other.ok()) {
        EXPECT_KIND(ErrorKind::kInvalid, other);
      }
      byte = static_cast<char>(byte ^ mask);
    }
  }
  EXPECT_EQ(damaged, file.footer);
}

// The same for what a footer is built from: never a crash, whatever the bytes.
TEST(FileTail, DamagedContentIsRefusedOrBuilt) {
  ASSERT_OK_AND_ASSIGN(const WrittenFile file,
                       WriteBatches(DictionarySchema(), {MakeBatch(DictionarySchema(), 50, 1)}));
  ParquetContent content = file.content;
  RowGroupEntry& entry = content.row_groups[0];
  for (std::string* bytes : {&content.footer_template, &entry.metadata, &entry.indexes[1].offset_index}) {
    ASSERT_FALSE(bytes->empty());
    for (char& byte : *bytes) {
      for (const int mask : {1, 255}) {
        byte = static_cast<char>(byte ^ mask);
        const auto tail = BuildTail(content, FileEnd::kClose);
        if (tail.ok()) {
          EXPECT_LE(tail->bytes.size(), TailBytesBound(content));
        }
        byte = static_cast<char>(byte ^ mask);
      }
    }
  }
}

}  // namespace
}  // namespace tailrace
