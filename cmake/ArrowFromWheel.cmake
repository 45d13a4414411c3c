# Arrow::arrow_shared and Parquet::parquet_shared: a system Arrow 26 where there is one, else the libraries and
# headers inside the pyarrow wheel of Python3_EXECUTABLE. The wheel has no .so link names: linked by full path.
find_package(Arrow 26 CONFIG QUIET)
find_package(Parquet 26 CONFIG QUIET)
if(TARGET Arrow::arrow_shared AND TARGET Parquet::parquet_shared)
  return()
endif()
find_package(Python3 3.11 REQUIRED COMPONENTS Interpreter)
execute_process(COMMAND ${Python3_EXECUTABLE} -c
    "import importlib.util as u; print(u.find_spec('pyarrow').submodule_search_locations[0], end='')"
  OUTPUT_VARIABLE ARROW_WHEEL_DIR RESULT_VARIABLE rc ERROR_QUIET)
if(NOT rc EQUAL 0 OR NOT EXISTS ${ARROW_WHEEL_DIR}/libarrow.so.2600)
  message(FATAL_ERROR "Arrow 26 not found: run `make setup`, or pip install 'pyarrow==26.*' and pass "
    "-DPython3_EXECUTABLE=<that python>")
endif()
foreach(lib IN ITEMS Arrow::arrow Parquet::parquet)
  string(REGEX REPLACE ".*::" "" name ${lib})
  add_library(${lib}_shared SHARED IMPORTED GLOBAL)
  # SYSTEM: their headers are not held to our warnings.
  set_target_properties(${lib}_shared PROPERTIES IMPORTED_LOCATION ${ARROW_WHEEL_DIR}/lib${name}.so.2600
    IMPORTED_SONAME lib${name}.so.2600 INTERFACE_INCLUDE_DIRECTORIES ${ARROW_WHEEL_DIR}/include)
  # To be installed beside our own.
  list(APPEND ARROW_WHEEL_LIBS ${ARROW_WHEEL_DIR}/lib${name}.so.2600)
endforeach()
target_link_libraries(Parquet::parquet_shared INTERFACE Arrow::arrow_shared)
