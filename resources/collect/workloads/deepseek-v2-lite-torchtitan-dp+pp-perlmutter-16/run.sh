#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# run.sh [--dry-run] [--mode torch|nsys|both|both-onepass] [--steps N] [arguments of sbatch]   submits run.sbatch and prints the job number.
set -euo pipefail
case " ${*:-} " in *" -h "* | *" --help "*) sed -n '5,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" && exit ;; esac
KIT_HOME=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export KIT_HOME
# shellcheck source-path=SCRIPTDIR source=../../perlmutter/submit.sh
source "$KIT_HOME/perlmutter/submit.sh"
kit_submit 'deepseek-v2-lite-torchtitan-dp+pp-perlmutter-16' 16 4 16 40 "$@"
