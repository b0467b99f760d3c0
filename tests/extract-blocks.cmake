# cmake -DGUIDE=FILE.md -DRESULT=FILE.c -P extract-blocks.cmake: the blocks ```c of a document, one
# after another, with the lines they have there
file(READ ${GUIDE} text)
set(code "/* from ${GUIDE} */\n")
string(FIND "${text}" "\n```c\n" at)
while(at GREATER -1)
  math(EXPR at "${at} + 6")
  string(SUBSTRING "${text}" ${at} -1 text)
  string(FIND "${text}" "\n```\n" end)
  string(SUBSTRING "${text}" 0 ${end} block)
  string(APPEND code "${block}\n\n")
  string(FIND "${text}" "\n```c\n" at)
endwhile()
file(WRITE ${RESULT} "${code}")
