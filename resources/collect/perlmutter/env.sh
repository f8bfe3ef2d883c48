# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Settings of the kit. The environment overrides them. If site.sh exists in this folder, it is read first;
# site-example.sh is a template for it.
# shellcheck source=/dev/null
[ ! -r "$KIT_HOME/perlmutter/site.sh" ] || source "$KIT_HOME/perlmutter/site.sh"
export NERSC_ALLOCATION=${NERSC_ALLOCATION:-m0000} # a placeholder: jobs are not submitted with it
export KIT_MODULES=${KIT_MODULES-python cudatoolkit/12.9} # arguments of `module load`; empty: none
export KIT_SBATCH=${KIT_SBATCH-} # options of sbatch for every job
export TORCH_INDEX=${TORCH_INDEX:-https://download.pytorch.org/whl/cu129} # pip index for PyTorch
export SCRATCH=${SCRATCH:-$KIT_HOME/scratch}
export VENV_DIR=${VENV_DIR:-$SCRATCH/ccl-bench-venv}
export TRACE_BASE=${TRACE_BASE:-$SCRATCH/ccl-bench-traces}
export HF_HOME=${HF_HOME:-$SCRATCH/ccl-bench-assets/hf}
export HF_ASSETS_ROOT=${HF_ASSETS_ROOT:-$SCRATCH/ccl-bench-assets/models}
export TORCHTITAN_DIR=${TORCHTITAN_DIR:-$SCRATCH/ccl-bench-torchtitan}
# The last version that reads train_config.toml; later versions take arguments (train_args.txt, TRAIN_CONFIG=args).
export TORCHTITAN_REF=${TORCHTITAN_REF:-v0.2.2}
export TRAIN_CONFIG=${TRAIN_CONFIG:-toml}
# torch | nsys | both: two passes, because both profilers need the single CUPTI subscriber | both-onepass: as in the original kit
export PROFILE_MODE=${PROFILE_MODE:-both}
export HARDWARE_PERIOD_MS=${HARDWARE_PERIOD_MS:-1000} # 0 disables samples of clocks, power and errors
export NVLINK_PERIOD_MS=${NVLINK_PERIOD_MS:-5} # 0 disables NVLink sampling
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-8}
export MPICH_GPU_SUPPORT_ENABLED=${MPICH_GPU_SUPPORT_ENABLED:-1}
export NCCL_DEBUG=${NCCL_DEBUG:-WARN}
export NCCL_NET_GDR_LEVEL=${NCCL_NET_GDR_LEVEL:-PHB}
export NCCL_IB_QPS_PER_CONNECTION=${NCCL_IB_QPS_PER_CONNECTION:-4}
export TORCH_NCCL_ASYNC_ERROR_HANDLING=${TORCH_NCCL_ASYNC_ERROR_HANDLING:-1}
