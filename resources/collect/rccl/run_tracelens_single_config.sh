#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# run_tracelens_single_config.sh DIR [--individual-only | --collective-only] [options of collscope --batch]
# Writes the reports of one configuration (each rank, and the collectives of all ranks) into DIR/tracelens_analysis.
# DIR contains torch_profiler/rank<N>/, or is that torch_profiler folder. $COLLSCOPE is the program if it is not on the PATH.
# A comparison with --skip-tracelens finds the reports there. Nothing else in DIR is changed.
set -euo pipefail
usage()
{
    echo "run_tracelens_single_config.sh: $1" >&2
    sed -n '5,6p' "${BASH_SOURCE[0]}" | sed 's/^# //' >&2
    exit 1
}
folder='' reports=individual,collective
options=()
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help) sed -n '5,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" && exit ;;
    --individual-only) reports=individual ;;
    --collective-only) reports=collective ;;
    -*) break ;;
    *)
        [ -z "$folder" ] || break
        folder=$1
        ;;
    esac
    shift
done
options=("$@")
[ -n "$folder" ] || usage "DIR is missing"
[ -d "$folder" ] || usage "the folder $folder does not exist"
folder=$(cd "$folder" && pwd)
[ "$(basename "$folder")" != torch_profiler ] || folder=$(dirname "$folder")
# Reports are written to a folder with the name of the run: here, the run itself.
exec "${COLLSCOPE:-collscope}" --batch --report "$reports" "$folder" --output "$(dirname "$folder")" "${options[@]}"
