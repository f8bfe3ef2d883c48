#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# make-wheel.sh FOLDER   builds the Python package (packaging/python) as a wheel, with Debian's python3-build and python3-setuptools and
# without a network. The same sources give the same bytes: times are those of SOURCE_DATE_EPOCH, or of the last commit.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=${1:?usage: make-wheel.sh FOLDER}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
umask 022
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# A copy, because setuptools writes next to the sources.
mkdir "$work/python"
for name in pyproject.toml README.md collscope; do
    cp -r "$root/packaging/python/$name" "$work/python/"
done
find "$work/python" -name __pycache__ -prune -exec rm -rf {} +
chmod -R u=rwX,go=rX "$work/python"
if [[ -z ${SOURCE_DATE_EPOCH:-} ]]; then
    SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct 2>/dev/null || echo 1700000000)
fi
export SOURCE_DATE_EPOCH PYTHONDONTWRITEBYTECODE=1
/usr/bin/python3 -m build --wheel --no-isolation --outdir "$folder" "$work/python" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
ls -1 "$folder"/collscope-*.whl
