#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# setup_env.sh [--with-models]   run once, on a login node: sets up a Python environment with PyTorch and TorchTitan, the samplers, activate.sh.
set -euo pipefail
case " ${*:-} " in *" -h "* | *" --help "*) sed -n '5,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" && exit ;; esac
KIT_HOME=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source-path=SCRIPTDIR source=env.sh
source "$KIT_HOME/perlmutter/env.sh"

load_modules()
{
    command -v module >/dev/null 2>&1 || return 0
    set +u # the functions of the module system use unset variables
    # shellcheck disable=SC2086  # words
    [ -z "$KIT_MODULES" ] || module load $KIT_MODULES
    set -u
}
load_modules

if command -v uv >/dev/null; then
    uv venv "$VENV_DIR"
    install=(uv pip install --python "$VENV_DIR/bin/python")
else
    python3 -m venv "$VENV_DIR"
    install=("$VENV_DIR/bin/python" -m pip install)
fi
"${install[@]}" torch --index-url "$TORCH_INDEX"
[ -d "$TORCHTITAN_DIR" ] || git clone https://github.com/pytorch/torchtitan "$TORCHTITAN_DIR"
git -C "$TORCHTITAN_DIR" fetch --tags --quiet
git -C "$TORCHTITAN_DIR" checkout --quiet "$TORCHTITAN_REF"
"${install[@]}" -r "$TORCHTITAN_DIR/requirements.txt"
"${install[@]}" -e "$TORCHTITAN_DIR"

for sampler in nvlink_sampler hardware_sampler; do
    c++ -std=c++20 -O2 -pthread "$KIT_HOME/tools/$sampler.cpp" -ldl -o "$KIT_HOME/tools/$sampler" \
        || echo "setup_env.sh: no C++20 compiler was found (try module load gcc); $sampler will not run" >&2
done

if [ "${1:-}" = --with-models ]; then
    for model in meta-llama/Llama-3.1-8B deepseek-ai/DeepSeek-V2-Lite Qwen/Qwen3-32B; do
        "$VENV_DIR/bin/python" "$TORCHTITAN_DIR/scripts/download_hf_assets.py" --repo_id "$model" --assets tokenizer --local_dir "$HF_ASSETS_ROOT"
    done
fi

cat >"$KIT_HOME/perlmutter/activate.sh" <<ACTIVATE
# shellcheck shell=bash
# Written by setup_env.sh, to be sourced.
if command -v module >/dev/null 2>&1; then
    set +u
    [ -z "$KIT_MODULES" ] || module load $KIT_MODULES
fi
# shellcheck source=/dev/null
source "$VENV_DIR/bin/activate"
ACTIVATE
echo "ready: source $KIT_HOME/perlmutter/activate.sh"
