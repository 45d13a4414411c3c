// The worked examples of docs/formats/ are what the encoder writes.
#include <cstdio>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "state/state_samples.h"

namespace tailrace {
namespace {

// "89 54 ..." as the pages show it: sixteen bytes a line.
std::string HexLines(std::string_view bytes) {
  std::string out;
  for (size_t i = 0; i < bytes.size(); ++i) {
    char text[4];
    std::snprintf(text, sizeof(text), "%02x", static_cast<unsigned char>(bytes[i]));
    out += text;
    out += i % 16 == 15 || i + 1 == bytes.size() ? '\n' : ' ';
  }
  return out;
}

// The first fenced block with the info string "hex".
std::string HexBlockOf(const std::string& page) {
  std::ifstream file(std::string(TAILRACE_FORMATS_DIR "/").append(page));
  EXPECT_TRUE(file.is_open()) << page;
  std::stringstream text;
  text << file.rdbuf();
  constexpr std::string_view kOpening = "```hex\n";
  const size_t begin = text.str().find(kOpening);
  EXPECT_NE(begin, std::string::npos) << page << " has no hex block";
  if (begin == std::string::npos) return {};
  const size_t from = begin + kOpening.size();
  return text.str().substr(from, text.str().find("```", from) - from);
}

TEST(FormatPages, WriterStateExampleIsWhatIsWritten) {
  EXPECT_EQ(HexBlockOf("writer-state.md"), HexLines(SmallState().ToBytes()));
}

TEST(FormatPages, PendingCommitExampleIsWhatIsWritten) {
  EXPECT_EQ(HexBlockOf("pending-commit.md"), HexLines(SmallInlinePending().ToBytes()));
}

}  // namespace
}  // namespace tailrace
