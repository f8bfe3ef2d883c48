#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# test_rccl.sh COLLSCOPE MAKE_RUN   tests the parts of the kit that need no Slurm: its help, the TorchTitan options of its workloads, and
# the RCCL comparison, with a training that only writes traces and a library that is a text file.
set -uo pipefail
collscope=$1
make_run=$2
base=$(mktemp -d)
trap 'rm -rf "$base"' EXIT
work="$base/A&B c" # a name with special characters
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
    "$@" 2>&1 | grep -F -- "$wanted" >/dev/null # not grep -q, which would close the pipe early
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
    head -n 1 "$script" | grep -q '^#!' || continue # the script is sourced
    check "$script --help names itself" prints "$(basename "$script") " "$script" --help
    check "$script --help succeeds" ends_with 0 "$script" --help
done
# Names of these sizes in TorchTitan v0.2.2, and of the configurations in later versions.
check "flavors exist in TorchTitan" bash -c "! grep -h '^flavor' kit/workloads/*/train_config.toml | grep -vE '\"(8B|16B|32B)\"'"
check "configurations exist in TorchTitan" bash -c "! grep -h -A 1 -x -- --config kit/workloads/*/train_args.txt | grep -vxE -- '--(config)?|llama3_8b|deepseek_v3_16b|qwen3_32b'"
one=kit/workloads/llama3.1-8b-torchtitan-tp-perlmutter-16
cp kit/perlmutter/site-example.sh kit/perlmutter/site.sh
# shellcheck disable=SC2016  # literal text of the file
sed -i 's/^: "${KIT_SBATCH=}".*/: "${KIT_SBATCH=--partition=big --mem=9G}"/' kit/perlmutter/site.sh
check "site.sh applies to every job" prints "--partition=big --mem=9G " "$one/run.sh" --dry-run
check "the environment overrides site.sh" prints "--partition=small " env KIT_SBATCH=--partition=small "$one/run.sh" --dry-run
# A run of two ranks, one without an execution trace.
mkdir -p traces/profiling/traces/iteration_5
for rank in 0 1; do
    echo '{"traceEvents": [{"cat": "kernel"}]}' >"traces/profiling/traces/iteration_5/rank${rank}_trace.json"
done
echo '{}' >traces/torch_et_0.json
check "a missing execution trace is exit code 6" ends_with 6 kit/perlmutter/verify_traces.sh traces --world 2 --mode torch
check "the message contains the count" grep -q "execution traces are missing: 1 of 2" out.txt

check "a missing library fails" ends_with 2 kit/rccl/verify_rccl.sh --root "$work/rccl"
check "the reason is printed" grep -q '^\[NO\] library' out.txt
mkdir -p rccl/lib other
echo RCCL_WARP_SPEED_ENABLE >rccl/lib/librccl.so
echo "another" >other/librccl.so.1
export RCCL_ROOT=$work/rccl RCCL_SOURCE=$work/none
check "another library that comes first fails" ends_with 2 env LD_LIBRARY_PATH="$work/other:$work/rccl/lib" kit/rccl/verify_rccl.sh
check "the right library succeeds" ends_with 0 env LD_LIBRARY_PATH="$work/rccl/lib:$work/other" kit/rccl/verify_rccl.sh
git init -q -b main "$work/source"
check "another branch fails" ends_with 2 env LD_LIBRARY_PATH="$work/rccl/lib" RCCL_SOURCE="$work/source" kit/rccl/verify_rccl.sh
check "its name is printed" grep -q 'main (expected: warp_speed_v1)' out.txt

check "with the wrong library nothing starts" ends_with 2 "$compare" -o A -- ./train.sh '{}/torch_profiler'
check "nothing is written" test ! -e A
export LD_LIBRARY_PATH=$work/rccl/lib
check "a missing training is a usage error" ends_with 1 "$compare"
check "an invalid pair is a usage error" ends_with 1 "$compare" -p "56 256" -- true
check "a dry run succeeds" ends_with 0 "$compare" --dry-run -p "56,256 37,384" -- ./train.sh
check "a dry run starts nothing" test ! -e experiments
check "three configurations run" ends_with 0 "$compare" -- ./train.sh '{}/torch_profiler'
check "each runs in its folder" bash -c 'ls -d experiments/rccl_warp_speed_*/{56cu_256threads,37cu_384threads,32cu_512threads}/torch_profiler/rank0 | wc -l | grep -qx 3'
check "each has its settings" grep -qx RCCL_THREADS_PER_BLOCK=384 experiments/*/37cu_384threads/settings.env
# The printed commands work unchanged.
compared=$(grep -m 1 '^collscope ' out.txt)
check "the comparison runs" ends_with 0 bash -c "${compared/#collscope/\"$collscope\"}"
check "it writes the report" test -s comparison_56cu_256threads_vs_37cu_384threads/final_analysis_report.xlsx
check "reports of a configuration are written" ends_with 0 env COLLSCOPE="$collscope" kit/rccl/run_tracelens_single_config.sh "${config:=$(echo experiments/*/56cu_256threads)}/torch_profiler"
check "they have the paths of the original script" test -s "$config/tracelens_analysis/collective_reports/collective_all_ranks.xlsx"
check "there is one of each rank" test -s "$config/tracelens_analysis/individual_reports/rank1_individual_report.xlsx"
other=$(echo experiments/*/37cu_384threads)
check "--collective-only succeeds" ends_with 0 env COLLSCOPE="$collscope" kit/rccl/run_tracelens_single_config.sh "$other" --collective-only
check "it writes no reports of ranks" test ! -e "$other/tracelens_analysis/individual_reports"
check "the reports are compared" ends_with 0 "$collscope" --batch --baseline "$config" --test "$other" --output compared --all --skip-tracelens
check "the reports are found" grep -q "reading the reports of" out.txt
check "a missing configuration is a usage error" ends_with 1 kit/rccl/run_tracelens_single_config.sh
# Started as in aorta's guide: in the folder of the training, without a command.
mkdir -p aorta/config bin
touch aorta/train.py aorta/config/distributed.yaml
cat >bin/torchrun <<'TORCHRUN'
#!/usr/bin/env bash
printf '%s\n' "$@" >"$OUTPUT_DIR/argv.txt"
mkdir -p "$OUTPUT_DIR/torch_profiler/rank0" && echo '{}' >"$OUTPUT_DIR/torch_profiler/rank0/trace.json"
TORCHRUN
chmod +x bin/torchrun
check "it runs without a command" ends_with 0 bash -c "cd aorta && PATH=\"$work/bin:$PATH\" ../$compare"
# shellcheck disable=SC2016  # expanded by the inner bash
check "it runs the training of the folder" bash -c 'grep -qx "training.output_dir=$(pwd)/aorta/experiments/.*/32cu_512threads" aorta/experiments/*/32cu_512threads/argv.txt'
check "a missing configuration file is a usage error" ends_with 1 bash -c "cd aorta && ../$compare -c none.yaml"
check "an existing folder is not overwritten" ends_with 1 "$compare" -o run -- ./train.sh '{}/torch_profiler'
check "a failing configuration does not stop the others" ends_with 3 "$compare" -o B -p "9,1 56,256" -- ./train.sh '{}/torch_profiler'
check "the failing configuration is named" grep -q '9cu_1threads ended with 7' out.txt
check "the other configuration ran" test -s B/56cu_256threads/torch_profiler/rank0/trace.json
check "a configuration without traces is exit code 3" ends_with 3 "$compare" -o C -p "8,1" -- ./train.sh '{}/torch_profiler'
# shellcheck disable=SC2016  # expanded by the bash of the script
check "TRAIN_COMMAND works" ends_with 0 env TRAIN_COMMAND='./train.sh "$OUTPUT_DIR/torch_profiler"' "$compare" -p "56,256" -o D
[ "$failures" = 0 ] || { echo "$failures failed" >&2; exit 1; }
