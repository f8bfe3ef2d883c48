#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# check.sh [asan] [tsan] [tidy] [fuzz] [packages]   the long checks, before an issue is called finished; all of them by default.
# COLLSCOPE_FUZZ_SECONDS: how long each fuzz target runs (60).
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
"$root/packaging/install-packages.sh" "$root"/packaging/packages{,-test,-check}.txt
cd "$root"
checks=("$@")
[ ${#checks[@]} -gt 0 ] || checks=(asan tsan tidy fuzz packages)

build()
{
    local preset=$1
    echo "== $preset: building"
    cmake --preset "$preset" >/dev/null
    shift
    cmake --build --preset "$preset" -- "$@"
}

run_fuzzers()
{
    local target corpus
    for target in build/fuzz/bin/fuzz_*; do
        # New inputs go to the build folder; the corpus in the sources only seeds.
        corpus=build/fuzz/corpus/$(basename "$target")
        mkdir -p "$corpus"
        echo "== $(basename "$target")"
        "$target" -max_total_time="${COLLSCOPE_FUZZ_SECONDS:-60}" -timeout=20 -rss_limit_mb=4096 -max_len=65536 -print_final_stats=0 \
            -verbosity=0 -artifact_prefix="build/fuzz/" "$corpus" "tests/fuzz/corpus/$(basename "$target" | sed 's/^fuzz_//')"
    done
}

for check in "${checks[@]}"; do
    case $check in
    asan | tsan)
        build "$check"
        ctest --preset "$check" --no-label-summary
        ;;
    tidy)
        build tidy -k 0 # all findings at once
        ;;
    fuzz)
        build fuzz
        run_fuzzers
        ;;
    packages)
        packaging/package.sh
        packaging/check-packages.sh
        ;;
    *)
        echo "check.sh knows asan, tsan, tidy, fuzz and packages, not $check" >&2
        exit 1
        ;;
    esac
    echo "== $check: done"
done
