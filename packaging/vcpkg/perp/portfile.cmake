# The tree that this port lies in.
cmake_path(SET SOURCE_PATH NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../../..")

set(options)
foreach(feature openmp blas zlib matio ode png) # what vcpkg.json names is there or an error; the rest is not looked for
  string(TOUPPER ${feature} name)
  if(feature IN_LIST FEATURES)
    list(APPEND options -DPERP_WITH_${name}=ON)
  else()
    list(APPEND options -DPERP_WITH_${name}=OFF)
  endif()
endforeach()

# A port has libraries and headers: no program, tests, sources to read, solvers of other libraries or headers for engines.
# CHOLMOD and UMFPACK are loaded by a soname at run time, and vcpkg builds them static; FCLIB would need HDF5. vcpkg builds
# the kind of library that the triplet says, and this build has both. PERP_INSTALL: the rules are there even if another
# project includes perp.
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}" OPTIONS ${options}
  -DPERP_APP=OFF -DPERP_TESTS=OFF -DPERP_EXAMPLES=OFF -DPERP_BENCH=OFF -DPERP_ADAPTERS=OFF
  -DPERP_WITH_CHOLMOD=OFF -DPERP_WITH_UMFPACK=OFF -DPERP_WITH_FCLIB=OFF -DPERP_INSTALL=ON)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/perp)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
