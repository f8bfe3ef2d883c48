# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Generated runs for the tests: those that the commands of the guide find."""

import json
import os
import subprocess
import tempfile
import unittest

try:
    import pandas
except ImportError:
    pandas = None

needs_pandas = unittest.skipIf(pandas is None, "python3-pandas is not installed")


def write_steps(folder, kernel_us, steps=14):
    """Write a run of one rank whose steps consist of a kernel, which takes up to 1 % longer, and 200 us without one."""
    events, start = [], 0
    for number in range(steps):
        busy = kernel_us + number * 7 % 5 * kernel_us // 400
        for category, name, tid, length, args in (
            ("user_annotation", f"ProfilerStep#{number}", 1, busy + 200, {}),
            ("kernel", "gemm", 7, busy, {"stream": 7}),
        ):
            events.append({"ph": "X", "cat": category, "name": name, "pid": tid, "tid": tid, "ts": start, "dur": length, "args": args})
        start += busy + 200
    os.mkdir(folder)
    with open(os.path.join(folder, "rank0_trace.json"), "w", encoding="utf-8") as file:
        json.dump({"distributedInfo": {"rank": 0, "world_size": 1}, "traceEvents": events}, file)


class RunsTest(unittest.TestCase):
    """Works in a folder with the runs; ctest names the programs in the environment."""

    @classmethod
    def setUpClass(cls):
        cls._folder = tempfile.TemporaryDirectory()
        cls._before = os.getcwd()
        runs = os.path.join(cls._folder.name, "runs")
        subprocess.run([os.environ["COLLSCOPE_MAKE_RUN"], "guide", runs], check=True, stdout=subprocess.DEVNULL)
        os.chdir(runs)
        # Temporary files of this test only: other tests, which run at the same time, leave theirs elsewhere.
        cls._temporary = os.path.join(cls._folder.name, "tmp")
        os.mkdir(cls._temporary)
        cls._tmpdir = os.environ.get("TMPDIR")
        os.environ["TMPDIR"] = cls._temporary
        tempfile.tempdir = None

    @classmethod
    def tearDownClass(cls):
        if cls._tmpdir is None:
            del os.environ["TMPDIR"]
        else:
            os.environ["TMPDIR"] = cls._tmpdir
        tempfile.tempdir = None
        os.chdir(cls._before)
        cls._folder.cleanup()

    def batch(self, *words):
        """Return what the program prints for the same question."""
        done = subprocess.run([os.environ["COLLSCOPE"], "--batch", *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        return done.stdout.decode()
