#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# test_rccl.sh COLLSCOPE MAKE_RUN   the RCCL comparison of the kit, with a training that only writes traces and a library of text.
set -uo pipefail
collscope=$1
make_run=$2
base=$(mktemp -d)
trap 'rm -rf "$base"' EXIT
work="$base/A&B c" # a name as people give them
mkdir "$work"
cd "$work" || exit 1
failures=0
check()
{
    local what=$1
    shift
    if ! "$@"; then
        echo "FAILED: $what" >&2
        failures=$((failures + 1))
    fi
}
ends_with()
{
    local expected=$1 code=0
    shift
    "$@" >out.txt 2>&1 || code=$?
    [ "$code" = "$expected" ] || { echo "exit code $code instead of $expected:" && cat out.txt && return 1; } >&2
}
unset RCCL_ROOT RCCL_SOURCE LD_LIBRARY_PATH TRAIN_COMMAND
"$collscope" --batch --write-kit kit >/dev/null || exit 1
"$make_run" small "$work/run" >/dev/null || exit 1
compare=kit/rccl/run_rccl_warp_speed_comparison.sh
cat >train.sh <<'TRAIN'
#!/usr/bin/env bash
[ "$RCCL_WARP_SPEED_CU_COUNT" != 9 ] || exit 7
[ "$RCCL_WARP_SPEED_CU_COUNT" != 8 ] || exit 0
[ "$1" = "$OUTPUT_DIR/torch_profiler" ] || exit 8
rank=0
for file in run/rank*_trace.json*; do
    mkdir -p "$1/rank$rank"
    gzip -dcf "$file" >"$1/rank$rank/trace.json"
    rank=$((rank + 1))
done
TRAIN
chmod +x train.sh

check "without a library it is not the one" ends_with 2 kit/rccl/verify_rccl.sh --root "$work/rccl"
check "and says so" grep -q '^\[NO\] library' out.txt
mkdir -p rccl/lib other
echo RCCL_WARP_SPEED_ENABLE >rccl/lib/librccl.so
echo "another" >other/librccl.so.1
export RCCL_ROOT=$work/rccl RCCL_SOURCE=$work/none
check "another library comes first" ends_with 2 env LD_LIBRARY_PATH="$work/other:$work/rccl/lib" kit/rccl/verify_rccl.sh
check "the right one is taken" ends_with 0 env LD_LIBRARY_PATH="$work/rccl/lib:$work/other" kit/rccl/verify_rccl.sh
git init -q -b main "$work/source"
check "another branch is told" ends_with 2 env LD_LIBRARY_PATH="$work/rccl/lib" RCCL_SOURCE="$work/source" kit/rccl/verify_rccl.sh
check "with its name" grep -q 'main (warp_speed_v1 is wanted)' out.txt

check "the wrong library starts nothing" ends_with 2 "$compare" -o A -- ./train.sh '{}/torch_profiler'
check "and leaves nothing" test ! -e A
export LD_LIBRARY_PATH=$work/rccl/lib
check "no training" ends_with 1 "$compare"
check "a pair that is none" ends_with 1 "$compare" -p "56 256" -- true
check "a dry run" ends_with 0 "$compare" --dry-run -p "56,256 37,384" -- ./train.sh
check "starts nothing" test ! -e experiments
check "three configurations" ends_with 0 "$compare" -- ./train.sh '{}/torch_profiler'
check "each in its folder" bash -c 'ls -d experiments/rccl_warp_speed_*/{56cu_256threads,37cu_384threads,32cu_512threads}/torch_profiler/rank0 | wc -l | grep -qx 3'
check "with its settings" grep -qx RCCL_THREADS_PER_BLOCK=384 experiments/*/37cu_384threads/settings.env
# What it says can be typed as it stands.
compared=$(grep -m 1 '^collscope ' out.txt)
check "the comparison" ends_with 0 bash -c "${compared/#collscope/\"$collscope\"}"
check "makes the report" test -s comparison_56cu_256threads_vs_37cu_384threads/final_analysis_report.xlsx
check "what is there stays" ends_with 1 "$compare" -o run -- ./train.sh '{}/torch_profiler'
check "one that fails does not stop the others" ends_with 3 "$compare" -o B -p "9,1 56,256" -- ./train.sh '{}/torch_profiler'
check "it is named" grep -q '9cu_1threads ended with 7' out.txt
check "the other ran" test -s B/56cu_256threads/torch_profiler/rank0/trace.json
check "one without traces" ends_with 3 "$compare" -o C -p "8,1" -- ./train.sh '{}/torch_profiler'
# shellcheck disable=SC2016  # bash of the script reads it
check "TRAIN_COMMAND" ends_with 0 env TRAIN_COMMAND='./train.sh "$OUTPUT_DIR/torch_profiler"' "$compare" -p "56,256" -o D
[ "$failures" = 0 ] || { echo "$failures failed" >&2; exit 1; }
