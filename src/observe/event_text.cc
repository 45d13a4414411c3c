// Events as lines: for people and as JSON.
#include <chrono>
#include <cstdio>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/iso_time.h"
#include "base/mutex.h"
#include "tailrace/event_exporters.h"

namespace tailrace {
namespace {

using nlohmann::ordered_json;

double Seconds(std::chrono::microseconds duration) { return std::chrono::duration<double>(duration).count(); }

std::string TimeText(Timestamp time) {
  const std::string whole = FormatIsoTime(time);
  const auto micros = time.time_since_epoch() % std::chrono::seconds(1);
  char fraction[16];
  std::snprintf(fraction, sizeof fraction, ".%06dZ", static_cast<int>(micros.count()));
  return whole.substr(0, whole.size() - 1) + fraction;
}

bool HasRows(EventKind kind) { return kind != EventKind::kUploadCreated && kind != EventKind::kPartStored; }

bool StartsWriter(EventKind kind) { return kind == EventKind::kOpened || kind == EventKind::kResumed; }

bool HasBytes(EventKind kind) {
  switch (kind) {
    case EventKind::kRowGroupClosed:
    case EventKind::kPartStored:
    case EventKind::kCheckpoint:
    case EventKind::kClosed:
    case EventKind::kFinished:
    case EventKind::kCommitted:
      return true;
    default:
      return false;
  }
}

bool MayBeThere(EventKind kind) {
  return kind == EventKind::kFinished || kind == EventKind::kCommitted || kind == EventKind::kDropped;
}

std::string Took(const WriteEvent& event) {
  char text[48];
  std::snprintf(text, sizeof text, " in %.3f s", Seconds(event.duration));
  return text;
}

std::string Rows(const WriteEvent& event) { return std::to_string(event.rows) + " rows"; }
std::string Bytes(const WriteEvent& event) { return std::to_string(event.bytes) + " bytes"; }

std::string WhatHappened(const WriteEvent& event) {
  const std::string there = event.already_committed ? " (it was there already)" : "";
  switch (event.kind) {
    case EventKind::kOpened:
      return "opened, write " + event.write_id.text + ", room for " + Bytes(event);
    case EventKind::kResumed:
      return "resumed, write " + event.write_id.text + ", behind " + Rows(event) + ", room for " + Bytes(event) +
             Took(event);
    case EventKind::kUploadCreated:
      return "upload created" + Took(event);
    case EventKind::kRowGroupClosed:
      return "row group of " + Rows(event) + " and " + Bytes(event) + Took(event);
    case EventKind::kPartStored:
      return "part " + std::to_string(event.part_number) + " stored, " + Bytes(event) + Took(event) +
             (event.attempts > 1 ? " at attempt " + std::to_string(event.attempts) : "");
    case EventKind::kCheckpoint:
      return "checkpoint, " + Rows(event) + " are durable" + Took(event);
    case EventKind::kClosed:
      return "closed, " + Rows(event) + ", " + Bytes(event) + Took(event);
    case EventKind::kAborted:
      return "aborted after " + Rows(event);
    case EventKind::kReleased:
      return "left after " + Rows(event) + ", neither closed nor aborted";
    case EventKind::kFinished:
      return "finished, " + Rows(event) + ", " + Bytes(event) + Took(event) + there;
    case EventKind::kCommitted:
      return "committed, " + Rows(event) + ", " + Bytes(event) + Took(event) + there;
    case EventKind::kDropped:
      return event.already_committed ? "not aborted: it was committed" : "upload aborted" + Took(event);
    case EventKind::kFailed:
      break;
  }
  return "failed to " + std::string(WriteStepName(event.step)) + ": " + std::string(ErrorKindName(event.error)) + ": " +
         event.message;
}

// Lines of several writers, one by one.
class LineObserver final : public Observer {
 public:
  LineObserver(LineSink sink, std::string (*to_line)(const WriteEvent&)) : sink_(std::move(sink)), to_line_(to_line) {}

  void OnEvent(const WriteEvent& event) override {
    const std::string line = to_line_(event);
    MutexLock lock(&mutex_);
    sink_(line);
  }

 private:
  const LineSink sink_;
  std::string (*const to_line_)(const WriteEvent&);
  Mutex mutex_;
};

}  // namespace

LineSink LinesTo(std::FILE* stream) {
  return [stream](std::string_view line) {
    // In one call, so that lines stay whole beside what others write.
    const std::string whole = std::string(line) + "\n";
    std::fwrite(whole.data(), 1, whole.size(), stream);
    std::fflush(stream);
  };
}

std::string LogLine(const WriteEvent& event) {
  std::string line = event.url + ": " + WhatHappened(event);
  // A server's words may have line breaks.
  for (char& c : line) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  return line;
}

std::string JsonLine(const WriteEvent& event) {
  ordered_json json = {{"event", EventKindName(event.kind)},
                       {"time", TimeText(event.time)},
                       {"url", event.url},
                       {"write_id", event.write_id.text},
                       {"epoch", event.epoch}};
  if (event.part_number > 0) json["part"] = event.part_number;
  if (HasRows(event.kind)) json["rows"] = event.rows;
  if (HasBytes(event.kind)) json["bytes"] = event.bytes;
  if (StartsWriter(event.kind)) json["room_bytes"] = event.bytes;
  if (event.kind == EventKind::kRowGroupClosed) json["arrow_bytes"] = event.arrow_bytes;
  json["seconds"] = Seconds(event.duration);
  if (event.attempts > 0) json["attempts"] = event.attempts;
  if (MayBeThere(event.kind)) json["already_committed"] = event.already_committed;
  if (event.kind == EventKind::kFailed) {
    json["step"] = WriteStepName(event.step);
    json["error"] = ErrorKindName(event.error);
    json["message"] = event.message;
  }
  json["encoded_rows"] = event.encoded_rows;
  json["stored_bytes"] = event.stored_bytes;
  json["stored_parts"] = event.stored_parts;
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

std::shared_ptr<Observer> MakeLogObserver(LineSink sink) {
  return std::make_shared<LineObserver>(std::move(sink), LogLine);
}

std::shared_ptr<Observer> MakeJsonObserver(LineSink sink) {
  return std::make_shared<LineObserver>(std::move(sink), JsonLine);
}

}  // namespace tailrace
