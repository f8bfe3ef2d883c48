#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# install-packages.sh [LIST...]   installs the Debian packages of the lists (default: packages.txt and packages-window.txt) that are missing.
# On a system without apt it explains what to do instead and exits with 1.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
lists=("$@")
[ ${#lists[@]} -gt 0 ] || lists=("$here"/packages{,-window}.txt)
mapfile -t packages < <(sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "${lists[@]}")

# Without the window's packages, only the program without it can be built.
preset="batch"
[[ "${lists[*]}" != *packages-window.txt* ]] || preset="release"
if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    system=$(sed -n 's/^PRETTY_NAME="\{0,1\}\([^"]*\)"\{0,1\}$/\1/p' /etc/os-release 2>/dev/null || true)
    cat >&2 <<TEXT
This script installs packages with apt-get, which ${system:-this system} does not have. There are two other ways:
  * Use the archive. It runs on recent x86_64 Linux systems without root and without packages (--batch also on aarch64). A Debian
    container builds it in build/packages:
    docker run --rm -v "$(dirname "$here"):/collscope" -w /collscope debian:12 packaging/package.sh
  * Install the build dependencies under the names that your system uses, then run
    cmake --preset $preset && cmake --build --preset $preset --target collscope
    Their names in Debian are:
TEXT
    printf '%s\n' "${packages[@]}" | paste -sd ' ' | fold -s -w 100 | sed 's/^/    /' >&2
    exit 1
fi

missing=()
for package in "${packages[@]}"; do
    status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "Missing packages, which need root to install: ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi
echo "Installing ${missing[*]}"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${missing[@]}" >/dev/null
