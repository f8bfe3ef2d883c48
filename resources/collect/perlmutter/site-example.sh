# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A sample of site.sh, the settings of one cluster: cp site-example.sh site.sh, then change what is different where you are.
# Each line may also be set in the environment of one command, which stands over this file.
: "${NERSC_ALLOCATION:=m0000}" # what sbatch calls --account: sacctmgr show assoc user=$USER. m0000 and m1234 are refused
: "${SCRATCH:=$HOME/scratch}" # a large, fast file system that all nodes see
: "${KIT_MODULES=python cudatoolkit/12.9}" # what `module load` takes; KIT_MODULES= where there are no modules
: "${KIT_SBATCH=}" # options of sbatch for every job, for instance: --partition=gpu --constraint=a100 --qos=normal
: "${TORCH_INDEX:=https://download.pytorch.org/whl/cu129}" # wheels that fit the driver: .../cu126 or .../rocm6.4, for instance
: "${PROFILE_MODE:=both}" # torch, nsys, both (two passes), both-onepass
: "${NVLINK_PERIOD_MS:=5}" # 0: NVLink is not sampled
# What NCCL needs on your network, for instance:
# export NCCL_SOCKET_IFNAME=hsn0
