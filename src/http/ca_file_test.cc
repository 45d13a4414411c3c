#include "http/ca_file.h"

#include <gtest/gtest.h>

#include <set>

#include "testing/fake_environment.h"
#include "testing/status_macros.h"
#include "testing/temp_folder.h"

namespace tailrace {
namespace {

auto Existing(std::set<std::string> paths) {
  return [paths = std::move(paths)](const std::string& path) { return paths.contains(path); };
}

TEST(FindCaFile, WhatIsGivenWins) {
  const auto all = Existing({"/given", "/aws", "/ssl", "/etc/ssl/cert.pem"});
  EXPECT_EQ(FindCaFile("/given", FakeEnvironment({{"AWS_CA_BUNDLE", "/aws"}, {"SSL_CERT_FILE", "/ssl"}}), all)
                .ValueOr("failed"),
            "/given");
  EXPECT_EQ(
      FindCaFile("", FakeEnvironment({{"AWS_CA_BUNDLE", "/aws"}, {"SSL_CERT_FILE", "/ssl"}}), all).ValueOr("failed"),
      "/aws");
  EXPECT_EQ(FindCaFile("", FakeEnvironment({{"AWS_CA_BUNDLE", ""}, {"SSL_CERT_FILE", "/ssl"}}), all).ValueOr("failed"),
            "/ssl");
  EXPECT_EQ(FindCaFile("", FakeEnvironment({}), all).ValueOr("failed"), "/etc/ssl/cert.pem");
}

TEST(FindCaFile, KnowsTheDistributions) {
  for (const char* path : {"/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
                           "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem"}) {
    EXPECT_EQ(FindCaFile("", FakeEnvironment({}), Existing({path})).ValueOr("failed"), path);
  }
  EXPECT_EQ(FindCaFile("", FakeEnvironment({}), Existing({})).ValueOr("failed"), "");
}

TEST(FindCaFile, AMissingFileThatWasAskedForIsAnErrorThatNamesTheSetting) {
  const auto none = Existing({"/etc/ssl/cert.pem"});
  EXPECT_KIND(ErrorKind::kInvalid, FindCaFile("/given", FakeEnvironment({}), none));
  const Status status = FindCaFile("", FakeEnvironment({{"AWS_CA_BUNDLE", "/aws"}}), none).status();
  EXPECT_EQ(KindOf(status), ErrorKind::kInvalid);
  EXPECT_NE(status.message().find("'/aws' (AWS_CA_BUNDLE)"), std::string::npos) << status;
}

TEST(CanReadFile, TellsFilesFromFolders) {
  const TempFolder folder;
  folder.Write("ca.pem", "x");
  EXPECT_TRUE(CanReadFile(folder.PathOf("ca.pem")));
  EXPECT_FALSE(CanReadFile(folder.path()));
  EXPECT_FALSE(CanReadFile(folder.PathOf("missing")));
}

}  // namespace
}  // namespace tailrace
