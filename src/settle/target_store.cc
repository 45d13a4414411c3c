#include "settle/target_store.h"

#include <utility>

namespace tailrace {

namespace {

// The URL, and what it does not show where that is what differs.
std::string Described(const Target& target, const Target& other) {
  std::string text = target.ToUrl();
  if (target.endpoint != other.endpoint) text += " at " + (target.endpoint.empty() ? "AWS" : target.endpoint);
  if (target.region != other.region) text += " in region '" + target.region + "'";
  if (target.addressing != other.addressing) text += " by addressing '" + target.addressing + "'";
  return text;
}

}  // namespace

Target StoreChoice::TargetFor(const Target& target) const {
  if (!retarget || store == nullptr) return target;
  return store->TargetOf(key.empty() ? target.key : key);
}

Result<StoreAndKey> ChooseStore(const Target& target, const ObjectOptions& object, const StoreChoice& choice) {
  if (!choice.retarget && !choice.key.empty() && choice.key != target.key) {
    return MakeError(ErrorKind::kBadState, "this value is for " + target.ToUrl() + ", not for the key '" + choice.key +
                                               "'; set retarget to use it there");
  }
  StoreAndKey at;
  if (choice.store == nullptr) {
    ARROW_ASSIGN_OR_RAISE(at, OpenTarget(target));
  } else {
    at = {choice.store, target.key};
  }
  if (choice.retarget && !choice.key.empty()) at.key = choice.key;
  const Target actual = at.store->TargetOf(at.key);
  if (actual != target && !choice.retarget) {
    return MakeError(ErrorKind::kBadState, "this value is for " + Described(target, actual) + ", not for " +
                                               Described(actual, target) + "; set retarget to use it there");
  }
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<MultipartStore> same, at.store->WithObjectOptions(object));
  if (same != nullptr) at.store = std::move(same);
  return at;
}

}  // namespace tailrace
