#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# run_rccl_warp_speed_comparison.sh [-p "CU,THREADS ..."] [-c CONFIG] [-o FOLDER] [--no-verify] [--dry-run] [-- COMMAND...]
# Runs the same training once for each pair (compute units, threads per block) that RCCL may use, and prints commands to compare them.
# Without COMMAND, runs the training in the current folder, laid out as in the aorta repository: 100 steps of train.py on 8 GPUs with
# CONFIG (default: config/distributed.yaml).
# COMMAND (or $TRAIN_COMMAND, run by bash) must write its traces below $OUTPUT_DIR; {} in its arguments is replaced by that folder.
# FOLDER: experiments/rccl_warp_speed_<time> by default; an existing folder is never overwritten.
# Exit codes: 0 success, 1 usage error, 2 wrong RCCL (verify_rccl.sh), 3 a configuration failed or wrote no trace.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
pairs='56,256 37,384 32,512'
folder='' verify=yes dry=no config=config/distributed.yaml
usage()
{
    echo "run_rccl_warp_speed_comparison.sh: $1" >&2
    sed -n '5,6p' "$here/run_rccl_warp_speed_comparison.sh" | sed 's/^# //' >&2
    exit 1
}
while [ $# -gt 0 ]; do
    case $1 in
    -p | --pairs) pairs=${2:?} && shift ;;
    -o | --output) folder=${2:?} && shift ;;
    --no-verify) verify=no ;;
    --dry-run) dry=yes ;;
    -c | --config) config=${2:?} && shift ;;
    -h | --help) sed -n '5,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" && exit ;;
    --) shift && break ;;
    *) usage "unknown option $1" ;;
    esac
    shift
done
command=("$@")
if [ ${#command[@]} -eq 0 ] && [ -n "${TRAIN_COMMAND:-}" ]; then
    command=(bash -c "$TRAIN_COMMAND")
elif [ ${#command[@]} -eq 0 ]; then
    [ -e train.py ] || usage "train.py was not found; start in the folder of the training, or give a command after --"
    [ -e "$config" ] || usage "$config does not exist; give the configuration of the training with -c"
    command=(torchrun --nproc_per_node 8 train.py --config "$config" --override training.max_steps=100
        --override profiling.tensorboard=false --override 'training.output_dir={}')
fi
read -ra wanted <<<"$pairs"
[ ${#wanted[@]} -gt 0 ] || usage "-p needs at least one pair, such as 56,256"
for pair in "${wanted[@]}"; do
    [[ $pair =~ ^[1-9][0-9]*,[1-9][0-9]*$ ]] || usage "'$pair' is not a pair of compute units and threads, such as 56,256"
done
folder=${folder:-experiments/rccl_warp_speed_$(date +%Y%m%d_%H%M%S)}
if [ "$dry" = no ]; then
    [ "$verify" = no ] || "$here/verify_rccl.sh" || exit 2
    if [ -e "$folder" ]; then
        usage "$folder already exists"
    fi
    mkdir -p "$folder"
    folder=$(cd "$folder" && pwd)
fi

trap 'exit 130' INT TERM # starts no further configuration
code=0 names=()
for pair in "${wanted[@]}"; do
    units=${pair%,*} threads=${pair#*,}
    name=${units}cu_${threads}threads
    names+=("$name")
    settings=(RCCL_WARP_SPEED_ENABLE=1 RCCL_UNROLL_FACTOR=1 "RCCL_WARP_SPEED_CU_COUNT=$units" "RCCL_THREADS_PER_BLOCK=$threads"
        HSA_ENABLE_SDMA=0 PYTORCH_ROCM_PROFILER_ENABLE_TRACING=1 "OUTPUT_DIR=$folder/$name")
    own=()
    for word in "${command[@]}"; do
        own+=("${word//"{}"/"$folder/$name"}") # quoted, so that an & is literal
    done
    echo "$name: ${settings[*]} ${own[*]}"
    [ "$dry" = no ] || continue
    mkdir -p "$folder/$name/torch_profiler"
    printf '%s\n' "${settings[@]}" >"$folder/$name/settings.env"
    result=0
    env "${settings[@]}" "${own[@]}" >"$folder/$name/train.log" 2>&1 || result=$?
    if [ "$result" != 0 ]; then
        echo "$name ended with $result: see $folder/$name/train.log" >&2
        code=3
    elif [ -z "$(find "$folder/$name" \( -name '*.json' -o -name '*.json.gz' \) -print -quit)" ]; then
        echo "$name wrote no trace below $folder/$name" >&2
        code=3
    fi
done
[ "$code" = 0 ] || exit "$code"
echo "To compare:"
for ((i = 1; i < ${#names[@]}; ++i)); do
    printf 'collscope --batch --baseline %q --test %q --output comparison_%s_vs_%s\n' "$folder/${names[0]}" "$folder/${names[i]}" "${names[0]}" "${names[i]}"
done
