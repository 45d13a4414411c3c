#include "cli/doctor_report.h"

#include <algorithm>
#include <sstream>

#include "cli/size_text.h"

namespace tailrace::cli {

namespace {

// Of the verdicts, so that a reader finds with the eye what is not as it should be.
std::string_view MarkOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::kGood:
      return "  ";
    case Verdict::kNote:
      return ". ";
    case Verdict::kWarning:
      return "! ";
    case Verdict::kFatal:
      return "X ";
    case Verdict::kUnknown:
      break;
  }
  return "? ";
}

std::string Padded(std::string text, size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

// Servers write the causes: what would move the cursor of a terminal is taken out.
std::string Printable(std::string text) {
  std::replace_if(text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c == 0x7f; }, ' ');
  return text;
}

}  // namespace

std::string ToText(const StoreReport& report) {
  size_t name_width = 0, answer_width = 0;
  for (const Finding& finding : report.findings) {
    name_width = std::max(name_width, finding.name.size());
    answer_width = std::max(answer_width, finding.answer.size());
  }
  std::ostringstream out;
  out << report.url << "\n\n";
  for (const Finding& finding : report.findings) {
    out << MarkOf(finding.verdict) << Padded(finding.name, name_width) << "  " << Padded(finding.answer, answer_width)
        << "  " << finding.meaning;
    if (!finding.cause.empty()) out << " (" << Printable(finding.cause) << ")";
    out << "\n";
  }
  out << "\n. otherwise than S3, and dealt with   ! a promise is weaker   X no write can work   ? not known\n";
  if (report.requests > 0) {
    out << report.requests << " requests, " << SizeText(report.sent_bytes) << " sent.\n";
  }
  for (const std::string& one : report.leftovers) out << "Left behind: " << Printable(one) << "\n";
  if (report.leftovers.empty()) out << "Nothing was left behind.\n";
  out << (report.can_write() ? "A writer can work here.\n" : "A writer cannot work here.\n");
  return out.str();
}

nlohmann::ordered_json ToJson(const StoreReport& report) {
  nlohmann::ordered_json findings = nlohmann::ordered_json::array();
  for (const Finding& finding : report.findings) {
    nlohmann::ordered_json one = {{"name", finding.name},
                                  {"answer", finding.answer},
                                  {"verdict", VerdictName(finding.verdict)},
                                  {"meaning", finding.meaning}};
    if (!finding.cause.empty()) one["cause"] = finding.cause;
    findings.push_back(std::move(one));
  }
  return {{"kind", "doctor"},
          {"url", report.url},
          {"can_write", report.can_write()},
          {"worst", VerdictName(report.worst())},
          {"findings", findings},
          {"leftovers", report.leftovers},
          {"requests", report.requests},
          {"sent_bytes", report.sent_bytes}};
}

}  // namespace tailrace::cli
