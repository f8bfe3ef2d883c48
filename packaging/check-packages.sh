#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# check-packages.sh [deb] [archive] [old]   tries what package.sh made, as root: the Debian package in a clean Debian 12, the archive in
# one without any of its libraries, and in Debian 11, whose C library is as old as that of many clusters. Roots come from
# debootstrap and are kept, packed, in build/roots.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
"$root/packaging/install-packages.sh" "$root"/packaging/packages{,-package}.txt || exit 1
checks=("$@")
[ ${#checks[@]} -gt 0 ] || checks=(deb archive old)
work=$(mktemp -d)
failures=0 display=:87 server=''

clean_up()
{
    [ -z "$server" ] || kill "$server" 2>/dev/null
    # Never remove a folder in which something of this machine is mounted.
    local mounts
    mounts=$(awk -v top="$work/" 'index($2, top) == 1 { print $2 }' /proc/mounts | sort -r)
    for place in $mounts; do
        umount "$place" || umount -l "$place"
    done
    grep -q " $work/" /proc/mounts || rm -rf --one-file-system "$work"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

check()
{
    local what=$1
    shift
    if "$@" >"$work/output" 2>&1; then
        echo "ok      $what"
    else
        echo "FAILED  $what"
        sed 's/^/        /' "$work/output" | head -n 20
        failures=$((failures + 1))
    fi
}

# new_root SUITE NAME: a clean root in $work/NAME with a user, from the mirror that this machine uses.
new_root()
{
    local packed=$root/build/roots/$1.tar.zst top=$work/$2 mirror
    mkdir -p "$root/build/roots" "$top"
    if [ ! -e "$packed" ]; then
        mirror=$(grep -hE '^(URIs:|deb )' /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | grep -oE 'https?://[^ ]*/debian/?' | head -n 1)
        debootstrap --variant=minbase "$1" "$work/base-$1" "$mirror" >"$work/debootstrap.log" 2>&1 || { tail -n 5 "$work/debootstrap.log" && return 1; }
        tar -C "$work/base-$1" --zstd -cf "$packed.part" . && mv "$packed.part" "$packed"
        rm -rf --one-file-system "$work/base-$1"
    fi
    tar -C "$top" --zstd -xf "$packed"
    cp -L /etc/resolv.conf "$top/etc/resolv.conf"
    mount -t proc proc "$top/proc"
    mkdir -p "$top/tmp/.X11-unix" "$top/srv/user" "$top/var/tmp/out"
    mount --bind /tmp/.X11-unix "$top/tmp/.X11-unix"
    chroot "$top" useradd -m -d /srv/user -u 1234 user 2>/dev/null
    chroot "$top" chown user: /srv/user /var/tmp/out
}

# as_user NAME COMMAND...: in that root, with nothing of this machine's environment.
as_user()
{
    local top=$work/$1
    shift
    env -i HOME=/srv/user USER=user PATH=/usr/local/bin:/usr/bin:/bin LANG=C.UTF-8 DISPLAY="$display" \
        "$(command -v chroot)" --userspec=1234:1234 "$top" /bin/bash -c 'cd /var/tmp/out && exec "$@"' bash "$@"
}

window_is_there()
{
    xwininfo -display "$display" -root -tree 2>/dev/null | tee "$work/windows" | grep -qE "\".*$1.*\": .*collscope.* [0-9]{4}x"
}

# opens NAME TITLE COMMAND...: a window of that title appears, with more than one colour in it.
opens()
{
    local name=$1 title=$2 job seen=1 colours
    shift 2
    set -m # a process group of its own, to end all of it
    as_user "$name" "$@" &
    job=$!
    set +m
    for _ in $(seq 1 60); do
        sleep 0.25
        window_is_there "$title" && seen=0 && break
    done
    sleep 2
    colours=$(xwd -display "$display" -root -silent | tail -c +4096 | od -An -v -tx4 -w4 | sort -u | wc -l)
    xwd -display "$display" -root -silent >"$root/build/roots/window-$name.xwd"
    kill -KILL -- "-$job" 2>/dev/null
    wait "$job" 2>/dev/null
    sleep 0.5
    echo "window: $seen, colours: $colours" && cat "$work/windows"
    [ "$seen" = 0 ] && [ "$colours" -gt 200 ]
}

# writes_nothing NAME COMMAND...: with a home that cannot be written to.
writes_nothing()
{
    local top=$work/$1
    chmod 555 "$top/srv/user" && chown root: "$top/srv/user"
    touch "$work/before"
    sleep 0.1
    as_user "$@"
    local code=$?
    local written
    written=$(find "$top" -xdev -newer "$work/before" -type f -not -path "$top/proc/*")
    chown -R 1234:1234 "$top/srv/user" && chmod 755 "$top/srv/user"
    echo "exit code $code, written: $written"
    [ "$code" = 0 ] && [ -z "$written" ]
}

# shellcheck disable=SC2016  # the inner shell expands it
completes()
{
    as_user "$1" bash -c 'compopt() { :; }; source /usr/share/bash-completion/completions/collscope
        COMP_WORDS=(collscope --explain-s) COMP_CWORD=1; _collscope; [ "${COMPREPLY[*]}" = --explain-step ]'
}

is_of_our_type()
{
    local type
    type=$(XDG_DATA_DIRS="$work/$1/usr/share" XDG_DATA_HOME=/nonexistent gio info -a standard::content-type "$work/$1/usr/share/collscope/demo/$2")
    echo "$type"
    grep -q "content-type: $3" <<<"$type"
}

leaves_nothing()
{
    local left
    left=$(find "$work/deb" -xdev \( -iname '*collscope*' -o -name 'ccl-metrics*' \) -not -path '*/var/log/*' -not -path '*/var/cache/*' \
        -not -path '*/tmp/*' -not -path '*/var/lib/apt/*')
    left+=$(grep -rl collscope "$work/deb/usr/share/mime" "$work/deb/usr/share/applications" "$work/deb/etc" "$work/deb/var/lib/dpkg" 2>/dev/null \
        | grep -v -E '(-old|/available)$')
    echo "$left"
    [ -z "$left" ]
}

check_deb()
{
    new_root bookworm deb || { echo "FAILED  debootstrap" && failures=$((failures + 1)) && return; }
    cp "$root"/build/release/packages/*.deb "$work/deb/tmp/collscope.deb"
    check "apt finds all dependencies" chroot "$work/deb" sh -c 'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq /tmp/collscope.deb'
    rm "$work/deb/tmp/collscope.deb"
    check "--version" as_user deb collscope --version
    check "--batch writes nothing, and needs no home" writes_nothing deb collscope --batch --demo --metric comm_comp_overlap
    check "ccl-metrics" as_user deb ccl-metrics --demo --metric avg_step_time
    check "--screenshot" as_user deb collscope --screenshot /var/tmp/out/window.png --demo
    check "--demo opens a window" opens deb Collscope collscope --demo
    local line
    line=$(sed -n 's/^Exec=//p' "$work/deb/usr/share/applications/io.github.collscope.Collscope.desktop")
    cp "$work/deb/usr/share/collscope/demo/rank3_trace.json.gz" "$work/deb/var/tmp/out/"
    # shellcheck disable=SC2086  # as the desktop splits it
    check "the desktop file opens a trace" opens deb rank3 ${line/\%F//var/tmp/out/rank3_trace.json.gz}
    check "a trace is known by its name" is_of_our_type deb rank0_trace.json.gz application/vnd.pytorch.kineto-trace+gzip
    check "NVLink samples by their content" is_of_our_type deb nvlink_gpu0.bin application/vnd.collscope.nvlink-samples
    check "the manual page has no warnings" sh -c "man --warnings -l '$work/deb/usr/share/man/man1/collscope.1.gz' 2>&1 >/dev/null | grep . && exit 1 || exit 0"
    check "the shell completes" completes deb
    check "the kit is written" as_user deb collscope --batch --write-kit /var/tmp/out/kit
    check "apt removes it" chroot "$work/deb" sh -c 'DEBIAN_FRONTEND=noninteractive apt-get purge -y -qq collscope'
    check "nothing is left" leaves_nothing
}

# What starts a program has to give it the environment of the machine, and its own name that works later.
starts_others_cleanly()
{
    local top=$work/$1 home
    home=$2
    printf '#!/bin/sh\nenv >>/var/tmp/out/environment\necho 7\n' >"$top/usr/local/bin/sbatch"
    chmod 755 "$top/usr/local/bin/sbatch"
    rm -rf "$top/var/tmp/out/jobs"
    as_user "$1" "$home/bin/collscope" --batch slurm "$home/share/collscope/demo" --tasks 2 -o /var/tmp/out/jobs || return 1
    test -s "$top/var/tmp/out/environment" && ! grep -E '^(LD_|QT_|FONTCONFIG_|XKB_)' "$top/var/tmp/out/environment" && grep -qF "$home/bin/collscope" "$top"/var/tmp/out/jobs/*.sh "$top"/var/tmp/out/jobs/*.sbatch 2>/dev/null
}

check_archive()
{
    local name=$1 suite=$2
    new_root "$suite" "$name" || { echo "FAILED  debootstrap" && failures=$((failures + 1)) && return; }
    mkdir "$work/$name/srv/user/my programs"
    tar -C "$work/$name/srv/user/my programs" --zstd -xf "$root"/build/release/packages/*.tar.zst
    local folder
    folder="/srv/user/my programs/$(ls "$work/$name/srv/user/my programs")"
    chown -R 1234:1234 "$work/$name/srv/user"
    ln -s "$folder/bin/collscope" "$work/$name/usr/local/bin/collscope"
    echo "$suite: $(chroot "$work/$name" ldd --version 2>&1 | head -n 1)"
    check "$name: --version, through a link" as_user "$name" collscope --version
    check "$name: --batch writes nothing, and needs no home" writes_nothing "$name" collscope --batch --demo --metric comm_comp_overlap
    check "$name: ccl-metrics" as_user "$name" "$folder/bin/ccl-metrics" --demo --metric avg_step_time
    check "$name: --screenshot, without a font of the machine" as_user "$name" collscope --screenshot /var/tmp/out/window.png --demo
    check "$name: a workbook" as_user "$name" collscope --batch --demo --report individual --output /var/tmp/out/reports
    check "$name: a window" opens "$name" Collscope collscope --demo
    check "$name: what it starts" starts_others_cleanly "$name" "$folder"
}

mkdir -p /tmp/.X11-unix
Xvfb "$display" -screen 0 1920x1080x24 >/dev/null 2>&1 &
server=$!
sleep 1
for kind in "${checks[@]}"; do
    case $kind in
    deb) check_deb ;;
    archive) check_archive archive bookworm ;;
    old) check_archive old bullseye ;;
    *) echo "check-packages.sh knows deb, archive and old, not $kind" >&2 && exit 1 ;;
    esac
done
[ "$failures" = 0 ] || { echo "$failures failed" >&2 && exit 1; }
