# cmake -DSOURCE=include -DRESULT=FOLDER -DCHANGE=older|newer -P change-headers.cmake
#
# The public headers as another version has them: each struct that begins with its size has lost
# its last field (older), or has a field more (newer).

set(struct "(typedef struct [a-z_]+ {\n  size_t size;[^}]*)")
set(end "(\n} [a-z_]+;\n)")
file(GLOB headers ${SOURCE}/perp/*.h)
foreach(header ${headers})
  file(READ ${header} text)
  if(CHANGE STREQUAL newer)
    string(REGEX REPLACE "${struct}${end}" "\\1\n  double added_later;\\2" text "${text}")
  else()
    # the last line that is indented by two columns, and those that go on from it
    string(REGEX REPLACE "${struct}\n  [^ \n][^\n]*(\n   [^\n]*)*${end}" "\\1\\3" text "${text}")
  endif()
  get_filename_component(name ${header} NAME)
  file(WRITE ${RESULT}/perp/${name} "${text}")
endforeach()
