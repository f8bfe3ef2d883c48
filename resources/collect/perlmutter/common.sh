# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Functions shared by the jobs of all workloads. run.sbatch sets KIT_HOME and WORKLOAD and calls kit_job.
# shellcheck source-path=SCRIPTDIR source=env.sh
source "$KIT_HOME/perlmutter/env.sh"

kit_say()
{
    echo "kit: $*" >&2
}

kit_fail()
{
    kit_say "$2"
    exit "$1"
}

# Checks that the allocation is set and is not a placeholder.
kit_check_allocation()
{
    case $NERSC_ALLOCATION in
    m0000 | m1234 | "") kit_fail 1 "set NERSC_ALLOCATION to your allocation (sacctmgr show assoc user=\$USER) in the environment or in perlmutter/site.sh" ;;
    esac
}

# Sets the rendezvous address of the ranks and their number.
kit_rendezvous()
{
    MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    # A fixed port collides when two jobs share a node.
    MASTER_PORT=$((29500 + SLURM_JOB_ID % 1000))
    GPUS=${SLURM_GPUS_PER_NODE##*:} # "a100:4" is 4
    WORLD=$((SLURM_JOB_NUM_NODES * GPUS))
    export MASTER_ADDR MASTER_PORT GPUS WORLD
}

# Creates a new folder for this run, never overwriting an older run. Sets RUN.
kit_make_run()
{
    local base=$TRACE_BASE/$WORKLOAD
    mkdir -p "$base"
    RUN=$base/run_$SLURM_JOB_ID
    if ! mkdir "$RUN" 2>/dev/null; then
        # A requeued job keeps its number.
        RUN=$base/run_${SLURM_JOB_ID}_restart${SLURM_RESTART_COUNT:-1}
        mkdir "$RUN" || kit_fail 4 "$RUN already exists"
    fi
    export RUN
    cp "$KIT_HOME/workloads/$WORKLOAD/workload_card.yaml" "$RUN/"
    case $TRAIN_CONFIG in
    args) cp "$KIT_HOME/workloads/$WORKLOAD/train_args.txt" "$RUN/" ;;
    *) sed "s/^steps = .*/steps = ${STEPS:-$(kit_default_steps)}/" "$KIT_HOME/workloads/$WORKLOAD/train_config.toml" >"$RUN/train_config.toml" ;;
    esac
    python3 "$KIT_HOME/tools/manifest.py" env "$RUN/env.json"
}

kit_default_steps()
{
    sed -n 's/^steps = //p' "$KIT_HOME/workloads/$WORKLOAD/train_config.toml" | head -n 1
}

# kit_pass KIND FOLDER: runs one launcher on every node. A launcher on the first node alone would wait for the others forever.
kit_pass()
{
    local kind=$1 folder=$2 code=0
    mkdir -p "$folder"
    kit_say "pass $kind on $SLURM_JOB_NUM_NODES nodes, $WORLD ranks, into $folder"
    PASS_KIND=$kind PASS_FOLDER=$folder srun --ntasks="$SLURM_JOB_NUM_NODES" --ntasks-per-node=1 \
        "$KIT_HOME/perlmutter/node.sh" >"$RUN/$kind.log" 2>&1 &
    KIT_STEP=$!
    # A signal interrupts wait. The step gets the signal too, so wait for its end.
    wait "$KIT_STEP" || code=$?
    if kill -0 "$KIT_STEP" 2>/dev/null; then
        code=0
        wait "$KIT_STEP" || code=$?
    fi
    KIT_STEP=
    [ "$code" = 0 ] || kit_say "pass $kind ended with $code: $RUN/$kind.log"
    return "$code"
}

kit_on_term()
{
    kit_say "the time limit is near; keeping the files recorded so far"
    [ -z "${KIT_STEP:-}" ] || kill -TERM "$KIT_STEP" 2>/dev/null || true
}

# kit_link NAME TARGET: makes a relative link, replacing an existing one.
kit_link()
{
    ln -sfn "$(realpath --relative-to="$(dirname "$1")" "$2")" "$1"
}

# Links the last complete iteration under the names that older tools expect, with .gz if the file is compressed.
kit_links()
{
    local traces file suffix
    traces=$("$KIT_HOME/perlmutter/verify_traces.sh" --last "$RUN" --world "$WORLD" || true)
    if [ -n "$traces" ]; then
        for file in "$traces"/rank0_trace.json "$traces"/rank0_trace.json.gz; do
            [ -e "$file" ] || continue
            suffix=${file##*rank0_trace.json}
            kit_link "$RUN/kineto_trace_0.json$suffix" "$file"
        done
    fi
    ln -sfn "$(basename "$RUN")" "$TRACE_BASE/$WORKLOAD/latest"
    rm -f "$TRACE_BASE/$WORKLOAD"/{kineto_trace_0.json,kineto_trace_0.json.gz,torch_et_0.json}
    for file in kineto_trace_0.json kineto_trace_0.json.gz torch_et_0.json; do
        [ ! -e "$RUN/$file" ] || ln -sfn "latest/$file" "$TRACE_BASE/$WORKLOAD/$file"
    done
}

# Runs the job. The exit code is that of the training if it failed, otherwise that of verify_traces.sh.
kit_job()
{
    local code=0
    # shellcheck source=/dev/null
    [ ! -r "$KIT_HOME/perlmutter/activate.sh" ] || source "$KIT_HOME/perlmutter/activate.sh"
    kit_rendezvous
    kit_make_run
    trap kit_on_term TERM
    case $PROFILE_MODE in
    torch) kit_pass torch "$RUN" || code=$? ;;
    nsys) kit_pass nsys "$RUN" || code=$? ;;
    both)
        kit_pass torch "$RUN" || code=$?
        kit_pass nsys "$RUN/nsys_pass" || code=$?
        ;;
    both-onepass) kit_pass onepass "$RUN" || code=$? ;;
    *) kit_fail 1 "unknown PROFILE_MODE '$PROFILE_MODE'; use torch, nsys, both or both-onepass" ;;
    esac
    kit_links
    python3 "$KIT_HOME/tools/manifest.py" files "$RUN"
    [ "$code" = 0 ] || exit "$code"
    "$KIT_HOME/perlmutter/verify_traces.sh" "$RUN" --world "$WORLD" --mode "$PROFILE_MODE"
}
