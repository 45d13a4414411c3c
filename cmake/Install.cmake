# What `cmake --install` puts under the prefix, which may be moved afterwards as a whole:
#
#   bin/tailrace                    component `program`, with share/man/ and the completion scripts of shells
#   lib/libtailrace.so.1            component `c`: the C interface
#   lib/libtailrace_cxx.a           component `cxx`: the C++ library, all modules in one archive
#   lib/tailrace/                   libarrow and libparquet, where they come from the wheel; apart, so that they meet no
#                                   others in a shared folder
#   include/tailrace/, include/tailrace-arrow/, lib/cmake/tailrace/, lib/pkgconfig/, share/doc/tailrace/
#
# Every path between these is relative, so `lib` is the same for all prefixes.
set(CMAKE_INSTALL_LIBDIR lib CACHE STRING "folder of libraries below the prefix")
include(GNUInstallDirs)

# One archive, so that users link one name. Only made when it is asked for.
get_property(modules GLOBAL PROPERTY TAILRACE_MODULES)
list(REMOVE_ITEM modules c)
list(TRANSFORM modules REPLACE "(.+)" "$<TARGET_OBJECTS:tailrace_\\1>" OUTPUT_VARIABLE objects)
add_library(tailrace_cxx STATIC EXCLUDE_FROM_ALL ${objects})
set_target_properties(tailrace_cxx PROPERTIES LINKER_LANGUAGE CXX)

# Installs what is there: `make install` and the tests build these three first.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
add_custom_target(tailrace_installed DEPENDS tailrace_program tailrace_shared tailrace_cxx tailrace_help_files)

set(library_rpath "")
set(program_rpath "")
if(ARROW_WHEEL_LIBS)
  set(library_rpath "$ORIGIN/tailrace")
  set(program_rpath "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}/tailrace")
endif()
set_target_properties(tailrace_shared PROPERTIES INSTALL_RPATH "${library_rpath}")
set_target_properties(tailrace_program PROPERTIES INSTALL_RPATH "${program_rpath}")

install(TARGETS tailrace_program RUNTIME COMPONENT program)
# Printed by the program itself, from the options that it parses.
set(help_files "")
foreach(file IN ITEMS "tailrace.1=man" "tailrace=completion bash" "_tailrace=completion zsh"
    "tailrace.fish=completion fish")
  string(REGEX MATCH "^([^=]+)=(.+)$" matched ${file})
  set(output ${PROJECT_BINARY_DIR}/help/${CMAKE_MATCH_1})
  separate_arguments(command UNIX_COMMAND ${CMAKE_MATCH_2})
  add_custom_command(OUTPUT ${output} COMMAND tailrace_program ${command} > ${output} DEPENDS tailrace_program VERBATIM)
  list(APPEND help_files ${output})
endforeach()
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/help)
add_custom_target(tailrace_help_files DEPENDS ${help_files})
set(help ${PROJECT_BINARY_DIR}/help)
install(FILES ${help}/tailrace.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
install(FILES ${help}/tailrace DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)
install(FILES ${help}/_tailrace DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT program)
install(FILES ${help}/tailrace.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)
install(TARGETS tailrace_shared LIBRARY COMPONENT c NAMELINK_COMPONENT c)
install(TARGETS tailrace_cxx ARCHIVE COMPONENT cxx)
install(FILES include/tailrace/tailrace.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tailrace COMPONENT c)
install(DIRECTORY include/tailrace/c DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tailrace COMPONENT c)
install(DIRECTORY include/tailrace DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT cxx)

if(ARROW_WHEEL_LIBS)
  set(arrow_libdir ${CMAKE_INSTALL_LIBDIR}/tailrace)
  install(FILES ${ARROW_WHEEL_LIBS} DESTINATION ${arrow_libdir} COMPONENT arrow)
  # `--strip` leaves plain files alone; these lose a fifth.
  install(CODE "set(folder \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${arrow_libdir}\")
    execute_process(COMMAND \"${CMAKE_STRIP}\" --strip-unneeded
      \"\${folder}/libarrow.so.2600\" \"\${folder}/libparquet.so.2600\" COMMAND_ERROR_IS_FATAL ANY)" COMPONENT arrow)
  install(DIRECTORY ${ARROW_WHEEL_DIR}/include/arrow ${ARROW_WHEEL_DIR}/include/parquet
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tailrace-arrow COMPONENT cxx
    PATTERN "python" EXCLUDE)
  file(GLOB notices ${ARROW_WHEEL_DIR}/../pyarrow-26.*.dist-info/licenses/*.txt)
  if(NOT notices)
    message(FATAL_ERROR "the licences of libarrow are not beside ${ARROW_WHEEL_DIR}")
  endif()
  install(FILES ${notices} DESTINATION ${CMAKE_INSTALL_DOCDIR}/arrow COMPONENT arrow)
endif()
install(FILES LICENSE NOTICE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)

# CMake package and pkg-config files: both find the prefix from where they lie.
set(with_arrow OFF)
set(pc_requires "libcurl libcrypto pugixml arrow parquet")
set(pc_libs "-pthread")
set(pc_cflags "-pthread")
if(ARROW_WHEEL_LIBS)
  set(with_arrow ON)
  set(pc_requires "libcurl libcrypto pugixml")
  # By file name: the folder has no link names.
  set(pc_libs "-L\${libdir}/tailrace -l:libparquet.so.2600 -l:libarrow.so.2600 -pthread")
  set(pc_cflags "-I\${includedir}/tailrace-arrow -pthread")
endif()
foreach(part IN ITEMS tailraceConfig.cmake tailrace.pc tailrace-cxx.pc)
  if(part MATCHES "cmake$")
    set(folder cmake/tailrace)
  else()
    set(folder pkgconfig)
  endif()
  file(RELATIVE_PATH to_prefix /${CMAKE_INSTALL_LIBDIR}/${folder} /)
  string(REGEX REPLACE "/$" "" to_prefix ${to_prefix})
  configure_file(packaging/${part}.in ${part} @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${part} DESTINATION ${CMAKE_INSTALL_LIBDIR}/${folder} COMPONENT cxx)
endforeach()
include(CMakePackageConfigHelpers)
write_basic_package_version_file(tailraceConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tailraceConfigVersion.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tailrace
  COMPONENT cxx)
