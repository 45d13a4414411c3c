#include "c/handles.h"

extern "C" {

const uint8_t* tailrace_bytes_data(const tailrace_bytes* bytes) {
  return bytes == nullptr ? nullptr : reinterpret_cast<const uint8_t*>(bytes->content.c_str());
}

size_t tailrace_bytes_size(const tailrace_bytes* bytes) { return bytes == nullptr ? 0 : bytes->content.size(); }

void tailrace_bytes_free(tailrace_bytes* bytes) { delete bytes; }

}  // extern "C"
