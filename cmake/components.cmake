# Optional components: used where they are found, each switchable by itself. A component is known
# to the one file that calls it and to src/method/components.c, which names it in `perp version`.

option(PERP_WITH_OPENMP "Threads, by OpenMP" ON)
option(PERP_WITH_CHOLMOD "Sparse Cholesky factors, by CHOLMOD" ON)
option(PERP_WITH_MATIO "MATLAB files, by libmatio" ON)

# perp_component(NAME version file options): defines PERP_HAVE_NAME="version" where it is needed.
function(perp_component name version file)
  set_property(SOURCE ${file} src/method/components.c APPEND PROPERTY
    COMPILE_DEFINITIONS PERP_HAVE_${name}="${version}")
  set_property(SOURCE ${file} APPEND PROPERTY COMPILE_OPTIONS ${ARGN})
  message(STATUS "perp: with ${name} ${version}")
endfunction()

# What the static library asks of those who link it; the shared one keeps it to itself.
set(PERP_LINK_BUILD)   # in this tree
set(PERP_LINK_INSTALL) # in an installed prefix, as the linker is told

if(PERP_WITH_OPENMP)
  find_package(OpenMP COMPONENTS C)
  if(OpenMP_C_FOUND)
    separate_arguments(openmp_flags NATIVE_COMMAND "${OpenMP_C_FLAGS}")
    perp_component(OPENMP "${OpenMP_C_SPEC_DATE}" src/base/threads.c ${openmp_flags})
    list(APPEND PERP_LINK_BUILD ${openmp_flags})
    list(APPEND PERP_LINK_INSTALL ${openmp_flags})
  endif()
endif()

if(PERP_WITH_MATIO)
  find_path(MATIO_INCLUDE_DIR matio.h)
  find_library(MATIO_LIBRARY matio)
  mark_as_advanced(MATIO_INCLUDE_DIR MATIO_LIBRARY)
  if(MATIO_INCLUDE_DIR AND MATIO_LIBRARY)
    file(STRINGS ${MATIO_INCLUDE_DIR}/matio_pubconf.h line REGEX "define MATIO_VERSION_STR ")
    string(REGEX MATCH "[0-9][0-9.]*" matio_version "${line}")
    perp_component(MATIO "${matio_version}" src/io/mat.c)
    if(NOT MATIO_INCLUDE_DIR IN_LIST CMAKE_C_IMPLICIT_INCLUDE_DIRECTORIES)
      set_property(SOURCE src/io/mat.c APPEND PROPERTY INCLUDE_DIRECTORIES ${MATIO_INCLUDE_DIR})
    endif()
    list(APPEND PERP_LINK_BUILD ${MATIO_LIBRARY})
    list(APPEND PERP_LINK_INSTALL -lmatio)
  endif()
endif()

if(PERP_WITH_CHOLMOD)
  find_path(CHOLMOD_INCLUDE_DIR suitesparse/cholmod.h)
  find_library(CHOLMOD_LIBRARY cholmod)
  mark_as_advanced(CHOLMOD_INCLUDE_DIR CHOLMOD_LIBRARY)
  if(CHOLMOD_INCLUDE_DIR AND CHOLMOD_LIBRARY)
    set(cholmod_version)
    foreach(part MAIN SUB SUBSUB)
      file(GLOB headers ${CHOLMOD_INCLUDE_DIR}/suitesparse/cholmod*.h)
      foreach(header ${headers})
        file(STRINGS ${header} line REGEX "define CHOLMOD_${part}_VERSION [0-9]+")
        if(line)
          string(REGEX MATCH "[0-9]+$" number "${line}")
          list(APPEND cholmod_version ${number})
          break()
        endif()
      endforeach()
    endforeach()
    list(JOIN cholmod_version "." cholmod_version)
    perp_component(CHOLMOD "${cholmod_version}" src/linalg/sparse_cholmod.c)
    if(NOT CHOLMOD_INCLUDE_DIR IN_LIST CMAKE_C_IMPLICIT_INCLUDE_DIRECTORIES)
      set_property(SOURCE src/linalg/sparse_cholmod.c APPEND PROPERTY INCLUDE_DIRECTORIES
        ${CHOLMOD_INCLUDE_DIR})
    endif()
    list(APPEND PERP_LINK_BUILD ${CHOLMOD_LIBRARY})
    list(APPEND PERP_LINK_INSTALL -lcholmod)
  endif()
endif()
