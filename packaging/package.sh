#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# package.sh   installs what is missing, builds, and makes build/release/packages/: a Debian package, looked at by lintian, and an
# archive that runs without root and without anything installed. check-packages.sh tries both.
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
