# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Template for site.sh, the settings of your cluster: cp site-example.sh site.sh, then change the settings that differ.
# Each variable can also be set in the environment of a command, which overrides this file.
: "${NERSC_ALLOCATION:=m0000}" # the --account of sbatch: sacctmgr show assoc user=$USER. m0000 and m1234 are rejected
: "${SCRATCH:=$HOME/scratch}" # a large, fast file system shared by all nodes
: "${KIT_MODULES=python cudatoolkit/12.9}" # arguments of `module load`; KIT_MODULES= on systems without modules
: "${KIT_SBATCH=}" # options of sbatch for every job, for example: --partition=gpu --constraint=a100 --qos=normal
: "${TORCH_INDEX:=https://download.pytorch.org/whl/cu129}" # wheels that match the driver, for example .../cu126 or .../rocm6.4
: "${PROFILE_MODE:=both}" # torch, nsys, both (two passes), both-onepass
: "${HARDWARE_PERIOD_MS:=1000}" # 0 disables samples of clocks, power and errors
: "${NVLINK_PERIOD_MS:=5}" # 0 disables NVLink sampling
# NCCL settings for your network, for example:
# export NCCL_SOCKET_IFNAME=hsn0
