#include "doctor/local_doctor.h"

#include <fcntl.h>

#include <filesystem>
#include <map>

#include "store/local_store.h"
#include "store/posix_files.h"
#include "testing/fault_files.h"
#include "testing/status_macros.h"
#include "testing/temp_folder.h"

namespace tailrace {
namespace {

using Answers = std::map<std::string, std::string>;

// Free space is a number.
Answers AnswersOf(const StoreReport& report) {
  Answers answers;
  for (const Finding& finding : report.findings) {
    if (finding.name != "free-space") answers[finding.name] = finding.answer;
  }
  return answers;
}

class LocalDoctor : public ::testing::Test {
 protected:
  StoreReport Probe(FileCalls* files) const {
    return ProbeFolder(files, folder_.path(), "0123456789abcdef", {}).ValueOrDie();
  }
  StoreReport ProbeFailing(std::string_view call, int error) const {
    FaultFiles files(PosixFiles::Get(), FaultFiles::FailAll(call, error));
    return Probe(&files);
  }
  void ExpectNothingLeft() const { EXPECT_TRUE(std::filesystem::is_empty(folder_.path())); }

  const TempFolder folder_;
};

const Answers kGood = {{"hidden-folder", "can be made"}, {"write", "works"},     {"locks", "work"},
                       {"rename-if-absent", "works"},    {"link", "works"},      {"no-overwrite", "by rename"},
                       {"attributes", "kept"},           {"sync-file", "works"}, {"sync-folder", "works"}};

Answers Changed(const StoreReport& report) {
  Answers changed;
  for (const auto& [name, answer] : AnswersOf(report)) {
    if (kGood.at(name) != answer) changed.emplace(name, answer);
  }
  return changed;
}

// The attributes apart, which the test's own file system may not have.
TEST_F(LocalDoctor, AnOrdinaryFolderIsGood) {
  const StoreReport report = Probe(PosixFiles::Get());
  Answers changed = Changed(report);
  changed.erase("attributes");
  EXPECT_EQ(changed, Answers{});
  EXPECT_TRUE(report.can_write());
  EXPECT_EQ(report.profile.limits, LocalStore::Make()->limits());
  EXPECT_EQ(report.profile.folder, folder_.path());
  EXPECT_NE(report.Find("free-space"), nullptr);
  EXPECT_TRUE(report.leftovers.empty());
  ExpectNothingLeft();
}

TEST_F(LocalDoctor, EachMissingCallFlipsItsFindings) {
  const struct {
    std::string_view call;
    int error;
    Answers changed;
    bool can_write;
  } kMissing[] = {
      {"RenameIfAbsent", EINVAL, {{"rename-if-absent", "missing"}, {"no-overwrite", "by link"}}, true},
      {"Link", EPERM, {{"link", "missing"}}, true},
      {"SetAttribute", ENOTSUP, {{"attributes", "missing"}}, true},
      {"SyncFolder", EIO, {{"sync-folder", "fails"}, {"write", "fails"}}, false},
      {"MayWriteTo", EACCES, {{"hidden-folder", "fails"}, {"write", "fails"}}, false},
      {"MakeFolder", EROFS, {{"hidden-folder", "fails"}, {"write", "fails"}}, false},
  };
  for (const auto& missing : kMissing) {
    SCOPED_TRACE(missing.call);
    const StoreReport report = ProbeFailing(missing.call, missing.error);
    Answers changed = Changed(report);
    if (missing.call != "SetAttribute") changed.erase("attributes");
    EXPECT_EQ(changed, missing.changed);
    EXPECT_EQ(report.can_write(), missing.can_write);
    ExpectNothingLeft();
  }
}

TEST_F(LocalDoctor, WithoutLocksItSaysThatFencingIsAbsent) {
  const StoreReport report = ProbeFailing("Lock", ENOLCK);
  const Finding* const locks = report.Find("locks");
  EXPECT_EQ(locks->answer, "not supported");
  EXPECT_EQ(locks->verdict, Verdict::kWarning);
  EXPECT_NE(locks->meaning.find("fencing is absent"), std::string::npos);
  EXPECT_FALSE(report.profile.limits.checks_part_etags);
  ExpectNothingLeft();
}

// A file system that grants the lock to everybody.
TEST_F(LocalDoctor, ALockThatIsNotExclusiveIsFound) {
  class NoLocks final : public PosixFiles {
   public:
    int Lock(int) override { return 0; }
  };
  NoLocks files;
  const StoreReport report = Probe(&files);
  EXPECT_EQ(Changed(report).at("locks"), "not exclusive");
  EXPECT_TRUE(report.can_write());
  ExpectNothingLeft();
}

TEST_F(LocalDoctor, WithNeitherWayNoOverwriteIsMissing) {
  FaultFiles files(PosixFiles::Get(), [](const FileCall& call) {
    return call.name == "Link" || call.name == "RenameIfAbsent" ? -ENOSYS : 0;
  });
  const StoreReport report = Probe(&files);
  EXPECT_EQ(report.Find("no-overwrite")->answer, "missing");
  EXPECT_FALSE(report.profile.limits.conditional_put);
  EXPECT_TRUE(report.can_write());
}

// A rename that replaces what it must not is no way of no-overwrite.
TEST_F(LocalDoctor, ARenameThatReplacesIsNotTaken) {
  class Replacing final : public PosixFiles {
   public:
    int RenameIfAbsent(const std::string& from, const std::string& to) override { return Rename(from, to); }
  };
  Replacing files;
  const StoreReport report = Probe(&files);
  EXPECT_EQ(report.Find("no-overwrite")->answer, "by link");
  EXPECT_EQ(report.Find("rename-if-absent")->cause, "it replaced what was there");
  ExpectNothingLeft();
}

TEST_F(LocalDoctor, AHiddenFolderThatWasThereStays) {
  std::filesystem::create_directory(folder_.PathOf(".tailrace"));
  EXPECT_TRUE(Probe(PosixFiles::Get()).can_write());
  EXPECT_TRUE(folder_.Has(".tailrace"));
}

TEST_F(LocalDoctor, AFolderThatIsMissingOrNoneIsAnError) {
  EXPECT_KIND(ErrorKind::kNotFound, ProbeFolder(PosixFiles::Get(), folder_.PathOf("none"), "x", {}));
  folder_.Write("file", "x");
  EXPECT_KIND(ErrorKind::kInvalid, ProbeFolder(PosixFiles::Get(), folder_.PathOf("file"), "x", {}));
}

// One call fails, every other one in turn: no crash, no finding that is not in the table, and what is left is named.
TEST_F(LocalDoctor, EveryCallFailsOnce) {
  int64_t calls = 0;
  {
    FaultFiles files(PosixFiles::Get(), [](const FileCall&) { return 0; });
    Probe(&files);
    calls = files.calls();
  }
  for (int64_t nth = 0; nth < calls; nth += 2) {
    SCOPED_TRACE(nth);
    FaultFiles files(PosixFiles::Get(), FaultFiles::FailNth(nth, EIO));
    const auto report = ProbeFolder(&files, folder_.path(), "0123456789abcdef", {});
    if (!report.ok()) continue;
    EXPECT_EQ(report->findings.size(), kGood.size() + 1);
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      std::filesystem::remove_all(entry.path());
    }
  }
}

}  // namespace
}  // namespace tailrace
