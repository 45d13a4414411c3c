#include "encode/leaf_columns.h"

#include <map>
#include <utility>

#include "encode/parquet_fields.h"
#include "encode/thrift_compact.h"

namespace tailrace {
namespace {

Status Bad(const std::string& what) { return MakeError(ErrorKind::kBadState, "content.footer_template: " + what); }

// Groups whose children are still to come.
struct OpenGroup {
  std::string prefix;
  int64_t children = 0;
};

// Closes the groups that are complete.
void CloseGroups(std::vector<OpenGroup>* open) {
  while (!open->empty() && open->back().children == 0) open->pop_back();
}

void MarkAmbiguous(std::vector<LeafColumn>* leaves) {
  std::map<std::string_view, int> counts;
  for (const LeafColumn& leaf : *leaves) ++counts[leaf.path];
  for (LeafColumn& leaf : *leaves) leaf.ambiguous = counts[leaf.path] > 1;
}

}  // namespace

Result<std::vector<LeafColumn>> FindLeafColumns(std::string_view footer_template) {
  auto tree = DecodeThrift(footer_template);
  if (!tree.ok()) return Bad(tree.status().message());
  const ThriftList* elements = tree->FindList(file_metadata::kSchema);
  if (elements == nullptr || elements->values.empty()) return Bad("no schema");
  std::vector<LeafColumn> leaves;
  std::vector<OpenGroup> open;
  int field = -1;
  for (const ThriftValue& value : elements->values) {
    const auto* element = std::get_if<ThriftStruct>(&value.data);
    const std::string* name = element == nullptr ? nullptr : element->FindBinary(schema_element::kName);
    if (name == nullptr) return Bad("a schema element without a name");
    const bool root = &value == &elements->values.front();
    CloseGroups(&open);
    if (!root && open.empty()) return Bad("a schema element without a parent");
    if (open.size() == 1) ++field;
    const std::string path = root ? "" : open.back().prefix + *name;
    if (!root) --open.back().children;
    const int64_t* children = element->FindInt(schema_element::kNumChildren);
    if (children != nullptr && *children > 0) {
      open.push_back({root ? "" : path + ".", *children});
      continue;
    }
    const int64_t* type = element->FindInt(schema_element::kType);
    if (root || type == nullptr) return Bad("a leaf column without a type");
    leaves.push_back({.path = path, .physical_type = *type, .field = field});
  }
  CloseGroups(&open);
  if (!open.empty()) return Bad("a group with too few columns");
  MarkAmbiguous(&leaves);
  return leaves;
}

}  // namespace tailrace
