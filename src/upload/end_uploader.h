// Stores the end of a file behind the parts that a state names, and says what Complete must name.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <arrow/result.h>

#include "tailrace/state.h"
#include "tailrace/store.h"
#include "upload/end_layout.h"

namespace tailrace {

// Our receipts with the tags that the store lists now, where it still has the same bytes; kFenced naming the part where
// another writer of the same write replaced one; kOutcomeUnknown where a part was stored again and neither tags nor
// checksums tell with what. `what` names the upload in the message.
Result<std::vector<PartReceipt>> KeepOurParts(std::vector<PartReceipt> ours, const std::vector<PartReceipt>& listed,
                                              const std::string& what);

// One writer's end of one upload. It holds the bytes of the end, so that they can be stored again after another writer
// replaced them. Not thread-safe.
class EndUploader {
 public:
  // `upload` outlives this. `around_strays`: the store refuses to leave stored parts out. Where that is not known, a
  // refused Complete tells. `stored_end`: what was stored of the end before, by who closed the file.
  EndUploader(Upload* upload, UploadProgress progress, TailBuilder build_tail, bool around_strays, std::string what,
              const std::vector<PartReceipt>& stored_end = {});

  // Told of each part that is stored, with how long it took. Empty: nobody is.
  using PartReport = std::function<void(const PartReceipt& part, std::chrono::microseconds duration)>;
  void ReportTo(PartReport report) { report_ = std::move(report); }

  // The first time: lists where strays matter, stores the end, returns all parts to complete.
  Result<std::vector<PartReceipt>> Store();
  // After a refused Complete, given what the store lists: stores again what is not there as it should be, three times
  // at most, then kTransient. Where all is there as it should be, the end goes around the parts that were not named.
  // kFenced where a part was replaced whose bytes nobody here holds.
  Result<std::vector<PartReceipt>> Mend(const std::vector<PartReceipt>& listed);

 private:
  Result<std::vector<PartReceipt>> StoreAgainst(const std::vector<PartReceipt>& listed);

  Upload* const upload_;
  const UploadProgress progress_;
  const ByteSlices unsent_;
  const TailBuilder build_tail_;
  const std::string what_;
  PartReport report_;
  bool around_strays_;
  std::map<int, PartReceipt> put_;  // of the end
  int resends_ = 0;
};

}  // namespace tailrace
