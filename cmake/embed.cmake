# cmake -DFROM=file -DTO=file.c -DNAME=symbol -P embed.cmake: a file as a C array that ends with 0
#
# A byte is written as the character constant '\xNN': it has the value of a char, whether char is
# signed or not, so a byte above 127 does not overflow.
file(READ ${FROM} hex HEX)
string(REGEX REPLACE "(................................)" "\\1\n" lines "${hex}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," characters "${lines}")
file(WRITE ${TO} "extern const char ${NAME}[];\nconst char ${NAME}[] = {\n${characters}0};\n")
