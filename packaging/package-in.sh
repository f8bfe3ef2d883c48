#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# package-in.sh SUITE [release | batch]   runs package.sh, as root, in a clean Debian of that suite (trixie is Debian 13), and adds the
# Debian packages that it makes to build/packages. The build stays in build/SUITE, so that the next one is short.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
suite=${1:?usage: package-in.sh SUITE [release | batch]}
preset=${2:-release}
"$root/packaging/install-packages.sh" "$root/packaging/packages-package.txt"
# shellcheck source=packaging/roots.sh
. "$root/packaging/roots.sh"
work=$(mktemp -d)
trap 'remove_roots "$work"' EXIT
unpack_root "$suite" "$work/root"

mkdir -p "$root/build/$suite" "$root/build/packages" "$work/root/source"
mount --bind "$root" "$work/root/source"
mount -o remount,bind,ro "$work/root/source"
mount --bind "$root/build/$suite" "$work/root/source/build"
made=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || date +%s)}
# Git, for the revision that --version prints; it refuses sources of another user unless told.
# shellcheck disable=SC2016  # expanded in the root
env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp LANG=C.UTF-8 SOURCE_DATE_EPOCH="$made" CCACHE_DIR=/source/build/ccache \
    GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*' DEBIAN_FRONTEND=noninteractive \
    "$(command -v chroot)" "$work/root" bash -euc \
    'apt-get update -qq && apt-get install -qq -y --no-install-recommends git >/dev/null && /source/packaging/package.sh "$1"' bash "$preset"
cp "$root/build/$suite"/packages/*.deb "$root/build/packages/"
cd "$root/build/packages"
rm -f SHA256SUMS
sha256sum -- * >SHA256SUMS
ls -1 "$PWD"/*.deb
