#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# check-packages.sh [deb] [archive] [old] [trixie] [aarch64]   tests the output of package.sh and package-in.sh, as root: the Debian packages
# in a clean Debian 12, the archives in a Debian 12 without any of their libraries, and in Debian 11, whose C library is as old as that of
# many clusters; the package without the window in a clean Debian 13, and the archive for ARM in an emulator, if they were made.
# The roots of roots.sh are kept in build/roots, together with pictures of the windows.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
"$root/packaging/install-packages.sh" "$root"/packaging/packages{,-package}.txt || exit 1
checks=("$@")
[ ${#checks[@]} -gt 0 ] || checks=(deb archive old trixie aarch64)
made=$root/build/packages
# shellcheck source=packaging/roots.sh
. "$root/packaging/roots.sh"
work=$(mktemp -d)
failures=0 display='' server='' job=''

clean_up()
{
    [ -z "$job" ] || kill -KILL -- "-$job" 2>/dev/null
    [ -z "$server" ] || kill "$server" 2>/dev/null
    remove_roots "$work"
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

# new_root SUITE NAME: makes a clean root in $work/NAME with a user.
new_root()
{
    local top=$work/$2
    unpack_root "$1" "$top" || { echo "FAILED  debootstrap $1" && failures=$((failures + 1)) && return 1; }
    mkdir -p "$top/tmp/.X11-unix" "$top/srv/user" "$top/var/tmp/out"
    mount --bind /tmp/.X11-unix "$top/tmp/.X11-unix"
    chroot "$top" useradd -m -d /srv/user -u 1234 user 2>/dev/null
    chroot "$top" install -d -m 700 /run/user-1234 # as in a desktop session
    chroot "$top" chown user: /srv/user /var/tmp/out /run/user-1234
}

# apt NAME ARGUMENTS...: runs apt-get in that root.
apt()
{
    local top=$work/$1
    shift
    chroot "$top" env DEBIAN_FRONTEND=noninteractive apt-get -y -qq "$@"
}

# as_user NAME COMMAND...: runs a command in that root, without this machine's environment.
as_user()
{
    local top=$work/$1
    shift
    env -i HOME=/srv/user USER=user PATH=/usr/local/bin:/usr/bin:/bin LANG=C.UTF-8 DISPLAY="$display" XDG_RUNTIME_DIR=/run/user-1234 \
        "$(command -v chroot)" --userspec=1234:1234 "$top" /bin/bash -c 'cd /var/tmp/out && exec "$@"' bash "$@"
}

# The window class must match the desktop file; otherwise a desktop shows the window with another icon.
window_is_there()
{
    xwininfo -display "$display" -root -tree 2>/dev/null | tee "$work/windows" | grep -qE "\".*$1.*\": \(\"collscope\" .* [0-9]{4}x"
}

# opens NAME TITLE COMMAND...: checks that a window with that title appears, contains many colours, and that the command prints nothing.
opens()
{
    local name=$1 title=$2 seen=1 colours picture
    picture=$root/build/roots/window-$name.xwd
    shift 2
    set -m # a separate process group, so that all of it can be killed
    as_user "$name" "$@" >"$work/said" 2>&1 &
    job=$!
    set +m
    for _ in $(seq 1 60); do
        sleep 0.25
        window_is_there "$title" && seen=0 && break
    done
    sleep 2
    pgrep -g "$job" | while read -r process; do cat "/proc/$process/maps"; done >"$work/maps" 2>/dev/null
    xwd -display "$display" -root -silent >"$picture"
    colours=$(tail -c +4096 "$picture" | od -An -v -tx4 -w4 | sort -u | wc -l)
    kill -- "-$job"
    wait "$job"
    job=''
    echo "window: $seen, colours: $colours, said: $(cat "$work/said")" && cat "$work/windows"
    [ "$seen" = 0 ] && [ "$colours" -gt 200 ] && [ ! -s "$work/said" ]
}

# quietly COMMAND...: checks that the command succeeds and prints nothing on stderr.
quietly()
{
    "$@" 2>"$work/said" || { cat "$work/said" && return 1; }
    cat "$work/said"
    [ ! -s "$work/said" ]
}

# writes_nothing NAME COMMAND...: checks that a command writes no files and works with a read-only home.
writes_nothing()
{
    local top=$work/$1
    chmod 555 "$top/srv/user" && chown root: "$top/srv/user"
    touch "$work/before"
    sleep 0.1
    quietly as_user "$@"
    local code=$? written
    written=$(find "$top" -xdev -newer "$work/before" \( -type f -o -type d \) -not -path "$top/proc/*")
    chown -R 1234:1234 "$top/srv/user" && chmod 755 "$top/srv/user"
    echo "exit code $code, written: $written"
    [ "$code" = 0 ] && [ -z "$written" ]
}

# completes NAME WORDS WHOLE: checks that typing WORDS and Tab gives WHOLE, in a shell that loads completions automatically.
completes()
{
    {
        sleep 1
        printf 'source /usr/share/bash-completion/bash_completion\n'
        sleep 1
        printf '%s\t' "$2"
        sleep 2
        printf '\001#\nexit\n' # Ctrl+A and #: the line becomes a comment
    } | script -qec "env -i HOME=/tmp TERM=dumb PATH=/usr/bin:/bin '$(command -v chroot)' --userspec=1234:1234 '$work/$1' bash --noprofile --norc -i" /dev/null \
        >"$work/typed"
    cat "$work/typed"
    grep -qF -e "$3" "$work/typed"
}

# is_of_our_type NAME FILE TYPE: checks the MIME type that a file manager sees, and our icon.
is_of_our_type()
{
    local known
    known=$(XDG_DATA_DIRS="$work/$1/usr/share" XDG_DATA_HOME=/nonexistent gio info -a standard::content-type,standard::icon "$2")
    echo "$known"
    grep -q "content-type: $3" <<<"$known" && grep -q 'icon: .*io.github.collscope.Collscope.trace' <<<"$known"
}

# all_files NAME: lists all files in that root except logs, caches, the records of apt and dpkg, and the user's files.
all_files()
{
    (
        cd "$work/$1" || exit
        local others=(\( -path ./proc -o -path ./tmp -o -path ./var/tmp -o -path ./var/log -o -path ./var/cache -o -path ./var/lib/apt
            -o -path ./srv/user -o -path ./run/user-1234 -o -path ./usr/local/bin -o -name '*-old' -o -path ./var/lib/dpkg/status -o -path ./var/lib/dpkg/available \) -prune)
        find . -xdev "${others[@]}" -o -printf '%P %y %m %U %l\n'
        find . -xdev "${others[@]}" -o -type f -print0 | xargs -0 md5sum
    ) | sort
}

leaves_nothing()
{
    all_files "$1" >"$work/files-now"
    diff "$work/files-$1" "$work/files-now"
}

check_deb()
{
    new_root bookworm deb || return
    cp "$made"/collscope_*+debian12_*.deb "$work/deb/var/tmp/collscope.deb"
    cp "$made"/collscope-batch_*+debian12_*.deb "$work/deb/var/tmp/collscope-batch.deb"
    check "apt updates" apt deb update
    check "apt installs collscope-batch alone" apt deb install --no-install-recommends /var/tmp/collscope-batch.deb
    check "it brings no Qt" sh -c "! ls '$work'/deb/usr/lib/x86_64-linux-gnu | grep libQt6"
    check "it prints metrics" writes_nothing deb collscope --batch --demo --metric comm_comp_overlap
    check "it writes workbooks" as_user deb collscope --batch report --demo --kind individual --output /var/tmp/out/reports
    check "it says what plots need" plots_need_window deb collscope
    check "apt finds all dependencies of collscope" apt deb install /var/tmp/collscope.deb /var/tmp/collscope-batch.deb
    # The tools of a desktop. The first removal of the package then gives the state that the second removal must restore.
    check "apt installs desktop tools" apt deb install --no-install-recommends bash-completion desktop-file-utils shared-mime-info hicolor-icon-theme
    check "apt removes both" apt deb purge collscope collscope-batch
    all_files deb >"$work/files-deb"
    check "its data folder is gone" test ! -e "$work/deb/usr/share/collscope"
    check "apt installs both again" apt deb install /var/tmp/collscope.deb /var/tmp/collscope-batch.deb
    check "--version" quietly as_user deb collscope --version
    check "--batch writes no files and needs no home" writes_nothing deb collscope --batch --demo --metric comm_comp_overlap
    check "--list-metrics writes no files" writes_nothing deb collscope --batch --list-metrics
    check "ccl-metrics" quietly as_user deb ccl-metrics --demo --metric avg_step_time
    check "a plot" as_user deb collscope --batch --demo --metric exposed_communication_time --plot /var/tmp/out/plot.png
    check "--screenshot" quietly as_user deb collscope --screenshot /var/tmp/out/window.png --demo
    check "--demo opens a window" opens deb Collscope collscope --demo
    check "a German window" opens deb Collscope env LANG=de_DE.UTF-8 collscope --demo
    check "it loads Qt's German texts" grep -F /qtbase_de.qm "$work/maps"
    local line types=$work/deb/usr/share/applications/mimeinfo.cache demo=$work/deb/usr/share/collscope/demo
    line=$(sed -n 's/^Exec=//p' "$work/deb/usr/share/applications/io.github.collscope.Collscope.desktop")
    cp "$demo/rank3_trace.json.gz" "$work/deb/var/tmp/out/a trace.pt.trace.json.gz"
    # shellcheck disable=SC2086  # split into words, as by the desktop
    check "the desktop file opens a trace" opens deb "a trace" ${line/\%F/} "/var/tmp/out/a trace.pt.trace.json.gz"
    check "a trace is recognised by its name" is_of_our_type deb "$demo/rank0_trace.json.gz" application/vnd.pytorch.kineto-trace+gzip
    check "a trace is recognised by the profiler's name" is_of_our_type deb "$work/deb/var/tmp/out/a trace.pt.trace.json.gz" application/vnd.pytorch.kineto-trace+gzip
    check "NVLink samples are recognised by their content" is_of_our_type deb "$demo/nvlink_gpu0.bin" application/vnd.collscope.nvlink-samples
    echo '{}' >"$work/deb/var/tmp/out/collscope-session"
    check "a session is recognised" is_of_our_type deb "$work/deb/var/tmp/out/collscope-session" application/vnd.collscope.session+json
    check "the program is offered for traces" grep -q '^application/vnd.pytorch.kineto-trace+gzip=io.github.collscope' "$types"
    check "it is not offered for all JSON files or folders" sh -c "! grep -E '^(application/(json|gzip)|inode/directory)=.*collscope' '$types'"
    check "the manual page has no warnings" sh -c "! man --warnings -l '$work/deb/usr/share/man/man1/collscope.1.gz' 2>&1 >/dev/null | grep ."
    check "ccl-metrics has the same manual page" sh -c "chroot '$work/deb' zcat /usr/share/man/man1/ccl-metrics.1.gz | grep -q '^.TH COLLSCOPE'"
    check "the shell completes options" completes deb 'collscope --met' 'collscope --metric'
    check "the shell completes metrics" completes deb 'ccl-metrics --metric comm_comp_o' 'comm_comp_overlap'
    check "the kit is written" quietly as_user deb collscope --batch --write-kit /var/tmp/out/kit
    check "apt removes both again" apt deb purge collscope collscope-batch
    check "nothing is left" leaves_nothing deb
}

# plots_need_window NAME PROGRAM: checks that, without collscope-window, a plot ends with code 4 and says why.
plots_need_window()
{
    as_user "$1" "$2" --batch --demo --metric exposed_communication_time --plot /var/tmp/out/plot.png 2>"$work/said"
    local code=$?
    cat "$work/said"
    [ "$code" = 4 ] && grep -q 'need the program collscope-window, which is not installed' "$work/said"
}

# starts_others_cleanly NAME FOLDER: checks that started programs get the environment of the machine, and a path to Collscope that works later.
starts_others_cleanly()
{
    local top=$work/$1 home=$2
    printf '#!/bin/sh\nenv >>/var/tmp/out/environment\necho 7\n' >"$top/usr/local/bin/sbatch"
    chmod 755 "$top/usr/local/bin/sbatch"
    as_user "$1" "$home/bin/collscope" --batch slurm "$home/share/collscope/demo" --tasks 1 -o /var/tmp/out/jobs || return 1
    grep -E '^(LD_|QT_|COLLSCOPE|FONTCONFIG|XKB)' "$top/var/tmp/out/environment" && return 1
    # Then the steps that Slurm performs:
    as_user "$1" env SLURM_ARRAY_TASK_ID=0 bash /var/tmp/out/jobs/reduce.sbatch && as_user "$1" bash /var/tmp/out/jobs/merge.sbatch \
        && test -s "$top/var/tmp/out/jobs/metrics.csv"
}

check_archive()
{
    local name=$1 suite=$2 folder
    new_root "$suite" "$name" || return
    all_files "$name" >"$work/files-$name"
    mkdir "$work/$name/srv/user/my programs"
    tar -C "$work/$name/srv/user/my programs" --zstd -xf "$made"/collscope-[0-9]*-x86_64.tar.zst
    folder="/srv/user/my programs/$(ls "$work/$name/srv/user/my programs")"
    chown -R 1234:1234 "$work/$name/srv/user"
    ln -s "$folder/bin/collscope" "$work/$name/usr/local/bin/collscope"
    echo "$suite: $(chroot "$work/$name" ldd --version 2>&1 | head -n 1)"
    check "$name: the machine does not have its libraries" sh -c "! ls '$work/$name'/usr/lib/x86_64-linux-gnu | grep -E 'libQt6|libxcb|libfontconfig|libsimdjson'"
    check "$name: --version, through a link" quietly as_user "$name" collscope --version
    check "$name: --batch writes no files and needs no home" writes_nothing "$name" collscope --batch --demo --metric comm_comp_overlap
    check "$name: it works with LD_LIBRARY_PATH set" quietly as_user "$name" env LD_LIBRARY_PATH=/lib/x86_64-linux-gnu collscope --batch --demo --metric comm_comp_overlap
    check "$name: ccl-metrics" quietly as_user "$name" "$folder/bin/ccl-metrics" --demo --metric avg_step_time
    check "$name: a plot by ccl-metrics" as_user "$name" "$folder/bin/ccl-metrics" --demo --metric exposed_communication_time --plot /var/tmp/out/plot.png
    check "$name: --screenshot, without fonts installed" quietly as_user "$name" collscope --screenshot /var/tmp/out/window.png --demo
    check "$name: a workbook" as_user "$name" collscope --batch --demo --report individual --output /var/tmp/out/reports
    check "$name: a window" opens "$name" Collscope collscope --demo
    check "$name: a German window" opens "$name" Collscope env LANG=de_DE.UTF-8 collscope --demo
    check "$name: it loads Qt's German texts" grep -F "$folder/translations/qtbase_de.qm" "$work/maps"
    check "$name: it starts other programs cleanly" starts_others_cleanly "$name" "$folder"
    rm -r "$work/${name:?}$folder"
    tar -C "$work/$name/srv/user/my programs" --zstd -xf "$made"/collscope-batch-*-x86_64.tar.zst
    folder="/srv/user/my programs/$(ls "$work/$name/srv/user/my programs")"
    chown -R 1234:1234 "$work/$name/srv/user"
    ln -sf "$folder/bin/collscope" "$work/$name/usr/local/bin/collscope"
    check "$name, batch: it contains no Qt" sh -c "! find '$work/$name$folder' | grep -i qt6"
    check "$name, batch: metrics" writes_nothing "$name" collscope --batch --demo --metric comm_comp_overlap
    check "$name, batch: ccl-metrics" quietly as_user "$name" "$folder/bin/ccl-metrics" --demo --metric avg_step_time
    check "$name, batch: a workbook" as_user "$name" collscope --batch --demo --report individual --output /var/tmp/out/batch-reports
    check "$name, batch: it says what plots need" plots_need_window "$name" collscope
    rm -r "$work/$name/var/tmp/out/jobs" "$work/$name/var/tmp/out/environment"
    check "$name, batch: it starts other programs cleanly" starts_others_cleanly "$name" "$folder"
    rm -r "$work/${name:?}$folder"
    check "$name: nothing is left" leaves_nothing "$name"
}

# is_made FILE...: says that a file, named by a pattern that did not match, was not checked.
is_made()
{
    [ -e "$1" ] || { echo "not checked: ${1##*/} was not made" && return 1; }
}

check_trixie()
{
    is_made "$made"/collscope-batch_*+debian13_*.deb && new_root trixie trixie || return
    cp "$made"/collscope-batch_*+debian13_*.deb "$work/trixie/var/tmp/collscope-batch.deb"
    check "trixie: apt updates" apt trixie update
    check "trixie: apt installs collscope-batch alone" apt trixie install --no-install-recommends /var/tmp/collscope-batch.deb
    check "trixie: --version" quietly as_user trixie collscope --version
    check "trixie: it prints metrics" writes_nothing trixie collscope --batch --demo --metric comm_comp_overlap
    check "trixie: it writes workbooks" as_user trixie collscope --batch report --demo --kind individual --output /var/tmp/out/reports
    check "trixie: it says what plots need" plots_need_window trixie collscope
}

# same_output ARGUMENTS...: checks that both programs of check_aarch64 print the same bytes.
same_output()
{
    "$work/x86_64/bin/collscope" --batch "$@" >"$work/x86_64.out" || return
    "$work/aarch64/bin/collscope" --batch "$@" >"$work/aarch64.out" || return
    [ -s "$work/x86_64.out" ] && cmp "$work/x86_64.out" "$work/aarch64.out"
}

# The emulator takes the place of the archive's loader, as the kernel would start it for the loader if it knew how (binfmt_misc).
check_aarch64()
{
    local processor demo loader
    for processor in x86_64 aarch64; do
        is_made "$made"/collscope-batch-*-"$processor".tar.zst || return
        mkdir "$work/$processor"
        tar -C "$work/$processor" --strip-components=1 --zstd -xf "$made"/collscope-batch-*-"$processor".tar.zst
    done
    command -v qemu-aarch64-static >/dev/null || { echo "not checked: aarch64, without qemu-user-static" && return; }
    loader=$work/aarch64/lib/ld-linux-aarch64.so.1
    mv "$loader" "$loader.real"
    printf '#!/bin/sh\nexec qemu-aarch64-static "%s" "$@"\n' "$loader.real" >"$loader"
    chmod 755 "$loader"
    demo=$work/x86_64/share/collscope/demo
    check "aarch64: --version" sh -c "'$work/aarch64/bin/collscope' --version | grep -q ', aarch64$'"
    check "aarch64: all metrics are those of x86_64" same_output "$demo" --json
    check "aarch64: so are findings" same_output findings "$demo" --json
    check "aarch64: so are the reasons of a step" same_output explain "$demo" --step 22 --json
    check "aarch64: so are scenarios" same_output what-if "$demo" --json
    check "aarch64: it writes workbooks" "$work/aarch64/bin/collscope" --batch report "$demo" --kind individual --output "$work/reports"
}

mkdir -p /tmp/.X11-unix
mkfifo "$work/ready"
Xvfb -displayfd 4 -screen 0 1920x1080x24 -nolisten tcp 4>"$work/ready" >/dev/null 2>&1 &
server=$!
read -r display <"$work/ready" || { echo "Xvfb does not start" >&2 && exit 1; }
display=:$display
for kind in "${checks[@]}"; do
    case $kind in
    deb) check_deb ;;
    archive) check_archive archive bookworm ;;
    old) check_archive old bullseye ;;
    trixie) check_trixie ;;
    aarch64) check_aarch64 ;;
    *) echo "check-packages.sh: unknown check '$kind'; use deb, archive, old, trixie or aarch64" >&2 && exit 1 ;;
    esac
done
[ "$failures" = 0 ] || { echo "$failures checks failed" >&2 && exit 1; }
