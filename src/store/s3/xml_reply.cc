#include "store/s3/xml_reply.h"

#include <charconv>

#include <pugixml.hpp>

#include "store/s3/s3_replies.h"

namespace tailrace {
namespace {

std::string_view LocalName(const char* name) {
  const std::string_view text(name);
  const size_t colon = text.find(':');
  return colon == text.npos ? text : text.substr(colon + 1);
}

constexpr std::string_view kWhite = " \t\r\n";

pugi::xml_node NodeOf(void* node) { return pugi::xml_node(static_cast<pugi::xml_node_struct*>(node)); }

// Entities, CDATA and line ends as XML wants them; text of white space alone is kept, since a key may be that.
constexpr unsigned int kParseFlags =
    pugi::parse_escapes | pugi::parse_cdata | pugi::parse_eol | pugi::parse_ws_pcdata_single;

}  // namespace

struct XmlReply::Document {
  pugi::xml_document tree;
};

XmlReply::XmlReply() : document_(std::make_unique<Document>()) {}
XmlReply::~XmlReply() = default;

std::optional<XmlReply::Element> XmlReply::Parse(std::string_view text) {
  const size_t begin = text.find_first_not_of(kWhite);
  if (begin == text.npos || static_cast<int64_t>(text.size()) > kMaxReplyBytes) return std::nullopt;
  text.remove_prefix(begin);
  if (!document_->tree.load_buffer(text.data(), text.size(), kParseFlags, pugi::encoding_utf8)) return std::nullopt;
  const pugi::xml_node root = document_->tree.document_element();
  if (!root) return std::nullopt;
  return Element(root.internal_object());
}

std::string XmlReply::Element::name() const { return std::string(LocalName(NodeOf(node_).name())); }

std::vector<XmlReply::Element> XmlReply::Element::Children(std::string_view name) const {
  std::vector<Element> children;
  for (pugi::xml_node child : NodeOf(node_).children()) {
    if (child.type() == pugi::node_element && LocalName(child.name()) == name) {
      children.push_back(Element(child.internal_object()));
    }
  }
  return children;
}

std::optional<std::string> XmlReply::Element::Find(std::string_view name) const {
  for (pugi::xml_node child : NodeOf(node_).children()) {
    if (child.type() != pugi::node_element || LocalName(child.name()) != name) continue;
    // Text may come in pieces, around comments and CDATA.
    std::string text;
    for (pugi::xml_node piece : child.children()) {
      if (piece.type() == pugi::node_pcdata || piece.type() == pugi::node_cdata) text += piece.value();
    }
    return text;
  }
  return std::nullopt;
}

std::string XmlReply::Element::Word(std::string_view name) const {
  const std::string text = Text(name);
  const size_t begin = text.find_first_not_of(kWhite);
  return begin == text.npos ? "" : text.substr(begin, text.find_last_not_of(kWhite) - begin + 1);
}

std::optional<int64_t> XmlReply::Element::Number(std::string_view name) const {
  const std::string text = Word(name);
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

}  // namespace tailrace
