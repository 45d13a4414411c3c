// Each server answers the questions of wire_checks.h as S3 does, or as its row in real_servers.cc says.
#include "tests/conformance/conformance_fixture.h"
#include "tests/conformance/wire_checks.h"

namespace tailrace {
namespace {

class Answers : public ConformanceTest {
 protected:
  void AskAll(const std::vector<WireCheck>& checks) {
    S3Wire wire(under_test_->login().value());
    for (const WireCheck& check : checks) {
      wire.settings.object = {};
      const auto other = differs().answers.find(check.name);
      const std::string expected = other == differs().answers.end() ? check.aws : other->second;
      EXPECT_EQ(check.ask(wire), expected) << check.name;
    }
  }
};
INSTANTIATE_TEST_SUITE_P(On, Answers, ::testing::ValuesIn(ServersOfThisRun()), NameOfStore);

TEST_P(Answers, ToComplete) { AskAll(CompleteChecks()); }

TEST_P(Answers, ToChecksums) { AskAll(ChecksumChecks()); }

TEST_P(Answers, ToPartsAndLists) { AskAll(PartChecks()); }

TEST_P(Answers, ToSignatures) { AskAll(SignatureChecks()); }

TEST_P(Answers, ToObjects) { AskAll(ObjectChecks()); }

// A name in a row that no question has would hide that the question is gone.
TEST(AnswersOfServers, DifferWhereThereIsAQuestion) {
  std::vector<std::string> names;
  for (const auto& group : {CompleteChecks(), ChecksumChecks(), PartChecks(), SignatureChecks(), ObjectChecks()}) {
    for (const WireCheck& check : group) names.push_back(check.name);
  }
  for (const StoreDifferences& server : RealServers()) {
    for (const auto& [name, answer] : server.answers) EXPECT_THAT(names, ::testing::Contains(name)) << server;
  }
}

}  // namespace
}  // namespace tailrace
