#include "doctor/s3_doctor.h"

#include <array>
#include <utility>

#include "doctor/finding_table.h"
#include "doctor/s3_probes.h"
#include "store/s3/s3_limits.h"
#include "tailrace/version.h"

namespace tailrace {
namespace {

// Why a probe is left out; empty where it is not.
std::string LeftOut(const S3Probe& probe, const S3Run& run, const S3DoctorOptions& options, bool stopped) {
  if (stopped) return "stopped";
  if (probe.sends_5_mib && options.quick) return "needs parts of 5 MiB, which a quick run does not send";
  if (!probe.needs_upload) return {};
  const Finding* const upload = run.report.Find("upload");
  return upload != nullptr && upload->answer == "works" ? "" : "no upload can be completed";
}

void FindDelete(S3Run* run, const std::optional<ProbeReply>& deleted) {
  constexpr std::string_view kName = "rights.delete";
  if (!deleted) {
    run->report.findings.push_back(NotAsked(kName, "there was nothing to delete"));
  } else if (deleted->ok()) {
    run->Found(kName, "allowed");
  } else {
    run->Refused(kName, *deleted);
  }
}

// Limits as known before anything was asked; the probes change those that they find to be otherwise.
StoreProfile FirstProfile(const S3Context& context, const S3Session& session, bool checksum_is_asked) {
  const Target target = context.settings.place.TargetOf(session.key());
  StoreProfile profile{.tool_version = std::string(LibraryVersion()),
                       .probed = std::chrono::floor<std::chrono::seconds>(context.client->clock()->Now()),
                       .kind = target.kind,
                       .endpoint = target.endpoint,
                       .bucket = target.bucket,
                       .limits = TraitsOf(context.settings.place.dialect).limits};
  // Withdrawn by what refuses or ignores it.
  profile.limits.conditional_put = true;
  if (checksum_is_asked) profile.checksum = context.settings.object.checksum;
  return profile;
}

}  // namespace

std::span<const S3Probe> S3Probes() {
  static const std::vector<S3Probe> probes = {
      {{"rights.head-absent", "clock", "region"}, &ProbeAbsent, false},
      {{"upload", "etag", "complete.etag", "complete.again"}, &ProbeUpload, false},
      {{"rights.put"}, &ProbePut, false},
      {{"rights.head", "metadata", "rights.get"}, &ProbeObject},
      {{"rights.abort", "gone.part", "gone.complete"}, &ProbeAbort},
      {{"rights.list-parts", "list-parts.pages", "list-parts.order"}, &ProbeListParts},
      {{"rights.list-uploads"}, &ProbeListUploads, false},
      {{"checksum.crc64nvme", "checksum.whole"}, &ProbeCrc64},
      {{"checksum.crc32c"}, &ProbeCrc32c},
      {{"checksum.crc32"}, &ProbeCrc32},
      {{"checksum.md5"}, &ProbeMd5},
      {{"checksum.sha256"}, &ProbeSha256},
      {{"part-etags"}, &ProbePartEtags},
      {{"strays"}, &ProbeStrays},
      {{"conditions.put-if-absent"}, &ProbePutIfAbsent},
      {{"conditions.put-if-match"}, &ProbePutIfMatch},
      {{"conditions.complete-if-absent"}, &ProbeCompleteIfAbsent},
      {{"most-parts"}, &ProbeMostParts},
      {{"smallest-part"}, &ProbeSmallestPart},
      {{"equal-parts"}, &ProbeEqualParts, true, true},
  };
  return probes;
}

Result<StoreReport> ProbeS3(const S3Context& context, const std::string& prefix, const std::string& random,
                            const S3DoctorOptions& options) {
  const std::string folder = prefix.empty() || prefix.ends_with('/') ? prefix : prefix + "/";
  S3Run run{.session = S3Session(context, folder + "tailrace-doctor-" + random),
            .clock = context.client->clock(),
            .checksum_is_asked = options.checksum_is_asked,
            .asked_region = context.settings.place.region};
  run.session.UseChecksum(options.checksum_is_asked ? context.settings.object.checksum : S3Checksum::kNone);
  run.report.url = context.settings.place.TargetOf(prefix).ToUrl();
  run.report.profile = FirstProfile(context, run.session, options.checksum_is_asked);
  // Not by HEAD, whose answer has no body that could name the right region.
  const ProbeReply reached = run.session.Get();
  if (!reached.answered()) return WithContext(reached.status, "the store does not answer");

  bool stopped = false;
  for (const S3Probe& probe : S3Probes()) {
    stopped = stopped || (options.stop && options.stop());
    const std::string why = LeftOut(probe, run, options, stopped);
    if (why.empty()) {
      probe.run(&run);
    } else {
      for (const std::string_view name : probe.names) run.report.findings.push_back(NotAsked(name, why));
    }
  }
  // What was not asked must not be relied on.
  for (const Finding& finding : run.report.findings) {
    const bool unknown = finding.verdict == Verdict::kUnknown;
    if (unknown && finding.name.starts_with("conditions.")) run.limits()->conditional_put = false;
  }
  FindDelete(&run, run.session.CleanUp());
  run.report.leftovers = run.session.leftovers();
  run.report.sent_bytes = run.session.sent_bytes();
  run.report.requests = run.session.requests();
  for (const Finding& finding : run.report.findings) {
    run.report.profile.findings.emplace_back(finding.name, finding.answer);
  }
  return std::move(run.report);
}

}  // namespace tailrace
