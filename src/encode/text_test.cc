// Checks of text, and values that are too large for a page.
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <arrow/array.h>
#include <arrow/buffer.h>
#include <arrow/json/from_string.h>
#include <arrow/type.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "encode/misfit.h"
#include "encode/row_size.h"
#include "encode/text_source.h"
#include "encode/utf8.h"
#include "testing/status_macros.h"

namespace tailrace {
namespace {

using Array = std::shared_ptr<arrow::Array>;

Array FromJson(const std::shared_ptr<arrow::DataType>& type, const std::string& json) {
  return arrow::json::ArrayFromJSONString(type, json).ValueOrDie();
}

TEST(Utf8, AsciiAtEveryLengthAndPlace) {
  for (size_t size = 0; size < 600; size += 13) {
    std::string text(size, 'a');
    EXPECT_TRUE(IsAscii(text));
    for (size_t at = 0; at < size; at += 7) {
      text[at] = '\x80';
      EXPECT_FALSE(IsAscii(text));
      EXPECT_FALSE(IsUtf8(text));
      text[at] = '\x7f';
    }
  }
}

TEST(Utf8, PrintableShowsWhatCannotBeShown) {
  EXPECT_EQ(Printable("plain"), "plain");
  EXPECT_EQ(Printable("\xc3\xa9"), "\xc3\xa9");
  EXPECT_EQ(Printable(std::string("a\0\n\xff", 4)), "a\\x00\\x0a\\xff");
}

void ExpectTooLarge(const Array& array, int64_t limit, int64_t row) {
  EXPECT_OK(CheckRowSizes(*array->data(), limit));
  const Status status = CheckRowSizes(*array->data(), limit - 1);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(MisfitOf(status)->slot, row);
  const Status described = DescribeMisfit(status, "c", 100);
  EXPECT_KIND(ErrorKind::kLimit, described);
  EXPECT_THAT(described.message(), testing::HasSubstr("column c, row " + std::to_string(100 + row)));
  EXPECT_THAT(described.message(), testing::HasSubstr(std::to_string(limit - 1)));
}

TEST(RowSize, OneRowIsLimitedNotTheBatch) {
  // A text takes its bytes and a length of 4.
  ExpectTooLarge(FromJson(arrow::utf8(), R"(["abcdefgh", "abcdefghij", "x"])"), 14, 1);
  ExpectTooLarge(FromJson(arrow::large_binary(), R"(["abcdefgh", null, "x"])"), 12, 0);
  ExpectTooLarge(FromJson(arrow::utf8_view(), R"(["x", "a text longer than a view"])"), 29, 1);
}

TEST(RowSize, ListsCountValuesAndLevels) {
  // 3 values of 4 bytes, a level byte each, one for the list.
  ExpectTooLarge(FromJson(arrow::list(arrow::int8()), "[[1], [1, 2, 3]]"), 3 * 5 + 1, 1);
  ExpectTooLarge(FromJson(arrow::large_list(arrow::null()), "[[], [null, null]]"), 3, 1);
  ExpectTooLarge(FromJson(arrow::fixed_size_list(arrow::int64(), 2), "[[1, 2]]"), 2 * 9 + 1, 0);
}

TEST(RowSize, StructsAreAsLargeAsTheirLargestColumn) {
  const auto type = arrow::struct_({arrow::field("a", arrow::int64()), arrow::field("b", arrow::utf8())});
  ExpectTooLarge(FromJson(type, R"([{"a": 1, "b": "x"}, {"a": 1, "b": "0123456789"}])"), 14, 1);
}

TEST(RowSize, NullViewsMayHoldAnything) {
  auto data = FromJson(arrow::utf8_view(), R"([null, "x"])")->data()->Copy();
  std::vector<arrow::BinaryViewType::c_type> views(2);
  std::memcpy(views.data(), data->buffers[1]->data(), sizeof(views[0]) * 2);
  std::memset(static_cast<void*>(&views[0]), 0x7f, sizeof(views[0]));
  data->buffers[1] = arrow::Buffer::FromVector(std::move(views));
  EXPECT_OK(CheckRowSizes(*data, 100));
}

TEST(TextSource, ViewsIntoOneBufferReadTheSame) {
  const Array text =
      FromJson(arrow::large_utf8(), R"(["", "short", "a text longer than a view", "another such long text"])");
  const TextSource source(*text->data());
  const auto buffers = source.ViewBuffers();
  ASSERT_EQ(buffers.size(), 1u);
  for (int64_t i = 0; i < text->length(); ++i) {
    EXPECT_TRUE(source.IsInside(i));
    const auto view = source.ViewAt(i);
    EXPECT_EQ(view.size(), static_cast<int64_t>(source.At(i).size()));
    if (!view.is_inline()) {
      EXPECT_EQ(std::memcmp(buffers[view.ref.buffer_index]->data() + view.ref.offset, source.At(i).data(), view.size()),
                0);
    }
  }
}

}  // namespace
}  // namespace tailrace
