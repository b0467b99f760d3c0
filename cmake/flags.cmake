# Language, warnings and sanitizers of everything built here; users of the library do not inherit
# them.

if(CMAKE_C_COMPILER_ID STREQUAL MSVC OR CMAKE_C_COMPILER_FRONTEND_VARIANT STREQUAL MSVC)
  message(FATAL_ERROR "perp needs gcc or clang. Visual Studio has clang: -DCMAKE_C_COMPILER=clang")
endif()
set(PERP_LIBM m)
if(WIN32 AND NOT MINGW) # where mathematics are a part of the C library
  set(PERP_LIBM)
endif()

set(PERP_SANITIZE "" CACHE STRING "Sanitizers: empty, address,undefined or thread")
option(PERP_WERROR "Warnings are errors" OFF)
option(PERP_FUZZ "Build the libFuzzer targets and instrument the library for them (clang)" OFF)
option(PERP_NATIVE "Compile for this machine's processor; the result runs only on its kind" OFF)
option(PERP_PORTABLE
  "The same bits of x on every machine: no fused multiply-add, no BLAS, CHOLMOD, UMFPACK" OFF)

if(PERP_PORTABLE)
  if(PERP_NATIVE) # gcc 12 makes vfmaddsub of vectors even with -ffp-contract=off
    message(FATAL_ERROR "PERP_PORTABLE and PERP_NATIVE exclude each other: compilers may fuse "
      "multiply and add for a processor that can.")
  endif()
  foreach(component BLAS CHOLMOD UMFPACK)
    if(PERP_WITH_${component} AND NOT PERP_WITH_${component} STREQUAL AUTO)
      message(FATAL_ERROR "PERP_PORTABLE and PERP_WITH_${component} exclude each other: what "
        "${component} computes differs from machine to machine. Set PERP_WITH_${component}=OFF.")
    endif()
    set(PERP_WITH_${component} OFF)
  endforeach()
endif()

# An enum without a name is how C names an integer constant; clang 19 warns if one meets a double.
include(CheckCCompilerFlag)
check_c_compiler_flag(-Wenum-float-conversion PERP_KNOWS_ENUM_FLOAT)

# perp_optimise(OPTIONS files...): how these files are optimised in Release builds. Sweeps, factors, pivots and
# kernels keep -O3: at -O2 small problems take up to 1.4 times, contact worlds on the device "host" twice and
# grids 2.8 times as long.
function(perp_optimise options)
  set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS "$<$<CONFIG:Release>:${options}>")
endfunction()

function(perp_flags target)
  set_target_properties(${target} PROPERTIES
    C_STANDARD 17 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF C_VISIBILITY_PRESET hidden)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
  if(PERP_KNOWS_ENUM_FLOAT)
    target_compile_options(${target} PRIVATE -Wno-enum-float-conversion)
  endif()
  if(MINGW)
    # isnan and isfinite of its headers pass a double to the branch for float, which is not taken
    target_compile_options(${target} PRIVATE -Wno-float-conversion)
  endif()
  if(PERP_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(PERP_PORTABLE)
    target_compile_options(${target} PRIVATE -ffp-contract=off)
    target_compile_definitions(${target} PRIVATE PERP_PORTABLE)
  endif()
  if(PERP_NATIVE)
    target_compile_options(${target} PRIVATE -march=native)
  endif()
  set(sanitize ${PERP_SANITIZE})
  if(PERP_FUZZ)
    set(sanitize fuzzer-no-link,address,undefined)
  endif()
  if(sanitize)
    target_compile_options(${target} PRIVATE
      -fsanitize=${sanitize} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PRIVATE -fsanitize=${sanitize})
  endif()
endfunction()

# perp_posix(target): a program that calls POSIX functions, which kit/windows has for Windows.
function(perp_posix target)
  if(WIN32)
    set(posix ${PROJECT_SOURCE_DIR}/kit/windows)
    target_sources(${target} PRIVATE ${posix}/posix.c)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:C>:-include${posix}/posix.h>)
  endif()
endfunction()
