#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""et_wrapper.py [--et-folder DIR] [--module NAME] -- ARGUMENTS

Runs a training module (torchtitan.train) and has PyTorch write an execution trace, torch_et_<rank>.json, for the steps that
its profiler records: the observer starts and stops with the profiler. Without --et-folder it only runs the module.
"""
import argparse
import os
import runpy
import sys


def observe(folder):
    """Gives every profiler that has no observer of its own one that writes into the folder."""
    import torch

    rank = os.environ.get("RANK", "0")
    final = os.path.join(folder, f"torch_et_{rank}.json")
    init = torch.profiler.profile.__init__
    made = []

    def with_observer(self, *arguments, **named):
        if not made and named.get("execution_trace_observer") is None:
            os.makedirs(folder, exist_ok=True)
            observer = torch.profiler.ExecutionTraceObserver()
            observer.register_callback(final)
            made.append(observer)
            named["execution_trace_observer"] = observer
        init(self, *arguments, **named)

    torch.profiler.profile.__init__ = with_observer


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--et-folder")
    parser.add_argument("--module", default="torchtitan.train")
    parser.add_argument("arguments", nargs="*")
    options = parser.parse_args()
    if options.et_folder:
        try:
            observe(options.et_folder)
        except Exception as error:  # a PyTorch that cannot: the training is worth more than the trace
            print(f"et_wrapper.py: no execution trace: {error}", file=sys.stderr)
    sys.argv = [options.module] + options.arguments
    runpy.run_module(options.module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
