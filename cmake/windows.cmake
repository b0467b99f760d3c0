# Toolchain file: builds for 64-bit Windows by mingw-w64 and runs its programs by wine.
#
#   cmake -B build-windows --toolchain cmake/windows.cmake
#
# Debian: gcc-mingw-w64-x86-64 and wine64. Visual Studio and MSYS2 need no toolchain file.

set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
find_program(PERP_WINE NAMES wine64 wine PATHS /usr/lib/wine NO_CACHE)
set(CMAKE_CROSSCOMPILING_EMULATOR ${PERP_WINE})

# Libraries of this machine are of no use there.
set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
