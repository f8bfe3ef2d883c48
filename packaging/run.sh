#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# run.sh [collscope's arguments]   installs missing packages, builds, and opens the demo run, or runs the program with the arguments.
# Afterwards `cmake --install build/release --prefix DIR` installs it: manual page, completions and icons are built too.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
caller=$PWD
"$root/packaging/install-packages.sh"

cd "$root"
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# Shows Ninja's "[17/415] Building ..." as a count: one updated line on a terminal, otherwise one line per tenth of the build.
show_progress()
{
    local line count total tenth=0
    while IFS= read -r line; do
        printf '%s\n' "$line" >>"$log"
        [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
        count=${BASH_REMATCH[1]} total=${BASH_REMATCH[2]}
        if [ -t 2 ]; then
            printf '\rBuilding: %d of %d' "$count" "$total" >&2
        elif [ $((10 * count / total)) -gt "$tenth" ]; then
            tenth=$((10 * count / total))
            echo "Building: $count of $total" >&2
        fi
    done
    [ ! -t 2 ] || printf '\r\033[K' >&2
}

if ! { cmake --preset release && cmake --build --preset release --target installed; } 2>&1 | show_progress; then
    tail -n 40 "$log" >&2
    echo "The build failed; the last lines of its output are above. To avoid building, use the archive: see packaging/package.sh." >&2
    exit 1
fi

program=$root/build/release/bin/collscope
cd "$caller"
if [ $# -gt 0 ]; then
    "$program" "$@"
elif [ -n "${DISPLAY:-}" ] || [ -n "${WAYLAND_DISPLAY:-}" ]; then
    "$program" --demo
else
    echo "No display is available; printing the metrics of the demo run." >&2
    echo "On a desktop, or with ssh -X, packaging/run.sh opens the window; packaging/run.sh FOLDER opens your own run." >&2
    "$program" --batch --demo
fi
