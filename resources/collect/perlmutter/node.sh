#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# node.sh   started by srun on each node of a job: runs the launcher of the node's ranks, under nsys in passes that use it, and the samplers.
set -uo pipefail
case " ${*:-} " in *" -h "* | *" --help "*) sed -n '5,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" && exit ;; esac
: "${KIT_HOME:?}" "${RUN:?}" "${PASS_KIND:?}" "${PASS_FOLDER:?}" "${GPUS:?}" "${MASTER_ADDR:?}" "${MASTER_PORT:?}" "${WORKLOAD:?}"
node=${SLURM_NODEID:-0}

train=(torchrun --nnodes="$SLURM_JOB_NUM_NODES" --nproc-per-node="$GPUS" --node-rank="$node"
    --master-addr="$MASTER_ADDR" --master-port="$MASTER_PORT" "$KIT_HOME/tools/et_wrapper.py")
[ "$PASS_KIND" = nsys ] || train+=(--et-folder "$PASS_FOLDER")
train+=(--)
if [ "$TRAIN_CONFIG" = args ]; then
    mapfile -t arguments < <(sed -e '/^#/d' -e '/^$/d' "$RUN/train_args.txt")
    train+=("${arguments[@]}" --dump_folder "$PASS_FOLDER" --hf_assets_path "$HF_ASSETS_ROOT/$(sed -n 's/^# assets: //p' "$RUN/train_args.txt")")
    [ "$PASS_KIND" != nsys ] || train+=(--profiler.no-enable_profiling)
    [ -z "${STEPS:-}" ] || train+=(--training.steps "$STEPS")
else
    train+=(--job.config_file "$RUN/train_config.toml" --job.dump_folder "$PASS_FOLDER"
        --model.hf_assets_path "$HF_ASSETS_ROOT/$(sed -n 's/^# assets: //p' "$RUN/train_config.toml")")
    # PyTorch's profiler would silently lose its GPU events to nsys.
    [ "$PASS_KIND" != nsys ] || train+=(--profiling.no-enable_profiling)
fi

report=$PASS_FOLDER/${WORKLOAD}_$(date +%Y%m%d-%H%M%S)_n$node
if [ "$PASS_KIND" = nsys ] || [ "$PASS_KIND" = onepass ]; then
    # Newer versions use the plural.
    metrics=--gpu-metrics-device=all
    ! nsys profile --help 2>/dev/null | grep -q -- --gpu-metrics-devices || metrics=--gpu-metrics-devices=all
    train=(nsys profile "--trace=cuda,nvtx,osrt" --sample=none --cpuctxsw=none --cuda-memory-usage=true "$metrics"
        --gpu-metrics-frequency=10000 --force-overwrite=true --output="$report" "${train[@]}")
fi

sampler=
hardware=
folder=$PASS_FOLDER
[ "$node" = 0 ] || folder=$PASS_FOLDER/node$node # the GPUs of each node are numbered from 0
if [ "$HARDWARE_PERIOD_MS" != 0 ] && [ -x "$KIT_HOME/tools/hardware_sampler" ]; then
    mkdir -p "$folder"
    "$KIT_HOME/tools/hardware_sampler" --output "$folder" --period-ms "$HARDWARE_PERIOD_MS" &
    hardware=$!
fi
if [ "$NVLINK_PERIOD_MS" != 0 ] && [ "$PASS_KIND" != nsys ] && [ -x "$KIT_HOME/tools/nvlink_sampler" ]; then
    mkdir -p "$folder"
    "$KIT_HOME/tools/nvlink_sampler" --output "$folder" --period-ms "$NVLINK_PERIOD_MS" &
    sampler=$!
fi
child=
trap '[ -z "$child" ] || kill -TERM "$child" 2>/dev/null' TERM
code=0
"${train[@]}" &
child=$!
wait "$child" || code=$?
if kill -0 "$child" 2>/dev/null; then
    code=0
    wait "$child" || code=$?
fi
if [ -n "$sampler" ]; then
    kill -TERM "$sampler" 2>/dev/null
    wait "$sampler" || echo "nvlink_sampler ended with $?: no NVLink counters of node $node" >&2
fi
if [ -n "$hardware" ]; then
    kill -TERM "$hardware" 2>/dev/null
    wait "$hardware" || echo "hardware_sampler ended with $?: no clocks and power of node $node" >&2
fi
# Export separately: exporting during the run (--stats=true) doubles the time of the job.
if [ -e "$report.nsys-rep" ]; then
    # Blobs contain NCCL's metadata of its calls; older versions of nsys lack the option.
    nsys export --type=sqlite --include-blobs=true --force-overwrite=true --output="$report.sqlite" "$report.nsys-rep" ||
        nsys export --type=sqlite --force-overwrite=true --output="$report.sqlite" "$report.nsys-rep" || code=$?
fi
exit "$code"
