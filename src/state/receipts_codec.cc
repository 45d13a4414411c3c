#include "state/receipts_codec.h"

#include <algorithm>
#include <limits>

#include "state/packed_bytes.h"
#include "state/wire.h"

namespace tailrace {
namespace {

// Number, offset, size and the lengths of two texts take a byte each, the CRC eight.
constexpr int64_t kMinReceiptBytes = 13;

Status Malformed(const std::string& path, std::string_view column) {
  return MakeError(ErrorKind::kBadState, path + ": " + std::string(column) + ": cut short or malformed");
}

bool ReadNumbers(WireReader* wire, std::vector<PartReceipt>* receipts) {
  int64_t last = 0;
  for (PartReceipt& receipt : *receipts) {
    int64_t step;
    if (!wire->ReadSize(&step) || step > std::numeric_limits<int>::max() - last) return false;
    last += step;
    receipt.number = static_cast<int>(last);
  }
  return true;
}

// Offsets are stored less the end of the part before, so sizes have to be known first.
bool PlaceOffsets(const std::vector<int64_t>& gaps, std::vector<PartReceipt>* receipts) {
  int64_t end = 0;
  for (size_t i = 0; i < gaps.size(); ++i) {
    PartReceipt& receipt = (*receipts)[i];
    if (__builtin_add_overflow(end, gaps[i], &receipt.offset_bytes)) return false;
    if (__builtin_add_overflow(receipt.offset_bytes, receipt.size_bytes, &end)) return false;
  }
  return true;
}

// One text of each receipt: all lengths, then all bytes.
void PutTexts(const std::vector<PartReceipt>& receipts, std::string PartReceipt::* text, std::string* list) {
  for (const PartReceipt& receipt : receipts) PutVarint((receipt.*text).size(), list);
  for (const PartReceipt& receipt : receipts) list->append(receipt.*text);
}

// Which receipts have sealed tags: nothing where none has, else a byte for each.
void PutSeals(const std::vector<PartReceipt>& receipts, std::string* list) {
  const auto sealed = [](const PartReceipt& receipt) { return receipt.sealed_etag; };
  if (std::none_of(receipts.begin(), receipts.end(), sealed)) return;
  for (const PartReceipt& receipt : receipts) list->push_back(receipt.sealed_etag ? 1 : 0);
}

bool ReadSeals(WireReader* wire, std::vector<PartReceipt>* receipts) {
  if (receipts->empty() || wire->remaining() != static_cast<int64_t>(receipts->size())) return true;
  std::string_view bytes;
  if (!wire->ReadBytes(static_cast<int64_t>(receipts->size()), &bytes)) return false;
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] != 0 && bytes[i] != 1) return false;
    (*receipts)[i].sealed_etag = bytes[i] == 1;
  }
  return bytes.find('\1') != bytes.npos;
}

bool ReadTexts(WireReader* wire, std::string PartReceipt::* text, std::vector<PartReceipt>* receipts) {
  std::vector<int64_t> lengths(receipts->size());
  for (int64_t& length : lengths) {
    if (!wire->ReadSize(&length)) return false;
  }
  for (size_t i = 0; i < lengths.size(); ++i) {
    std::string_view bytes;
    if (!wire->ReadBytes(lengths[i], &bytes)) return false;
    (*receipts)[i].*text = bytes;
  }
  return true;
}

}  // namespace

std::string EncodeReceipts(const std::vector<PartReceipt>& receipts) {
  std::string list;
  PutVarint(receipts.size(), &list);
  int64_t last_number = 0;
  for (const PartReceipt& receipt : receipts) {
    PutVarint(static_cast<uint64_t>(receipt.number - last_number), &list);
    last_number = receipt.number;
  }
  int64_t end = 0;
  for (const PartReceipt& receipt : receipts) {
    PutVarint(static_cast<uint64_t>(receipt.offset_bytes - end), &list);
    end = receipt.offset_bytes + receipt.size_bytes;
  }
  for (const PartReceipt& receipt : receipts) PutVarint(static_cast<uint64_t>(receipt.size_bytes), &list);
  PutTexts(receipts, &PartReceipt::etag, &list);
  for (const PartReceipt& receipt : receipts) PutFixed64(receipt.crc64, &list);
  PutTexts(receipts, &PartReceipt::checksum, &list);
  PutSeals(receipts, &list);
  return PackBytes(list);
}

Result<std::vector<PartReceipt>> DecodeReceipts(std::string_view packed, const std::string& path) {
  ARROW_ASSIGN_OR_RAISE(const std::string list, UnpackBytes(packed, path));
  WireReader wire(list);
  int64_t count;
  if (!wire.ReadSize(&count) || count > wire.remaining() / kMinReceiptBytes) return Malformed(path, "count");

  std::vector<PartReceipt> receipts(static_cast<size_t>(count));
  if (!ReadNumbers(&wire, &receipts)) return Malformed(path, "numbers");
  std::vector<int64_t> gaps(receipts.size());
  for (int64_t& gap : gaps) {
    if (!wire.ReadSize(&gap)) return Malformed(path, "offsets");
  }
  for (PartReceipt& receipt : receipts) {
    if (!wire.ReadSize(&receipt.size_bytes)) return Malformed(path, "sizes");
  }
  if (!PlaceOffsets(gaps, &receipts)) return Malformed(path, "offsets");
  if (!ReadTexts(&wire, &PartReceipt::etag, &receipts)) return Malformed(path, "etags");
  for (PartReceipt& receipt : receipts) {
    if (!wire.ReadFixed64(&receipt.crc64)) return Malformed(path, "CRCs");
  }
  if (!ReadTexts(&wire, &PartReceipt::checksum, &receipts)) return Malformed(path, "checksums");
  if (!ReadSeals(&wire, &receipts)) return Malformed(path, "seals of etags");
  if (wire.remaining() > 0) {
    return MakeError(ErrorKind::kBadState, path + ": " + std::to_string(wire.remaining()) + " bytes too many");
  }
  return receipts;
}

}  // namespace tailrace
