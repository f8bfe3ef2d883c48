#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# verify_traces.sh RUN [--world N] [--mode torch|nsys|both|both-onepass] [--plain]   checks that all recorded files are present
# verify_traces.sh --last RUN [--world N]   prints the folder of the last complete iteration
# --plain: adds an uncompressed kineto_trace_0.json next to a compressed one, for tools that cannot read .gz.
# Exit codes: 0 complete, 1 usage error, 3 ranks missing, 4 no GPU events, 5 no Nsight report, 6 execution traces missing.
set -euo pipefail
case " ${*:-} " in *" -h "* | *" --help "*) sed -n '5,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" && exit ;; esac
run='' world='' mode=both plain=no last=no
while [ $# -gt 0 ]; do
    case $1 in
    --world) world=${2:?} && shift ;;
    --mode) mode=${2:?} && shift ;;
    --plain) plain=yes ;;
    --last) last=yes ;;
    -*) echo "verify_traces.sh: unknown option $1" >&2 && exit 1 ;;
    *) run=$1 ;;
    esac
    shift
done
[ -d "$run" ] || { echo "usage: verify_traces.sh RUN [--world N] [--mode MODE] [--plain]" >&2 && exit 1; }

# ranks_in FOLDER: prints the number of ranks with a trace in the folder.
ranks_in()
{
    find "$1" -maxdepth 2 \( -name 'rank*_trace.json' -o -name 'rank*_trace.json.gz' \) -printf '%f\n' | sed 's/_trace.*//' | sort -u | wc -l
}

# If ranks are missing everywhere, the message refers to the last iteration.
complete='' newest=''
while read -r folder; do
    newest=$folder
    if [ -n "$world" ] && [ "$(ranks_in "$folder")" -ge "$world" ]; then
        complete=$folder
    fi
done < <(find "$run" -type d -name 'iteration_*' -not -path '*/memory_snapshot/*' | sort -V)
[ -n "$world" ] || complete=$newest
if [ "$last" = yes ]; then
    [ -z "${complete:-$newest}" ] || echo "${complete:-$newest}"
    exit 0
fi

text_of()
{
    case $1 in
    *.gz) gzip -dc "$1" 2>/dev/null ;;
    *) cat "$1" ;;
    esac
}

if [ "$mode" != nsys ]; then
    if [ -z "$complete" ]; then
        [ -n "$newest" ] && found=$(ranks_in "$newest") || found=0
        echo "ranks are missing: $found of ${world:-?} in ${newest:-$run}"
        exit 3
    fi
    [ "$complete" = "$newest" ] || echo "$(basename "$newest") is not complete, $(basename "$complete") is"
    for trace in "$complete"/rank*_trace.json*; do
        # Kineto silently loses all GPU events if another tool has the CUPTI subscriber.
        if ! text_of "$trace" | grep -q -m 1 -E '"cat": ?"[Kk]ernel"'; then
            echo "no GPU events in $trace: was another profiler attached?"
            exit 4
        fi
    done
    if [ "$plain" = yes ] && [ -e "$run/kineto_trace_0.json.gz" ]; then
        gzip -dc "$run/kineto_trace_0.json.gz" >"$run/kineto_trace_0.json.tmp"
        mv "$run/kineto_trace_0.json.tmp" "$run/kineto_trace_0.json"
    fi
fi
if [ "$mode" != torch ] && [ -z "$(find "$run" -name '*.nsys-rep' -o -name '*.sqlite' | head -n 1)" ]; then
    echo "no Nsight report in $run"
    exit 5
fi
if [ "$mode" != nsys ]; then
    ranks=$(find "$run" -maxdepth 1 -name 'torch_et_*.json*' -type f | wc -l)
    if [ "$ranks" -lt "${world:-1}" ]; then
        echo "execution traces are missing: $ranks of ${world:-1 or more} in $run"
        exit 6
    fi
fi
echo "complete: $run"
