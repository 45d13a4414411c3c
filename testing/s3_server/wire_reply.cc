#include "testing/s3_server/wire_reply.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <thread>

namespace tailrace {
namespace {

void Replace(std::string* text, const std::string& from, const std::string& to) {
  for (size_t at = 0; (at = text->find(from, at)) != text->npos; at += to.size()) text->replace(at, from.size(), to);
}

std::string Filled(std::string text, const S3Call& call, const S3Reply& own) {
  std::string etag = own.headers.Get("etag").value_or("");
  if (const size_t at = own.body.find("<ETag>"); etag.empty() && at != own.body.npos) {
    etag = own.body.substr(at + 6, own.body.find("</ETag>") - at - 6);
  }
  Replace(&text, "${bucket}", call.bucket);
  Replace(&text, "${key}", call.key);
  Replace(&text, "${upload_id}", call.Query("uploadId"));
  Replace(&text, "${etag}", etag);
  return text;
}

// Bytes of a ranged answer that lie elsewhere than it says.
std::string Shifted(const std::string& body, int64_t by) {
  if (body.empty()) return body;
  const auto size = static_cast<int64_t>(body.size());
  const auto turn = static_cast<size_t>(((by % size) + size) % size);
  return body.substr(turn) + body.substr(0, turn);
}

std::string_view Reason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 204:
      return "No Content";
    case 206:
      return "Partial Content";
    case 404:
      return "Not Found";
    case 503:
      return "Slow Down";
    default:
      return "Scripted";
  }
}

std::string HeadOf(const S3Reply& reply, const Fault& fault) {
  const char* const version = fault.framing == Fault::Framing::kHttp10 ? "HTTP/1.0 " : "HTTP/1.1 ";
  std::string head = version + std::to_string(reply.status) + " " + std::string(Reason(reply.status)) + "\r\n";
  for (auto [name, value] : reply.headers.fields()) {
    if (fault.upper_case_headers) {
      std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
    }
    head += name + ": " + value + "\r\n";
  }
  return head + "\r\n";
}

// Two chunks, or one where there is a byte alone.
std::string InChunks(const std::string& body) {
  std::string chunks;
  const size_t half = (body.size() + 1) / 2;
  for (size_t at = 0; at < body.size(); at += half) {
    const std::string piece = body.substr(at, half);
    char size[24];
    std::snprintf(size, sizeof size, "%zx\r\n", piece.size());
    chunks += size + piece + "\r\n";
  }
  return chunks + "0\r\n\r\n";
}

// The head says how the body ends, and the body does.
void Frame(const S3Call& call, const Fault& fault, bool closes, S3Reply* reply) {
  const bool bodiless = call.method == "HEAD" || reply->status == 204 || reply->status == 304;
  if (bodiless) reply->body.clear();
  if (closes) reply->headers.Set("Connection", "close");
  if (fault.framing != Fault::Framing::kPlain) reply->headers.Remove("content-length");
  if (fault.framing == Fault::Framing::kPlain) {
    if (!reply->headers.Get("content-length") && reply->status != 204) {
      reply->headers.Set("Content-Length", std::to_string(reply->body.size()));
    }
  } else if (fault.framing == Fault::Framing::kChunked && reply->status != 204 && reply->status != 304) {
    reply->headers.Set("Transfer-Encoding", "chunked");
    if (!bodiless) reply->body = InChunks(reply->body);
  }
}

// Sends `bytes`, at most `*left` of them where that is set, in drips.
bool SendSome(ServerConnection& connection, std::string_view bytes, const Fault& fault, std::optional<int64_t>* left) {
  if (*left) {
    bytes = bytes.substr(0, static_cast<size_t>(std::min<int64_t>(**left, static_cast<int64_t>(bytes.size()))));
    **left -= static_cast<int64_t>(bytes.size());
  }
  const size_t step = fault.drip_bytes > 0 ? static_cast<size_t>(fault.drip_bytes) : std::max<size_t>(1, bytes.size());
  for (size_t at = 0; at < bytes.size(); at += step) {
    if (at > 0) std::this_thread::sleep_for(fault.drip_pause);
    if (!connection.Send(bytes.substr(at, step))) return false;
  }
  return true;
}

}  // namespace

S3Reply ChangedReply(const S3Call& call, const S3Reply& own, const Fault& fault) {
  S3Reply reply = own;
  if (!fault.code.empty()) {
    reply = S3Service::ErrorReply(call, {fault.status.value_or(400), fault.code, fault.message});
  }
  if (fault.status) reply.status = *fault.status;
  if (fault.body) reply.body = Filled(*fault.body, call, own);
  if (fault.shift_range_bytes != 0) reply.body = Shifted(reply.body, fault.shift_range_bytes);
  if (fault.keep_body_bytes) reply.body.resize(std::min<size_t>(reply.body.size(), *fault.keep_body_bytes));
  reply.body = fault.lead + reply.body;
  for (const auto& [name, value] : fault.headers) {
    if (value) {
      reply.headers.Set(name, Filled(*value, call, own));
    } else {
      reply.headers.Remove(name);
    }
  }
  return reply;
}

bool SendReply(ServerConnection& connection, const S3Call& call, const S3Reply& reply, const Fault& fault) {
  S3Reply sent = reply;
  const bool closes = fault.end == Fault::End::kClose || fault.end == Fault::End::kReset || fault.read_body_bytes ||
                      fault.framing == Fault::Framing::kHttp10;
  Frame(call, fault, closes, &sent);
  std::optional<int64_t> left = fault.send_bytes;
  bool alive = true;
  if (!fault.no_reply) {
    std::string head = HeadOf(sent, fault);
    std::string_view body = sent.body;
    // In one piece where nothing says otherwise: the second of two small ones would wait for the first's receipt.
    if (fault.lead.empty()) {
      head += body;
      body = {};
    }
    alive = SendSome(connection, head, fault, &left);
    const size_t lead = std::min(fault.lead.size(), body.size());
    for (size_t i = 0; alive && i < lead; ++i) {
      alive = SendSome(connection, body.substr(i, 1), fault, &left);
      std::this_thread::sleep_for(fault.lead_pause);
    }
    alive = alive && SendSome(connection, body.substr(lead), fault, &left);
  }
  if (fault.end == Fault::End::kHang) connection.WaitForClose();
  if (fault.end == Fault::End::kReset) connection.Reset();
  const bool cut = fault.no_reply || (left && *left == 0);
  return alive && !closes && !cut && fault.end == Fault::End::kKeep;
}

}  // namespace tailrace
