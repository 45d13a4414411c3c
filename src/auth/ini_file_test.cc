#include "auth/ini_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "testing/status_macros.h"

namespace tailrace {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::Pair;
using testing::UnorderedElementsAre;

TEST(IniFile, ReadsSectionsValuesAndComments) {
  ASSERT_OK_AND_ASSIGN(const auto sections, ParseIniFile("# comment\r\n"
                                                         "[default] ; comment\r\n"
                                                         "Region = eu-central-1 # comment\r\n"
                                                         "\t\r\n"
                                                         "aws_secret_access_key=a=b/c+#d;e\r\n"
                                                         "empty =\r\n"
                                                         "[ profile  \"with  blanks\" ]\n"
                                                         "x=1",
                                                         "config"));
  ASSERT_EQ(sections.size(), 2u);
  EXPECT_EQ(sections[0].name, "default");
  EXPECT_EQ(sections[0].line, 2);
  EXPECT_THAT(sections[0].values, UnorderedElementsAre(Pair("region", "eu-central-1"),
                                                       Pair("aws_secret_access_key", "a=b/c+#d;e"), Pair("empty", "")));
  EXPECT_EQ(sections[1].name, "profile with  blanks");
  EXPECT_THAT(sections[1].values, UnorderedElementsAre(Pair("x", "1")));
}

TEST(IniFile, NestedValuesHaveTheirParentsName) {
  ASSERT_OK_AND_ASSIGN(const auto sections, ParseIniFile("[services local]\n"
                                                         "s3 =\n"
                                                         "  endpoint_url = http://127.0.0.1:9000\n"
                                                         "  max = 1\n"
                                                         "sts =\n"
                                                         "\tendpoint_url = http://127.0.0.1:9001\n"
                                                         "plain = x\n",
                                                         "config"));
  EXPECT_THAT(
      sections.at(0).values,
      UnorderedElementsAre(Pair("s3", ""), Pair("s3.endpoint_url", "http://127.0.0.1:9000"), Pair("s3.max", "1"),
                           Pair("sts", ""), Pair("sts.endpoint_url", "http://127.0.0.1:9001"), Pair("plain", "x")));
}

TEST(IniFile, SectionsOfOneNameAreMergedAndLaterValuesWin) {
  ASSERT_OK_AND_ASSIGN(const auto sections, ParseIniFile("\xef\xbb\xbf[a]\nx=1\ny=1\n[b]\n[a]\nx=2\n", "config"));
  ASSERT_EQ(sections.size(), 2u);
  EXPECT_THAT(sections[0].values, UnorderedElementsAre(Pair("x", "2"), Pair("y", "1")));
}

TEST(IniFile, AnEmptyFileHasNoSections) {
  for (const char* text : {"", "\n\n", "# x", "  ; x\n"}) {
    ASSERT_OK_AND_ASSIGN(const auto sections, ParseIniFile(text, "config"));
    EXPECT_TRUE(sections.empty());
  }
}

TEST(IniFile, DamageIsNamedByFileAndLineWithoutTheText) {
  struct Row {
    const char* text;
    int line;
  };
  for (const Row& row : {Row{"[default]\nwJalrXUtnFEMI\n", 2},
                         {"wJalrXUtnFEMI = x", 1},
                         {"[default\n", 1},
                         {"[]\n", 1},
                         {"[ ]", 1},
                         {"[a] wJalrXUtnFEMI", 1},
                         {"[a]\n\n= wJalrXUtnFEMI\n", 3},
                         {"[a]\n  wJalrXUtnFEMI", 2}}) {
    const Status status = ParseIniFile(row.text, "/home/me/.aws/credentials").status();
    ASSERT_FALSE(status.ok()) << row.text;
    EXPECT_EQ(KindOf(status), ErrorKind::kInvalid);
    EXPECT_THAT(status.message(), HasSubstr("/home/me/.aws/credentials:" + std::to_string(row.line) + ": "));
    EXPECT_THAT(status.ToString(), Not(HasSubstr("wJalrXUtnFEMI")));
  }
  EXPECT_KIND(ErrorKind::kInvalid, ParseIniFile(std::string_view("[a]\nx=\0y", 8), "config"));
}

TEST(IniFile, AnyBytesAreTakenOrRefused) {
  std::mt19937 random(11);
  const std::string_view pieces[] = {"[",
                                     "]",
                                     "=",
                                     "\n",
                                     "\r\n",
                                     " ",
                                     "\t",
                                     "#",
                                     ";",
                                     "\"",
                                     "'",
                                     "profile ",
                                     "default",
                                     "a",
                                     "\xff",
                                     "\xef\xbb\xbf",
                                     std::string_view("\0", 1)};
  int good = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text = random() % 2 ? "[a]\n" : "";
    for (uint32_t step = random() % 12; step > 0; --step) text += pieces[random() % std::size(pieces)];
    const auto sections = ParseIniFile(text, "config");
    if (!sections.ok()) {
      ASSERT_EQ(KindOf(sections.status()), ErrorKind::kInvalid);
      continue;
    }
    ++good;
    for (const IniSection& section : *sections) {
      ASSERT_FALSE(section.name.empty()) << text;
      for (const auto& [name, value] : section.values) {
        ASSERT_FALSE(name.empty()) << text;
        ASSERT_EQ(value.find('\n'), value.npos) << text;
      }
    }
  }
  EXPECT_GT(good, 1000);
}

}  // namespace
}  // namespace tailrace
