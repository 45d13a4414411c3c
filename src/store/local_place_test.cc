#include "store/local_place.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "testing/status_macros.h"

namespace tailrace {
namespace {

const char kWrite[] = "019b76da-a800-7000-8000-00000000cafe";

TEST(LocalPlace, LiesBesideTheTarget) {
  ASSERT_OK_AND_ASSIGN(const LocalPlace place, LocalPlace::Of("data/in/x.parquet"));
  EXPECT_EQ(place.target, "/data/in/x.parquet");
  EXPECT_EQ(place.folder, "/data/in");
  EXPECT_EQ(place.hidden, "/data/in/.tailrace");
  EXPECT_EQ(place.InHidden("f"), "/data/in/.tailrace/f");
  EXPECT_EQ(place.target_name(), "x.parquet");
}

TEST(LocalPlace, TheRootIsAFolderToo) {
  ASSERT_OK_AND_ASSIGN(const LocalPlace place, LocalPlace::Of("x"));
  EXPECT_EQ(place.target, "/x");
  EXPECT_EQ(place.folder, "/");
  EXPECT_EQ(place.hidden, "/.tailrace");
  EXPECT_EQ(place.target_name(), "x");
}

TEST(LocalPlace, NoKeyLeavesItsFolder) {
  for (const std::string& key :
       {std::string(), std::string("/"), std::string("/a"), std::string("a/"), std::string("a//b"), std::string(".."),
        std::string("."), std::string("a/../b"), std::string("a/.."), std::string("../a"), std::string("./a"),
        std::string("a/./b"), std::string("a\0b", 3), std::string(".tailrace/x"), std::string("a/.tailrace"),
        std::string("a/.tailrace/b")}) {
    EXPECT_KIND(ErrorKind::kInvalid, LocalPlace::Of(key));
  }
  for (const std::string key : {"a", "..a", "a..", "...", "a/.b", ".tailrace2/a", "a b/\xc3\xa9=%2F"}) {
    EXPECT_OK(LocalPlace::Of(key));
  }
}

TEST(LocalUploadId, HasOneSpelling) {
  const LocalUploadId upload{{{kWrite}, "0123456789abcdef"}, 4711};
  const UploadId id = upload.ToUploadId();
  EXPECT_EQ(id.text, "019b76da-a800-7000-8000-00000000cafe-0123456789abcdef@4711");
  ASSERT_OK_AND_ASSIGN(const LocalUploadId again, LocalUploadId::Parse(id));
  EXPECT_EQ(again.name.write_id.text, kWrite);
  EXPECT_EQ(again.name.random, "0123456789abcdef");
  EXPECT_EQ(again.inode, 4711u);
}

TEST(LocalUploadId, RefusesWhatThisStoreNeverWrote) {
  const std::string name = "019b76da-a800-7000-8000-00000000cafe-0123456789abcdef";
  std::vector<std::string> texts;
  for (const char* text :
       {"", "@1", "../../etc/passwd@1", "../019b76da-a800-7000-8000-00000000cafe-0123456789abcdef@1",
        "19b76da-a800-7000-8000-00000000cafe-0123456789abcdef@1",
        "019b76da-a800-4000-8000-00000000cafe-0123456789abcdef@1", "019b76da-a800-7000-8000-00000000cafe-@1",
        "019b76da-a800-7000-8000-00000000cafe-0123456789ABCDEF@1"}) {
    texts.emplace_back(text);
  }
  for (const std::string_view suffix :
       {std::string_view(""), std::string_view("@"), std::string_view("@x"), std::string_view("@-1"),
        std::string_view("@01"), std::string_view("@1 "), std::string_view("@1@1"),
        std::string_view("@99999999999999999999"), std::string_view("/@1"), std::string_view("0@1"),
        std::string_view("\0@1", 3)}) {
    texts.push_back(name);
    texts.back().append(suffix);
  }
  for (const std::string& text : texts) {
    EXPECT_KIND(ErrorKind::kBadState, LocalUploadId::Parse({text}));
  }
}

TEST(UploadFileName, APutHasTheWriteIdAlone) {
  EXPECT_EQ(UploadFileName::ForPut({kWrite}).ToString(), kWrite);
  ASSERT_TRUE(UploadFileName::Parse(kWrite).has_value());
  EXPECT_EQ(UploadFileName::Parse(kWrite)->random, "");
}

TEST(UploadFileName, TwoUploadsOfOneWriteDiffer) {
  const std::string one = UploadFileName::ForUpload({kWrite}).ToString();
  EXPECT_NE(one, UploadFileName::ForUpload({kWrite}).ToString());
  ASSERT_TRUE(UploadFileName::Parse(one).has_value());
  EXPECT_EQ(UploadFileName::Parse(one)->ToString(), one);
}

TEST(ObjectMeta, InodeMatchesTheUploadItIsOf) {
  const LocalUploadId upload{{{kWrite}, "0123456789abcdef"}, 147};
  ObjectMeta meta;
  EXPECT_FALSE(meta.MadeFrom(upload.ToUploadId()));
  meta.from_upload = InodeSuffix(147);
  EXPECT_TRUE(meta.MadeFrom(upload.ToUploadId()));
  meta.from_upload = InodeSuffix(47);
  EXPECT_FALSE(meta.MadeFrom(upload.ToUploadId()));
}

}  // namespace
}  // namespace tailrace
