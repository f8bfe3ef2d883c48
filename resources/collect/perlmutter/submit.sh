# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Shared by the run.sh of all workloads: checks on the login node, and sbatch.
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$KIT_HOME/perlmutter/common.sh"

# kit_submit WORKLOAD BILLIONS GPUS BYTES_PER_PARAMETER GB_PER_GPU [--dry-run] [--mode MODE] [--steps N] [arguments of sbatch]
kit_submit()
{
    local workload=$1 billions=$2 gpus=$3 bytes=$4 room=$5 dry=no
    shift 5
    local arguments=()
    while [ $# -gt 0 ]; do
        case $1 in
        --dry-run) dry=yes ;;
        --mode) PROFILE_MODE=${2:?--mode takes torch, nsys, both or both-onepass} && shift ;;
        --steps) STEPS=${2:?--steps takes a number} && shift ;;
        *) arguments+=("$1") ;;
        esac
        shift
    done
    case $PROFILE_MODE in
    torch | nsys | both | both-onepass) ;;
    *) kit_fail 1 "unknown --mode '$PROFILE_MODE'; use torch, nsys, both or both-onepass" ;;
    esac
    case ${STEPS:-1} in
    *[!0-9]*) kit_fail 1 "--steps takes a number, not $STEPS" ;;
    esac
    local folder=$KIT_HOME/workloads/$workload file
    for file in run.sbatch train_config.toml train_args.txt workload_card.yaml; do
        [ -r "$folder/$file" ] || kit_fail 1 "$folder/$file is missing"
    done
    # Parameters, gradients and both Adam moments, without activations. Only a warning, because there are ways around it.
    local need=$((billions * bytes)) have=$((gpus * room))
    [ "$need" -le "$have" ] || kit_say "warning: $need GB of parameters, gradients and optimizer state do not fit in $gpus GPUs of $room GB"
    [ "$dry" = yes ] || kit_check_allocation
    mkdir -p "$KIT_HOME/logs" # Slurm does not create it
    export PROFILE_MODE
    local exported="ALL,KIT_HOME=$KIT_HOME,PROFILE_MODE=$PROFILE_MODE"
    [ -z "${STEPS:-}" ] || exported+=",STEPS=$STEPS"
    local site=()
    read -ra site <<<"$KIT_SBATCH"
    local command=(sbatch --parsable --account="$NERSC_ALLOCATION" --export="$exported"
        --output="$KIT_HOME/logs/%x_%j.out" "${site[@]}" "${arguments[@]}" "$folder/run.sbatch")
    if [ "$dry" = yes ]; then
        printf '%q ' "${command[@]}"
        echo
        return
    fi
    "${command[@]}"
}
