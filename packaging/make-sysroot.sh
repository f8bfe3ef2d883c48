#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# make-sysroot.sh   unpacks into build/sysroot/aarch64 what compiling and packing for ARM needs: the development packages of packages.txt
# for arm64, and all that they depend on, of this machine's Debian and from its mirrors. It needs no root, and leaves this machine's
# packages and architectures as they are. A sysroot that was made from the same list is kept; delete it to get newer packages.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
top=$root/build/sysroot/aarch64
mapfile -t packages < <(grep -E '^[a-z0-9.+-]+-dev$' "$root/packaging/packages.txt")
[ "$(cat "$top/made-of" 2>/dev/null)" != "${packages[*]}" ] || exit 0

rm -rf "$top"
mkdir -p "$top"/{etc,usr/lib,var/lib/apt/lists/partial,var/lib/dpkg/info,var/cache/apt/archives/partial}
ln -s usr/lib "$top/lib" # as on every Debian; some packages still use the old path
: >"$top/var/lib/dpkg/status"
# shellcheck source=/dev/null
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
# shellcheck disable=SC2016  # fields of apt
apt-get indextargets --format 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Identifier: Packages' \
    | grep -E " $suite(-updates|-security)? main\$" | sort -u >"$top/etc/sources.list"
private=(-o APT::Architecture=arm64 -o APT::Architectures=arm64 -o "Dir::State=$top/var/lib/apt" -o "Dir::State::status=$top/var/lib/dpkg/status"
    -o "Dir::Cache=$top/var/cache/apt" -o "Dir::Etc::SourceList=$top/etc/sources.list" -o Dir::Etc::SourceParts=/dev/null -o Dir::Etc::PreferencesParts=/dev/null
    -o "APT::Sandbox::User=$(id -un)")
apt-get "${private[@]}" -qq update
apt-get "${private[@]}" -qq -y --no-install-recommends --download-only install "${packages[@]}" >/dev/null

# dpkg's records, without which nobody could say which package a library is of, with which licence (make-tarball.sh).
echo 1 >"$top/var/lib/dpkg/info/format"
for package in "$top"/var/cache/apt/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar -C "$top" --keep-directory-symlink --no-same-owner -xf -
    name=$(dpkg-deb -f "$package" Package)
    [ "$(dpkg-deb -f "$package" Multi-Arch)" != same ] || name+=:arm64
    dpkg-deb --fsys-tarfile "$package" | tar -tf - | sed -e 's|^\./$|/.|' -e 's|^\./|/|' -e 's|/$||' >"$top/var/lib/dpkg/info/$name.list"
    { dpkg-deb -f "$package" && printf 'Status: install ok unpacked\n\n'; } >>"$top/var/lib/dpkg/status"
done
# Links to absolute paths would lead out of the folder.
find "$top" -lname '/*' -printf '%l\t%p\n' | while IFS=$'\t' read -r target link; do
    ln -sfnr "$top$target" "$link"
done
rm -rf "$top/var/cache/apt" "$top/var/lib/apt"
echo "${packages[*]}" >"$top/made-of"
