#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# test_rccl.sh COLLSCOPE MAKE_RUN   what of the kit needs no Slurm: its help, what its workloads ask TorchTitan for, and the RCCL
# comparison, with a training that only writes traces and a library of text.
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
prints()
{
    local wanted=$1
    shift
    "$@" 2>&1 | grep -F -- "$wanted" >/dev/null # which reads all of it: nobody minds a closed pipe
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

for script in kit/perlmutter/*.sh kit/rccl/*.sh kit/workloads/*/run.sh kit/tools/manifest.py; do
    head -n 1 "$script" | grep -q '^#!' || continue # it is sourced
    check "$script --help names itself" prints "$(basename "$script") " "$script" --help
    check "$script --help succeeds" ends_with 0 "$script" --help
done
# What TorchTitan v0.2.2 calls these sizes, and its later configurations.
check "flavors that TorchTitan has" bash -c "! grep -h '^flavor' kit/workloads/*/train_config.toml | grep -vE '\"(8B|16B|32B)\"'"
check "configurations that TorchTitan has" bash -c "! grep -h -A 1 -x -- --config kit/workloads/*/train_args.txt | grep -vxE -- '--(config)?|llama3_8b|deepseek_v3_16b|qwen3_32b'"
one=kit/workloads/llama3.1-8b-torchtitan-tp-perlmutter-16
cp kit/perlmutter/site-example.sh kit/perlmutter/site.sh
# shellcheck disable=SC2016  # as it stands in the file
sed -i 's/^: "${KIT_SBATCH=}".*/: "${KIT_SBATCH=--partition=big --mem=9G}"/' kit/perlmutter/site.sh
check "site.sh is for every job" prints "--partition=big --mem=9G " "$one/run.sh" --dry-run
check "the environment stands over it" prints "--partition=small " env KIT_SBATCH=--partition=small "$one/run.sh" --dry-run
# A run of two ranks of which one has its execution trace.
mkdir -p traces/profiling/traces/iteration_5
for rank in 0 1; do
    echo '{"traceEvents": [{"cat": "kernel"}]}' >"traces/profiling/traces/iteration_5/rank${rank}_trace.json"
done
echo '{}' >traces/torch_et_0.json
check "a missing execution trace" ends_with 6 kit/perlmutter/verify_traces.sh traces --world 2 --mode torch
check "is counted" grep -q "execution traces are missing: 1 of 2" out.txt

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
check "reports of a configuration" ends_with 0 env COLLSCOPE="$collscope" kit/rccl/run_tracelens_single_config.sh "${config:=$(echo experiments/*/56cu_256threads)}/torch_profiler"
check "lie where the seed's lie" test -s "$config/tracelens_analysis/collective_reports/collective_all_ranks.xlsx"
check "of each rank" test -s "$config/tracelens_analysis/individual_reports/rank1_individual_report.xlsx"
other=$(echo experiments/*/37cu_384threads)
check "of another one, only these" ends_with 0 env COLLSCOPE="$collscope" kit/rccl/run_tracelens_single_config.sh "$other" --collective-only
check "no rank" test ! -e "$other/tracelens_analysis/individual_reports"
check "compared from the reports" ends_with 0 "$collscope" --batch --baseline "$config" --test "$other" --output compared --all --skip-tracelens
check "which are found" grep -q "are read from" out.txt
check "no configuration" ends_with 1 kit/rccl/run_tracelens_single_config.sh
# As aorta's guide starts it: in the folder of the training, without a command.
mkdir -p aorta/config bin
touch aorta/train.py aorta/config/distributed.yaml
cat >bin/torchrun <<'TORCHRUN'
#!/usr/bin/env bash
printf '%s\n' "$@" >"$OUTPUT_DIR/argv.txt"
mkdir -p "$OUTPUT_DIR/torch_profiler/rank0" && echo '{}' >"$OUTPUT_DIR/torch_profiler/rank0/trace.json"
TORCHRUN
chmod +x bin/torchrun
check "without a command" ends_with 0 bash -c "cd aorta && PATH=\"$work/bin:$PATH\" ../$compare"
# shellcheck disable=SC2016  # the inner bash reads it
check "the training of the folder" bash -c 'grep -qx "training.output_dir=$(pwd)/aorta/experiments/.*/32cu_512threads" aorta/experiments/*/32cu_512threads/argv.txt'
check "which has no such configuration" ends_with 1 bash -c "cd aorta && ../$compare -c none.yaml"
check "what is there stays" ends_with 1 "$compare" -o run -- ./train.sh '{}/torch_profiler'
check "one that fails does not stop the others" ends_with 3 "$compare" -o B -p "9,1 56,256" -- ./train.sh '{}/torch_profiler'
check "it is named" grep -q '9cu_1threads ended with 7' out.txt
check "the other ran" test -s B/56cu_256threads/torch_profiler/rank0/trace.json
check "one without traces" ends_with 3 "$compare" -o C -p "8,1" -- ./train.sh '{}/torch_profiler'
# shellcheck disable=SC2016  # bash of the script reads it
check "TRAIN_COMMAND" ends_with 0 env TRAIN_COMMAND='./train.sh "$OUTPUT_DIR/torch_profiler"' "$compare" -p "56,256" -o D
[ "$failures" = 0 ] || { echo "$failures failed" >&2; exit 1; }
