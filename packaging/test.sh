#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# test.sh   installs missing packages, then builds and runs every test: the Qt-free tests under sanitizers, the tests of program and
# window in a fast build. check.sh runs all of them under sanitizers; ctest --preset release runs them in the shipped build.
# Real traces and oracle cases are used if present: COLLSCOPE_TRACES, COLLSCOPE_ORACLE (see tests/README.md).
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
"$root/packaging/install-packages.sh" "$root"/packaging/packages{,-window,-test}.txt

cd "$root"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
for preset in asan-core ci; do
    echo "== $preset: building"
    started=$SECONDS
    if ! { cmake --preset "$preset" && cmake --build --preset "$preset"; } >"$log" 2>&1; then
        grep -E -A20 'error|FAILED|CMake Error' "$log" | head -n 80 || tail -n 40 "$log"
        exit 1
    fi
    echo "== $preset: built in $((SECONDS - started)) s, testing"
    # One line for each class, when it is done.
    ctest --preset "$preset" --no-label-summary | grep --line-buffered -v '^ *Start '
done
