// Every state of the open file against every event: what applies and what it does, and what must not apply.
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "writer/open_file.h"
#include "writer/open_file_text.h"

namespace tailrace {
namespace {

// Parts of 10 bytes; up to 20 bytes are committed by one Put.
constexpr OpenFile::Rules kRules{{10}, 20};

struct Column {
  std::string name;
  Event event;
};

std::vector<Column> Columns() {
  const Status error = MakeError(ErrorKind::kNoSpace, "later");
  return {
      {"b0", BytesReady{}},
      {"b4", BytesReady{Letters(4)}},
      {"b18", BytesReady{Letters(18)}},
      {"ask", UploadAsked{}},
      {"u2", UploadCreated{{"u2"}}},
      {"u-", UploadCreated{}},  // without an id
      {"p1", PartStored{Receipt(1, 0, 10, "n1")}},
      {"p2", PartStored{Receipt(2, 10, 10, "n2")}},
      {"p2s", PartStored{Receipt(2, 10, 7, "n2")}},  // shorter
      {"p9", PartStored{Receipt(9, 80, 10, "n9")}},
      {"f", RequestFailed{error}},
      {"f-", RequestFailed{Status::OK()}},
      {"c4", CloseAsked{Letters(4, 22)}},
      {"c18", CloseAsked{Letters(18)}},
      // Around a stray part 4: part 3 stays out.
      {"e", EndStored{{Receipt(1, 0, 10, "e1"), Receipt(2, 10, 10, "e2"), Receipt(4, 20, 5, "e4")}}},
      {"e-", EndStored{{Receipt(1, 0, 10, "e1")}}},  // no end
      {"com", CommitAsked{}},
      {"cd", CommitDone{}},
      {"cf", CommitFailed{error}},
      {"cf-", CommitFailed{Status::OK()}},
      {"abt", AbortAsked{}},
  };
}

// '=' applies and changes nothing, '*' applies as kChanges says, '-' kInvalid, '!' the first error.
constexpr char kTable[] = R"(
                 b0  b4  b18 ask u2  u-  p1  p2  p2s p9  f   f-  c4  c18 e   e-  com cd  cf  cf- abt
new              =   *   *   *   -   -   -   -   -   -   *   -   *   *   -   -   -   -   -   -   *
starting         =   *   *   =   *   -   -   -   -   -   *   -   *   *   -   -   -   -   -   -   *
starting-closed  -   -   -   -   *   -   -   -   -   -   *   -   -   -   -   -   -   -   -   -   *
started          =   *   *   =   -   -   *   -   -   -   *   -   *   *   *   -   -   -   -   -   *
started-flying   =   *   *   =   -   -   *   *   -   -   *   -   *   *   -   -   -   -   -   -   *
recovering       -   -   -   -   -   -   -   -   -   -   -   -   *   *   *   -   -   -   -   -   *
multi            -   -   -   -   -   -   *   -   *   -   *   -   -   -   -   -   *   *   -   -   *
multi-flying     -   -   -   -   -   -   *   -   *   -   *   -   -   -   -   -   -   *   -   -   *
single           -   -   -   -   -   -   -   -   -   -   -   -   -   -   -   -   *   *   -   -   *
finishing-multi  -   -   -   -   -   -   -   -   -   -   -   -   -   -   -   -   -   *   *   -   -
finishing-single -   -   -   -   -   -   -   -   -   -   -   -   -   -   -   -   -   *   *   -   -
closed           -   -   -   -   -   -   =   =   =   =   =   -   -   -   -   -   -   =   -   -   -
aborted          -   -   -   -   *   -   =   =   =   =   =   -   -   -   -   -   -   -   -   -   =
aborted-upload   -   -   -   -   -   -   =   =   =   =   =   -   -   -   -   -   -   -   -   -   *
failed           !   !   !   !   *   -   =   =   =   =   =   -   !   !   !   !   !   !   !   !   *
failed-upload    !   !   !   !   !   !   =   =   =   =   =   -   !   !   !   !   !   !   !   !   *
)";

// row | column | state after | actions, if any
constexpr char kChanges[] = R"(
new | b4 | New cut=0 unsent=abcabcd
new | b18 | Starting cut=2 unsent=r waiting=1,2 | Create
new | ask | Starting cut=0 unsent=abc waiting= | Create
new | f | Failed later
new | c4 | ClosingSingle body=abcwxyz
new | c18 | Starting cut=0 unsent=abc waiting= tail=abcdefghijklmnopqr | Create
new | abt | Aborted
starting | b4 | Starting cut=1 unsent=klmabcd waiting=1
starting | b18 | Starting cut=3 unsent=r waiting=1,2,3
starting | u2 | Started u2 cut=1 unsent=klm stored= flying=1 | Store 1@0+10
starting | f | Failed later
starting | c4 | Starting cut=1 unsent=klm waiting=1 tail=wxyz
starting | c18 | Starting cut=1 unsent=klm waiting=1 tail=abcdefghijklmnopqr
starting | abt | Aborted
starting-closed | u2 | ClosingMulti u2 stored= flying=1,2 total=17 | Store 1@0+10; Store 2@10+7
starting-closed | f | Failed later
starting-closed | abt | Aborted
started | b4 | Started u1 cut=1 unsent=klmabcd stored=1:e1 flying=
started | b18 | Started u1 cut=3 unsent=r stored=1:e1 flying=2,3 | Store 2@10+10; Store 3@20+10
started | p1 | Started u1 cut=1 unsent=klm stored=1:n1 flying=
started | f | Failed u1 later
started | c4 | ClosingMulti u1 stored=1:e1 flying=2 total=17 | Store 2@10+7
started | c18 | ClosingMulti u1 stored=1:e1 flying=2,3,4 total=31 | Store 2@10+10; Store 3@20+10; Store 4@30+1
started | e | ClosingMulti u1 stored=1:e1,2:e2,4:e4 flying= total=25
started | abt | Aborted u1 | Abort u1
started-flying | b4 | Started u1 cut=2 unsent=uvwabcd stored=1:e1 flying=2
started-flying | b18 | Started u1 cut=4 unsent=r stored=1:e1 flying=2,3,4 | Store 3@20+10; Store 4@30+10
started-flying | p1 | Started u1 cut=2 unsent=uvw stored=1:n1 flying=2
started-flying | p2 | Started u1 cut=2 unsent=uvw stored=1:e1,2:n2 flying=
started-flying | f | Failed u1 later
started-flying | c4 | ClosingMulti u1 stored=1:e1 flying=2,3 total=27 | Store 3@20+7
started-flying | c18 | ClosingMulti u1 stored=1:e1 flying=2,3,4,5 total=41 | Store 3@20+10; Store 4@30+10; Store 5@40+1
started-flying | abt | Aborted u1 | Abort u1
recovering | c4 | ClosingMulti u1 stored=1:e1 flying=2 total=17 | Store 2@10+7
recovering | c18 | ClosingMulti u1 stored=1:e1 flying=2,3,4 total=31 | Store 2@10+10; Store 3@20+10; Store 4@30+1
recovering | e | ClosingMulti u1 stored=1:e1,2:e2,4:e4 flying= total=25
recovering | abt | Aborted u1 | Abort u1
multi | p1 | ClosingMulti u1 stored=1:n1,2:e2 flying= total=17
multi | p2s | ClosingMulti u1 stored=1:e1,2:n2 flying= total=17
multi | f | Failed u1 later
multi | com | Finishing u1 stored=1:e1,2:e2 flying= total=17 | Complete 1:e1,2:e2
multi | cd | Closed total=17
multi | abt | Aborted u1 | Abort u1
multi-flying | p1 | ClosingMulti u1 stored=1:n1 flying=2 total=17
multi-flying | p2s | ClosingMulti u1 stored=1:e1,2:n2 flying= total=17
multi-flying | f | Failed u1 later
multi-flying | cd | Closed total=17
multi-flying | abt | Aborted u1 | Abort u1
single | com | Finishing body=abcwxyz | Put abcwxyz
single | cd | Closed total=7
single | abt | Aborted
finishing-multi | cd | Closed total=17
finishing-multi | cf | ClosingMulti u1 stored=1:e1,2:e2 flying= total=17
finishing-single | cd | Closed total=7
finishing-single | cf | ClosingSingle body=abcwxyz
aborted | u2 | Aborted u2 | Abort u2
aborted-upload | abt | Aborted u1 | Abort u1
failed | u2 | Failed u2 first
failed | abt | Aborted
failed-upload | abt | Aborted u1 | Abort u1
)";

OpenFile After(OpenFile file, std::vector<Event> events) {
  for (Event& event : events) {
    const std::string name(EventName(event));
    Result<std::vector<Action>> actions = file.Apply(std::move(event));
    EXPECT_TRUE(actions.ok()) << name << ": " << actions.status();
  }
  return file;
}

OpenFile Recovering() {
  const UploadProgress progress{{"u1"}, kRules.part_lengths, {Receipt(1, 0, 10, "e1")}, "xyz"};
  return *OpenFile::FromProgress(kRules, progress, OpenFile::Purpose::kFinish);
}

// One file per row of the table, each made by events alone.
std::map<std::string, OpenFile> Rows() {
  const OpenFile fresh = After(OpenFile::MakeNew(kRules), {BytesReady{Letters(3)}});
  const OpenFile starting = After(fresh, {BytesReady{Letters(10, 3)}});
  const OpenFile flying_1 = After(starting, {UploadCreated{{"u1"}}});
  const OpenFile started = After(flying_1, {PartStored{Receipt(1, 0, 10, "e1")}});
  const OpenFile started_flying = After(started, {BytesReady{Letters(10, 13)}});
  const OpenFile multi_flying = After(started, {CloseAsked{Letters(4, 22)}});
  const OpenFile multi = After(multi_flying, {PartStored{Receipt(2, 10, 7, "e2")}});
  const OpenFile single = After(fresh, {CloseAsked{Letters(4, 22)}});
  const OpenFile finishing = After(multi, {CommitAsked{}});
  const RequestFailed first{MakeError(ErrorKind::kNoSpace, "first")};
  return {{"new", fresh},
          {"starting", starting},
          {"starting-closed", After(starting, {CloseAsked{Letters(4, 22)}})},
          {"started", started},
          {"started-flying", started_flying},
          {"recovering", Recovering()},
          {"multi", multi},
          {"multi-flying", multi_flying},
          {"single", single},
          {"finishing-multi", finishing},
          {"finishing-single", After(single, {CommitAsked{}})},
          {"closed", After(finishing, {CommitDone{}})},
          {"aborted", After(starting, {AbortAsked{}})},
          {"aborted-upload", After(started, {AbortAsked{}})},
          {"failed", After(starting, {first})},
          {"failed-upload", After(started, {first})}};
}

// Row -> column -> mark.
std::map<std::string, std::map<std::string, char>> ParseTable() {
  std::istringstream lines(kTable);
  std::string line;
  std::getline(lines, line);
  std::getline(lines, line);
  std::vector<std::string> columns;
  std::istringstream head(line);
  for (std::string name; head >> name;) columns.push_back(name);
  std::map<std::string, std::map<std::string, char>> table;
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    std::string row;
    cells >> row;
    size_t i = 0;
    for (std::string mark; cells >> mark; ++i) table[row][columns.at(i)] = mark.at(0);
  }
  return table;
}

// "row | column" -> the rest of the line.
std::map<std::string, std::string> ParseChanges() {
  std::map<std::string, std::string> changes;
  std::istringstream lines(kChanges);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    const size_t end = line.find(" | ", line.find(" | ") + 1);
    EXPECT_TRUE(changes.emplace(line.substr(0, end), line.substr(end + 3)).second) << line;
  }
  return changes;
}

TEST(OpenFileCells, TheTableHasEveryStateAndEveryEvent) {
  const auto table = ParseTable();
  std::set<size_t> states;
  const std::map<std::string, OpenFile> rows = Rows();
  for (const auto& [name, file] : rows) {
    states.insert(file.state().index());
    ASSERT_TRUE(table.contains(name)) << name;
    EXPECT_EQ(table.at(name).size(), Columns().size()) << name;
  }
  EXPECT_EQ(table.size(), rows.size());
  EXPECT_EQ(states.size(), std::variant_size_v<OpenFile::State>);

  std::set<size_t> events;
  for (const Column& column : Columns()) events.insert(column.event.index());
  EXPECT_EQ(events.size(), std::variant_size_v<Event>);
}

TEST(OpenFileCells, EveryCell) {
  const auto table = ParseTable();
  std::map<std::string, std::string> changes = ParseChanges();
  int cells = 0;
  for (const auto& [row, file] : Rows()) {
    for (const Column& column : Columns()) {
      const std::string cell = row + " | " + column.name;
      SCOPED_TRACE(cell);
      ++cells;
      const std::string before = TextOf(file);
      OpenFile after = file;
      const Status can = file.CanApply(column.event);
      const Result<std::vector<Action>> actions = after.Apply(column.event);
      EXPECT_EQ(can, actions.status());
      EXPECT_EQ(TextOf(file), before);
      const char mark = table.at(row).at(column.name);
      if (mark == '-' || mark == '!') {
        ASSERT_FALSE(actions.ok()) << TextOf(after);
        EXPECT_EQ(KindOf(actions.status()), mark == '-' ? ErrorKind::kInvalid : ErrorKind::kNoSpace);
        EXPECT_EQ(actions.status().message() == "first", mark == '!') << actions.status();
        EXPECT_EQ(TextOf(after), before);
      } else if (mark == '=') {
        ASSERT_TRUE(actions.ok()) << actions.status();
        EXPECT_EQ(TextOf(*actions), "");
        EXPECT_EQ(TextOf(after), before);
      } else {
        ASSERT_EQ(mark, '*');
        ASSERT_TRUE(actions.ok()) << actions.status();
        EXPECT_EQ(TextOf(after) + (actions->empty() ? "" : " | " + TextOf(*actions)), changes[cell]);
        changes.erase(cell);
      }
    }
  }
  EXPECT_EQ(cells, 16 * 21);
  EXPECT_TRUE(changes.empty()) << "not a change: " << changes.begin()->first;
}

TEST(OpenFileCells, RefusalsNameStateAndEvent) {
  for (const auto& [row, file] : Rows()) {
    if (file.state_name() == "Failed") continue;
    for (const Column& column : Columns()) {
      const Status status = file.CanApply(column.event);
      if (status.ok()) continue;
      EXPECT_NE(status.message().find(EventName(column.event)), std::string::npos) << status;
    }
  }
  const Status status = Rows().at("single").CanApply(BytesReady{});
  EXPECT_EQ(status.message(), "BytesReady does not apply to an open file that is ClosingSingle");
}

// What the states say of themselves.
TEST(OpenFileCells, Predicates) {
  struct Facts {
    bool writable, ready, idle, has_progress;
    int64_t total_bytes;
  };
  const std::map<std::string, Facts> expected = {
      {"new", {true, false, true, false, 3}},
      {"starting", {true, false, false, false, 13}},
      {"starting-closed", {false, false, false, false, 17}},
      {"started", {true, false, true, true, 13}},
      {"started-flying", {true, false, false, false, 23}},
      {"recovering", {false, false, true, true, 13}},
      {"multi", {false, true, true, false, 17}},
      {"multi-flying", {false, false, false, false, 17}},
      {"single", {false, true, true, false, 7}},
      {"finishing-multi", {false, false, false, false, 17}},
      {"finishing-single", {false, false, false, false, 7}},
      {"closed", {false, false, true, false, 17}},
      {"aborted", {false, false, true, false, 0}},
      {"aborted-upload", {false, false, true, false, 0}},
      {"failed", {false, false, true, false, 0}},
      {"failed-upload", {false, false, true, false, 0}},
  };
  const std::map<std::string, OpenFile> rows = Rows();
  ASSERT_EQ(rows.size(), expected.size());
  for (const auto& [row, file] : rows) {
    SCOPED_TRACE(row);
    const Facts& facts = expected.at(row);
    EXPECT_EQ(file.writable(), facts.writable);
    EXPECT_EQ(file.ready_to_commit(), facts.ready);
    EXPECT_EQ(file.idle(), facts.idle);
    EXPECT_EQ(file.Progress().ok(), facts.has_progress);
    EXPECT_EQ(file.total_bytes(), facts.total_bytes);
  }
  EXPECT_EQ(rows.at("failed").Progress().status().message(), "first");
}

}  // namespace
}  // namespace tailrace
