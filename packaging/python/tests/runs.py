# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Generated runs for the tests: those that the commands of the guide find."""

import os
import subprocess
import tempfile
import unittest

try:
    import pandas
except ImportError:
    pandas = None

needs_pandas = unittest.skipIf(pandas is None, "python3-pandas is not installed")


class RunsTest(unittest.TestCase):
    """Works in a folder with the runs; ctest names the programs in the environment."""

    @classmethod
    def setUpClass(cls):
        cls._folder = tempfile.TemporaryDirectory()
        cls._before = os.getcwd()
        runs = os.path.join(cls._folder.name, "runs")
        subprocess.run([os.environ["COLLSCOPE_MAKE_RUN"], "guide", runs], check=True, stdout=subprocess.DEVNULL)
        os.chdir(runs)

    @classmethod
    def tearDownClass(cls):
        os.chdir(cls._before)
        cls._folder.cleanup()

    def batch(self, *words):
        """Return what the program prints for the same question."""
        done = subprocess.run([os.environ["COLLSCOPE"], "--batch", *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        return done.stdout.decode()
