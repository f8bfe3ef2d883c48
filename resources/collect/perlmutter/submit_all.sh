#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# submit_all.sh [--chain] [--dry-run] [arguments of run.sh]   submits all workloads; prints job:folder. --chain: each job waits for the previous one.
set -euo pipefail
case " ${*:-} " in *" -h "* | *" --help "*) sed -n '5,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" && exit ;; esac
KIT_HOME=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
chain=no
arguments=()
for argument in "$@"; do
    [ "$argument" = --chain ] && chain=yes || arguments+=("$argument")
done
before=
for folder in "$KIT_HOME"/workloads/*/; do
    folder=${folder%/}
    dependency=()
    if [ "$chain" = yes ] && [ -n "$before" ]; then
        dependency=(--dependency="afterany:$before")
    fi
    job=$("$folder/run.sh" "${arguments[@]}" "${dependency[@]}")
    echo "$job:$(basename "$folder")"
    before=$job
done
