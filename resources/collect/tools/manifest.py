#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""manifest.py env FILE     writes the environment of the job: modules, versions, settings.
manifest.py files RUN    writes manifest.json: each file of the run with size, rank, step and SHA-256."""
import hashlib
import importlib.metadata
import json
import os
import re
import subprocess
import sys


def write(path, value):
    temporary = path + ".tmp"
    with open(temporary, "w", encoding="utf-8") as file:
        json.dump(value, file, indent=1)
        file.write("\n")
    os.replace(temporary, path)


def version(package):
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def revision(folder):
    answer = subprocess.run(["git", "-C", folder, "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
    return answer.stdout.strip() or None


def environment(path):
    kept = re.compile(r"^(NCCL_|TORCH_|SLURM_JOB|SLURM_NODE|SLURM_GPUS|CUDA_|OMP_|MPICH_|PROFILE_MODE|TRAIN_CONFIG|WORKLOAD|STEPS)")
    write(path, {
        "modules": os.environ.get("LOADEDMODULES", "").split(":"),
        "python": sys.version.split()[0],
        "packages": {name: version(name) for name in ("torch", "torchtitan", "nvidia-nccl-cu12", "triton")},
        "torchtitan_commit": revision(os.environ.get("TORCHTITAN_DIR", ".")) if os.environ.get("TORCHTITAN_DIR") else None,
        "environment": {name: value for name, value in sorted(os.environ.items()) if kept.match(name)},
    })


def number(pattern, text):
    found = re.search(pattern, text)
    return int(found.group(1)) if found else None


def files(run):
    entries = []
    for folder, _, names in os.walk(run):
        for name in sorted(names):
            path = os.path.join(folder, name)
            relative = os.path.relpath(path, run)
            if os.path.islink(path) or relative == "manifest.json" or name.endswith(".tmp"):
                continue
            digest = hashlib.sha256()
            with open(path, "rb") as file:
                for block in iter(lambda: file.read(1 << 20), b""):
                    digest.update(block)
            entries.append({"file": relative, "bytes": os.path.getsize(path),
                            "rank": number(r"(?:rank_?|torch_et_)(\d+)", name),
                            "step": number(r"(?:iteration|step)_(\d+)", relative), "sha256": digest.hexdigest()})
    write(os.path.join(run, "manifest.json"), {"schema": "collscope.manifest/1", "files": sorted(entries, key=lambda e: e["file"])})


if __name__ == "__main__":
    if sys.argv[1:] in (["-h"], ["--help"]):
        print(__doc__)
        sys.exit()
    if len(sys.argv) != 3 or sys.argv[1] not in ("env", "files"):
        sys.exit(__doc__)
    (environment if sys.argv[1] == "env" else files)(sys.argv[2])
