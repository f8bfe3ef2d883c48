#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# roots.sh   functions of check-packages.sh and package-in.sh, which source it: clean systems of Debian that debootstrap makes, to run
# something in as root. Packed, they are kept in build/roots.

# unpack_root SUITE FOLDER: a clean system in FOLDER, with /proc, from the mirror that this machine uses.
unpack_root()
{
    local folder packed mirror base
    folder=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/build/roots
    packed=$folder/$1.tar.zst
    mkdir -p "$folder" "$2"
    if [ ! -e "$packed" ]; then
        base=$(mktemp -d)
        # One of the two places may not exist; without a mirror, debootstrap takes its own.
        mirror=$(grep -hE '^(URIs:|deb )' /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | grep -oE 'https?://[^ ]*/debian/?' | head -n 1 || true)
        debootstrap --variant=minbase "$1" "$base" ${mirror:+"$mirror"} >"$base.log" 2>&1 || { tail -n 5 "$base.log" && return 1; }
        chmod 755 "$base" # the root folder of other users, too
        tar -C "$base" --zstd -cf "$packed.part" . && mv "$packed.part" "$packed"
        rm -rf --one-file-system "$base" "$base.log"
    fi
    tar -C "$2" --zstd -xf "$packed"
    cp -L /etc/resolv.conf "$2/etc/resolv.conf"
    echo 'Dpkg::Use-Pty "0";' >"$2/etc/apt/apt.conf.d/99-without-terminals"
    echo force-unsafe-io >"$2/etc/dpkg/dpkg.cfg.d/99-thrown-away-soon" # waits for no disk
    mount -t proc proc "$2/proc"
}

# remove_roots FOLDER: unmounts what is mounted in FOLDER, and removes it, but never a folder that still contains a mount of this machine.
remove_roots()
{
    local place
    awk -v top="$1/" 'index($2, top) == 1 { print $2 }' /proc/mounts | sort -r | while read -r place; do
        umount "$place" || umount -l "$place"
    done
    grep -q " $1/" /proc/mounts || rm -rf --one-file-system "$1"
}
