#include <iostream>

#include "cli/commands.h"
#include "tailrace/version.h"

namespace {

constexpr char kAbout[] =
    "tailrace writes Arrow data into Parquet objects as a transaction: nothing is visible before it is whole, and\n"
    "from the small state of any checkpoint any process resumes, finishes or aborts the write.\n";

constexpr char kExamples[] =
    "Examples:\n"
    "  tailrace write events.arrows /data/events.parquet\n"
    "  producer | tailrace write - /data/events.parquet --checkpoint-every 50000rows --state events.state\n"
    "  producer | tailrace resume events.state - --checkpoint-every 50000rows\n"
    "  tailrace inspect /data/events.parquet\n"
    "  tailrace demo\n\n";

}  // namespace

int main(int argc, char** argv) {
  using namespace tailrace::cli;
  CLI::App app(kAbout, "tailrace");
  app.set_version_flag("--version", "tailrace " + std::string(tailrace::LibraryVersion()));
  app.require_subcommand(1);
  app.footer(kExamples + ExitCodesHelp());
  Action action;
  for (const auto add : {AddWrite, AddResume, AddFinish, AddCommit, AddAbort, AddInspect, AddDemo}) add(&app, &action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error, std::cout, std::cerr) == 0 ? 0 : static_cast<int>(ExitCode::kUsage);
  }
  try {
    return static_cast<int>(action());
  } catch (const std::exception& error) {
    std::cerr << "tailrace: internal: " << error.what() << std::endl;
    return static_cast<int>(ExitCode::kInternal);
  }
}
