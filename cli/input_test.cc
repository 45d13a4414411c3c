#include "cli/input.h"

#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include <arrow/array.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/input_fixture.h"

namespace tailrace::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST_F(InputTest, TellsFormatsByBytesThenBySuffix) {
  EXPECT_EQ(CountRows({File("any", Ipc(true, 3, true))}).ValueOrDie(), 300);
  EXPECT_EQ(CountRows({File("any.csv", Ipc(false, 3, true))}).ValueOrDie(), 300);
  EXPECT_EQ(CountRows({File("any.txt", "a,b\n1,2\n")}).ValueOrDie(), 1);
  EXPECT_EQ(CountRows({File("x.csv", "a\n\x01\n")}).ValueOrDie(), 1);
  ExpectInvalid(CountRows({File("any.bin", std::string("\0\1\2\3zzzz", 8))}), "--input-format");
  ExpectInvalid(CountRows({File("any.bin", "")}), "empty");
  ExpectInvalid(CountRows({File("x.parquet", "a,b\n1,2\n")}), "PAR1");
  ExpectInvalid(CountRows({File("x.arrows", "a,b\n1,2\n")}), "Arrow IPC stream");
  EXPECT_EQ(KindOf(CountRows({folder_ + "/missing"}).status()), ErrorKind::kNotFound);
  ExpectInvalid(CountRows({folder_}), "");
}

TEST_F(InputTest, EveryCutOfAnIpcStreamIsAnError) {
  const std::string whole = Ipc(true, 2, true);
  const std::string unended = Ipc(true, 2, false);
  ASSERT_EQ(unended.size() + 8, whole.size());
  for (size_t size = 1; size < whole.size(); ++size) {
    const auto rows = CountRows({File("cut.arrows", whole.substr(0, size))});
    ASSERT_FALSE(rows.ok()) << size << " bytes gave " << *rows << " rows";
    EXPECT_EQ(KindOf(rows.status()), ErrorKind::kInvalid) << rows.status();
  }
  ExpectInvalid(CountRows({File("cut.arrows", unended)}), "end-of-stream");
  EXPECT_EQ(CountRows({File("cut.arrows", unended)}, {.allow_cut = true}).ValueOrDie(), 200);
  EXPECT_FALSE(CountRows({File("cut.arrows", unended.substr(0, unended.size() - 1))}, {.allow_cut = true}).ok());
}

TEST_F(InputTest, WhatFollowsAnIpcStreamIsNotLostQuietly) {
  ExpectInvalid(CountRows({File("two.arrows", Ipc(true, 1, true) + Ipc(true, 1, true))}), "more after the end");
}

TEST_F(InputTest, EveryCutOfAnIpcFileIsAnError) {
  const std::string whole = Ipc(false, 2, true);
  for (size_t size = 6; size < whole.size(); ++size) {
    const auto rows = CountRows({File("cut.arrow", whole.substr(0, size))}, {.allow_cut = true});
    ASSERT_FALSE(rows.ok()) << size << " bytes gave " << *rows << " rows";
    EXPECT_EQ(KindOf(rows.status()), ErrorKind::kInvalid) << rows.status();
  }
}

TEST_F(InputTest, CsvInfersTypesFromTheFirstBlock) {
  const std::string path = File("x.csv", "i,f,s,t\n1,1.5,a,2026-01-01\n2,,\"b,c\",2026-01-02\n");
  EXPECT_EQ(CountRows({path}).ValueOrDie(), 2);
  EXPECT_EQ(last_->schema()->ToString(), "i: int64\nf: double\ns: string\nt: date32[day]");
}

TEST_F(InputTest, CsvBlocksOfAnySizeGiveTheSameRows) {
  std::string csv = "\xef\xbb\xbf\"id\",text\r\n";
  for (int i = 0; i < 2000; ++i) csv += std::to_string(i) + ",\"row\r\n" + std::string(i % 50, 'x') + "\"\r\n\r\n";
  for (const int64_t block : {1, 7, 100, 4096, 1 << 20}) {
    EXPECT_EQ(CountRows({File("x.csv", csv)}, {.csv_block_bytes = block}).ValueOrDie(), 2000) << block;
  }
}

TEST_F(InputTest, CsvCutShortIsAnError) {
  ExpectInvalid(CountRows({File("x.csv", "a,b\n1,2\n3,4")}), "no line end");
  EXPECT_EQ(CountRows({File("x.csv", "a,b\n1,2\n3,4")}, {.allow_cut = true}).ValueOrDie(), 2);
  ExpectInvalid(CountRows({File("x.csv", "a,b\n1,2\n3,\"4\n")}), "quotes");
  ExpectInvalid(CountRows({File("x.csv", "a,b\n1,2\n3,\"4\n")}, {.allow_cut = true}), "quotes");
  ExpectInvalid(CountRows({File("x.csv", "a,b\n1,2\n3\n")}), "Expected 2 columns");
  ExpectInvalid(CountRows({File("x.csv", "a,b\n1,2\n3")}, {.allow_cut = true}), "Expected 2 columns");
  ExpectInvalid(CountRows({File("x.csv", "")}), "empty");
  ExpectInvalid(CountRows({File("x.csv", "a,a\n1,2\n")}), "twice");
  EXPECT_EQ(CountRows({File("x.csv", "a,b\n")}).ValueOrDie(), 0);
}

TEST_F(InputTest, CsvThatOutgrowsItsTypesSaysHowToHelp) {
  std::string csv = "n\n";
  for (int i = 0; i < 100; ++i) csv += "1\n";
  csv += "text\n";
  ExpectInvalid(CountRows({File("x.csv", csv)}, {.csv_block_bytes = 64}), "--csv-block-size");
}

TEST_F(InputTest, CsvIsReadWithGivenTypes) {
  const auto schema = arrow::schema({arrow::field("a", arrow::int16()), arrow::field("b", arrow::utf8())});
  EXPECT_EQ(CountRows({File("x.csv", "a,b\n1,2\n")}, {.schema = schema, .schema_of = "the state"}).ValueOrDie(), 1);
  EXPECT_TRUE(last_->schema()->Equals(*schema));
  ExpectInvalid(CountRows({File("x.csv", "a,c\n1,2\n")}, {.schema = schema, .schema_of = "the state"}),
                "its column 2 is \"c\", that of the state is \"b\"");
  // Where the source stands in the middle, the header may be missing.
  const InputSettings middle{.schema = schema, .header_optional = true};
  EXPECT_EQ(CountRows({File("x.csv", "1,2\n3,4\n")}, middle).ValueOrDie(), 2);
  EXPECT_EQ(CountRows({File("x.csv", "a,b\n3,4\n")}, middle).ValueOrDie(), 1);
  EXPECT_EQ(CountRows({File("x.csv", "")}, middle).ValueOrDie(), 0);
}

TEST_F(InputTest, SeveralInputsMustHaveTheSameColumns) {
  const std::string first = File("1.csv", "a,b\n1,x\n");
  EXPECT_EQ(CountRows({first, File("2.csv", "a,b\n2,3\n"), first}).ValueOrDie(), 3);
  const auto swapped = CountRows({first, File("2.csv", "b,a\n2,y\n")});
  ExpectInvalid(swapped, "2.csv: its columns are others");
  EXPECT_THAT(swapped.status().message(), AllOf(HasSubstr("1.csv: its column 1 is \"b\""), HasSubstr("is \"a\"")));
  const auto other = CountRows({first, File("3.arrows", Ipc(true, 1, true))});
  ExpectInvalid(other, "3.arrows");
  EXPECT_THAT(other.status().message(), AllOf(HasSubstr("1.csv"), HasSubstr("\"n\"")));
  ExpectInvalid(CountRows({first, File("2.csv", "a\n2\n")}), "it has no column 2");
  ExpectInvalid(CountRows({first, File("2.csv", "a,b,c\n2,y,z\n")}), "its column 3 is \"c\"");
  ExpectInvalid(CountRows({first, "s3://user:secret@bucket/x"}), "a URL of scheme 's3'");
  EXPECT_EQ(KindOf(CountRows({first, folder_ + "/missing"}).status()), ErrorKind::kNotFound);
  ExpectInvalid(CountRows({"-", "-"}), "only once");
}

TEST_F(InputTest, RowsOfWholeInputsArePassedOverCheaplyAndExactly) {
  const std::vector<std::string> paths = {Parquet("1.parquet", {3, 4}), Parquet("2.parquet", {2}),
                                          Parquet("3.parquet", {}), File("4.arrows", Ipc(true, 1, true))};
  for (int64_t rows = 0; rows <= 9; ++rows) {
    auto input = OpenInputs(paths, {}, &watch_).ValueOrDie();
    const int64_t skipped = input->SkipCheaply(rows).ValueOrDie();
    EXPECT_LE(skipped, rows);
    EXPECT_GE(skipped, rows >= 9 ? 9 : rows >= 7 ? 7 : rows >= 3 ? 3 : 0) << rows;
    int64_t rest = 0;
    while (const auto batch = input->Next().ValueOrDie()) rest += batch->num_rows();
    EXPECT_EQ(skipped + rest, 109) << rows;
  }
}

TEST_F(InputTest, SeveralInputsTellTheirSizeTogether) {
  const std::string a = File("1.csv", "a\n1\n"), b = File("2.csv", "a\n234\n");
  auto input = OpenInputs({a, b}, {}, &watch_).ValueOrDie();
  EXPECT_EQ(input->total_bytes(), 10);
  while (input->Next().ValueOrDie()) {
  }
  EXPECT_EQ(input->bytes_read(), 10);
  EXPECT_THAT(input->Origin(), AllOf(HasSubstr("2.csv, read as the columns of "), HasSubstr("1.csv")));
}

// A named pipe whose writer is silent.
class SilentPipeTest : public InputTest {
 protected:
  SilentPipeTest() : path_(folder_ + "/pipe") { EXPECT_EQ(mkfifo(path_.c_str(), 0600), 0); }
  const std::string path_;
};

TEST_F(SilentPipeTest, AStopSignalEndsTheRead) {
  std::thread killer([this] {
    std::ofstream pipe(path_, std::ios::binary);
    const std::string bytes = Ipc(true, 2, false);
    pipe << bytes.substr(0, bytes.size() - 10);
    pipe.flush();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    kill(getpid(), SIGTERM);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  });
  const auto rows = CountRows({path_});
  killer.join();
  ASSERT_FALSE(rows.ok());
  EXPECT_EQ(KindOf(rows.status()), ErrorKind::kCancelled) << rows.status();
  EXPECT_THAT(rows.status().message(), HasSubstr("SIGTERM"));
  EXPECT_EQ(last_->num_rows(), 100);
}

TEST_F(SilentPipeTest, TimeGoesOnWhileNothingComes) {
  int ticks = 0;
  watch_.SetTick([&] { return ++ticks < 2 ? Status::OK() : MakeError(ErrorKind::kLimit, "enough"); });
  std::thread writer([this] {
    std::ofstream pipe(path_, std::ios::binary);
    pipe << Ipc(true, 1, false) << std::flush;
    std::this_thread::sleep_for(std::chrono::milliseconds(900));
  });
  const auto rows = CountRows({path_});
  writer.join();
  EXPECT_EQ(KindOf(rows.status()), ErrorKind::kLimit) << rows.status();
  EXPECT_EQ(ticks, 2);
}

TEST_F(SilentPipeTest, FilesThatNeedTheirEndAreRefused) {
  for (const std::string& bytes : {Ipc(false, 1, true), std::string("PAR1 and so on")}) {
    std::thread writer([&] { std::ofstream(path_, std::ios::binary) << bytes; });
    ExpectInvalid(CountRows({path_}), "from a pipe");
    writer.join();
  }
}

TEST_F(SilentPipeTest, CsvRowsAreHandedOnWhenTheSourceGoesSilent) {
  std::thread writer([this] {
    std::ofstream pipe(path_, std::ios::binary);
    pipe << "a\n1\n2\n" << std::flush;
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    pipe << "3\n4";
  });
  const auto schema = arrow::schema({arrow::field("a", arrow::int64())});
  auto input = OpenInput(path_, {.format = InputFormat::kCsv, .schema = schema}, &watch_).ValueOrDie();
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(input->Next().ValueOrDie()->num_rows(), 2);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(650));
  const auto rest = input->Next();
  writer.join();
  EXPECT_EQ(KindOf(rest.status()), ErrorKind::kInvalid) << rest.status();
}

}  // namespace
}  // namespace tailrace::cli
