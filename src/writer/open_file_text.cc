#include "writer/open_file_text.h"

#include <utility>

namespace tailrace {
namespace {

std::string Numbers(const std::vector<PartReceipt>& receipts) {
  std::string text;
  for (const PartReceipt& receipt : receipts) {
    if (!text.empty()) text += ',';
    text += std::to_string(receipt.number) + ':' + receipt.etag;
  }
  return text;
}

std::string Numbers(const std::set<int>& in_flight) {
  std::string text;
  for (int number : in_flight) text += (text.empty() ? "" : ",") + std::to_string(number);
  return text;
}

std::string CutterText(const PartCutter& cutter) {
  return " cut=" + std::to_string(cutter.parts()) + " unsent=" + cutter.unsent().ToString();
}

struct StateText {
  std::string operator()(const OpenFile::New& s) const { return CutterText(s.cutter); }
  std::string operator()(const OpenFile::Starting& s) const {
    std::string text = CutterText(s.cutter) + " waiting=";
    for (const Part& part : s.parts) text += (&part == s.parts.data() ? "" : ",") + std::to_string(part.number);
    return s.close_tail ? text + " tail=" + s.close_tail->ToString() : text;
  }
  std::string operator()(const OpenFile::Started& s) const {
    return ' ' + s.upload.text + CutterText(s.cutter) + " stored=" + Numbers(s.receipts) +
           " flying=" + Numbers(s.in_flight);
  }
  std::string operator()(const OpenFile::Recovering& s) const {
    return ' ' + s.upload.text + CutterText(s.cutter) + " stored=" + Numbers(s.receipts);
  }
  std::string operator()(const OpenFile::ClosingMulti& s) const {
    return ' ' + s.upload.text + " stored=" + Numbers(s.receipts) + " flying=" + Numbers(s.in_flight) +
           " total=" + std::to_string(s.total_bytes);
  }
  std::string operator()(const OpenFile::ClosingSingle& s) const { return " body=" + s.body.ToString(); }
  std::string operator()(const OpenFile::Finishing& s) const { return std::visit(*this, s.closed); }
  std::string operator()(const OpenFile::Closed& s) const { return " total=" + std::to_string(s.total_bytes); }
  std::string operator()(const OpenFile::Aborted& s) const { return s.upload ? ' ' + s.upload->text : ""; }
  std::string operator()(const OpenFile::Failed& s) const {
    return (s.upload ? ' ' + s.upload->text : "") + ' ' + s.first_error.message();
  }
};

struct ActionText {
  std::string operator()(const CreateUploadAction&) const { return "Create"; }
  std::string operator()(const StorePartAction& a) const {
    return "Store " + std::to_string(a.part.number) + '@' + std::to_string(a.part.offset_bytes) + '+' +
           std::to_string(a.part.body.size());
  }
  std::string operator()(const CompleteAction& a) const { return "Complete " + Numbers(a.parts); }
  std::string operator()(const PutWholeAction& a) const { return "Put " + a.body.ToString(); }
  std::string operator()(const AbortUploadAction& a) const { return "Abort " + a.upload.text; }
};

}  // namespace

std::string TextOf(const OpenFile& file) {
  return std::string(file.state_name()) + std::visit(StateText{}, file.state());
}

std::string TextOf(const std::vector<Action>& actions) {
  std::string text;
  for (const Action& action : actions) {
    if (!text.empty()) text += "; ";
    text += std::visit(ActionText{}, action);
  }
  return text;
}

ByteSlices Letters(int64_t size, int64_t from) {
  std::string letters;
  for (int64_t i = from; i < from + size; ++i) letters.push_back(static_cast<char>('a' + i % 26));
  return ByteSlices(ByteSlice::Copy(std::move(letters)));
}

PartReceipt Receipt(int number, int64_t offset_bytes, int64_t size_bytes, std::string etag) {
  return {number, offset_bytes, size_bytes, std::move(etag), 0};
}

}  // namespace tailrace
