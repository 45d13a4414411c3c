// The log that the environment asks for.
#pragma once

#include <memory>

#include "base/environment.h"
#include "tailrace/events.h"

namespace tailrace {

// `observer`, and lines on standard error where TAILRACE_LOG is "info" or "trace". nullptr where neither is wanted.
std::shared_ptr<Observer> WithLogIfAsked(std::shared_ptr<Observer> observer, const Environment& environment);

}  // namespace tailrace
