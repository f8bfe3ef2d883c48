#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# package.sh [release | batch | aarch64]   installs missing packages, builds this preset, and adds to build/packages/:
#   release   (the default) two Debian packages for the Debian that runs here, checked by lintian, and two archives that need neither root
#             nor installed packages; one of each is without the window and Qt
#   batch     only those without the window, built without Qt
#   aarch64   the archive without the window for ARM, cross-compiled
# and lists of what is in the archives, the wheel of the Python package, and SHA256SUMS. `release` empties the folder first.
# package-in.sh adds the packages for another Debian, and check-packages.sh tests all of them. The same commit gives the same bytes.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
preset=${1:-release}
lists=(packages.txt packages-package.txt)
case $preset in
release) lists+=(packages-window.txt) ;;
batch) ;;
aarch64) lists+=(packages-cross.txt) ;;
*) echo "package.sh: unknown preset '$preset'; use release, batch or aarch64" >&2 && exit 1 ;;
esac
"$root/packaging/install-packages.sh" "${lists[@]/#/$root/packaging/}"
cd "$root"
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)} # the time of every packed file
export SOURCE_DATE_EPOCH
sysroot=''
if [ "$preset" = aarch64 ]; then
    packaging/make-sysroot.sh
    sysroot=$root/build/sysroot/aarch64
fi
cmake --preset "$preset" >/dev/null
rm -rf "build/$preset/packaging/wheel" # one of an older commit has that commit's time
cmake --build --preset "$preset" --target installed
[ "$preset" != release ] || rm -rf build/packages # of older versions
mkdir -p build/packages
if [ -z "$sysroot" ]; then
    rm -rf "build/$preset/packages"
    (cd "build/$preset" && cpack -G DEB >/dev/null)
    lintian --allow-root --fail-on error "build/$preset"/packages/*.deb
    cp "build/$preset"/packages/*.deb build/packages/
fi
packaging/make-tarball.sh "build/$preset" build/packages "$sysroot"
packaging/make-wheel.sh build/packages
cd build/packages
rm -f SHA256SUMS
sha256sum -- * >SHA256SUMS
ls -1 "$PWD"/*
