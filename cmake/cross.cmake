# Toolchain file: builds for Linux on another processor and runs its programs by qemu.
#
#   cmake -B build-cross --toolchain cmake/cross.cmake [-DPERP_CROSS=aarch64|x86_64]
#
# Without PERP_CROSS: the processor that this machine does not have. Needs gcc-aarch64-linux-gnu or
# gcc-x86-64-linux-gnu (each with its C library) and qemu-user.

list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES PERP_CROSS)
if(NOT PERP_CROSS)
  if(CMAKE_HOST_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
    set(PERP_CROSS x86_64)
  else()
    set(PERP_CROSS aarch64)
  endif()
endif()

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${PERP_CROSS})
set(CMAKE_C_COMPILER ${PERP_CROSS}-linux-gnu-gcc)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${PERP_CROSS} -L /usr/${PERP_CROSS}-linux-gnu)

# Libraries of this machine are of no use there.
set(CMAKE_FIND_ROOT_PATH /usr/${PERP_CROSS}-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
