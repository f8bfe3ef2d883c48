#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# make-tarball.sh [BUILD]   packs the build in BUILD (default: build/release) into
# BUILD/packages/collscope-<version>-linux-x86_64.tar.zst. Unpacked anywhere, without root, it runs on recent Linux systems, also without Qt,
# fonts or a display. It includes all libraries and the C library, because that of a cluster is often older than this machine's.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$(cd "${1:-$root/build/release}" && pwd)
version=$("$build/bin/collscope" --version | sed -n '1s/collscope //p')
name=collscope-$version-linux-x86_64
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
top=$work/$name
cmake --install "$build" --prefix "$top" --strip >/dev/null
mkdir -p "$top"/{lib,libexec,plugins,etc/fonts,share/fonts,share/licenses}
mv "$top/bin/collscope" "$top/libexec/collscope"

plugins=$(qtpaths6 --query QT_INSTALL_PLUGINS)
for plugin in platforms/libqxcb.so platforms/libqoffscreen.so platforms/libqminimal.so imageformats/libqsvg.so iconengines/libqsvgicon.so; do
    install -D -m 644 "$plugins/$plugin" "$top/plugins/$plugin"
done
# All direct and indirect dependencies, as printed by ldd.
find "$top/libexec/collscope" "$top/plugins" -type f -print0 | xargs -0 -n 1 ldd \
    | sed -n 's/.*=> \(\/[^ ]*\) (.*/\1/p' | sort -u >"$work/libraries"
# Loaded by name: for user lookups, and for mouse pointers.
for library in libnss_files.so.2 libnss_dns.so.2 libresolv.so.2 libXcursor.so.1 libXrender.so.1; do
    ldconfig -p | sed -n "s/.*$library .*x86-64.* => //p" | head -n 1 >>"$work/libraries"
done
while read -r library; do
    [ -z "$library" ] || cp -L --update "$library" "$top/lib/"
done <"$work/libraries"
cp -L "$(ldd "$top/libexec/collscope" | sed -n 's/^[[:space:]]*\(\/[^ ]*ld-linux[^ ]*\) .*/\1/p')" "$top/lib/ld-linux-x86-64.so.2"
strip --strip-unneeded "$top"/lib/*.so* 2>/dev/null || true

# Keyboard layouts, fonts and Qt's own texts, for machines without them.
cp -r /usr/share/X11/xkb "$top/share/xkb"
for font in /usr/share/fonts/opentype/inter/Inter-{Regular,Italic,Medium,SemiBold,Bold}.otf /usr/share/fonts/truetype/dejavu/DejaVuSans{,-Bold,Mono}.ttf; do
    [ ! -e "$font" ] || cp "$font" "$top/share/fonts/"
done
mkdir -p "$top/translations"
cp "$(qtpaths6 --query QT_INSTALL_TRANSLATIONS)"/qtbase_de.qm "$top/translations/" 2>/dev/null \
    || echo "make-tarball.sh: qtbase_de.qm is missing (package qt6-translations-l10n); Qt's own dialogs will stay English" >&2
cat >"$top/etc/fonts/fonts.conf" <<'CONF'
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">../../share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
CONF
# For Qt, the loader is the running program, so Qt looks for this file next to the loader.
printf '[Paths]\nPrefix=..\nPlugins=plugins\nTranslations=translations\n' >"$top/lib/qt.conf"

cat >"$top/bin/collscope" <<'START'
#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
# Starts Collscope with its own libraries. Programs that it starts get an environment without them.
self=$(readlink -f -- "$0")
top=${self%/*}/..
if [ ! -e "$top/lib/ld-linux-x86-64.so.2" ]; then # a copy, such as those made by sbatch
    [ -n "${COLLSCOPE_PROGRAM:-}" ] && [ "$COLLSCOPE_PROGRAM" != "$self" ] && exec "$COLLSCOPE_PROGRAM" "$@"
    echo "collscope: this is a copy of the start script; run the one in the unpacked folder, or a link to it (with sbatch: --wrap)" >&2
    exit 1
fi
COLLSCOPE_PROGRAM=$self
COLLSCOPE_RESOURCES=$top/share/collscope
FONTCONFIG_FILE=${FONTCONFIG_FILE:-$top/etc/fonts/fonts.conf}
XKB_CONFIG_ROOT=${XKB_CONFIG_ROOT:-$top/share/xkb}
export COLLSCOPE_PROGRAM COLLSCOPE_RESOURCES FONTCONFIG_FILE XKB_CONFIG_ROOT
# Plugins of another Qt are incompatible, and the archive has no Wayland plugin.
unset QT_PLUGIN_PATH QT_QPA_PLATFORM_PLUGIN_PATH
case ${QT_QPA_PLATFORM:-} in wayland*) QT_QPA_PLATFORM=xcb ;; esac
exec "$top/lib/ld-linux-x86-64.so.2" --library-path "$top/lib" --argv0 "$0" "$top/libexec/collscope" "$@"
START
chmod 755 "$top/bin/collscope"

# The licences of the included files.
while read -r library; do
    dpkg -S "$(readlink -f "$library")" "$library" 2>/dev/null || true # one of the two names
done <"$work/libraries" | sed 's/[:,].*//' | sort -u >"$work/packages"
printf '%s\n' libc6 xkb-data qt6-translations-l10n fonts-inter fonts-dejavu-core libqt6svg6 >>"$work/packages"
while read -r package; do
    [ ! -r "/usr/share/doc/$package/copyright" ] || cp -L "/usr/share/doc/$package/copyright" "$top/share/licenses/$package"
done <"$work/packages"
# They refer to texts that every Debian system has. The versions identify the sources of the included files.
mkdir "$top/share/licenses/common"
grep -rhoE '/usr/share/common-licenses/[A-Za-z]+(-[0-9.]*[0-9])?' "$top/share/licenses" | sort -u | while read -r text; do
    [ ! -e "$text" ] || cp -L "$text" "$top/share/licenses/common/"
done
{
    echo "Debian packages that provided the files of this archive; Debian provides their sources"
    # shellcheck disable=SC2016  # fields of dpkg
    sort -u "$work/packages" | xargs dpkg-query -W -f '${Package} ${Version} (source: ${source:Package} ${source:Version})\n' 2>/dev/null || true
} >"$top/share/licenses/VERSIONS"
cp "$root/LICENSE" "$top/share/licenses/collscope"
rm -rf "$top/share/lintian"
chmod -R u=rwX,go=rX "$top" # regardless of the umask

mkdir -p "$build/packages"
tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(git -C "$root" log -1 --format=%ct 2>/dev/null || date +%s)" -cf - "$name" | zstd -q -19 -T0 -f -o "$build/packages/$name.tar.zst"
echo "$build/packages/$name.tar.zst"
