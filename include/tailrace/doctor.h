// Probes a store: what it can do, what it does otherwise than S3, and whether a write can work there.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <arrow/result.h>

#include "tailrace/error.h"
#include "tailrace/store.h"
#include "tailrace/store_profile.h"

namespace tailrace {

// What a finding means for a writer.
enum class Verdict {
  kGood,     // as a writer wants it
  kNote,     // otherwise, and the writer knows what to do
  kWarning,  // a promise is weaker here; `meaning` says which
  kFatal,    // no write can work
  kUnknown,  // could not be found out; `cause` says why
};
// "good", "note", "warning", "fatal", "unknown".
std::string_view VerdictName(Verdict verdict);

// One thing that was looked at. Names and answers are stable words, listed in docs/guide/doctor.md; meanings are
// sentences for people, and may change.
struct Finding {
  std::string name;    // "rights.list-parts"
  std::string answer;  // "denied"; of an unknown one "not known" or "not asked"
  std::string meaning;
  std::string cause;  // what the store or the system said; empty where nothing has to be explained
  Verdict verdict = Verdict::kGood;
  friend bool operator==(const Finding&, const Finding&) = default;
};

struct StoreReport {
  std::string url;  // of what was probed, without a credential
  std::vector<Finding> findings;
  // What could not be removed: "upload ID of 's3://bucket/key'", "s3://bucket/key", a path.
  std::vector<std::string> leftovers;
  int64_t sent_bytes = 0;  // of bodies
  int requests = 0;        // calls of the API, their repetitions not counted
  // For writers: limits and checksum as found, and AWS's where they could not be found out.
  StoreProfile profile;

  // Has a whole write been made, and was nothing found with which none can work?
  bool can_write() const;
  // kFatal where there is one; else the worst of the rest, with kUnknown below kWarning.
  Verdict worst() const;
  // nullptr where there is none of that name.
  const Finding* Find(const std::string& name) const;
};

struct ProbeOptions {
  StoreOptions store;  // profile and limits are not looked at
  // Leaves out what needs parts of 5 MiB: equal parts, and whether 5 MiB are enough for a part. Without it at most 16
  // MiB are sent, with it a few KiB.
  bool quick = false;
  // Asked between two probes: what has not been looked at then is "not asked". Empty: never.
  std::function<bool()> stop;
};

// Probes the bucket of an S3 URL, whose key is a prefix (may be empty), or the folder of a local one. All that it makes
// has one random name below the prefix, "tailrace-doctor-...", is not visible to a reader of other names, and is
// removed before this returns; what cannot be removed is named. A store that can be reached gives a report, whatever it
// answers. Errors: a wrong URL or option, an object lock (what is locked could not be removed), a folder that is
// missing, a store that does not answer at all (kTransient), TLS that cannot be verified (kDenied).
//
//   ARROW_ASSIGN_OR_RAISE(tailrace::StoreReport report, tailrace::ProbeStore("s3://bucket/landing/"));
//   for (const tailrace::Finding& one : report.findings) std::cout << one.name << ": " << one.answer << "\n";
//   if (report.can_write()) options.profile = report.profile;
Result<StoreReport> ProbeStore(const std::string& url, const ProbeOptions& options = {});

}  // namespace tailrace
