# What a consumer gets: headers, two archives and a third where FFTW is, a CMake package and a pkg-config file. None of them names
# an MPI or a JSON library: the consumer brings its own MPI, and JSON stays inside lapwing::io.
include(CMakePackageConfigHelpers)

install(DIRECTORY src/lapwing DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
install(TARGETS lapwing lapwing_io EXPORT lapwingTargets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET lapwing_fft)
    install(TARGETS lapwing_fft EXPORT lapwingTargets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endif()

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/lapwing)
install(EXPORT lapwingTargets NAMESPACE lapwing:: DESTINATION ${package} FILE lapwingConfig.cmake)
write_basic_package_version_file(lapwingConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/lapwingConfigVersion.cmake DESTINATION ${package})

# Relative to the file itself, so that an installed tree can be moved.
file(RELATIVE_PATH pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/lapwing.pc.in lapwing.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/lapwing.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
