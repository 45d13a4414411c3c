#include "store/open_object.h"

#include <fcntl.h>

#include "store/file_error.h"

namespace tailrace {

Result<OpenObject> OpenObject::Open(FileCalls* files, const LocalPlace& place) {
  // Non-blocking, so that a pipe of this name cannot stop us.
  const int fd = files->Open(place.target, O_RDONLY | O_NONBLOCK, 0);
  ARROW_RETURN_NOT_OK(CheckFile(fd, "open", place.target));
  OpenObject object(files, fd);
  ARROW_RETURN_NOT_OK(CheckFile(files->StatFile(fd, &object.facts_), "examine", place.target));
  if (object.facts_.is_regular()) return object;
  return MakeError(ErrorKind::kInvalid, "'" + place.target + "' is " +
                                            (object.facts_.is_folder() ? "a folder" : "not a regular file") +
                                            ", not an object");
}

}  // namespace tailrace
