# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What an installation has in addition for the window: the second program, and the files that desktops read.
set(app_id io.github.collscope.Collscope)
set(sizes 16x16 22x22 24x24 32x32 48x48 64x64 128x128 256x256 512x512)
set(folders man/man1 lintian/overrides doc/collscope applications metainfo mime/packages collscope)
foreach(size scalable ${sizes})
    list(APPEND folders icons/hicolor/${size}/apps icons/hicolor/${size}/mimetypes)
endforeach()
make_folders(window ${folders})

install(TARGETS collscope_window RUNTIME COMPONENT window)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/resources/help DESTINATION ${share}/collscope COMPONENT window PATTERN pictures.txt EXCLUDE)
install(FILES linux/${app_id}.desktop DESTINATION ${share}/applications COMPONENT window)
install(FILES linux/${app_id}.metainfo.xml DESTINATION ${share}/metainfo COMPONENT window)
install(FILES linux/${app_id}.mime.xml DESTINATION ${share}/mime/packages COMPONENT window RENAME ${app_id}.xml)

# Icons of the program and of its file types: the scalable icon everywhere, and bitmaps for desktops that need them.
find_program(RSVG_CONVERT rsvg-convert)
set(pixels "")
# install_icon(<file> <context> <name>)
function(install_icon file context name)
    set(source ${CMAKE_SOURCE_DIR}/resources/icons/${file})
    install(FILES ${source} DESTINATION ${share}/icons/hicolor/scalable/${context} COMPONENT window RENAME ${name}.svg)
    if(NOT RSVG_CONVERT)
        return()
    endif()
    foreach(size ${sizes})
        set(folder ${CMAKE_CURRENT_BINARY_DIR}/icons/${size}/${context})
        string(REGEX MATCH "^[0-9]+" width ${size})
        add_custom_command(OUTPUT ${folder}/${name}.png COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
            COMMAND ${RSVG_CONVERT} -w ${width} -h ${width} -o ${folder}/${name}.png ${source} DEPENDS ${source} VERBATIM)
        list(APPEND pixels ${folder}/${name}.png)
        install(FILES ${folder}/${name}.png DESTINATION ${share}/icons/hicolor/${size}/${context} COMPONENT window)
    endforeach()
    set(pixels ${pixels} PARENT_SCOPE)
endfunction()
install_icon(collscope.svg apps ${app_id})
install_icon(collscope-trace.svg mimetypes ${app_id}.trace)
add_custom_target(icons ALL DEPENDS ${pixels})
add_dependencies(installed collscope_window icons)

install_link(window ${share}/man/man1 collscope-window.1.gz collscope.1.gz)
# README.md is about the source tree; users of the installed program get another README.
install(FILES linux/README DESTINATION ${share}/doc/collscope COMPONENT window)
install_packed(window ${CMAKE_SOURCE_DIR}/CHANGELOG.md ${share}/doc/collscope CHANGELOG.md)
install_packed(window ${CMAKE_CURRENT_SOURCE_DIR}/linux/changelog ${share}/doc/collscope changelog)
install(FILES linux/copyright DESTINATION ${share}/doc/collscope COMPONENT window)
install(FILES linux/lintian-overrides-window DESTINATION ${share}/lintian/overrides COMPONENT window RENAME collscope)
