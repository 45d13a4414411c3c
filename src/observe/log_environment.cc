#include "observe/log_environment.h"

#include <cstdio>
#include <string>
#include <utility>

#include "tailrace/event_exporters.h"

namespace tailrace {

std::shared_ptr<Observer> WithLogIfAsked(std::shared_ptr<Observer> observer, const Environment& environment) {
  const std::optional<std::string> level = environment("TAILRACE_LOG");
  if (level != "info" && level != "trace") return observer;
  LineSink lines = LinesTo(stderr);
  auto log =
      MakeLogObserver([lines = std::move(lines)](std::string_view line) { lines("tailrace: " + std::string(line)); });
  return CombineObservers({std::move(observer), std::move(log)});
}

}  // namespace tailrace
