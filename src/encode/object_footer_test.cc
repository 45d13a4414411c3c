#include "encode/object_footer.h"

#include <string>
#include <utility>

#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "encode/written_file_fixture.h"
#include "tailrace/inspect.h"
#include "testing/batch_makers.h"
#include "testing/status_macros.h"

namespace tailrace {
namespace {

using testing::HasSubstr;

// One object, and a list of the ranges that were asked for.
class OneObject : public ObjectStore {
 public:
  explicit OneObject(std::string bytes) : bytes_(std::move(bytes)) {}

  StoreLimits limits() const override { return {}; }
  Target TargetOf(const std::string&) const override { return {}; }
  Result<ObjectMeta> Head(const std::string&) override {
    return ObjectMeta{.size_bytes = static_cast<int64_t>(bytes_.size()), .etag = "1", .write_id = "w"};
  }
  Result<std::string> GetRange(const std::string&, int64_t offset, int64_t length, const std::string& etag) override {
    ranges.emplace_back(offset, length);
    if (etag != "1") return MakeError(ErrorKind::kPrecondition, "changed");
    return bytes_.substr(offset, length);
  }
  Result<ObjectMeta> Put(const std::string&, const ByteSlices&, const WriteId&, const PutCondition&) override {
    return MakeError(ErrorKind::kInternal, "nothing is put");
  }

  std::vector<std::pair<int64_t, int64_t>> ranges;

 private:
  const std::string bytes_;
};

Result<std::string> FooterOf(OneObject* store) {
  ARROW_ASSIGN_OR_RAISE(const ObjectMeta meta, store->Head("k"));
  return ReadObjectFooter(store, "k", meta);
}

Result<WrittenFile> SmallFile() { return WriteBatches(DictionarySchema(), {MakeBatch(DictionarySchema(), 100, 1)}); }

TEST(ObjectFooter, SmallFileTakesOneRequest) {
  ASSERT_OK_AND_ASSIGN(const WrittenFile file, SmallFile());
  OneObject store(file.bytes);
  ASSERT_OK_AND_ASSIGN(const std::string footer, FooterOf(&store));
  EXPECT_EQ(footer, file.footer);
  ASSERT_EQ(store.ranges.size(), 1u);
  EXPECT_EQ(store.ranges[0], std::pair(int64_t{0}, static_cast<int64_t>(file.bytes.size())));
}

TEST(ObjectFooter, LongFooterTakesTwoRequestsAndNoByteTwice) {
  arrow::FieldVector fields;
  for (int i = 0; i < 2000; ++i) fields.push_back(arrow::field("c" + std::to_string(i), arrow::int32()));
  const auto schema = arrow::schema(fields);
  ASSERT_OK_AND_ASSIGN(const WrittenFile file, WriteBatches(schema, {MakeBatch(schema, 2, 1)}));
  ASSERT_GT(file.footer.size(), 100000u);
  OneObject store(file.bytes);
  ASSERT_OK_AND_ASSIGN(const std::string footer, FooterOf(&store));
  EXPECT_EQ(footer, file.footer);
  ASSERT_EQ(store.ranges.size(), 2u);
  EXPECT_EQ(store.ranges[0].second, 65536);
  EXPECT_EQ(store.ranges[1].first + store.ranges[1].second, store.ranges[0].first);
  EXPECT_EQ(store.ranges[1].second + store.ranges[0].second, static_cast<int64_t>(file.footer.size()) + 8);
}

TEST(ObjectFooter, TinyObjectsTakeNoRequest) {
  for (const size_t size : {0, 7, 11}) {
    OneObject store(std::string(size, 'x'));
    const auto footer = FooterOf(&store);
    EXPECT_KIND(ErrorKind::kInvalid, footer);
    EXPECT_THAT(footer.status().message(), HasSubstr("not a Parquet file"));
    EXPECT_TRUE(store.ranges.empty());
  }
}

TEST(ObjectFooter, DamagedLengthsTakeNoSecondRequest) {
  ASSERT_OK_AND_ASSIGN(const WrittenFile file, SmallFile());
  const auto size = static_cast<uint32_t>(file.bytes.size());
  for (const uint32_t length : {0u, size + 1, size - 11, 0xffffffffu, 0x7fffffffu}) {
    std::string bytes = file.bytes;
    for (int i = 0; i < 4; ++i) bytes[bytes.size() - 8 + i] = static_cast<char>(length >> (8 * i));
    OneObject store(bytes);
    EXPECT_KIND(ErrorKind::kInvalid, FooterOf(&store));
    EXPECT_EQ(store.ranges.size(), 1u);
  }
}

TEST(ObjectFooter, EncryptedFootersAreNamedAsSuch) {
  ASSERT_OK_AND_ASSIGN(const WrittenFile file, SmallFile());
  std::string bytes = file.bytes;
  bytes.back() = 'E';
  OneObject store(bytes);
  const auto footer = FooterOf(&store);
  EXPECT_KIND(ErrorKind::kInvalid, footer);
  EXPECT_THAT(footer.status().message(), HasSubstr("encrypted"));
}

TEST(ObjectFooter, AReplacedObjectIsAPrecondition) {
  ASSERT_OK_AND_ASSIGN(const WrittenFile file, SmallFile());
  OneObject store(file.bytes);
  ASSERT_OK_AND_ASSIGN(ObjectMeta meta, store.Head("k"));
  meta.etag = "2";
  EXPECT_KIND(ErrorKind::kPrecondition, ReadObjectFooter(&store, "k", meta));
  meta.etag = "1";
  meta.size_bytes += 1;  // the store has less than it said
  EXPECT_KIND(ErrorKind::kPrecondition, ReadObjectFooter(&store, "k", meta));
}

TEST(Inspect, TellsWhatTheFileIsMadeOf) {
  const auto batch = MakeBatch(NestedSchema(), 1000, 1);
  ParquetOptions options;
  options.row_group_rows = 400;
  options.key_value_metadata = {{"k", "v"}};
  options.adaptive = false;
  ASSERT_OK_AND_ASSIGN(const WrittenFile file, WriteBatches(batch->schema(), {batch}, options));
  OneObject store(file.bytes);
  ASSERT_OK_AND_ASSIGN(const ParquetSummary summary, InspectObject(&store, "k"));
  EXPECT_EQ(summary.size_bytes, static_cast<int64_t>(file.bytes.size()));
  EXPECT_EQ(summary.footer_bytes, static_cast<int64_t>(file.footer.size()));
  EXPECT_EQ(summary.rows, 1000);
  EXPECT_EQ(summary.write_id, "w");
  EXPECT_THAT(summary.created_by, HasSubstr("tailrace version"));
  EXPECT_EQ(summary.digest.size(), 16u);
  EXPECT_EQ(summary.end, "close");
  ASSERT_EQ(summary.key_value_metadata.size(), 4u);
  EXPECT_EQ(summary.key_value_metadata[0], std::pair(std::string("k"), std::string("v")));
  ASSERT_EQ(summary.row_groups.size(), 3u);
  int64_t bytes = 0;
  for (const RowGroupSummary& group : summary.row_groups) bytes += group.compressed_bytes;
  EXPECT_EQ(bytes, file.content.data_bytes());
  const RowGroupSummary& last = summary.row_groups[2];
  EXPECT_EQ(last.rows, 200);
  EXPECT_EQ(last.columns[0].path, "id");
  EXPECT_EQ(last.columns[0].physical_type, "INT64");
  EXPECT_EQ(last.columns[0].codec, "ZSTD");
  EXPECT_EQ(last.columns[0].values, 200);
  EXPECT_THAT(last.columns[0].encodings, testing::Contains("PLAIN"));
  EXPECT_TRUE(last.columns[0].has_statistics);
  EXPECT_GT(last.columns[0].column_index_bytes, 0);
  EXPECT_GT(last.columns[0].offset_index_bytes, 0);
  EXPECT_GT(last.columns[0].uncompressed_bytes, 0);
  EXPECT_EQ(last.columns[1].path, "ints.list.element");
}

TEST(Inspect, DamagedFootersAreRefusedOrShown) {
  ASSERT_OK_AND_ASSIGN(const WrittenFile file, SmallFile());
  const size_t begin = file.bytes.size() - 8 - file.footer.size();
  for (size_t at = begin; at < file.bytes.size(); ++at) {
    std::string bytes = file.bytes;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x41);
    OneObject store(bytes);
    const auto summary = InspectObject(&store, "k");
    if (!summary.ok()) {
      EXPECT_KIND(ErrorKind::kInvalid, summary);
    }
  }
}

}  // namespace
}  // namespace tailrace
