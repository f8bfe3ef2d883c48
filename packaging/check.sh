#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# check.sh [names] [asan] [tsan] [tidy] [fuzz] [packages]   runs the long checks, before an issue is closed; all of them by default.
# COLLSCOPE_FUZZ_SECONDS: run time of each fuzz target (default: one hour for all of them together).
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
"$root/packaging/install-packages.sh" "$root"/packaging/packages{,-window,-test,-check}.txt
cd "$root"
checks=("$@")
[ ${#checks[@]} -gt 0 ] || checks=(names asan tsan tidy fuzz packages)

build()
{
    local preset=$1
    echo "== $preset: building"
    cmake --preset "$preset" >/dev/null
    shift
    cmake --build --preset "$preset" -- "$@"
}

# Compiles each library as one file, without making code: two files must not call different things by the same name.
check_names()
{
    local folder=build/names whole
    cmake --preset release -B $folder -DCOLLSCOPE_TOGETHER=100000 -DCOLLSCOPE_TESTS=none -DCMAKE_CXX_FLAGS= >/dev/null
    # Only now: CMake tests the compiler by making a program. Without code there is nothing to archive, either, and a library that
    # fails would keep Ninja from those that come after it.
    cmake -B $folder -DCMAKE_CXX_FLAGS=-fsyntax-only -DCMAKE_CXX_ARCHIVE_CREATE=true -DCMAKE_CXX_ARCHIVE_FINISH=true >/dev/null
    whole=$(ninja -C $folder -t targets all | sed -n 's/: CXX_COMPILER.*//p' | grep /Unity/)
    # shellcheck disable=SC2086 # one target a word
    ninja -C $folder -k 0 $whole
}

# fuzz_one <program> <seconds>   runs one target. Output goes to build/fuzz/<target>.log. The inputs are first reduced to those that reach
# unique code.
fuzz_one()
{
    local target=${1##*/fuzz_} folder=build/fuzz dictionary=() seeds=tests/fuzz/corpus
    local kept=$folder/corpus/$target
    case $target in
    kineto_json | doctor) dictionary=(-dict=tests/fuzz/dictionaries/trace_events.dict) ;;
    *) [ ! -f "tests/fuzz/dictionaries/$target.dict" ] || dictionary=("-dict=tests/fuzz/dictionaries/$target.dict") ;;
    esac
    rm -rf "$kept.merged"
    mkdir -p "$kept" "$kept.merged"
    "$1" -merge=1 -verbosity=0 "$kept.merged" "$kept" "$seeds/$target" >"$folder/$target.log" 2>&1 && rm -rf "$kept" && mv "$kept.merged" "$kept"
    "$1" "-max_total_time=$2" -timeout=20 -rss_limit_mb=4096 -max_len=65536 -print_final_stats=1 -verbosity=0 "${dictionary[@]}" \
        "-artifact_prefix=$folder/$target-" "$kept" "$seeds/$target" >>"$folder/$target.log" 2>&1
}
export -f fuzz_one

# Runs all targets, two at a time, and prints the statistics of each.
run_fuzzers()
{
    local programs=(build/fuzz/bin/fuzz_*) at_once=2 hour=3600 seconds state=0 program target
    seconds=${COLLSCOPE_FUZZ_SECONDS:-$((hour * at_once / ${#programs[@]}))}
    echo "== ${#programs[@]} targets, $seconds s each, $at_once at a time"
    printf '%s\n' "${programs[@]}" | xargs -P $at_once -I '{}' bash -c "fuzz_one '{}' $seconds" || state=1
    printf '%-20s %12s %12s %8s\n' target executions "per second" inputs
    for program in "${programs[@]}"; do
        target=${program##*/fuzz_}
        printf '%-20s %12s %12s %8s\n' "$target" "$(sed -n 's/^stat::number_of_executed_units: *//p' "build/fuzz/$target.log")" \
            "$(sed -n 's/^stat::average_exec_per_sec: *//p' "build/fuzz/$target.log")" "$(find "build/fuzz/corpus/$target" -type f | wc -l)"
    done
    if [ $state != 0 ]; then
        echo "Fuzzing found failures. The inputs are listed below; the reports are in build/fuzz/<target>.log:" >&2
        find build/fuzz -maxdepth 1 -name '*-crash-*' -o -maxdepth 1 -name '*-timeout-*' -o -maxdepth 1 -name '*-oom-*' -o -maxdepth 1 -name '*-leak-*' >&2
    fi
    return $state
}

for check in "${checks[@]}"; do
    case $check in
    names)
        check_names
        ;;
    asan | tsan)
        build "$check"
        ctest --preset "$check" --no-label-summary
        ;;
    tidy)
        build tidy -k 0 # do not stop at the first finding
        ;;
    fuzz)
        build fuzz
        run_fuzzers
        ;;
    packages)
        packaging/package.sh
        packaging/package.sh aarch64 # adds to what release made
        packaging/check-packages.sh
        ;;
    *)
        echo "check.sh: unknown check '$check'; use names, asan, tsan, tidy, fuzz or packages" >&2
        exit 1
        ;;
    esac
    echo "== $check: done"
done
