#include "settle/target_store.h"

#include <utility>

namespace tailrace {

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
    return MakeError(ErrorKind::kBadState, "this value is for " + target.ToUrl() + ", not for " + actual.ToUrl() +
                                               "; set retarget to use it there");
  }
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<MultipartStore> same, at.store->WithObjectOptions(object));
  if (same != nullptr) at.store = std::move(same);
  return at;
}

}  // namespace tailrace
