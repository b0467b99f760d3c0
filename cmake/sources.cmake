# The source files of the two libraries: all that are in their folders. A build looks for new files
# by itself.

# perp_sources(variable folders...): the files of the folders and of those within, by their path
# from the root
function(perp_sources variable)
  list(TRANSFORM ARGN APPEND "/*.c" OUTPUT_VARIABLE patterns)
  list(TRANSFORM patterns PREPEND "${PROJECT_SOURCE_DIR}/")
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${patterns})
  set(${variable} ${files} PARENT_SCOPE)
endfunction()

# libperp-lab; the arithmetic of PERP_EXACT is the same on every machine
perp_sources(PERP_EXACT src/generate src/scene)
perp_sources(PERP_LAB_SOURCES src/generate src/scene src/simulate src/lab)
set(lab_io src/io/fclib.c src/io/mat.c src/io/png.c)
list(APPEND PERP_LAB_SOURCES ${lab_io})

# libperp
perp_sources(PERP_SOURCES src/base src/device src/linalg src/set src/operator src/problem src/io
  src/method src/model src/frame src/backend)
list(REMOVE_ITEM PERP_SOURCES ${lab_io})
list(FILTER PERP_SOURCES EXCLUDE REGEX "^src/backend/petsc/") # a library of its own
if(WIN32)
  list(REMOVE_ITEM PERP_SOURCES src/base/system_posix.c)
else()
  list(REMOVE_ITEM PERP_SOURCES src/base/system_windows.c)
endif()

file(GLOB PERP_HEADERS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/perp/*.h)
