#include "store/s3/s3_errors.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/iso_time.h"
#include "store/s3/s3_replies.h"

namespace tailrace {
namespace {

struct Meaning {
  std::string_view code;
  S3Remedy remedy;
  ErrorKind kind;
};

// Codes whose meaning does not follow from their status. Of AWS's list, and of the servers that were tried.
constexpr Meaning kMeanings[] = {
    {"SlowDown", S3Remedy::kSlowDown, ErrorKind::kThrottled},
    {"SlowDownRead", S3Remedy::kSlowDown, ErrorKind::kThrottled},
    {"SlowDownWrite", S3Remedy::kSlowDown, ErrorKind::kThrottled},
    {"Throttling", S3Remedy::kSlowDown, ErrorKind::kThrottled},
    {"ThrottlingException", S3Remedy::kSlowDown, ErrorKind::kThrottled},
    {"ThrottledException", S3Remedy::kSlowDown, ErrorKind::kThrottled},
    {"KMS.ThrottlingException", S3Remedy::kSlowDown, ErrorKind::kThrottled},
    {"RequestLimitExceeded", S3Remedy::kSlowDown, ErrorKind::kThrottled},
    {"RequestThrottled", S3Remedy::kSlowDown, ErrorKind::kThrottled},
    {"BandwidthLimitExceeded", S3Remedy::kSlowDown, ErrorKind::kThrottled},
    {"TooManyRequests", S3Remedy::kSlowDown, ErrorKind::kThrottled},
    {"ServiceUnavailable", S3Remedy::kSlowDown, ErrorKind::kThrottled},

    {"InternalError", S3Remedy::kRepeat, ErrorKind::kTransient},
    {"RequestTimeout", S3Remedy::kRepeat, ErrorKind::kTransient},
    {"IncompleteBody", S3Remedy::kRepeat, ErrorKind::kTransient},
    {"OperationAborted", S3Remedy::kRepeat, ErrorKind::kTransient},
    // Altered on the way: sent again, from the same bytes, with the same checksum.
    {"BadDigest", S3Remedy::kRepeat, ErrorKind::kTransient},
    {"XAmzContentSHA256Mismatch", S3Remedy::kRepeat, ErrorKind::kTransient},
    {"XAmzContentChecksumMismatch", S3Remedy::kRepeat, ErrorKind::kTransient},
    {"ConditionalRequestConflict", S3Remedy::kRepeat, ErrorKind::kPrecondition},

    {"ExpiredToken", S3Remedy::kRefreshCredentials, ErrorKind::kDenied},
    {"ExpiredTokenException", S3Remedy::kRefreshCredentials, ErrorKind::kDenied},
    {"TokenRefreshRequired", S3Remedy::kRefreshCredentials, ErrorKind::kDenied},
    // What some stores say of keys that were good a while ago.
    {"InvalidToken", S3Remedy::kRefreshCredentials, ErrorKind::kDenied},
    {"InvalidAccessKeyId", S3Remedy::kRefreshCredentials, ErrorKind::kDenied},
    {"InvalidClientTokenId", S3Remedy::kRefreshCredentials, ErrorKind::kDenied},
    {"RequestTimeTooSkewed", S3Remedy::kCorrectClock, ErrorKind::kDenied},
    {"RequestExpired", S3Remedy::kCorrectClock, ErrorKind::kDenied},
    {"AuthorizationHeaderMalformed", S3Remedy::kOtherRegion, ErrorKind::kDenied},
    {"PermanentRedirect", S3Remedy::kOtherRegion, ErrorKind::kInvalid},
    {"TemporaryRedirect", S3Remedy::kOtherRegion, ErrorKind::kInvalid},
    {"Redirect", S3Remedy::kOtherRegion, ErrorKind::kInvalid},

    {"AccessDenied", S3Remedy::kNone, ErrorKind::kDenied},
    {"SignatureDoesNotMatch", S3Remedy::kNone, ErrorKind::kDenied},
    {"KMS.DisabledException", S3Remedy::kNone, ErrorKind::kDenied},
    {"NoSuchUpload", S3Remedy::kNone, ErrorKind::kUploadGone},
    {"NoSuchKey", S3Remedy::kNone, ErrorKind::kNotFound},
    {"NoSuchBucket", S3Remedy::kNone, ErrorKind::kNotFound},
    {"InvalidPart", S3Remedy::kNone, ErrorKind::kPartMismatch},
    {"PreconditionFailed", S3Remedy::kNone, ErrorKind::kPrecondition},
    {"EntityTooSmall", S3Remedy::kNone, ErrorKind::kLimit},
    {"EntityTooLarge", S3Remedy::kNone, ErrorKind::kLimit},
    {"MetadataTooLarge", S3Remedy::kNone, ErrorKind::kLimit},
    {"KeyTooLongError", S3Remedy::kNone, ErrorKind::kLimit},
    {"QuotaExceeded", S3Remedy::kNone, ErrorKind::kNoSpace},
    {"QuotaExceededException", S3Remedy::kNone, ErrorKind::kNoSpace},
    {"InsufficientStorage", S3Remedy::kNone, ErrorKind::kNoSpace},
    {"XMinioStorageFull", S3Remedy::kNone, ErrorKind::kNoSpace},
    // A 501 can't change, and neither can a 405.
    {"NotImplemented", S3Remedy::kNone, ErrorKind::kInvalid},
    {"MethodNotAllowed", S3Remedy::kNone, ErrorKind::kInvalid},
};

Meaning MeaningOfStatus(int status) {
  switch (status) {
    case 301:
    case 307:
    case 308:
      return {"", S3Remedy::kOtherRegion, ErrorKind::kInvalid};
    case 401:
    case 403:
    case 407:
      return {"", S3Remedy::kNone, ErrorKind::kDenied};
    case 404:
    case 410:
      return {"", S3Remedy::kNone, ErrorKind::kNotFound};
    case 408:
    case 425:
      return {"", S3Remedy::kRepeat, ErrorKind::kTransient};
    case 409:
      // Of the calls that are used here: another one is at work on the same key.
      return {"", S3Remedy::kRepeat, ErrorKind::kPrecondition};
    case 412:
      return {"", S3Remedy::kNone, ErrorKind::kPrecondition};
    case 413:
      return {"", S3Remedy::kNone, ErrorKind::kLimit};
    case 429:
    case 503:
      return {"", S3Remedy::kSlowDown, ErrorKind::kThrottled};
    case 507:
      return {"", S3Remedy::kNone, ErrorKind::kNoSpace};
    default:
      break;
  }
  if (status == 501 || status == 505) return {"", S3Remedy::kNone, ErrorKind::kInvalid};
  // 2xx: an error document without a code that is known.
  if (status >= 500 || status < 300) return {"", S3Remedy::kRepeat, ErrorKind::kTransient};
  return {"", S3Remedy::kNone, ErrorKind::kInvalid};
}

// Whatever the letters of the message.
bool Says(std::string_view message, std::string_view words) {
  std::string lower(message);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower.find(words) != lower.npos;
}

Meaning MeaningOf(const S3Failure& failure) {
  // Swift answers a failed condition of Complete as an invalid request: the status says what it is.
  if (failure.status != 412) {
    for (const Meaning& meaning : kMeanings) {
      if (meaning.code != failure.code) continue;
      // "The provided token has expired.", as some stores put it.
      const bool expired = meaning.code == "AccessDenied" && Says(failure.message, "expired");
      return expired ? Meaning{"", S3Remedy::kRefreshCredentials, ErrorKind::kDenied} : meaning;
    }
  }
  Meaning meaning = MeaningOfStatus(failure.status);
  // "Upload completion is already in progress": a Complete that is at work, on stores that say so with codes of their
  // own.
  if (Says(failure.message, "in progress")) {
    meaning = {"", S3Remedy::kRepeat, ErrorKind::kTransient};
  }
  // "Part number must be an integer between 1 and 1000, inclusive"
  if (failure.code == "InvalidArgument" && failure.message.find("art number") != std::string::npos) {
    meaning.kind = ErrorKind::kLimit;
  }
  // "... the region 'x' is wrong; expecting 'y'", whatever the code is.
  if (!failure.region.empty() && failure.status >= 300 && failure.status < 500 && meaning.remedy == S3Remedy::kNone) {
    meaning.remedy = S3Remedy::kOtherRegion;
  }
  return meaning;
}

std::optional<std::chrono::milliseconds> ParseRetryAfter(const HttpHeaders& headers, Timestamp now) {
  const std::optional<std::string> text = headers.Get("Retry-After");
  if (!text) return std::nullopt;
  // Longer than any call may take; what is asked beyond it says no more.
  constexpr std::chrono::seconds kDay(86'400);
  if (!text->empty() && text->find_first_not_of("0123456789") == text->npos) {
    int64_t seconds = 0;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), seconds);
    return error == std::errc() ? std::min(std::chrono::seconds(seconds), kDay) : kDay;
  }
  const std::optional<Timestamp> date = ParseHttpTime(*text, now);
  if (!date || *date < now) return std::nullopt;
  return std::min<std::chrono::milliseconds>(std::chrono::duration_cast<std::chrono::milliseconds>(*date - now), kDay);
}

// "the region 'us-east-1' is wrong; expecting 'eu-west-1'", without an element that says it again.
std::string ExpectedRegion(std::string_view message) {
  constexpr std::string_view kBefore = "is wrong; expecting '";
  const size_t at = message.find(kBefore);
  if (at == message.npos) return {};
  message.remove_prefix(at + kBefore.size());
  return std::string(message.substr(0, std::min(message.find('\''), message.size())));
}

// Of a server, for a message: one line of a length that can be read.
std::string OneLine(std::string_view text) {
  constexpr size_t kMaxShown = 300;
  std::string line;
  for (char c : text.substr(0, kMaxShown)) line.push_back(static_cast<unsigned char>(c) < ' ' || c == '\x7f' ? ' ' : c);
  if (text.size() > kMaxShown) line += "...";
  return line;
}

}  // namespace

std::optional<S3Failure> ReadFailure(const HttpResponse& response, bool body_may_be_error, Timestamp now) {
  const bool success = response.status >= 200 && response.status < 300;
  if (success && !body_may_be_error) return std::nullopt;
  std::optional<S3ErrorBody> body = ParseErrorBody(response.body);
  if (success && !body) return std::nullopt;
  S3Failure failure{.status = response.status};
  const HttpHeaders& headers = response.headers;
  if (body) {
    failure.code = std::move(body->code);
    failure.message = std::move(body->message);
    failure.region = body->region.empty() ? ExpectedRegion(failure.message) : std::move(body->region);
    failure.location = std::move(body->endpoint);
    failure.request_id = std::move(body->request_id);
    failure.part_number = body->part_number;
    failure.server_time = body->server_time;
  }
  failure.region = headers.Get("x-amz-bucket-region").value_or(failure.region);
  failure.location = headers.Get("Location").value_or(failure.location);
  failure.request_id = headers.Get("x-amz-request-id").value_or(failure.request_id);
  if (const auto date = ParseHttpTime(headers.Get("Date").value_or(""), now)) failure.server_time = date;
  // A date to wait for is one of the server's clock, like its Date.
  failure.retry_after = ParseRetryAfter(headers, failure.server_time.value_or(now));
  return failure;
}

S3Remedy RemedyFor(const S3Failure& failure) { return MeaningOf(failure).remedy; }

ErrorKind KindOfFailure(const S3Failure& failure) { return MeaningOf(failure).kind; }

std::string Describe(const S3Failure& failure) {
  std::string text = std::to_string(failure.status);
  if (!failure.code.empty()) text += " " + OneLine(failure.code);
  if (!failure.message.empty()) text += ": " + OneLine(failure.message);
  if (!failure.request_id.empty()) text += " (request " + OneLine(failure.request_id) + ")";
  return text;
}

}  // namespace tailrace
