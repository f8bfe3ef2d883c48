#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# test_kit.sh COLLSCOPE NVLINK_SAMPLER FAKE_NVML HARDWARE_SAMPLER   tests the collection kit on a real Slurm, with launchers that only write files: all
# seven workloads in three modes, a missing rank, traces without GPU events, the chain of submit_all.
set -uo pipefail
collscope=$1
sampler=$2
export COLLSCOPE_NVML_LIB=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
failures=0
# shellcheck source-path=SCRIPTDIR source=lab.sh
source "$here/lab.sh"
lab_start
cd "$LAB/home" || exit 1
export PATH=$here/bin:$PATH NERSC_ALLOCATION=m9999 SCRATCH=$LAB/home/scratch
"$collscope" --batch --write-kit kit || exit 1
cp "$sampler" kit/tools/nvlink_sampler
cp "$4" kit/tools/hardware_sampler
traces=$SCRATCH/ccl-bench-traces

check "a placeholder is refused" bash -c '! NERSC_ALLOCATION=m1234 kit/workloads/llama3.1-8b-torchtitan-tp-perlmutter-16/run.sh 2>/dev/null'
check "an unknown mode is refused" bash -c '! kit/workloads/llama3.1-8b-torchtitan-tp-perlmutter-16/run.sh --mode all 2>/dev/null'
check "--dry-run submits nothing" bash -c 'kit/workloads/qwen3-32b-torchtitan-3d-perlmutter-16/run.sh --dry-run --steps 7 | grep -q "sbatch.*STEPS=7.*run.sbatch"'
check "a model that is too large gives a warning" bash -c 'kit/workloads/qwen3-32b-torchtitan-3d-perlmutter-16/run.sh --dry-run 2>&1 | grep -q "do not fit in 8 GPUs of 40 GB"'

declare -A jobs
for mode in torch nsys both; do
    for folder in kit/workloads/*/; do
        workload=$(basename "$folder")
        # Two of the workloads request GPUs with 80 GB, which these nodes do not have.
        jobs[$mode/$workload]=$("$folder/run.sh" --mode "$mode" --constraint=gpu --time=00:05:00) || failures=$((failures + 1))
    done
done
lab_wait "${jobs[@]}"
for key in "${!jobs[@]}"; do
    mode=${key%%/*} workload=${key#*/}
    job=${jobs[$key]}
    run=$traces/$workload/run_$job
    world=4
    [[ $workload != *-3d-* ]] || world=8
    problems=
    expect() { # WHAT COMMAND...
        local what=$1
        shift
        "$@" || problems+=" $what;"
    }
    expect "exit code $(lab_exit_code "$job")" [ "$(lab_exit_code "$job")" = 0 ]
    expect "card" [ -s "$run/workload_card.yaml" ]
    expect "configuration" grep -q '^steps = ' "$run/train_config.toml"
    expect "environment" grep -q PROFILE_MODE "$run/env.json"
    expect "manifest" grep -q sha256 "$run/manifest.json"
    expect "latest" [ "$(readlink "$traces/$workload/latest")" != "" ]
    if [ "$mode" != nsys ]; then
        expect "ranks" [ "$(find "$run/profiling/traces/iteration_10" -name 'rank*_trace.json.gz' | wc -l)" = $world ]
        expect "link" [ "$(readlink "$run/kineto_trace_0.json.gz")" = profiling/traces/iteration_10/rank0_trace.json.gz ]
        expect "execution traces" [ "$(find "$run" -maxdepth 1 -name 'torch_et_*.json' | wc -l)" = $world ]
        expect "NVLink" [ -s "$run/nvlink_gpu0.bin" ]
        expect "hardware" bash -c "compgen -G '$run/gpu_state_*.csv'"
        expect "arguments" grep -qx -- "--job.config_file" "$run/argv_torch_node0.txt"
        expect "every node" [ "$(find "$run" -name 'argv_torch_node*.txt' | wc -l)" = $((world / 4)) ]
        expect "no nsys around the launcher" [ -z "$(find "$run" -maxdepth 1 -name '*.nsys-rep')" ]
    fi
    if [ "$mode" != torch ]; then
        expect "reports" [ "$(find "$run" -name '*.nsys-rep' | wc -l)" = $((world / 4)) ]
        expect "exports" [ "$(find "$run" -name '*.sqlite' | wc -l)" = $((world / 4)) ]
        expect "no profiler under nsys" grep -qx -- "--profiling.no-enable_profiling" "$run/argv_nsys_node0.txt"
    fi
    check "$key${problems:+:$problems}" [ -z "$problems" ]
    [ -z "$problems" ] || tail -n 5 "kit/logs"/*_"$job".out
done
one=llama3.1-8b-torchtitan-tp-perlmutter-16
both=$traces/$one/run_${jobs[both/$one]}
check "the program reads the files of the kit" bash -c "[ \"\$('$collscope' --batch '$both/profiling' --metric coll_call_num 2>/dev/null)\" = 1 ]"
check "--plain writes the file that older tools read" bash -c "kit/perlmutter/verify_traces.sh '$both' --world 4 --plain >/dev/null && grep -q traceEvents '$both/kineto_trace_0.json'"

job=$(FAKE_MISSING_RANK=2 "kit/workloads/$one/run.sh" --mode torch)
lab_wait "$job"
check "a missing rank is exit code 3" [ "$(lab_exit_code "$job")" = 3 ]
check "the message contains the count" grep -q "ranks are missing: 3 of 4" kit/logs/*_"$job".out
job=$(FAKE_LATE_RANK=1 "kit/workloads/$one/run.sh" --mode torch)
lab_wait "$job"
check "with an incomplete last iteration the previous one is linked" [ "$(readlink "$traces/$one/run_$job/kineto_trace_0.json.gz")" = profiling/traces/iteration_5/rank0_trace.json.gz ]
check "the incomplete iteration is reported" grep -q "iteration_10 is not complete" kit/logs/*_"$job".out
job=$(FAKE_NO_GPU=1 "kit/workloads/$one/run.sh" --mode torch)
lab_wait "$job"
check "traces without GPU events are exit code 4" [ "$(lab_exit_code "$job")" = 4 ]
check "older runs are still there" [ -d "$both" ]

# From the folder of the workload.
job=$(cd "kit/workloads/$one" && SBATCH_ACCOUNT=m9999 PROFILE_MODE=torch sbatch --parsable run.sbatch)
lab_wait "$job"
check "sbatch run.sbatch in its folder" [ "$(lab_exit_code "$job")" = 0 ]

kit/perlmutter/submit_all.sh --chain --mode torch --constraint=gpu >chain.txt
check "submit_all names seven jobs" [ "$(grep -c ':' chain.txt)" = 7 ]
check "each job waits for the previous one" bash -c "scontrol show job \$(tail -n 1 chain.txt | cut -d: -f1) | grep -q 'Dependency=afterany:'"
mapfile -t chained < <(cut -d: -f1 chain.txt)
lab_wait "${chained[@]}"
check "the last job of the chain succeeds" [ "$(lab_exit_code "${chained[-1]}")" = 0 ]

echo "$failures failures"
[ "$failures" = 0 ]
