#include <algorithm>
#include <cstdio>
#include <memory>

#include "cli/commands.h"
#include "cli/inspect_json.h"
#include "cli/inspect_text.h"
#include "cli/reporter.h"
#include "cli/state_file.h"
#include "cli/store_flags.h"
#include "cli/usage.h"
#include "tailrace/inspect.h"
#include "tailrace/state.h"
#include "tailrace/store.h"

namespace tailrace::cli {

namespace {

constexpr char kExamples[] =
    "FILE is a state, a pending commit or any Parquet object; which of them is told by its bytes. Nothing is "
    "changed.\n\n"
    "Examples:\n"
    "  tailrace inspect events.state\n"
    "  tailrace inspect file:///data/events.parquet --json\n"
    "  tailrace inspect s3://bucket/events.parquet\n\n";

constexpr int64_t kMagicBytes = 64;

void Print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

void Print(const nlohmann::ordered_json& json) {
  Print(json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

struct InspectCommand {
  std::string url;
  bool json = false;
  StoreFlags store;

  ExitCode Run() {
    Reporter reporter({.json = json});
    const auto options = store.Parse();
    if (!options.ok()) return reporter.Usage(options.status());
    const Status status = Inspect(*options);
    return status.ok() ? ExitCode::kOk : reporter.Error(status);
  }

  Status Inspect(const StoreOptions& options) const {
    ARROW_ASSIGN_OR_RAISE(const StoreAndKey at, store.Open(url, options));
    ARROW_ASSIGN_OR_RAISE(const ObjectMeta meta, at.store->Head(at.key));
    const int64_t head_bytes = std::min(meta.size_bytes, kMagicBytes);
    std::string head;
    if (head_bytes > 0) {
      ARROW_ASSIGN_OR_RAISE(head, at.store->GetRange(at.key, 0, head_bytes, meta.etag));
    }
    const auto kind = KindOfBlob(head);
    if (!kind.ok()) return InspectParquet(at);
    if (meta.size_bytes > kMaxStateBytes) {
      return MakeError(ErrorKind::kBadState, url + ": is larger than 4 GiB, no state");
    }
    ARROW_ASSIGN_OR_RAISE(const std::string bytes, at.store->GetRange(at.key, 0, meta.size_bytes, meta.etag));
    return *kind == BlobKind::kWriterState ? InspectState(bytes) : InspectPending(bytes);
  }

  Status InspectParquet(const StoreAndKey& at) const {
    const auto summary = InspectObject(at.store.get(), at.key);
    if (!summary.ok()) return WithContext(summary.status(), url);
    const std::string name = at.store->TargetOf(at.key).ToUrl();
    json ? Print(ToJson(name, *summary)) : Print(ToText(name, *summary));
    return Status::OK();
  }

  Status InspectState(const std::string& bytes) const {
    const auto state = WriterState::FromBytes(bytes);
    if (!state.ok()) return WithContext(state.status(), url);
    ARROW_ASSIGN_OR_RAISE(const std::string schema, DescribeSchema(state->content));
    ARROW_ASSIGN_OR_RAISE(const auto columns, DescribeChoices(state->content));
    json ? Print(ToJson(*state, schema, columns)) : Print(ToText(*state, schema, columns));
    return Status::OK();
  }

  Status InspectPending(const std::string& bytes) const {
    const auto pending = PendingCommit::FromBytes(bytes);
    if (!pending.ok()) return WithContext(pending.status(), url);
    json ? Print(ToJson(*pending)) : Print(ToText(*pending));
    return Status::OK();
  }
};

}  // namespace

void AddInspect(CLI::App* app, Action* action) {
  auto command = std::make_shared<InspectCommand>();
  CLI::App* sub = app->add_subcommand("inspect", "Show a state, a pending commit or a Parquet object");
  SetUsage(sub, "inspect FILE|URL");
  sub->add_option("FILE|URL", command->url, "a state, a pending commit or a Parquet object")->type_name("")->required();
  sub->add_flag("--json", command->json, "print JSON, on one line")->group("Output");
  command->store.AddTo(sub);
  sub->footer(kExamples + ExitCodesHelp());
  sub->callback([command, action] { *action = [command] { return command->Run(); }; });
}

}  // namespace tailrace::cli
