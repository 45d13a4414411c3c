#include "testing/s3_server/fault.h"

#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "testing/status_macros.h"

namespace tailrace {
namespace {

S3Call Call(const std::string& operation, int part = 0, const std::string& key = "k") {
  S3Call call{.operation = operation, .key = key};
  if (part > 0) call.query["partNumber"] = std::to_string(part);
  return call;
}

TEST(FaultPlan, FirstRuleThatFitsIsUsed) {
  FaultPlan plan({{{.operation = "UploadPart", .part_number = 2}, {.status = 500}},
                  {{.operation = "*", .key = "x", .times = -1}, {.status = 503}}});
  EXPECT_FALSE(plan.Next(Call("UploadPart", 1)));
  EXPECT_EQ(plan.Next(Call("UploadPart", 2))->status, 500);
  EXPECT_FALSE(plan.Next(Call("UploadPart", 2))) << "once";
  EXPECT_EQ(plan.Next(Call("HeadObject", 0, "x"))->status, 503);
  EXPECT_EQ(plan.Next(Call("PutObject", 0, "x"))->status, 503);
  EXPECT_EQ(plan.fired(), 3);
}

TEST(FaultPlan, SkipsAndCounts) {
  FaultPlan plan({{{.operation = "PutObject", .skip = 1, .times = 2}, {}}});
  std::string fired;
  for (int i = 0; i < 5; ++i) fired += plan.Next(Call("PutObject")) ? 'x' : '.';
  EXPECT_EQ(fired, ".xx..");
}

TEST(FaultPlan, PercentIsDrawnFromTheSeed) {
  const auto draw = [](uint64_t seed) {
    FaultPlan plan({{{.operation = "*", .times = -1, .percent = 30}, {}}}, seed);
    std::string fired;
    for (int i = 0; i < 1000; ++i) fired += plan.Next(Call("PutObject")) ? 'x' : '.';
    return fired;
  };
  EXPECT_EQ(draw(7), draw(7));
  EXPECT_NE(draw(7), draw(8));
  const std::string fired = draw(7);
  EXPECT_NEAR(static_cast<double>(std::count(fired.begin(), fired.end(), 'x')), 300, 60);
}

TEST(FaultFile, ReadsEveryMember) {
  ASSERT_OK_AND_ASSIGN(const FaultFile file, ParseFaultFile("f.json", R"({
    "about": "a test", "cases": ["C05"], "store": {"min_part_bytes": 7, "checksums": "ignored"},
    "rules": [{"when": {"operation": "UploadPart", "part_number": 3, "skip": 1, "times": -1, "percent": 50},
               "then": {"apply": false, "delay_ms": 20, "status": 503, "code": "SlowDown", "end": "reset",
                        "headers": {"Retry-After": "1", "ETag": null}, "clock_offset_s": -60}}]})"));
  S3Rules rules;
  file.change_rules(&rules);
  EXPECT_EQ(rules.min_part_bytes, 7);
  EXPECT_EQ(rules.checksums, S3Rules::Checksums::kIgnored);
  ASSERT_EQ(file.rules.size(), 1);
  EXPECT_EQ(file.cases, std::vector<std::string>{"C05"});
  EXPECT_EQ(file.rules[0].when.part_number, 3);
  EXPECT_EQ(file.rules[0].when.percent, 50);
  const Fault& fault = file.rules[0].fault;
  EXPECT_FALSE(fault.apply);
  EXPECT_EQ(fault.delay, std::chrono::milliseconds(20));
  EXPECT_EQ(fault.headers.at("Retry-After"), "1");
  EXPECT_EQ(fault.headers.at("ETag"), std::nullopt);
  EXPECT_EQ(fault.end, Fault::End::kReset);
  EXPECT_EQ(fault.clock_offset, std::chrono::seconds(-60));
}

TEST(FaultFile, RefusesWhatItDoesNotKnow) {
  for (const char* bad :
       {"{", "[]", R"({"rules": []})", R"({"about": "x", "rule": []})", R"({"about": "x", "store": {"parts": 1}})",
        R"({"about": "x", "rules": [{"when": {"operation": "*"}}]})",
        R"({"about": "x", "rules": [{"when": {}, "then": {}}]})",
        R"({"about": "x", "rules": [{"when": {"operation": "*"}, "then": {"state": 1}}]})",
        R"({"about": "x", "rules": [{"when": {"operation": "*"}, "then": {"end": "crash"}}]})",
        R"({"about": "x", "rules": [{"when": {"operation": "*", "times": "two"}, "then": {}}]})"}) {
    SCOPED_TRACE(bad);
    EXPECT_KIND(ErrorKind::kInvalid, ParseFaultFile("bad.json", bad));
  }
  EXPECT_KIND(ErrorKind::kNotFound, ReadFaultFile("no/such/file.json"));
}

TEST(FaultFile, AllFilesOfTheTestsAreGood) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(TAILRACE_FAULT_FOLDER)) {
    if (entry.path().extension() != ".json") continue;
    EXPECT_OK(ReadFaultFile(entry.path().string()));
    ++count;
  }
  EXPECT_GT(count, 0);
}

}  // namespace
}  // namespace tailrace
