# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The wheel has the package alone, and the same sources give the same bytes."""

import hashlib
import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest
import zipfile


@unittest.skipIf(importlib.util.find_spec("build") is None, "python3-build is not installed")
class Wheel(unittest.TestCase):
    def make(self, umask):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        subprocess.run(
            ["bash", os.environ["COLLSCOPE_MAKE_WHEEL"], folder.name],
            check=True,
            stdout=subprocess.DEVNULL,
            preexec_fn=lambda: os.umask(umask),
        )
        (name,) = os.listdir(folder.name)
        return os.path.join(folder.name, name)

    def test_wheel(self):
        first, second = self.make(0o022), self.make(0o077)
        self.assertEqual(os.path.basename(first), "collscope-2.0.0-py3-none-any.whl")
        digests = []
        for path in (first, second):
            with open(path, "rb") as file:
                digests.append(hashlib.sha256(file.read()).hexdigest())
        self.assertEqual(digests[0], digests[1])
        with zipfile.ZipFile(first) as wheel:
            names = wheel.namelist()
            self.assertIn("collscope/py.typed", names)
            self.assertTrue(all(name.startswith(("collscope/", "collscope-2.0.0.dist-info/")) for name in names), names)
        script = "import collscope; print(collscope.version().split()[0])"
        done = subprocess.run([sys.executable, "-c", script], env={**os.environ, "PYTHONPATH": first}, stdout=subprocess.PIPE)
        self.assertEqual(done.stdout, b"collscope\n")


if __name__ == "__main__":
    sys.exit(unittest.main())
