# Headers, libraries, program, man pages, completion, pkg-config file and CMake package.

include(CMakePackageConfigHelpers)

install(FILES ${PERP_HEADERS} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/perp)
file(GLOB pages CONFIGURE_DEPENDS docs/man/*.3)
install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man3)
# man perp_solve: each function has a page that reads the one of its header
set(stubs ${PROJECT_BINARY_DIR}/man3)
file(REMOVE_RECURSE ${stubs})
foreach(page ${pages})
  get_filename_component(header ${page} NAME)
  file(STRINGS ${page} lines REGEX "^[a-z][a-z_ *]* [*]?perp_[a-z0-9_]+[(]")
  foreach(line ${lines})
    string(REGEX MATCH "perp_[a-z0-9_]+[(]" name "${line}")
    string(REPLACE "(" "" name "${name}")
    if(NOT name MATCHES "_(sized|init)$" AND NOT EXISTS ${PROJECT_SOURCE_DIR}/docs/man/${name}.3)
      file(WRITE ${stubs}/${name}.3 ".so man3/${header}\n")
    endif()
  endforeach()
endforeach()
install(DIRECTORY ${stubs}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man3)
option(PERP_INSTALL_STATIC "Install the static libraries too" ON)
set(static_libraries)
if(PERP_INSTALL_STATIC)
  set(static_libraries perp_static perp_lab_static)
endif()
install(TARGETS perp perp_lab ${static_libraries} EXPORT perp
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(PERP_APP)
  install(TARGETS perp_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  file(GLOB pages CONFIGURE_DEPENDS docs/man/*.1)
  list(FILTER pages EXCLUDE REGEX perp-mpi) # comes with its program
  install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES app/completion/perp.bash RENAME perp
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES app/completion/perp.zsh RENAME _perp
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES app/completion/perp.fish
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()

if(TARGET perp_engine)
  install(FILES adapters/include/perp/engine.hpp adapters/include/perp/bullet.hpp
    adapters/include/perp/dart.hpp adapters/include/perp/mujoco.h
    adapters/include/perp/mujoco_derivative.h
    adapters/include/perp/mujoco_matrix.h adapters/include/perp/mujoco_newton.h
    adapters/include/perp/mujoco_problem.h
    adapters/include/perp/simbody.hpp
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/perp)
  install(TARGETS perp_engine perp_bullet perp_dart perp_mujoco perp_simbody EXPORT perp)
  list(APPEND pc_names perp-bullet perp-dart perp-simbody)
endif()
if(TARGET perp_ode_step)
  install(TARGETS perp_ode_step EXPORT perp LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  list(APPEND pc_names perp-ode)
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/perp)
install(EXPORT perp NAMESPACE perp:: DESTINATION ${package_dir} FILE perpTargets.cmake)
configure_package_config_file(cmake/perpConfig.cmake.in perpConfig.cmake
  INSTALL_DESTINATION ${package_dir})
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(perpConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/perpConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/perpConfigVersion.cmake
  DESTINATION ${package_dir})

# Paths in the .pc files are relative to where they lie, so that a prefix can be moved.
file(RELATIVE_PATH pc_to_prefix
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
list(JOIN PERP_LINK_INSTALL " " pc_libs_private)
list(JOIN PERP_LAB_LINK_INSTALL " " pc_lab_libs_private)
foreach(name perp perp-lab ${pc_names})
  configure_file(cmake/${name}.pc.in ${name}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
