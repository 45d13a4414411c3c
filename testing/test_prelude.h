// Precompiled for all test programs: what most of them include and what costs most to read. It adds no name that a
// test may leave out of its own includes.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <arrow/buffer.h>
#include <arrow/result.h>
#include <arrow/status.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
