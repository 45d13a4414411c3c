# Compiles through ccache where it is installed, so that what was compiled before, also in another clone, is not
# compiled again:
# - paths below the clone count relative to the build folder, and that folder's own path does not count;
# - precompiled headers are judged by their content.
# The cache lies where ccache looks for it: CCACHE_DIR, else ~/.cache/ccache.
if(CMAKE_CXX_COMPILER_LAUNCHER)
  return()
endif()
find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${CCACHE})
endif()
