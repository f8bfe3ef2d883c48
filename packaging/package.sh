#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# package.sh   installs missing packages, builds, and makes build/release/packages/: two Debian packages, checked by lintian, two archives
# that need neither root nor installed packages (one of each is without the window and Qt), lists of what is in the archives, the wheel of
# the Python package, and SHA256SUMS. check-packages.sh tests them. The same commit gives the same bytes.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
"$root/packaging/install-packages.sh" "$root"/packaging/packages{,-package}.txt
cd "$root"
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)} # the time of every packed file
export SOURCE_DATE_EPOCH
rm -rf build/release/packages # of older versions
cmake --preset release >/dev/null
cmake --build --preset release --target installed
(cd build/release && cpack -G DEB >/dev/null)
lintian --allow-root --fail-on error build/release/packages/*.deb
packaging/make-tarball.sh
packaging/make-wheel.sh build/release/packages
cd build/release/packages
rm -rf _CPack_Packages
sha256sum -- *.cdx.json *.deb *.tar.zst *.whl >SHA256SUMS
ls -1 "$PWD"/*
