// Assertions over arrow::Status and Result that print the message.
#pragma once

#include <arrow/result.h>
#include <gtest/gtest.h>

#include "tailrace/error.h"

namespace tailrace {

inline const Status& StatusOf(const Status& status) { return status; }
template <typename T>
const Status& StatusOf(const arrow::Result<T>& result) {
  return result.status();
}

}  // namespace tailrace

#define ASSERT_OK(expression)                                            \
  do {                                                                   \
    const auto& _result = (expression);                                  \
    ASSERT_TRUE(_result.ok()) << tailrace::StatusOf(_result).ToString(); \
  } while (false)

#define EXPECT_OK(expression)                                            \
  do {                                                                   \
    const auto& _result = (expression);                                  \
    EXPECT_TRUE(_result.ok()) << tailrace::StatusOf(_result).ToString(); \
  } while (false)

#define TAILRACE_CONCAT_(a, b) a##b
#define TAILRACE_CONCAT(a, b) TAILRACE_CONCAT_(a, b)

// ASSERT_OK_AND_ASSIGN(auto x, F()); ASSERT_OK_AND_ASSIGN(x, F());
#define ASSERT_OK_AND_ASSIGN(lhs, expression) \
  TAILRACE_ASSERT_OK_AND_ASSIGN(TAILRACE_CONCAT(_result, __LINE__), lhs, expression)
#define TAILRACE_ASSERT_OK_AND_ASSIGN(name, lhs, expression) \
  auto name = (expression);                                  \
  ASSERT_TRUE(name.ok()) << name.status().ToString();        \
  lhs = *std::move(name)

// The call must fail with this kind.
#define EXPECT_KIND(kind_, expression)                                                                         \
  do {                                                                                                         \
    const auto& _result = (expression);                                                                        \
    ASSERT_FALSE(_result.ok());                                                                                \
    EXPECT_EQ(tailrace::KindOf(tailrace::StatusOf(_result)), kind_) << tailrace::StatusOf(_result).ToString(); \
  } while (false)
