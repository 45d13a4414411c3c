#include "tailrace/store.h"

#include <utility>

#include "c/guard.h"
#include "c/store_options.h"

using tailrace::Result;
using tailrace::Status;
using tailrace::c::Guard;
using tailrace::c::ReadStoreOptions;
using tailrace::c::Required;

namespace {

// Reads the options first: they may bring a callback's context, which is ours from then on, whatever fails.
template <typename Open>
tailrace_kind OpenInto(tailrace_store** store, const tailrace_store_options* given, tailrace_error** error,
                       const Open& open) noexcept {
  if (store != nullptr) *store = nullptr;
  return Guard(error, [&]() -> Status {
    ARROW_ASSIGN_OR_RAISE(const tailrace::StoreOptions options, ReadStoreOptions(given));
    ARROW_RETURN_NOT_OK(Required(store, "the place for the store"));
    ARROW_ASSIGN_OR_RAISE(tailrace::StoreAndKey at, open(options));
    *store = new tailrace_store{std::move(at)};
    return Status::OK();
  });
}

template <typename Value>
tailrace_kind OpenFor(const Value* value, const tailrace_store_options* given, tailrace_store** store,
                      tailrace_error** error) noexcept {
  return OpenInto(store, given, error, [&](const tailrace::StoreOptions& options) -> Result<tailrace::StoreAndKey> {
    ARROW_RETURN_NOT_OK(Required(value, "the state or pending commit"));
    return tailrace::OpenTarget(value->value.target, options);
  });
}

}  // namespace

extern "C" {

tailrace_kind tailrace_store_open(const char* url, const tailrace_store_options* options, tailrace_store** store,
                                  tailrace_error** error) {
  return OpenInto(store, options, error, [&](const tailrace::StoreOptions& read) -> Result<tailrace::StoreAndKey> {
    ARROW_RETURN_NOT_OK(Required(url, "url"));
    return tailrace::OpenStore(url, read);
  });
}

tailrace_kind tailrace_store_open_for_state(const tailrace_state* state, const tailrace_store_options* options,
                                            tailrace_store** store, tailrace_error** error) {
  return OpenFor(state, options, store, error);
}

tailrace_kind tailrace_store_open_for_pending(const tailrace_pending* pending, const tailrace_store_options* options,
                                              tailrace_store** store, tailrace_error** error) {
  return OpenFor(pending, options, store, error);
}

const char* tailrace_store_key(const tailrace_store* store) { return store == nullptr ? "" : store->at.key.c_str(); }

tailrace_kind tailrace_store_get_limits(const tailrace_store* store, tailrace_store_limits* limits,
                                        tailrace_error** error) {
  return Guard(error, [&]() -> Status {
    ARROW_RETURN_NOT_OK(Required(store, "store"));
    ARROW_RETURN_NOT_OK(Required(limits, "limits"));
    return tailrace::c::WriteLimits(store->at.store->limits(), limits);
  });
}

void tailrace_store_free(tailrace_store* store) { delete store; }

}  // extern "C"
