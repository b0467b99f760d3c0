# cmake -DROOT=dir -DTO=file.c -P commit.cmake: the commit being built as a C string; "" without git
execute_process(COMMAND git -C ${ROOT} describe --always --dirty --tags
  OUTPUT_VARIABLE commit ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
set(text "extern const char bench_commit[];\nconst char bench_commit[] = \"${commit}\";\n")
set(before "")
if(EXISTS ${TO})
  file(READ ${TO} before)
endif()
if(NOT text STREQUAL before)
  file(WRITE ${TO} "${text}")
endif()
