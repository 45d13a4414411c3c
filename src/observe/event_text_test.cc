#include <cstdio>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "observe/event_notifier.h"
#include "observe/log_environment.h"
#include "tailrace/event_exporters.h"
#include "testing/fake_environment.h"

namespace tailrace {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

WriteEvent Sample(EventKind kind) {
  Target target;
  target.kind = "s3";
  target.bucket = "b";
  target.key = "k";
  WriteEvent event = EventNotifier::Of(target, WriteId{"0192f5a4-7c00-7000-8000-00000000002a"}, 1);
  event.kind = kind;
  event.time = Timestamp(std::chrono::microseconds(1'767'225'600'000'123));
  event.rows = 11;
  event.bytes = 22;
  event.duration = std::chrono::microseconds(1'500'000);
  event.encoded_rows = 33;
  event.stored_bytes = 44;
  event.stored_parts = 5;
  if (kind == EventKind::kPartStored) event.part_number = 3;
  if (kind == EventKind::kPartStored) event.attempts = 2;
  if (kind == EventKind::kFailed) {
    event.step = WriteStep::kStorePart;
    event.error = ErrorKind::kUploadGone;
    event.message = "the upload\nis \"gone\"";
  }
  return event;
}

constexpr EventKind kAll[] = {EventKind::kOpened,         EventKind::kResumed,    EventKind::kUploadCreated,
                              EventKind::kRowGroupClosed, EventKind::kPartStored, EventKind::kCheckpoint,
                              EventKind::kClosed,         EventKind::kAborted,    EventKind::kReleased,
                              EventKind::kFinished,       EventKind::kCommitted,  EventKind::kDropped,
                              EventKind::kFailed};

TEST(JsonEvents, EachKindIsOneObjectOnOneLine) {
  std::set<std::string> names;
  for (const EventKind kind : kAll) {
    const std::string line = JsonLine(Sample(kind));
    EXPECT_EQ(line.find('\n'), std::string::npos);
    const json object = json::parse(line);
    names.insert(object.at("event"));
    EXPECT_EQ(object.at("time"), "2026-01-01T00:00:00.000123Z");
    EXPECT_EQ(object.at("url"), "s3://b/k");
    EXPECT_EQ(object.at("write_id"), "0192f5a4-7c00-7000-8000-00000000002a");
    EXPECT_EQ(object.at("epoch"), 1);
    EXPECT_EQ(object.at("seconds"), 1.5);
    EXPECT_EQ(object.at("encoded_rows"), 33);
    EXPECT_EQ(object.at("stored_bytes"), 44);
    EXPECT_EQ(object.at("stored_parts"), 5);
  }
  EXPECT_EQ(names.size(), std::size(kAll));
}

TEST(JsonEvents, HaveTheMembersOfTheirKindAlone) {
  const json part = json::parse(JsonLine(Sample(EventKind::kPartStored)));
  EXPECT_EQ(part.at("part"), 3);
  EXPECT_EQ(part.at("bytes"), 22);
  EXPECT_EQ(part.at("attempts"), 2);
  EXPECT_FALSE(part.contains("rows") || part.contains("error") || part.contains("already_committed"));
  const json failed = json::parse(JsonLine(Sample(EventKind::kFailed)));
  EXPECT_EQ(failed.at("step"), "store_part");
  EXPECT_EQ(failed.at("error"), "upload gone");
  EXPECT_EQ(failed.at("message"), "the upload\nis \"gone\"");
  EXPECT_FALSE(failed.contains("bytes"));
  const json opened = json::parse(JsonLine(Sample(EventKind::kOpened)));
  EXPECT_EQ(opened.at("room_bytes"), 22);
  EXPECT_FALSE(opened.contains("bytes") || opened.contains("part"));
  EXPECT_EQ(json::parse(JsonLine(Sample(EventKind::kFinished))).at("already_committed"), false);
}

TEST(LogEvents, EachKindIsALineThatNamesTheObject) {
  std::set<std::string> lines;
  for (const EventKind kind : kAll) {
    const std::string line = LogLine(Sample(kind));
    EXPECT_THAT(line, AllOf(::testing::StartsWith("s3://b/k: "), Not(HasSubstr("\n"))));
    lines.insert(line);
  }
  EXPECT_EQ(lines.size(), std::size(kAll));
  EXPECT_EQ(LogLine(Sample(EventKind::kPartStored)), "s3://b/k: part 3 stored, 22 bytes in 1.500 s at attempt 2");
  EXPECT_EQ(LogLine(Sample(EventKind::kFailed)), "s3://b/k: failed to store_part: upload gone: the upload is \"gone\"");
}

TEST(LogEvents, LinesGoToAStream) {
  std::FILE* const file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  MakeLogObserver(LinesTo(file))->OnEvent(Sample(EventKind::kClosed));
  MakeJsonObserver(LinesTo(file))->OnEvent(Sample(EventKind::kClosed));
  std::rewind(file);
  std::string text(4096, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  EXPECT_EQ(text, "s3://b/k: closed, 11 rows, 22 bytes in 1.500 s\n" + JsonLine(Sample(EventKind::kClosed)) + "\n");
}

TEST(LogEvents, AreAskedForByTheEnvironment) {
  EXPECT_EQ(WithLogIfAsked(nullptr, FakeEnvironment({})), nullptr);
  EXPECT_EQ(WithLogIfAsked(nullptr, FakeEnvironment({{"TAILRACE_LOG", "off"}})), nullptr);
  for (const char* level : {"info", "trace"}) {
    const auto log = WithLogIfAsked(nullptr, FakeEnvironment({{"TAILRACE_LOG", level}}));
    ASSERT_NE(log, nullptr);
    ::testing::internal::CaptureStderr();
    log->OnEvent(Sample(EventKind::kClosed));
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "tailrace: s3://b/k: closed, 11 rows, 22 bytes in 1.500 s\n");
  }
}

}  // namespace
}  // namespace tailrace
