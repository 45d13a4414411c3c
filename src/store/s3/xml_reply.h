// XML documents as S3 sends them, without their namespaces. Hides the parser.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tailrace {

// One parsed document. Not thread-safe.
class XmlReply {
 public:
  // An element of a document; valid as long as that.
  class Element {
   public:
    std::string name() const;                                      // without its prefix
    std::vector<Element> Children(std::string_view name) const;    // those of that name, in order
    std::optional<std::string> Find(std::string_view name) const;  // text of the first child of that name
    std::string Text(std::string_view name) const { return Find(name).value_or(""); }
    // ... without the white space around it that some servers lay documents out with: for all but names.
    std::string Word(std::string_view name) const;
    bool Flag(std::string_view name) const { return Word(name) == "true" || Word(name) == "True"; }
    // nullopt where it is missing, no number, negative or beyond 63 bits.
    std::optional<int64_t> Number(std::string_view name) const;

   private:
    friend class XmlReply;
    explicit Element(void* node) : node_(node) {}
    void* node_;  // pugi::xml_node_struct
  };

  XmlReply();
  ~XmlReply();
  XmlReply(const XmlReply&) = delete;
  XmlReply& operator=(const XmlReply&) = delete;

  // The root element; nullopt where `text` is no XML or too large. White space before it is skipped. Once for each
  // document.
  std::optional<Element> Parse(std::string_view text);

 private:
  struct Document;
  const std::unique_ptr<Document> document_;
};

}  // namespace tailrace
