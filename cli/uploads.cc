#include <cstdio>
#include <memory>
#include <set>

#include "cli/abort_file.h"
#include "cli/commands.h"
#include "cli/job_flags.h"
#include "cli/state_claims.h"
#include "cli/target_flags.h"
#include "cli/time_text.h"
#include "cli/uploads_text.h"
#include "cli/usage.h"

namespace tailrace::cli {

namespace {

constexpr char kListExamples[] =
    "Shows uploads that are neither completed nor aborted: of a bucket or the start of keys, on whole path segments, "
    "or\n"
    "of a folder and the folders in it. Nothing is changed. An upload that a state names can be finished or "
    "resumed.\n\n"
    "Examples:\n"
    "  tailrace uploads list s3://bucket/landing/ --states /var/lib/job --sizes\n"
    "  tailrace uploads list /data --json\n\n";

constexpr char kAbortExamples[] =
    "Drops uploads that shall not be finished, those of the given --state files, and those at or under URL that are\n"
    "older than --older-than. Every one is shown first; without --yes that is all. What one of --states needs stays,\n"
    "unless it is given with --state, too. A local upload that a living process holds always stays.\n"
    "On other stores nobody can tell a dead writer from a slow one: choose --older-than longer than any write "
    "takes.\n\n"
    "Examples:\n"
    "  tailrace uploads abort s3://bucket/landing/ --older-than 168h --states /var/lib/job --initiator any --yes\n"
    "  tailrace uploads abort --state old.state --yes\n\n";

Timestamp Now() { return std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now()); }

void Print(const std::string& line) {
  std::fprintf(stdout, "%s\n", line.c_str());
  std::fflush(stdout);
}

// Names of keys may hold any bytes; a JSON line may not.
void Print(const nlohmann::ordered_json& json) {
  Print(json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

struct ListCommand {
  std::string url;
  std::vector<std::string> states;
  bool sizes = false;
  OutputFlags output;
  StoreFlags store;

  ExitCode Run() {
    Reporter reporter(output);
    const auto options = store.Parse();
    if (!options.ok()) return reporter.Usage(options.status());
    const auto claims = ReadClaims(states);
    if (!claims.ok()) return reporter.Error(claims.status());
    const auto at = store.OpenPrefix(url, *options);
    if (!at.ok()) return reporter.Error(at.status());
    const auto uploads = ListOpenUploads(at->store.get(), at->key, {.claims = *claims, .sizes = sizes});
    if (!uploads.ok()) return reporter.Error(uploads.status());
    for (const OpenUpload& upload : *uploads) {
      const std::string name = at->store->TargetOf(upload.summary.key).ToUrl();
      if (output.json) {
        nlohmann::ordered_json event = {{"event", "upload"}};
        event.update(UploadJson(name, upload, Now()));
        Print(event);
      } else {
        Print(UploadText(name, upload, Now()));
      }
    }
    if (!output.json && uploads->empty()) reporter.Note("no open uploads");
    return ExitCode::kOk;
  }
};

struct AbortCommand {
  std::string url;
  std::vector<std::string> named;
  std::vector<std::string> states;
  std::string older_than;
  std::string initiator;
  bool yes = false;
  OutputFlags output;
  TargetFlags target;

  ExitCode Run() {
    Reporter reporter(output);
    const auto options = target.store.Parse();
    if (!options.ok()) return reporter.Usage(options.status());
    auto sweep = ParseSweep();
    if (!sweep.ok()) return reporter.Usage(sweep.status());
    const auto claims = ReadClaims(states);
    if (!claims.ok()) return reporter.Error(claims.status());
    const auto to_drop = ReadClaims(named);
    if (!to_drop.ok()) return reporter.Error(to_drop.status());
    for (const std::string& file : named) Tell(file);
    StoreAndKey at;
    std::vector<OpenUpload> doomed;
    if (!url.empty()) {
      const Status planned = Plan(*options, *claims, *to_drop, *std::move(sweep), &at, &doomed);
      if (!planned.ok()) return reporter.Error(planned);
    }
    if (!yes) {
      return reporter.Usage(MakeError(ErrorKind::kInvalid,
                                      "nothing was aborted: --yes aborts " +
                                          CountText(static_cast<int64_t>(named.size() + doomed.size())) + " of these"));
    }
    ExitCode code = ExitCode::kOk;
    const auto Note = [&](ExitCode one) {
      if (code == ExitCode::kOk) code = one;
    };
    for (const std::string& file : named) Note(AbortFile(file, target, *options, &reporter));
    for (const OpenUpload& upload : doomed) Note(Drop(at, upload, &reporter));
    return code;
  }

  Result<SweepOptions> ParseSweep() const {
    SweepOptions sweep;
    const auto Refuse = [](const std::string& why) { return MakeError(ErrorKind::kInvalid, why); };
    if (url.empty() && named.empty()) return Refuse("uploads abort needs --state FILE, or URL with --older-than");
    if (url.empty() != older_than.empty()) {
      return Refuse(url.empty() ? "--older-than: goes with URL" : "URL: needs --older-than TIME, such as 168h");
    }
    if (url.empty() && !initiator.empty()) return Refuse("--initiator: goes with URL");
    if (!older_than.empty()) {
      ARROW_ASSIGN_OR_RAISE(sweep.older_than, ParseDuration("--older-than", older_than));
    }
    if (!initiator.empty() && initiator != "any") sweep.initiator = initiator;
    return sweep;
  }

  // What shall go of what is at or under the URL.
  Status Plan(const StoreOptions& options, const std::vector<UploadClaim>& claims,
              const std::vector<UploadClaim>& to_drop, SweepOptions sweep, StoreAndKey* at,
              std::vector<OpenUpload>* doomed) const {
    ARROW_ASSIGN_OR_RAISE(*at, target.store.OpenPrefix(url, options));
    std::vector<UploadClaim> known = claims;
    known.insert(known.end(), to_drop.begin(), to_drop.end());
    ARROW_ASSIGN_OR_RAISE(const auto uploads, ListOpenUploads(at->store.get(), at->key, {.claims = known}));
    if (initiator.empty()) ARROW_RETURN_NOT_OK(ChooseInitiator(uploads, &sweep));
    for (const OpenUpload& upload : uploads) {
      // Those of --state are dropped through their files, which are marked then.
      if (upload.claim && IsNamed(*upload.claim, to_drop)) continue;
      const SweepVerdict verdict = JudgeUpload(upload, sweep);
      Tell(*at, upload, verdict);
      if (verdict == SweepVerdict::kAbort) doomed->push_back(upload);
    }
    return Status::OK();
  }

  // Who we are, the store does not tell. An upload that a state of ours names was made by us.
  static Status ChooseInitiator(const std::vector<OpenUpload>& uploads, SweepOptions* sweep) {
    std::set<std::string> ours, all;
    for (const OpenUpload& upload : uploads) {
      if (upload.summary.initiator.empty()) continue;
      all.insert(upload.summary.initiator);
      if (upload.finishable) ours.insert(upload.summary.initiator);
    }
    if (ours.size() == 1) sweep->initiator = *ours.begin();
    if (ours.size() == 1 || all.empty()) return Status::OK();
    std::string names;
    for (const std::string& name : all) names += (names.empty() ? "" : ", ") + name;
    return MakeError(ErrorKind::kInvalid, "the store tells who made these uploads: " + names +
                                              "; say whose shall go with --initiator ID, or --initiator any");
  }

  static bool IsNamed(const UploadClaim& claim, const std::vector<UploadClaim>& to_drop) {
    for (const UploadClaim& one : to_drop) {
      if (one.write_id == claim.write_id) return true;
    }
    return false;
  }

  void Tell(const std::string& file) const {
    if (!output.json) return Print(file + "  to be aborted");
    const nlohmann::ordered_json event = {{"event", "plan"}, {"state", file}, {"verdict", "abort"}};
    Print(event);
  }

  void Tell(const StoreAndKey& at, const OpenUpload& upload, SweepVerdict verdict) const {
    const std::string name = at.store->TargetOf(upload.summary.key).ToUrl();
    if (!output.json) return Print(UploadText(name, upload, Now()) + "\n    " + VerdictText(verdict));
    nlohmann::ordered_json event = {{"event", "plan"}};
    event.update(UploadJson(name, upload, Now()));
    event["verdict"] = VerdictName(verdict);
    Print(event);
  }

  static ExitCode Drop(const StoreAndKey& at, const OpenUpload& upload, Reporter* reporter) {
    const std::string name = at.store->TargetOf(upload.summary.key).ToUrl();
    const Status dropped = AbortOpenUpload(at.store.get(), upload);
    if (!dropped.ok()) return reporter->Error(WithContext(dropped, name));
    reporter->UploadAborted(name, upload.summary.id);
    return ExitCode::kOk;
  }
};

void AddStates(CLI::App* sub, std::vector<std::string>* states, const char* help) {
  sub->add_option("--states", *states, help)->type_name("FOLDER|FILE")->allow_extra_args(false)->group("States");
}

void AddUploadsList(CLI::App* uploads, Action* action) {
  auto command = std::make_shared<ListCommand>();
  CLI::App* sub = uploads->add_subcommand("list", "Show open uploads, and which states know them");
  SetUsage(sub, "uploads list URL");
  sub->add_option("URL", command->url, "a bucket, the start of keys, or a folder")->type_name("")->required();
  AddStates(sub, &command->states, "mark the uploads that these states and pending commits know; may be given often");
  sub->add_flag("--sizes", command->sizes, "ask for the parts of each upload: one request more for each")
      ->group("Output");
  AddOutputFlags(sub, &command->output);
  command->store.AddTo(sub);
  sub->footer(kListExamples + ExitCodesHelp());
  sub->callback([command, action] { *action = [command] { return command->Run(); }; });
}

void AddUploadsAbort(CLI::App* uploads, Action* action) {
  auto command = std::make_shared<AbortCommand>();
  CLI::App* sub = uploads->add_subcommand("abort", "Drop open uploads that shall not be finished");
  SetUsage(sub, "uploads abort [URL]");
  sub->add_option("URL", command->url, "a bucket, the start of keys, or a folder")->type_name("");
  sub->add_option("--state", command->named, "drop the upload of this state or pending commit; may be given often")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->group("States");
  AddStates(sub, &command->states, "keep the uploads that these know; may be given often");
  sub->add_option("--older-than", command->older_than, "of those under URL, only uploads created before that")
      ->type_name("TIME")
      ->group("Which uploads");
  sub->add_option("--initiator", command->initiator,
                  "of those, only what this one made, as `uploads list` shows it, or any (that of the uploads that the "
                  "states know)")
      ->type_name("ID")
      ->group("Which uploads");
  sub->add_flag("--yes", command->yes, "abort, do not only show");
  AddOutputFlags(sub, &command->output);
  command->target.store.AddTo(sub);
  sub->footer(kAbortExamples + ExitCodesHelp());
  sub->callback([command, action] { *action = [command] { return command->Run(); }; });
}

}  // namespace

void AddUploads(CLI::App* app, Action* action) {
  CLI::App* uploads = app->add_subcommand("uploads", "List and abort uploads that unfinished writes left open");
  uploads->require_subcommand(1);
  uploads->footer("Each has a --help of its own.\n");
  AddUploadsList(uploads, action);
  AddUploadsAbort(uploads, action);
}

}  // namespace tailrace::cli
