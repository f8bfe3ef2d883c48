#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""et_wrapper.py [--et-folder DIR] [--module NAME] -- ARGUMENTS

Runs a training module (torchtitan.train) and makes PyTorch write an execution trace, torch_et_<rank>.json, for the steps that
its profiler records: the observer starts and stops with the profiler. Without --et-folder, only runs the module.
"""
import argparse
import os
import runpy
import sys


def warn(what, error):
    print(f"et_wrapper.py: {what}: {error}", file=sys.stderr)


def observer_of(path):
    """Returns an observer that writes an execution trace into the file; raises PyTorch's exception if it provides none."""
    import torch

    if hasattr(torch.profiler, "ExecutionTraceObserver"):  # from 2.0 on
        observer = torch.profiler.ExecutionTraceObserver()
    else:  # 1.13
        observer = torch.profiler.ExecutionGraphObserver()
    observer.register_callback(path)
    return observer


def follow(profile, observed):
    """For PyTorch versions whose profiler does not support observers: starts and stops the observer of each profiler in `observed`
    with the profiler's active steps."""

    def attempt(action):
        try:
            action()
        except Exception as error:
            warn("the execution trace is incomplete", error)

    start, stop = profile.start_trace, profile.stop_trace

    def start_trace(self):
        start(self)
        if id(self) in observed:
            attempt(observed[id(self)].start)

    def stop_trace(self):
        if id(self) in observed:
            attempt(observed[id(self)].stop)
        stop(self)

    profile.start_trace, profile.stop_trace = start_trace, stop_trace


def observe(folder):
    """Gives every profiler without an observer one that writes into the folder. Errors are only printed: the training is worth
    more than the trace."""
    import atexit
    import inspect

    import torch

    rank = os.environ.get("RANK", "0")
    final = os.path.join(folder, f"torch_et_{rank}.json")
    profile = torch.profiler.profile
    init = profile.__init__
    takes_observer = "execution_trace_observer" in inspect.signature(init).parameters
    observed = {}
    if not takes_observer:
        follow(profile, observed)

    def with_observer(self, *arguments, **named):
        try:
            if named.get("execution_trace_observer") is not None:
                pass  # already has an observer
            elif observed:
                warn("no execution trace of this profiler", "the first profiler of the process writes it")
            else:
                os.makedirs(folder, exist_ok=True)
                observer = observer_of(final)
                observed[id(self)] = observer
                if takes_observer:
                    named["execution_trace_observer"] = observer
                else:
                    atexit.register(observer.unregister_callback)  # completes the file
        except Exception as error:
            warn("no execution trace", error)
        init(self, *arguments, **named)

    profile.__init__ = with_observer


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--et-folder")
    parser.add_argument("--module", default="torchtitan.train")
    parser.add_argument("arguments", nargs="*")
    options = parser.parse_args()
    if options.et_folder:
        try:
            observe(options.et_folder)
        except Exception as error:
            warn("no execution trace", error)
    sys.argv = [options.module] + options.arguments
    runpy.run_module(options.module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
