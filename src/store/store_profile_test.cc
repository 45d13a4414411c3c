#include "tailrace/store_profile.h"

#include <fstream>

#include "base/iso_time.h"
#include "tailrace/store.h"
#include "testing/status_macros.h"
#include "testing/temp_folder.h"

namespace tailrace {
namespace {

StoreProfile Sample() {
  return {.tool_version = "0.1.0",
          .probed = *ParseIsoTime("2026-11-30T00:00:00Z"),
          .kind = "s3",
          .endpoint = "http://localhost:9000",
          .bucket = "bucket",
          .limits = {.min_part_bytes = 5 << 20, .max_parts = 1000, .stray_parts = StrayParts::kRefused},
          .checksum = S3Checksum::kCrc32c,
          .findings = {{"rights.put", "allowed"}, {"strays", "refused"}}};
}

std::string Replaced(const std::string& from, const std::string& to) {
  std::string text = Sample().ToJson();
  const size_t at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(StoreProfile, ComesBack) {
  ASSERT_OK_AND_ASSIGN(const StoreProfile back, StoreProfile::FromJson(Sample().ToJson()));
  EXPECT_EQ(back, Sample());
  const StoreProfile local{.tool_version = "0.1.0",
                           .probed = Sample().probed,
                           .kind = "file",
                           .folder = "/data",
                           .limits = {.checks_part_etags = false}};
  ASSERT_OK_AND_ASSIGN(const StoreProfile local_back, StoreProfile::FromJson(local.ToJson()));
  EXPECT_EQ(local_back, local);
}

TEST(StoreProfile, TheExampleOfThePageIsWhatIsWritten) {
  std::ifstream page(TAILRACE_FORMATS_FOLDER "/store-profile.md");
  std::string line, example;
  while (std::getline(page, line)) {
    if (line.starts_with("    ")) example += line.substr(4) + "\n";
  }
  EXPECT_EQ(example, Sample().ToJson());
}

TEST(StoreProfile, EveryCutIsRefused) {
  const std::string text = Sample().ToJson();
  for (size_t size = 0; size + 2 < text.size(); ++size) {
    const auto read = StoreProfile::FromJson(text.substr(0, size));
    ASSERT_FALSE(read.ok()) << size;
    EXPECT_EQ(KindOf(read.status()), ErrorKind::kInvalid);
  }
}

// What is replaced, by what, and what the message has to name.
TEST(StoreProfile, DamageNamesTheField) {
  const struct {
    std::string from, to, named;
  } kDamages[] = {
      {"tailrace-store-profile", "something-else", "format"},
      {"\"format\"", "\"formal\"", "its format"},
      {"\"version\": 1", "\"version\": \"1\"", "version must be"},
      {"\"version\": 1", "\"version\": 0", "version must be"},
      {"2026-11-30T00:00:00Z", "yesterday", "probed"},
      {"\"min_part_bytes\": 5242880", "\"min_part_bytes\": 0", "limits.min_part_bytes"},
      {"\"min_part_bytes\": 5242880", "\"min_part_bytes\": 1.5", "limits.min_part_bytes"},
      {"\"min_part_bytes\": 5242880", "\"min_part_bytes\": 18446744073709551615", "limits.min_part_bytes"},
      {"\"min_part_bytes\": 5242880", "\"min_part_bytes\": 6000000000", "limits.max_part_bytes"},
      {"\"max_parts\": 1000", "\"max_parts\": 3000000000", "limits.max_parts"},
      {"\"stray_parts\": \"refused\"", "\"stray_parts\": \"maybe\"", "limits.stray_parts must be"},
      {"\"stray_parts\": \"refused\"", "\"stray_parts\": false", "limits.stray_parts must be a text"},
      {"\"stray_parts\": \"refused\",", "", "limits.stray_parts is missing"},
      {"\"conditional_put\": true", "\"conditional_put\": 1", "limits.conditional_put"},
      {"\"checksum\": \"crc32c\"", "\"checksum\": \"crc\"", "checksum must be"},
      {"\"kind\": \"s3\"", "\"kind\": \"ftp\"", "target.kind"},
      {"\"bucket\": \"bucket\"", "\"bucket\": \"\"", "target.bucket"},
      {"\"strays\": \"refused\"", "\"strays\": 7", "findings.strays"},
  };
  for (const auto& damage : kDamages) {
    const auto read = StoreProfile::FromJson(Replaced(damage.from, damage.to));
    ASSERT_FALSE(read.ok()) << damage.to;
    EXPECT_EQ(KindOf(read.status()), ErrorKind::kInvalid) << read.status();
    EXPECT_NE(read.status().message().find(damage.named), std::string::npos) << read.status();
  }
  EXPECT_FALSE(StoreProfile::FromJson("[1]").ok());
  EXPECT_FALSE(StoreProfile::FromJson("7").ok());
}

TEST(StoreProfile, ANewerVersionIsTooNew) {
  const auto read = StoreProfile::FromJson(Replaced("\"version\": 1", "\"version\": 2"));
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(KindOf(read.status()), ErrorKind::kStateTooNew);
}

TEST(StoreProfile, HoldsForItsOwnStoreAlone) {
  const Target here{.kind = "s3", .endpoint = "http://localhost:9000", .bucket = "bucket", .key = "a/b"};
  EXPECT_OK(Sample().CheckIsFor(here));
  Target elsewhere = here;
  elsewhere.endpoint = "http://localhost:9001";
  EXPECT_EQ(KindOf(Sample().CheckIsFor(elsewhere)), ErrorKind::kInvalid);
  elsewhere = here;
  elsewhere.bucket = "other";
  EXPECT_NE(Sample().CheckIsFor(elsewhere).message().find("'other'"), std::string::npos);
  EXPECT_FALSE(Sample().CheckIsFor({.kind = "file", .key = "data/x"}).ok());

  const StoreProfile local{.kind = "file", .folder = "/data"};
  EXPECT_OK(local.CheckIsFor({.kind = "file", .key = "data/x"}));
  EXPECT_OK(local.CheckIsFor({.kind = "file", .key = "data/y/x"}));
  EXPECT_FALSE(local.CheckIsFor({.kind = "file", .key = "data2/x"}).ok());
  EXPECT_FALSE(local.CheckIsFor(here).ok());
}

TEST(StoreProfile, LocalStoresAreOpenedWithTheLimitsOfTheirs) {
  const TempFolder folder;
  StoreOptions options;
  options.profile = StoreProfile{.kind = "file", .folder = folder.path(), .limits = {.checks_part_etags = false}};
  ASSERT_OK_AND_ASSIGN(const StoreAndKey at, OpenStore(folder.PathOf("x"), options));
  EXPECT_EQ(at.store->limits(), options.profile->limits);
  options.profile->folder = "/elsewhere";
  EXPECT_FALSE(OpenStore(folder.PathOf("x"), options).ok());
}

TEST(StoreProfile, LoadingNamesTheFile) {
  const TempFolder folder;
  const std::string path = folder.path() + "/p.json";
  EXPECT_EQ(KindOf(LoadStoreProfile(path).status()), ErrorKind::kNotFound);
  EXPECT_FALSE(LoadStoreProfile(folder.path()).ok());
  std::ofstream(path) << Sample().ToJson();
  ASSERT_OK_AND_ASSIGN(const StoreProfile back, LoadStoreProfile(path));
  EXPECT_EQ(back, Sample());
  std::ofstream(path) << "PAR1";
  EXPECT_NE(LoadStoreProfile(path).status().message().find(path), std::string::npos);
  std::ofstream(path) << std::string((1 << 20) + 1, ' ');
  EXPECT_NE(LoadStoreProfile(path).status().message().find("1 MiB"), std::string::npos);
}

}  // namespace
}  // namespace tailrace
