# cmake -DFROM=file -DTO=file.c -DNAME=symbol -P embed.cmake: a file as a C array that ends with 0
file(READ ${FROM} hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," numbers "${hex}")
string(REGEX REPLACE "(................................................................................)" "\\1\n" numbers "${numbers}")
file(WRITE ${TO} "extern const char ${NAME}[];\nconst char ${NAME}[] = {\n${numbers}0};\n")
