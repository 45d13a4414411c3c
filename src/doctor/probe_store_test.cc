#include <filesystem>

#include "doctor/finding_table.h"
#include "tailrace/doctor.h"
#include "testing/s3_server/s3_server.h"
#include "testing/status_macros.h"
#include "testing/temp_folder.h"

namespace tailrace {
namespace {

// Over a socket, as a user calls it; and the store is then opened with what was found.
TEST(ProbeStore, AnS3UrlGivesAProfileThatOpensItsStore) {
  S3Server server;
  server.service().Change([](S3Rules* rules) { rules->leaves_strays_out = false; });
  ProbeOptions options{.quick = true};
  options.store.s3.credentials = S3Credentials{server.key().access_key_id, server.key().secret_access_key, {}, {}};
  options.store.s3.region = server.service().rules().signature.region;
  const std::string url = "s3::" + server.endpoint() + "/bucket/";
  ASSERT_OK_AND_ASSIGN(const StoreReport report, ProbeStore(url + "some/prefix", options));
  EXPECT_TRUE(report.can_write());
  EXPECT_EQ(report.Find("strays")->answer, "refused");
  EXPECT_TRUE(server.service().Objects().empty());
  EXPECT_TRUE(server.service().Uploads().empty());

  StoreOptions store = options.store;
  ASSERT_OK_AND_ASSIGN(const StoreAndKey before, OpenStore(url + "x", store));
  EXPECT_EQ(before.store->limits().stray_parts, StrayParts::kUnknown);
  store.profile = report.profile;
  ASSERT_OK_AND_ASSIGN(const StoreAndKey at, OpenStore(url + "x", store));
  EXPECT_EQ(at.store->limits().stray_parts, StrayParts::kRefused);
  // The bucket alone is a prefix, too.
  EXPECT_OK(ProbeStore(url, options));
  // What is locked could not be removed.
  options.store.s3.legal_hold = true;
  EXPECT_KIND(ErrorKind::kInvalid, ProbeStore(url, options));
}

TEST(ProbeStore, FormsOfAFolder) {
  const TempFolder folder;
  for (const std::string& url : {"file://" + folder.path(), "file://" + folder.path() + "/", folder.path()}) {
    ASSERT_OK_AND_ASSIGN(const StoreReport report, ProbeStore(url));
    EXPECT_EQ(report.profile.folder, folder.path()) << url;
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  EXPECT_KIND(ErrorKind::kInvalid, ProbeStore("ftp://host/x"));
  EXPECT_KIND(ErrorKind::kNotFound, ProbeStore(folder.PathOf("absent")));
}

TEST(FindingTable, NamesAndAnswersAreThereOnceAndSaySomething) {
  const auto rows = FindingRows();
  for (size_t i = 0; i < rows.size(); ++i) {
    EXPECT_FALSE(rows[i].meaning.empty()) << rows[i].name;
    for (size_t j = 0; j < i; ++j) {
      EXPECT_FALSE(rows[i].name == rows[j].name && rows[i].answer == rows[j].answer) << rows[i].name;
    }
  }
}

}  // namespace
}  // namespace tailrace
