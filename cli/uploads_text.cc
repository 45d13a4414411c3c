#include "cli/uploads_text.h"

#include <algorithm>

#include "cli/size_text.h"
#include "cli/time_text.h"

namespace tailrace::cli {

namespace {

using nlohmann::ordered_json;

bool HasTime(const UploadSummary& summary) { return summary.initiated != Timestamp{}; }

std::chrono::seconds AgeOf(const UploadSummary& summary, Timestamp now) {
  // Clocks differ.
  return std::max(std::chrono::seconds(0), std::chrono::floor<std::chrono::seconds>(now - summary.initiated));
}

template <typename Value>
ordered_json OrNull(const std::optional<Value>& value) {
  return value ? ordered_json(*value) : ordered_json();
}

ordered_json OrNull(const std::string& text) { return text.empty() ? ordered_json() : ordered_json(text); }

}  // namespace

std::string AgeText(std::chrono::seconds age) {
  const int64_t seconds = age.count();
  if (seconds < 60) return std::to_string(seconds) + "s";
  if (seconds < 3600) return std::to_string(seconds / 60) + "min";
  if (seconds < 48 * 3600) return std::to_string(seconds / 3600) + "h";
  return std::to_string(seconds / (24 * 3600)) + "d";
}

std::string VerdictName(SweepVerdict verdict) {
  switch (verdict) {
    case SweepVerdict::kAbort:
      return "abort";
    case SweepVerdict::kClaimed:
      return "claimed";
    case SweepVerdict::kTooYoung:
      return "too_young";
    case SweepVerdict::kOtherInitiator:
      return "other_initiator";
  }
  return "unknown";
}

std::string VerdictText(SweepVerdict verdict) {
  switch (verdict) {
    case SweepVerdict::kAbort:
      return "to be aborted";
    case SweepVerdict::kClaimed:
      return "kept: a state needs it";
    case SweepVerdict::kTooYoung:
      return "kept: too young, or of unknown age";
    case SweepVerdict::kOtherInitiator:
      return "kept: made by another";
  }
  return "unknown";
}

std::string UploadText(const std::string& url, const OpenUpload& upload, Timestamp now) {
  std::string text =
      url + "  " + (HasTime(upload.summary) ? AgeText(AgeOf(upload.summary, now)) + " old" : "age unknown");
  if (upload.parts) text += ", " + CountText(*upload.parts) + (*upload.parts == 1 ? " part" : " parts");
  if (upload.stored_bytes) text += ", " + SizeText(*upload.stored_bytes);
  if (!upload.summary.initiator.empty()) text += ", by " + upload.summary.initiator;
  if (upload.claim) {
    text += (upload.finishable ? ", finishable: " : ", of the write of ") + upload.claim->name + " with " +
            RowsText(upload.claim->rows);
  }
  return text + "\n    upload " + upload.summary.id.text +
         (upload.summary.write_id.empty() ? "" : ", write id " + upload.summary.write_id);
}

ordered_json UploadJson(const std::string& url, const OpenUpload& upload, Timestamp now) {
  const UploadSummary& summary = upload.summary;
  ordered_json json = {{"url", url}, {"key", summary.key}, {"upload_id", summary.id.text}};
  json["write_id"] = OrNull(summary.write_id);
  json["initiated"] = HasTime(summary) ? ordered_json(UtcTimeText(summary.initiated)) : ordered_json();
  json["age_seconds"] = HasTime(summary) ? ordered_json(AgeOf(summary, now).count()) : ordered_json();
  json["initiator"] = OrNull(summary.initiator);
  json["parts"] = OrNull(upload.parts);
  json["stored_bytes"] = OrNull(upload.stored_bytes);
  json["state"] = upload.claim ? ordered_json(upload.claim->name) : ordered_json();
  json["state_rows"] = upload.claim ? ordered_json(upload.claim->rows) : ordered_json();
  json["finishable"] = upload.finishable;
  return json;
}

}  // namespace tailrace::cli
