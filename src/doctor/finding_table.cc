#include "doctor/finding_table.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace tailrace {
namespace {

using enum Verdict;

constexpr std::string_view kLookFirst = "the key is looked at before it is written to, which is not atomic";
constexpr std::string_view kGoneUnclear =
    "an upload that is gone looks like a passing failure: it is asked for again and again before it is given up";
constexpr std::string_view kRightlyGone = "an upload that is gone is known to be gone";

constexpr std::array kRows{
    FindingRow{"upload", "works", kGood, "uploads can be made, filled and completed"},
    FindingRow{"upload", "denied", kFatal, "no write can work: s3:PutObject is missing, or the credentials are wrong"},
    FindingRow{"upload", "fails", kFatal, "no write can work"},
    FindingRow{"rights.put", "allowed", kGood, "a small file is one request"},
    FindingRow{"rights.put", "denied", kWarning, "files of at most 8 MiB need --small-files upload"},
    FindingRow{"rights.put", "fails", kWarning, "files of at most 8 MiB need --small-files upload"},
    FindingRow{"rights.head-absent", "not found", kGood, "an absent object is told from one that is denied"},
    FindingRow{"rights.head-absent", "denied", kWarning,
               "an absent object looks like one that is denied, so that an outcome may stay unknown (s3:ListBucket)"},
    FindingRow{"rights.head-absent", "fails", kWarning, "an absent object is not told to be absent"},
    FindingRow{"rights.head", "allowed", kGood, "finish, commit and resume look at the object"},
    FindingRow{"rights.head", "denied", kWarning,
               "the object cannot be looked at: after a lost answer the outcome stays unknown (s3:GetObject)"},
    FindingRow{"rights.head", "fails", kWarning,
               "the object cannot be looked at: after a lost answer the outcome stays unknown"},
    FindingRow{"rights.get", "allowed", kGood, "an object can be recognised by its footer"},
    FindingRow{"rights.get", "denied", kWarning,
               "an object cannot be recognised by its footer: an outcome may stay unknown (s3:GetObject)"},
    FindingRow{"rights.get", "fails", kWarning,
               "an object cannot be recognised by its footer: an outcome may stay unknown"},
    FindingRow{"rights.abort", "allowed", kGood, "uploads that are given up are removed"},
    FindingRow{"rights.abort", "denied", kWarning,
               "uploads that are given up stay until a lifecycle rule removes them (s3:AbortMultipartUpload)"},
    FindingRow{"rights.abort", "fails", kWarning, "uploads that are given up stay until a lifecycle rule removes them"},
    FindingRow{"rights.list-parts", "allowed", kGood, "resume sees what is stored"},
    FindingRow{"rights.list-parts", "denied", kWarning,
               "resume does not see what is stored, and a refused part cannot be looked up "
               "(s3:ListMultipartUploadParts)"},
    FindingRow{"rights.list-parts", "fails", kWarning,
               "resume does not see what is stored, and a refused part cannot be looked up"},
    FindingRow{"rights.list-uploads", "allowed", kGood, "uploads that were left behind can be found"},
    FindingRow{"rights.list-uploads", "denied", kNote,
               "uploads that were left behind cannot be found (s3:ListBucketMultipartUploads); no write needs it"},
    FindingRow{"rights.list-uploads", "fails", kNote,
               "uploads that were left behind cannot be found; no write needs it"},
    FindingRow{"rights.delete", "allowed", kGood, "the object of this probe was removed; no write needs it"},
    FindingRow{"rights.delete", "denied", kNote, "the object of this probe stays (s3:DeleteObject); no write needs it"},
    FindingRow{"rights.delete", "fails", kNote, "the object of this probe stays; no write needs it"},

    FindingRow{"clock", "close", kGood, "this machine's clock and the store's agree"},
    FindingRow{"clock", "off", kNote, "requests are signed with the store's time after it has refused ours once"},
    FindingRow{"region", "as configured", kGood, "requests are signed for this region"},
    FindingRow{"region", "another", kNote, "the store names this region: set it, and each run saves a request"},
    FindingRow{"metadata", "kept", kGood, "a write knows its object by the write id"},
    FindingRow{"metadata", "lost", kWarning,
               "the write id is lost: only the call that commits knows its object, and one that repeats it says gone"},

    FindingRow{"etag", "md5", kGood, "the tag of a part shows that its bytes arrived"},
    FindingRow{"etag", "opaque", kNote, "tags are compared, and prove nothing about bytes"},
    FindingRow{"complete.etag", "there", kGood, "the answer to Complete names the object's tag"},
    FindingRow{"complete.etag", "empty", kNote, "the answer to Complete has no tag; none is needed"},
    FindingRow{"complete.again", "committed", kGood, "a Complete that is sent again is answered as the first"},
    FindingRow{"complete.again", "no such upload", kGood, "after a lost answer the object is looked at"},
    FindingRow{"complete.again", "fails", kNote, "after a lost answer the object is looked at"},
    FindingRow{"gone.part", "no such upload", kGood, kRightlyGone},
    FindingRow{"gone.part", "accepted", kWarning, "parts go into an upload that is gone; only its completion tells"},
    FindingRow{"gone.part", "fails", kNote, kGoneUnclear},
    FindingRow{"gone.complete", "no such upload", kGood, kRightlyGone},
    FindingRow{
        "gone.complete", "accepted", kWarning,
        "completing an upload that is gone looks like a success, from which only the object's checksum tells it: "
        "never write with --checksum none here"},
    FindingRow{"gone.complete", "fails", kNote, kGoneUnclear},

    FindingRow{"checksum.md5", "verified", kGood, "parts with a wrong Content-MD5 are refused"},
    FindingRow{"checksum.crc32", "verified", kGood, "parts with a wrong checksum are refused"},
    FindingRow{"checksum.crc32c", "verified", kGood, "parts with a wrong checksum are refused"},
    FindingRow{"checksum.sha256", "verified", kGood, "parts with a wrong checksum are refused"},
    FindingRow{"checksum.crc64nvme", "verified", kGood, "parts with a wrong checksum are refused"},
    FindingRow{"checksum.crc32", "echoed", kNote, "a wrong checksum is repeated and not looked at"},
    FindingRow{"checksum.crc32c", "echoed", kNote, "a wrong checksum is repeated and not looked at"},
    FindingRow{"checksum.sha256", "echoed", kNote, "a wrong checksum is repeated and not looked at"},
    FindingRow{"checksum.crc64nvme", "echoed", kNote, "a wrong checksum is repeated and not looked at"},
    FindingRow{"checksum.md5", "ignored", kNote, "Content-MD5 is not looked at"},
    FindingRow{"checksum.crc32", "ignored", kNote, "this checksum is not looked at"},
    FindingRow{"checksum.crc32c", "ignored", kNote, "this checksum is not looked at"},
    FindingRow{"checksum.sha256", "ignored", kNote, "this checksum is not looked at"},
    FindingRow{"checksum.crc64nvme", "ignored", kNote, "this checksum is not looked at"},
    FindingRow{"checksum.md5", "refused", kNote, "an upload with Content-MD5 does not work"},
    FindingRow{"checksum.crc32", "refused", kNote, "an upload with this checksum does not work"},
    FindingRow{"checksum.crc32c", "refused", kNote, "an upload with this checksum does not work"},
    FindingRow{"checksum.sha256", "refused", kNote, "an upload with this checksum does not work"},
    FindingRow{"checksum.crc64nvme", "refused", kNote, "an upload with this checksum does not work"},
    FindingRow{"checksum.whole", "compared", kGood, "Complete refuses a wrong checksum of the whole object"},
    FindingRow{"checksum.whole", "not compared", kNote, "Complete takes a wrong checksum of the whole object"},

    FindingRow{"part-etags", "checked", kGood, "Complete refuses a part that was replaced: at most one writer wins"},
    FindingRow{"part-etags", "not checked", kWarning,
               "Complete takes a part that another process replaced: never let two processes resume one state here"},
    FindingRow{"strays", "left out", kGood, "parts that a lost process left behind do no harm"},
    FindingRow{"strays", "refused", kNote,
               "the end of the file is laid out around parts that a lost process left behind"},
    FindingRow{"conditions.put-if-absent", "honoured", kGood, "a PUT never replaces an object unseen"},
    FindingRow{"conditions.put-if-absent", "ignored", kNote, kLookFirst},
    FindingRow{"conditions.put-if-absent", "refused", kNote, kLookFirst},
    FindingRow{"conditions.put-if-match", "honoured", kGood, "a PUT replaces only the object that was looked at"},
    FindingRow{"conditions.put-if-match", "ignored", kNote, kLookFirst},
    FindingRow{"conditions.put-if-match", "refused", kNote, kLookFirst},
    FindingRow{"conditions.complete-if-absent", "honoured", kGood, "a Complete never replaces an object unseen"},
    FindingRow{"conditions.complete-if-absent", "ignored", kNote, kLookFirst},
    FindingRow{"conditions.complete-if-absent", "refused", kNote, kLookFirst},

    FindingRow{"list-parts.pages", "paged", kGood, "long lists come in pages, each part once"},
    FindingRow{"list-parts.pages", "one page", kNote, "all parts come at once, however few were asked for"},
    FindingRow{"list-parts.pages", "wrong", kWarning,
               "a list of several pages is not that of the stored parts: resume may miss one above a thousand"},
    FindingRow{"list-parts.order", "sorted", kGood, "parts are listed by number"},
    FindingRow{"list-parts.order", "unsorted", kNote, "parts are sorted by the client"},
    FindingRow{"most-parts", "10000", kGood, "as many parts as S3 takes"},
    FindingRow{"most-parts", "fewer", kNote, "an object has at most so many times the part size"},
    FindingRow{"smallest-part", "5 MiB", kGood, "parts of 5 MiB, the smallest of S3, are taken, and smaller ones not"},
    FindingRow{"smallest-part", "below 5 MiB", kNote, "smaller parts than those of S3 are taken"},
    FindingRow{"smallest-part", "above 5 MiB", kWarning,
               "parts of 5 MiB are too small here: choose a larger --part-size"},
    FindingRow{"equal-parts", "not needed", kGood, "parts may have different lengths"},
    FindingRow{"equal-parts", "needed", kNote,
               "all parts but the last need one length: the profile keeps growing_parts from being used"},

    FindingRow{"write", "works", kGood, "a file was written, published and read back"},
    FindingRow{"write", "fails", kFatal, "no write can work"},
    FindingRow{"hidden-folder", "can be made", kGood, "uploads lie hidden beside their target until they are whole"},
    FindingRow{"hidden-folder", "fails", kFatal, "no write can work: uploads have no place"},
    FindingRow{"locks", "work", kGood, "one process at a time writes an upload"},
    FindingRow{"locks", "not supported", kWarning,
               "fencing is absent: never let two processes resume, finish or commit one state here"},
    FindingRow{"locks", "not exclusive", kWarning,
               "fencing is absent, since a second process gets the lock too: never let two processes resume, finish or "
               "commit one state here"},
    FindingRow{"no-overwrite", "by rename", kGood, "a file is published without replacing another, in one step"},
    FindingRow{"no-overwrite", "by link", kGood, "a file is published without replacing another, by link and unlink"},
    FindingRow{"no-overwrite", "missing", kWarning, "--if-exists fail cannot publish here: neither way works"},
    FindingRow{"rename-if-absent", "works", kGood, "renameat2 with RENAME_NOREPLACE keeps what is there"},
    FindingRow{"rename-if-absent", "missing", kNote, "link and unlink are used instead"},
    FindingRow{"link", "works", kGood, "hard links can be made"},
    FindingRow{"link", "missing", kNote, "hard links cannot be made; only no-overwrite needs them, and not always"},
    FindingRow{"attributes", "kept", kGood, "the write id stays on the file, also when it is renamed"},
    FindingRow{"attributes", "missing", kNote, "an object is known by its inode, size and content instead"},
    FindingRow{"attributes", "lost", kWarning, "attributes do not survive a rename: an object is known by its content"},
    FindingRow{"sync-file", "works", kGood, "bytes survive loss of power, as far as the device keeps its word"},
    FindingRow{"sync-file", "fails", kFatal, "no write can work: nothing can be made durable"},
    FindingRow{"sync-folder", "works", kGood, "names survive loss of power, as far as the device keeps its word"},
    FindingRow{"sync-folder", "fails", kFatal, "no write can work: nothing can be made durable"},
    FindingRow{"free-space", "enough", kGood, "free for this user"},
    FindingRow{"free-space", "little", kWarning, "less than 1 GiB is free for this user"},
};

}  // namespace

std::span<const FindingRow> FindingRows() { return kRows; }

Finding MakeFinding(std::string_view name, std::string_view answer, std::string cause, std::string shown) {
  const auto row = std::find_if(kRows.begin(), kRows.end(),
                                [&](const FindingRow& one) { return one.name == name && one.answer == answer; });
  if (row == kRows.end()) std::abort();
  return {.name = std::string(name),
          .answer = shown.empty() ? std::string(answer) : std::move(shown),
          .meaning = std::string(row->meaning),
          .cause = std::move(cause),
          .verdict = row->verdict};
}

Finding NotKnown(std::string_view name, std::string cause) {
  return {.name = std::string(name),
          .answer = "not known",
          .meaning = "could not be found out",
          .cause = std::move(cause),
          .verdict = Verdict::kUnknown};
}

Finding NotAsked(std::string_view name, std::string cause) {
  return {.name = std::string(name),
          .answer = "not asked",
          .meaning = "was left out",
          .cause = std::move(cause),
          .verdict = Verdict::kUnknown};
}

}  // namespace tailrace
