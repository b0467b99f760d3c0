# Optional components: used if they are found; each has a switch. A component is known to the one
# file that calls it and to the components.c of its library, which names it in `perp version`.
#
# PERP_WITH_X is AUTO (if it is found), ON (an error if it is not) or OFF.

function(perp_with name text)
  set(PERP_WITH_${name} AUTO CACHE STRING "${text}: AUTO, ON or OFF")
  set_property(CACHE PERP_WITH_${name} PROPERTY STRINGS AUTO ON OFF)
  if(NOT PERP_WITH_${name} MATCHES "^(AUTO|ON|OFF|TRUE|FALSE|YES|NO|1|0)$")
    message(FATAL_ERROR "PERP_WITH_${name}=${PERP_WITH_${name}}: AUTO, ON or OFF")
  endif()
endfunction()

# libperp
perp_with(OPENMP "Threads, by OpenMP")
perp_with(BLAS "Dense factors, by LAPACK of OpenBLAS or any other BLAS")
perp_with(CHOLMOD "Sparse Cholesky factors, by CHOLMOD")
perp_with(UMFPACK "Sparse LU factors, by UMFPACK")
perp_with(ZLIB "Compressed Matrix Market files, by zlib")
set(PERP_WITH_CUDA OFF CACHE STRING "Devices cuda:0, ..., by CUDA: AUTO, ON or OFF") # nvcc is slow
perp_with(CUDA "Devices cuda:0, ..., by CUDA")
set(PERP_WITH_PETSC OFF CACHE STRING "perp inside PETSc, and perp-mpi: AUTO, ON or OFF") # needs MPI
perp_with(PETSC "perp inside PETSc, and perp-mpi")
# libperp-lab
perp_with(MATIO "MATLAB files, by libmatio")
perp_with(FCLIB "Friction problems in files of FCLib, by HDF5")
perp_with(PNG "Images of scenes, by libpng")
perp_with(ODE "Steps of bodies in space by ODE, for comparison")
# the program, with PERP_ADAPTERS
perp_with(MUJOCO "Robots, by MuJoCo")

# What a static library asks of those who link it; the shared one keeps it to itself. BUILD: in this
# tree; INSTALL: in an installed prefix, as the linker is told.
set(PERP_LINK_BUILD)
set(PERP_LINK_INSTALL)
set(PERP_LAB_LINK_BUILD)
set(PERP_LAB_LINK_INSTALL)

# perp_component(NAME version file components.c options...): the version into both files as
# PERP_HAVE_NAME; the options into the one that calls it.
function(perp_component name version file table)
  set_property(SOURCE ${file} ${table} APPEND PROPERTY
    COMPILE_DEFINITIONS PERP_HAVE_${name}="${version}")
  set_property(SOURCE ${file} APPEND PROPERTY COMPILE_OPTIONS ${ARGN})
  message(STATUS "perp: with ${name} ${version}")
endfunction()

# perp_missing(NAME packages): a component that was not found ends the work if it was asked for.
function(perp_missing name packages)
  if(NOT PERP_WITH_${name} STREQUAL AUTO)
    message(FATAL_ERROR "PERP_WITH_${name}=${PERP_WITH_${name}}, but it was not found. "
      "On Debian: apt-get install ${packages}. Without it: -DPERP_WITH_${name}=OFF.")
  endif()
  message(STATUS "perp: without ${name} (Debian: ${packages})")
endfunction()

# perp_look(NAME header library): sets NAME_INCLUDE_DIR, NAME_LIBRARY and NAME_FOUND.
macro(perp_look name header library)
  find_path(${name}_INCLUDE_DIR ${header})
  find_library(${name}_LIBRARY ${library})
  mark_as_advanced(${name}_INCLUDE_DIR ${name}_LIBRARY)
  set(${name}_FOUND FALSE)
  # what was found once may be gone
  if(EXISTS "${${name}_INCLUDE_DIR}/${header}" AND EXISTS "${${name}_LIBRARY}")
    set(${name}_FOUND TRUE)
  endif()
endmacro()

# The headers of a component, unless the compiler looks there anyway.
function(perp_component_includes file directory)
  if(NOT directory IN_LIST CMAKE_C_IMPLICIT_INCLUDE_DIRECTORIES)
    set_property(SOURCE ${file} APPEND PROPERTY INCLUDE_DIRECTORIES ${directory})
  endif()
endfunction()

# perp_defined(result header name): the text or number that a header defines as `name`.
function(perp_defined result header name)
  file(STRINGS ${header} line REGEX "define[ \t]+${name}[ \t]")
  string(REGEX MATCH "[0-9][0-9.]*\"?$" number "${line}")
  string(REPLACE "\"" "" number "${number}")
  set(${result} ${number} PARENT_SCOPE)
endfunction()

set(core_table src/method/components.c)
set(lab_table src/lab/components.c)

# ---- libperp ----

if(PERP_WITH_OPENMP)
  find_package(OpenMP COMPONENTS C)
  if(OpenMP_C_FOUND)
    separate_arguments(openmp_flags NATIVE_COMMAND "${OpenMP_C_FLAGS}")
    perp_component(OPENMP "${OpenMP_C_SPEC_DATE}" src/base/threads.c ${core_table} ${openmp_flags})
    list(APPEND PERP_LINK_BUILD ${openmp_flags})
    list(APPEND PERP_LINK_INSTALL ${openmp_flags})
  else()
    perp_missing(OPENMP "gcc, or libomp-dev for clang")
  endif()
endif()

# LAPACK by its Fortran names, so no header is needed. OpenBLAS first: it has LAPACK within.
if(PERP_WITH_BLAS)
  find_library(OPENBLAS_LIBRARY openblas)
  find_library(LAPACK_LIBRARY lapack)
  find_library(BLAS_LIBRARY blas)
  find_path(OPENBLAS_INCLUDE_DIR openblas_config.h
    PATH_SUFFIXES openblas-pthread openblas-openmp openblas-serial openblas)
  mark_as_advanced(OPENBLAS_LIBRARY LAPACK_LIBRARY BLAS_LIBRARY OPENBLAS_INCLUDE_DIR)
  if(OPENBLAS_LIBRARY)
    set(blas_version "OpenBLAS")
    if(OPENBLAS_INCLUDE_DIR)
      file(STRINGS ${OPENBLAS_INCLUDE_DIR}/openblas_config.h line REGEX "define OPENBLAS_VERSION ")
      string(REGEX MATCH "[0-9][0-9.]*" number "${line}")
      set(blas_version "OpenBLAS ${number}")
    endif()
    list(APPEND PERP_LINK_BUILD ${OPENBLAS_LIBRARY})
    # A static OpenBLAS asks for the libraries of Fortran and of threads.
    list(APPEND PERP_LINK_INSTALL -lopenblas -lgfortran -lpthread)
  elseif(LAPACK_LIBRARY AND BLAS_LIBRARY)
    set(blas_version "LAPACK")
    list(APPEND PERP_LINK_BUILD ${LAPACK_LIBRARY} ${BLAS_LIBRARY})
    list(APPEND PERP_LINK_INSTALL -llapack -lblas -lgfortran)
  endif()
  if(blas_version)
    perp_component(BLAS "${blas_version}" src/linalg/lapack.c ${core_table})
  else()
    perp_missing(BLAS libopenblas-dev)
  endif()
endif()

# CHOLMOD and UMFPACK are loaded when a solve first needs them (src/base/library.h), by the name of
# the library that their headers belong to.
include(CheckIncludeFile)
check_include_file(dlfcn.h PERP_HAS_DLFCN)
check_include_file(link.h PERP_HAS_LINK)
if(NOT PERP_HAS_LINK)
  set(PERP_HAS_DLFCN FALSE)
endif()
if(PERP_HAS_DLFCN)
  set_property(SOURCE src/base/library.c APPEND PROPERTY COMPILE_DEFINITIONS PERP_HAVE_DLFCN)
endif()

# perp_loaded(NAME header file package): a component that is loaded; its version from the header.
function(perp_loaded name header file package)
  string(TOLOWER ${name} library)
  perp_look(${name} suitesparse/${header} ${library})
  get_filename_component(real "${${name}_LIBRARY}" REALPATH)
  get_filename_component(real "${real}" NAME)
  string(REGEX MATCH "^lib${library}\\.so\\.[0-9]+" soname "${real}")
  if(NOT ${name}_FOUND OR NOT PERP_HAS_DLFCN OR NOT soname)
    perp_missing(${name} ${package})
    return()
  endif()
  set(version)
  file(GLOB headers ${${name}_INCLUDE_DIR}/suitesparse/${library}*.h)
  foreach(part MAIN SUB SUBSUB)
    foreach(one ${headers})
      perp_defined(number ${one} ${name}_${part}_VERSION)
      if(NOT "${number}" STREQUAL "")
        list(APPEND version ${number})
        break()
      endif()
    endforeach()
  endforeach()
  list(JOIN version "." version)
  perp_component(${name} "${version}" ${file} ${core_table})
  set_property(SOURCE ${file} APPEND PROPERTY COMPILE_DEFINITIONS PERP_${name}_FILE="${soname}")
  perp_component_includes(${file} ${${name}_INCLUDE_DIR})
  set(PERP_LOADS TRUE PARENT_SCOPE)
endfunction()

if(PERP_WITH_CHOLMOD)
  perp_loaded(CHOLMOD cholmod.h src/linalg/sparse_cholmod.c libsuitesparse-dev)
endif()
if(PERP_WITH_UMFPACK)
  perp_loaded(UMFPACK umfpack.h src/linalg/sparse_lu.c libsuitesparse-dev)
endif()
if(PERP_WITH_ZLIB)
  perp_look(ZLIB zlib.h z)
  if(ZLIB_FOUND)
    perp_defined(version ${ZLIB_INCLUDE_DIR}/zlib.h ZLIB_VERSION)
    perp_component(ZLIB "${version}" src/io/gzip.c ${core_table})
    perp_component_includes(src/io/gzip.c ${ZLIB_INCLUDE_DIR})
    list(APPEND PERP_LINK_BUILD ${ZLIB_LIBRARY})
    list(APPEND PERP_LINK_INSTALL -lz)
  else()
    perp_missing(ZLIB zlib1g-dev)
  endif()
endif()
# Kernels are compiled by nvcc into one object, and the runtime is linked statically: the library
# loads on machines without a driver. Machine code for PERP_CUDA_ARCH, and PTX for all from 8.0 on.
set(PERP_CUDA_ARCH 90 CACHE STRING "Architectures of GPUs with machine code of their own: 80;90")
set(PERP_CUDA_OBJECT)
if(PERP_WITH_CUDA)
  find_program(PERP_NVCC nvcc HINTS /usr/local/cuda/bin ENV CUDA_PATH PATH_SUFFIXES bin)
  mark_as_advanced(PERP_NVCC)
  if(PERP_NVCC)
    get_filename_component(cuda_home ${PERP_NVCC} REALPATH)
    cmake_path(SET cuda_home NORMALIZE ${cuda_home}/../..)
    find_library(PERP_CUDART cudart_static HINTS ${cuda_home} ${cuda_home}/targets/x86_64-linux
      PATH_SUFFIXES lib64 lib)
    mark_as_advanced(PERP_CUDART)
  endif()
  if(PERP_NVCC AND PERP_CUDART)
    execute_process(COMMAND ${PERP_NVCC} --version OUTPUT_VARIABLE version)
    string(REGEX MATCH "release ([0-9.]+)" unused "${version}")
    perp_component(CUDA "${CMAKE_MATCH_1}" src/backend/registry.c ${core_table})
    set(cuda_codes -gencode arch=compute_80,code=compute_80)
    foreach(arch ${PERP_CUDA_ARCH})
      list(APPEND cuda_codes -gencode arch=compute_${arch},code=sm_${arch})
    endforeach()
    file(GLOB cuda_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/backend/cuda/*.cu)
    foreach(file ${cuda_files})
      get_filename_component(name ${file} NAME_WE)
      set(object ${CMAKE_BINARY_DIR}/cuda-${name}.o)
      add_custom_command(OUTPUT ${object}
        COMMAND ${PERP_NVCC} -std=c++20 -O3 ${cuda_codes} -I${PROJECT_SOURCE_DIR}/src
          -I${PROJECT_SOURCE_DIR}/include -DPERP_BUILDING
          -Xcompiler=-fPIC,-fvisibility=hidden,-fno-exceptions,-fno-threadsafe-statics,-Wall,-Wextra
          -MD -MF ${object}.d -c ${file} -o ${object}
        DEPENDS ${file} DEPFILE ${object}.d
        COMMENT "Compiling kernels of ${name} with nvcc" VERBATIM)
      list(APPEND PERP_CUDA_OBJECT ${object})
    endforeach()
    set_source_files_properties(${PERP_CUDA_OBJECT} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
    list(APPEND PERP_LINK_BUILD ${PERP_CUDART} -lpthread -lrt -Wl,--exclude-libs,libcudart_static.a)
    list(APPEND PERP_LINK_INSTALL -lcudart_static -lpthread -lrt)
    set(PERP_LOADS TRUE)
  else()
    perp_missing(CUDA "nvidia-cuda-toolkit")
  endif()
endif()
if(PERP_LOADS AND CMAKE_DL_LIBS)
  list(APPEND PERP_LINK_BUILD ${CMAKE_DL_LIBS})
endif()

# A library of its own, and a program for mpirun: src/backend/petsc and app/mpi
set(PERP_PETSC_FOUND FALSE)
if(PERP_WITH_PETSC)
  find_package(PkgConfig QUIET)
  find_package(MPI COMPONENTS C QUIET)
  if(PkgConfig_FOUND)
    pkg_check_modules(PETSC IMPORTED_TARGET QUIET PETSc)
  endif()
  if(PETSC_FOUND AND MPI_C_FOUND)
    set(PERP_PETSC_FOUND TRUE)
    message(STATUS "perp: with PETSC ${PETSC_VERSION}")
  else()
    perp_missing(PETSC petsc-dev)
  endif()
endif()

# ---- libperp-lab ----

# perp_linked(NAME header version_header version_name file): libNAME in lower case, linked to; its
# version from a header.
function(perp_linked name header version_header version_name file)
  if(NOT PERP_WITH_${name})
    return()
  endif()
  string(TOLOWER ${name} library)
  perp_look(${name} ${header} ${library})
  set(${name}_FOUND ${${name}_FOUND} PARENT_SCOPE)
  if(NOT ${name}_FOUND)
    perp_missing(${name} lib${library}-dev)
    return()
  endif()
  perp_defined(version ${${name}_INCLUDE_DIR}/${version_header} ${version_name})
  perp_component(${name} "${version}" ${file} ${lab_table})
  perp_component_includes(${file} ${${name}_INCLUDE_DIR})
  set(PERP_LAB_LINK_BUILD ${PERP_LAB_LINK_BUILD} ${${name}_LIBRARY} PARENT_SCOPE)
  set(PERP_LAB_LINK_INSTALL ${PERP_LAB_LINK_INSTALL} -l${library} PARENT_SCOPE)
endfunction()

perp_linked(MATIO matio.h matio_pubconf.h MATIO_VERSION_STR src/io/mat.c)
perp_linked(ODE ode/ode.h ode/version.h dODE_VERSION src/simulate/rigid3d/engine_ode.c)
perp_linked(PNG png.h png.h PNG_LIBPNG_VER_STRING src/io/png.c)

if(PERP_WITH_FCLIB)
  find_path(HDF5_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial)
  find_library(HDF5_LIBRARY NAMES hdf5_serial hdf5)
  mark_as_advanced(HDF5_INCLUDE_DIR HDF5_LIBRARY)
  if(EXISTS "${HDF5_INCLUDE_DIR}/H5public.h" AND EXISTS "${HDF5_LIBRARY}")
    file(STRINGS ${HDF5_INCLUDE_DIR}/H5public.h line REGEX "define[ \t]+H5_VERS_INFO")
    string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" version "${line}")
    perp_component(FCLIB "HDF5 ${version}" src/io/fclib.c ${lab_table})
    perp_component_includes(src/io/fclib.c ${HDF5_INCLUDE_DIR})
    list(APPEND PERP_LAB_LINK_BUILD ${HDF5_LIBRARY})
    list(APPEND PERP_LAB_LINK_INSTALL ${HDF5_LIBRARY})
  else()
    perp_missing(FCLIB libhdf5-dev)
  endif()
endif()
