#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# verify_rccl.sh [--root DIR] [--branch NAME]   checks that a program started here would load the RCCL with warp speed
# DIR: its installation ($RCCL_ROOT, else /opt/rccl-warpspeed). Its sources are in $RCCL_SOURCE (else /opt/rccl), on branch NAME.
# Exit codes: 0 yes, 1 usage error, 2 no (each reason is a line that starts with [NO]).
set -euo pipefail
case " ${*:-} " in *" -h "* | *" --help "*) sed -n '5,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" && exit ;; esac
root=${RCCL_ROOT:-/opt/rccl-warpspeed} branch=warp_speed_v1
while [ $# -gt 0 ]; do
    case $1 in
    --root) root=${2:?} && shift ;;
    --branch) branch=${2:?} && shift ;;
    *) echo "usage: verify_rccl.sh [--root DIR] [--branch NAME]" >&2 && exit 1 ;;
    esac
    shift
done
code=0
# say_whether QUESTION ANSWER COMMAND...
say_whether()
{
    local question=$1 answer=$2
    shift 2
    if "$@"; then
        echo "[OK] $question: $answer"
    else
        echo "[NO] $question: $answer"
        code=2
    fi
}

# Prints the first RCCL library in LD_LIBRARY_PATH; nothing if the system's library would be loaded.
first_library()
{
    local folder
    while IFS= read -r folder; do
        if [ -n "$folder" ] && compgen -G "$folder/librccl.so*" >/dev/null; then
            compgen -G "$folder/librccl.so*" | sort | head -n 1
            return
        fi
    done < <(tr ':' '\n' <<<"${LD_LIBRARY_PATH:-}")
}

library=$root/lib/librccl.so
say_whether "library" "$library" test -e "$library"
loaded=$(first_library)
say_whether "first in LD_LIBRARY_PATH" "${loaded:-none; the library of the system would be loaded}" \
    test "$(dirname "$(realpath -m "${loaded:-/none}")")" = "$(dirname "$(realpath -m "$library")")"
# The library must support the variables that run_rccl_warp_speed_comparison.sh sets.
say_whether "supports RCCL_WARP_SPEED_ENABLE" "as text in the library" \
    grep -q --text --no-messages RCCL_WARP_SPEED_ENABLE "$library"
source_folder=${RCCL_SOURCE:-/opt/rccl}
if [ -e "$source_folder/.git" ]; then
    found=$(git -c safe.directory="*" -C "$source_folder" branch --show-current 2>/dev/null || true)
    say_whether "branch of $source_folder" "${found:-none} (expected: $branch)" test "$found" = "$branch"
else
    echo "[--] branch: $source_folder is not a git repository"
fi
exit "$code"
