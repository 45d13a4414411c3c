#include <cstdio>
#include <memory>

#include "cli/commands.h"
#include "cli/doctor_report.h"
#include "cli/reporter.h"
#include "cli/state_file.h"
#include "cli/stop_signal.h"
#include "cli/store_flags.h"
#include "cli/usage.h"
#include "tailrace/doctor.h"

namespace tailrace::cli {

namespace {

constexpr char kAboutRun[] =
    "URL is a bucket with a prefix, or a folder. All that is made there has one random name, tailrace-doctor-..., "
    "below "
    "the\nprefix, and is removed again; what cannot be removed is named. At most 16 MiB are sent, with --quick a few "
    "KiB.\n\n"
    "Examples:\n"
    "  tailrace doctor s3://bucket/landing/\n"
    "  tailrace doctor s3://bucket/landing/ --endpoint http://localhost:9000 --profile-out minio.json\n"
    "  tailrace doctor file:///data --json\n\n";

void Print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

struct DoctorCommand {
  std::string url;
  std::string profile_out;
  bool json = false;
  bool quick = false;
  StoreFlags store;

  ExitCode Run() {
    StopSignal stop;
    Reporter reporter({.json = json});
    const auto store_options = store.Parse();
    if (!store_options.ok()) return reporter.Usage(store_options.status());
    if (store_options->profile) {
      return reporter.Usage(MakeError(ErrorKind::kInvalid, "--store-profile: doctor looks anew and takes none"));
    }
    // Sends nothing: finds options that mean nothing to such a store.
    const auto understood = store.Open(url + (url.ends_with('/') ? "x" : "/x"), *store_options);
    if (!understood.ok()) return reporter.Usage(understood.status());
    if (!profile_out.empty()) {
      const Status is_path = CheckIsPath(profile_out);
      if (!is_path.ok()) return reporter.Usage(WithContext(is_path, "--profile-out"));
    }
    const ProbeOptions options{.store = *store_options, .quick = quick, .stop = [&] { return stop.requested(); }};
    const auto report = ProbeStore(url, options);
    if (!report.ok()) return reporter.Error(report.status());
    Print(json ? ToJson(*report).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n"
               : ToText(*report));
    if (stop.requested()) return reporter.Interrupted(stop.name(), 0, "");
    if (!profile_out.empty()) {
      const Status saved = SaveSmallFile(profile_out, report->profile.ToJson(), Previous::kDrop);
      if (!saved.ok()) return reporter.Error(saved);
    }
    return ExitCodeOf(*report);
  }

  // A write that could not be made for want of an answer may work next time.
  static ExitCode ExitCodeOf(const StoreReport& report) {
    if (report.can_write()) return ExitCode::kOk;
    return report.worst() == Verdict::kFatal ? ExitCode::kStoreUnfit : ExitCode::kRetry;
  }
};

}  // namespace

void AddDoctor(CLI::App* app, Action* action) {
  auto command = std::make_shared<DoctorCommand>();
  CLI::App* sub = app->add_subcommand("doctor", "Probe a store: can a write work there, and what is different");
  SetUsage(sub, "doctor URL");
  sub->add_option("URL", command->url, "a bucket with a prefix, or a folder")->type_name("")->required();
  sub->add_option("--profile-out", command->profile_out, "write what was found there, for --store-profile")
      ->type_name("FILE");
  sub->add_flag("--quick", command->quick, "leave out what needs parts of 5 MiB");
  sub->add_flag("--json", command->json, "print JSON");
  command->store.AddWithObjectTo(sub);
  sub->footer(kAboutRun + ExitCodesHelp());
  sub->callback([command, action] { *action = [command] { return command->Run(); }; });
}

}  // namespace tailrace::cli
