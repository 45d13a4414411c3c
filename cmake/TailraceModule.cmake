# tailrace_module(NAME SOURCES a.cc ... DEPENDS base ... [LIBRARIES target ...] [TESTS a_test.cc ...]
#                 [TEST_DEPENDS testing])
#
# One static library per folder of src/, which may use only the modules it names, and one test program
# NAME_tests with one ctest entry. The layers are checked a second time, over the includes, by tools/tidy.py.
function(tailrace_module name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS;LIBRARIES;TESTS;TEST_DEPENDS" ${ARGN})
  add_library(tailrace_${name} STATIC ${arg_SOURCES})
  set_property(GLOBAL APPEND PROPERTY TAILRACE_MODULES ${name})
  target_include_directories(tailrace_${name} PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(tailrace_${name} PUBLIC Arrow::arrow_shared ${arg_LIBRARIES} PRIVATE tailrace_warnings)
  foreach(dep IN LISTS arg_DEPENDS)
    target_link_libraries(tailrace_${name} PUBLIC tailrace_${dep})
  endforeach()
  if(TAILRACE_BUILD_TESTS AND arg_TESTS)
    tailrace_test(${name}_tests SOURCES ${arg_TESTS} DEPENDS ${name} ${arg_TEST_DEPENDS})
  endif()
endfunction()

# tailrace_test(NAME SOURCES ... DEPENDS modules ... [LIBRARIES target ...] [LABELS ...])
#
# One GoogleTest program and its ctest entry.
function(tailrace_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS;LABELS;LIBRARIES" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE tailrace_warnings GTest::gmock GTest::gtest GTest::gtest_main
    ${arg_LIBRARIES})
  foreach(dep IN LISTS arg_DEPENDS)
    target_link_libraries(${name} PRIVATE tailrace_${dep})
  endforeach()
  target_compile_options(${name} PRIVATE ${TAILRACE_TEST_OPTIONS})
  target_precompile_headers(${name} REUSE_FROM tailrace_test_prelude)
  if(NOT TAILRACE_SELECTED_TESTS OR name IN_LIST TAILRACE_SELECTION)
    tailrace_add_test(${name} COMMAND ${name} LABELS ${arg_LABELS})
  endif()
endfunction()

# tailrace_pytest(NAME FILES test_a.py ... [ENVIRONMENT VARIABLE=value ...] [LABELS ...])
#
# One run of pytest over these files, with the Python that carries Arrow. Values may be generator expressions, such
# as TAILRACE=$<TARGET_FILE:tailrace_program>.
function(tailrace_pytest name)
  cmake_parse_arguments(arg "" "" "FILES;ENVIRONMENT;LABELS" ${ARGN})
  if(TAILRACE_SELECTED_TESTS AND NOT name IN_LIST TAILRACE_SELECTION)
    return()
  endif()
  list(TRANSFORM arg_FILES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  tailrace_add_test(${name} LABELS ${arg_LABELS} ENVIRONMENT PYTHONDONTWRITEBYTECODE=1 ${arg_ENVIRONMENT}
    COMMAND ${Python3_EXECUTABLE} -m pytest -q -p no:cacheprovider ${arg_FILES})
endfunction()

# tailrace_add_test(NAME COMMAND ... [ENVIRONMENT VARIABLE=value ...] [LABELS ...])
#
# A ctest entry as all of ours are: with a time limit, and with the sanitizers' settings in such a build, where its
# name says so.
function(tailrace_add_test name)
  cmake_parse_arguments(arg "" "" "COMMAND;ENVIRONMENT;LABELS" ${ARGN})
  if(TAILRACE_SANITIZE)
    string(REPLACE "," "+" sanitizers ${TAILRACE_SANITIZE})
    string(PREPEND name "${sanitizers}.")
    # Arrow's own allocators would hide overflows of its buffers.
    list(APPEND arg_ENVIRONMENT ARROW_DEFAULT_MEMORY_POOL=system ASAN_OPTIONS=detect_stack_use_after_return=1
      UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 "TSAN_OPTIONS=${TAILRACE_TSAN_OPTIONS}")
  endif()
  add_test(NAME ${name} COMMAND ${arg_COMMAND})
  set_tests_properties(${name} PROPERTIES TIMEOUT 600 LABELS "${arg_LABELS}" ENVIRONMENT "${arg_ENVIRONMENT}")
endfunction()

# libarrow is not built with -fsanitize=thread: what it does alone is left out, else there are false reports. The
# symbolizer of the LLVM that g++ has none of; without it each report takes minutes.
set(TAILRACE_TSAN_OPTIONS "ignore_noninstrumented_modules=1:halt_on_error=1")
if(TAILRACE_SANITIZE MATCHES thread)
  find_program(TAILRACE_SYMBOLIZER NAMES llvm-symbolizer-19 llvm-symbolizer)
  if(TAILRACE_SYMBOLIZER)
    string(APPEND TAILRACE_TSAN_OPTIONS ":external_symbolizer_path=${TAILRACE_SYMBOLIZER}")
  endif()
endif()
