# cmake -DFROM=file -DTO=file.c -DNAME=symbol -P embed.cmake: a file as a C array that ends with 0
#
# With -DINSERT=other,... -DMARK=text the other files stand in place of the mark.
#
# A byte is written as the character constant '\xNN': it has the value of a char, whether char is
# signed or not, so a byte above 127 does not overflow.
file(READ ${FROM} hex HEX)
if(INSERT)
  set(inserted)
  string(REPLACE "," ";" others "${INSERT}")
  foreach(other ${others})
    file(READ ${other} more HEX)
    string(APPEND inserted "${more}")
  endforeach()
  string(HEX "${MARK}" mark)
  string(REPLACE "${mark}" "${inserted}" hex "${hex}")
endif()
string(REGEX REPLACE "(................................)" "\\1\n" lines "${hex}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," characters "${lines}")
file(WRITE ${TO} "extern const char ${NAME}[];\nconst char ${NAME}[] = {\n${characters}0};\n")
