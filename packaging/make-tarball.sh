#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# make-tarball.sh BUILD FOLDER [SYSROOT]   packs the build in BUILD into archives in FOLDER, named after the processor (as `uname -m` does):
#   collscope-<version>-linux-<processor>.tar.zst         all of it, if BUILD has the window
#   collscope-batch-<version>-linux-<processor>.tar.zst   --batch without plots, and without Qt: for the nodes of a cluster
# and beside each a list of what is in it, NAME.cdx.json (an SBOM in CycloneDX's form). The same build gives the same bytes.
# Unpacked anywhere, without root, they run on recent Linux systems, also without Qt, fonts or a display. They include all libraries and
# the C library, because that of a cluster is often older than this machine's. The libraries are those of this system, or of SYSROOT
# (make-sysroot.sh) if the build is for another processor.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$(cd "${1:?usage: make-tarball.sh BUILD FOLDER [SYSROOT]}" && pwd)
mkdir -p "${2:?usage: make-tarball.sh BUILD FOLDER [SYSROOT]}"
folder=$(cd "$2" && pwd)
sysroot=${3:-}
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:.*=//p' "$build/CMakeCache.txt")
# What differs between processors.
case $(readelf --file-header "$build/bin/collscope" | sed -n 's/^ *Machine: *//p') in
*X86-64) processor=x86_64 debian=amd64 loader=ld-linux-x86-64.so.2 ;;
AArch64) processor=aarch64 debian=arm64 loader=ld-linux-aarch64.so.1 ;;
*) echo "make-tarball.sh: $build/bin/collscope is for a processor without a line here" >&2 && exit 1 ;;
esac
made=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || date +%s)}
# shellcheck source=/dev/null
distro=$(. /etc/os-release && echo "$ID-$VERSION_ID")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# start_script TOP PROGRAM NAME: moves TOP/bin/PROGRAM to libexec and writes a script that starts it. NAME: what the program is called.
start_script()
{
    mv "$1/bin/$2" "$1/libexec/$2"
    sed -e "s/@PROGRAM@/$2/" -e "s|@NAME@|$3|" -e "s/@LOADER@/$loader/" >"$1/bin/$2" <<'START'
#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
# Starts Collscope with its own libraries. Programs that it starts get an environment without them.
self=$(readlink -f -- "$0")
top=${self%/*}/..
if [ ! -e "$top/lib/@LOADER@" ]; then # a copy, such as those made by sbatch
    [ -n "${COLLSCOPE_PROGRAM:-}" ] && [ "$COLLSCOPE_PROGRAM" != "$self" ] && exec "$COLLSCOPE_PROGRAM" "$@"
    echo "collscope: this is a copy of the start script; run the one in the unpacked folder, or a link to it (with sbatch: --wrap)" >&2
    exit 1
fi
COLLSCOPE_PROGRAM=${self%/*}/collscope
COLLSCOPE_RESOURCES=$top/share/collscope
FONTCONFIG_FILE=${FONTCONFIG_FILE:-$top/etc/fonts/fonts.conf}
XKB_CONFIG_ROOT=${XKB_CONFIG_ROOT:-$top/share/xkb}
export COLLSCOPE_PROGRAM COLLSCOPE_RESOURCES FONTCONFIG_FILE XKB_CONFIG_ROOT
# Plugins of another Qt are incompatible, and the archive has no Wayland plugin.
unset QT_PLUGIN_PATH QT_QPA_PLATFORM_PLUGIN_PATH
case ${QT_QPA_PLATFORM:-} in wayland*) QT_QPA_PLATFORM=xcb ;; esac
exec "$top/lib/@LOADER@" --library-path "$top/lib" --argv0 "@NAME@" "$top/libexec/@PROGRAM@" "$@"
START
    chmod 755 "$1/bin/$2"
}

# needed_by: prints the names of the libraries that the files on standard input, each ended by a zero, are linked with.
needed_by()
{
    xargs -0 -r readelf --wide --dynamic | sed -n 's/.*(NEEDED).*\[\(.*\)\]$/\1/p' | sort -u
}

# add_libraries TOP LIST: copies all direct and indirect dependencies, the loader among them, and notes their paths in LIST. ldd would
# say the same, but not of another processor's programs.
add_libraries()
{
    local names name path
    # Loaded by name: for user lookups, and for mouse pointers.
    names="$loader libnss_files.so.2 libnss_dns.so.2 libresolv.so.2 $(find "$1" \( -path "$1/libexec/*" -o -path "$1/plugins/*" \) -type f -print0 | needed_by)"
    [ ! -d "$1/plugins" ] || names+=" libXcursor.so.1 libXrender.so.1"
    : >"$2"
    while [ -n "$names" ]; do
        : >"$work/added"
        for name in $names; do
            path=/lib/$processor-linux-gnu/$name
            [ ! -e "$1/lib/$name" ] || continue
            cp -L "$sysroot$path" "$1/lib/$name"
            echo "$path" >>"$2"
            printf '%s\0' "$1/lib/$name" >>"$work/added"
        done
        names=$(needed_by <"$work/added")
    done
    "$processor-linux-gnu-strip" --strip-unneeded "$1"/lib/*.so* 2>/dev/null || true
}

# add_desktop TOP: plugins, keyboard layouts, fonts and Qt's own texts, for machines without them.
add_desktop()
{
    local plugins plugin font
    plugins=$(qtpaths6 --query QT_INSTALL_PLUGINS)
    for plugin in platforms/libqxcb.so platforms/libqoffscreen.so platforms/libqminimal.so imageformats/libqsvg.so iconengines/libqsvgicon.so; do
        install -D -m 644 "$plugins/$plugin" "$1/plugins/$plugin"
    done
    mkdir -p "$1"/{etc/fonts,share/fonts,translations}
    cp -r /usr/share/X11/xkb "$1/share/xkb"
    for font in /usr/share/fonts/opentype/inter/Inter-{Regular,Italic,Medium,SemiBold,Bold}.otf /usr/share/fonts/truetype/dejavu/DejaVuSans{,-Bold,Mono}.ttf; do
        [ ! -e "$font" ] || cp "$font" "$1/share/fonts/"
    done
    cp "$(qtpaths6 --query QT_INSTALL_TRANSLATIONS)"/qtbase_de.qm "$1/translations/" 2>/dev/null \
        || echo "make-tarball.sh: qtbase_de.qm is missing (package qt6-translations-l10n); Qt's own dialogs will stay English" >&2
    cat >"$1/etc/fonts/fonts.conf" <<'CONF'
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">../../share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
CONF
    # For Qt, the loader is the running program, so Qt looks for this file next to the loader.
    printf '[Paths]\nPrefix=..\nPlugins=plugins\nTranslations=translations\n' >"$1/lib/qt.conf"
}

# add_licences TOP LIBRARIES PACKAGE...: the licences of the included files, which are of these packages and of those of the libraries.
add_licences()
{
    local top=$1 libraries=$2 library package text dpkg_query=(dpkg-query "--admindir=$sysroot/var/lib/dpkg")
    shift 2
    while read -r library; do
        "${dpkg_query[@]}" -S "$library" "/usr$library" 2>/dev/null || true # one of the two names
    done <"$libraries" | sed 's/[:,].*//' | sort -u >"$work/packages"
    printf '%s\n' "$@" >>"$work/packages"
    mkdir -p "$top/share/licenses/common"
    while read -r package; do
        [ ! -r "$sysroot/usr/share/doc/$package/copyright" ] || cp -L "$sysroot/usr/share/doc/$package/copyright" "$top/share/licenses/$package"
    done <"$work/packages"
    # They refer to texts that every Debian system has. The versions identify the sources of the included files.
    grep -rhoE '/usr/share/common-licenses/[A-Za-z]+(-[0-9.]*[0-9])?' "$top/share/licenses" | sort -u | while read -r text; do
        [ ! -e "$text" ] || cp -L "$text" "$top/share/licenses/common/"
    done
    {
        echo "Debian packages that provided the files of this archive; Debian provides their sources"
        # shellcheck disable=SC2016  # fields of dpkg
        sort -u "$work/packages" | xargs "${dpkg_query[@]}" -W -f '${Package} ${Version} (source: ${source:Package} ${source:Version})\n' 2>/dev/null || true
    } >"$top/share/licenses/VERSIONS"
    cp "$root/LICENSE" "$top/share/licenses/collscope"
}

# add_sbom TOP NAME: lists the Debian packages that add_licences found, with their versions and sources, in the archive and beside it.
add_sbom()
{
    local list=$1/share/collscope/sbom.cdx.json
    sed -nE 's/^([^ ]+) ([^ ]+) \(source: ([^ ]+) ([^ ]+)\)$/\1 \2 \3 \4/p' "$1/share/licenses/VERSIONS" \
        | jq -R -n --arg name "$2" --arg version "$version" --arg distro "$distro" --arg arch "$debian" --arg time "$(date -u -d "@$made" +%Y-%m-%dT%H:%M:%SZ)" '{
            bomFormat: "CycloneDX", specVersion: "1.5", version: 1,
            metadata: {timestamp: $time, component: {type: "application", name: "collscope", version: $version,
                description: $name, licenses: [{license: {id: "GPL-3.0-or-later"}}]}},
            components: [inputs | split(" ") | {type: "library", name: .[0], version: .[1],
                purl: "pkg:deb/debian/\(.[0] | @uri)@\(.[1] | @uri)?arch=\($arch)&distro=\($distro)",
                properties: [{name: "debian:source", value: "\(.[2]) \(.[3])"}]}]}' >"$list"
    cp "$list" "$folder/$2.cdx.json"
}

# pack NAME COMPONENT...: writes the archive of these components of the installation (packaging/CMakeLists.txt).
pack()
{
    # No library tells of what is compiled into the program: headers and SQLiteCpp.
    local name=$1 component packages=(libc6 libsqlitecpp-dev libboost-dev libcli11-dev libprotozero-dev nlohmann-json3-dev)
    local top=$work/$name
    shift
    for component in "$@"; do
        cmake --install "$build" --component "$component" --prefix "$top" --strip >/dev/null
    done
    mkdir -p "$top"/{lib,libexec}
    # shellcheck disable=SC2016  # expanded by the script
    start_script "$top" collscope '$0'
    if [ -e "$top/bin/collscope-window" ]; then
        # Desktops find the icon of a window by the program's name.
        # shellcheck disable=SC2016
        start_script "$top" collscope-window '$COLLSCOPE_PROGRAM'
        add_desktop "$top"
        packages+=(xkb-data qt6-translations-l10n fonts-inter fonts-dejavu-core libqt6svg6)
    fi
    add_libraries "$top" "$work/libraries"
    add_licences "$top" "$work/libraries" "${packages[@]}"
    rm -rf "$top/share/lintian"
    add_sbom "$top" "$name"
    chmod -R u=rwX,go=rX "$top" # regardless of the umask
    # Another number of threads than 1 gives the same bytes on every machine.
    tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$made" -cf - "$name" | zstd -q -19 -T2 -f -o "$folder/$name.tar.zst"
    echo "$folder/$name.tar.zst"
}

[ ! -e "$build/bin/collscope-window" ] || pack "collscope-$version-linux-$processor" batch window
pack "collscope-batch-$version-linux-$processor" batch
