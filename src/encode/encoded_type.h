// Which types can go into a file, and as what libparquet gets them.
#pragma once

#include <memory>
#include <string>

#include <arrow/result.h>
#include <arrow/type_fwd.h>

#include "tailrace/error.h"

namespace tailrace {

using arrow::Result;

// The path of a child in messages: "s.b", "l.element", "m.key", "m.value".
std::string ChildPath(const std::string& path, const arrow::DataType& parent, int child);

// The schema with what libparquet gets: a dictionary becomes its values (text and bytes as views, which share the
// dictionary's memory and give the same pages), a list view becomes a list, an extension over these its storage.
// Everything else stays as it is. kInvalid,
// naming the path, for what would fail later or come back as another value: duplicate names, a struct without fields, a
// type that Parquet does not hold, names and metadata that are not UTF-8.
Result<std::shared_ptr<arrow::Schema>> EncodedSchema(const arrow::Schema& schema);

// The schema as the file tells it to Arrow readers (ARROW:schema): as given, but for dictionaries of other values than
// text or bytes, which become their values. Parquet readers restore only the former, and arrow-rs fails on the latter.
std::shared_ptr<arrow::Schema> WrittenSchema(const arrow::Schema& schema);

// The schema with the kind of bytes of the same layout for each kind of text, below dictionaries too. What extension
// types store stays.
std::shared_ptr<arrow::Schema> TextAsBytes(const arrow::Schema& schema);

bool IsTextKind(const arrow::DataType& type);   // string, large string, string view
bool IsBytesKind(const arrow::DataType& type);  // binary, large binary, binary view

}  // namespace tailrace
