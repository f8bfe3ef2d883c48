#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# run.sh [collscope's arguments]   installs what is missing, builds, and opens the demo run (or what the arguments say).
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
caller=$PWD
"$root/packaging/install-packages.sh"

cd "$root"
echo "Building (the first time takes some minutes) ..." >&2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { cmake --preset release && cmake --build --preset release --target collscope; } >"$log" 2>&1; then
    tail -n 40 "$log" >&2
    exit 1
fi

program=$root/build/release/bin/collscope
cd "$caller"
if [ $# -gt 0 ]; then
    "$program" "$@"
elif [ -n "${DISPLAY:-}" ] || [ -n "${WAYLAND_DISPLAY:-}" ]; then
    "$program" --demo
else
    echo "No display here, so this prints the metrics of the demo run." >&2
    echo "On a desktop, or through ssh -X, packaging/run.sh opens the window; packaging/run.sh FOLDER opens a run of yours." >&2
    "$program" --batch --demo
fi
