#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# package.sh   installs missing packages, builds, and makes build/release/packages/: two Debian packages, checked by lintian, and two
# archives that need neither root nor installed packages; one of each is without the window and Qt. check-packages.sh tests them.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
"$root/packaging/install-packages.sh" "$root"/packaging/packages{,-package}.txt
cd "$root"
cmake --preset release >/dev/null
cmake --build --preset release --target installed
(cd build/release && cpack -G DEB >/dev/null)
lintian --allow-root --fail-on error build/release/packages/*.deb
packaging/make-tarball.sh
ls -1 build/release/packages/*.deb
