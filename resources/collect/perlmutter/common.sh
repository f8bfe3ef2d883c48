# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What the jobs of all workloads share. run.sbatch sets KIT_HOME and WORKLOAD and calls kit_job.
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

# An allocation that somebody set.
kit_check_allocation()
{
    case $NERSC_ALLOCATION in
    m0000 | m1234 | "") kit_fail 1 "set NERSC_ALLOCATION to your allocation (sacctmgr show assoc user=\$USER), in the environment or in perlmutter/site.sh" ;;
    esac
}

# Where the ranks of the job meet, and how many they are.
kit_rendezvous()
{
    MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
    # A fixed port collides when two jobs share a node.
    MASTER_PORT=$((29500 + SLURM_JOB_ID % 1000))
    GPUS=${SLURM_GPUS_PER_NODE##*:} # "a100:4" is 4
    WORLD=$((SLURM_JOB_NUM_NODES * GPUS))
    export MASTER_ADDR MASTER_PORT GPUS WORLD
}

# A new folder for this run: what an older one left is never written over. Sets RUN.
kit_make_run()
{
    local base=$TRACE_BASE/$WORKLOAD
    mkdir -p "$base"
    RUN=$base/run_$SLURM_JOB_ID
    if ! mkdir "$RUN" 2>/dev/null; then
        # A job that was requeued keeps its number.
        RUN=$base/run_${SLURM_JOB_ID}_restart${SLURM_RESTART_COUNT:-1}
        mkdir "$RUN" || kit_fail 4 "$RUN is there already"
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

# kit_pass KIND FOLDER: one launcher on every node. A launcher on the first node only would wait for the others for ever.
kit_pass()
{
    local kind=$1 folder=$2 code=0
    mkdir -p "$folder"
    kit_say "pass $kind on $SLURM_JOB_NUM_NODES nodes, $WORLD ranks, into $folder"
    PASS_KIND=$kind PASS_FOLDER=$folder srun --ntasks="$SLURM_JOB_NUM_NODES" --ntasks-per-node=1 \
        "$KIT_HOME/perlmutter/node.sh" >"$RUN/$kind.log" 2>&1 &
    KIT_STEP=$!
    # A signal ends wait early; the step gets it too, and is waited for.
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
    kit_say "the time is nearly up: what is there is kept"
    [ -z "${KIT_STEP:-}" ] || kill -TERM "$KIT_STEP" 2>/dev/null || true
}

# kit_link NAME TARGET: relative, whatever stood there.
kit_link()
{
    ln -sfn "$(realpath --relative-to="$(dirname "$1")" "$2")" "$1"
}

# Names under which older tools look: of the last complete iteration, with .gz where the file is compressed.
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

# The whole job. Its exit code is that of the training, else that of verify_traces.sh.
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
    *) kit_fail 1 "PROFILE_MODE is torch, nsys, both or both-onepass, not $PROFILE_MODE" ;;
    esac
    kit_links
    python3 "$KIT_HOME/tools/manifest.py" files "$RUN"
    [ "$code" = 0 ] || exit "$code"
    "$KIT_HOME/perlmutter/verify_traces.sh" "$RUN" --world "$WORLD" --mode "$PROFILE_MODE"
}
