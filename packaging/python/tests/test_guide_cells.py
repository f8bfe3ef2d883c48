# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The cells of the guide's page run one after the other, and print what the page says."""

import contextlib
import io
import os
import re
import sys
import unittest

from runs import RunsTest, needs_pandas


@needs_pandas
class GuideCells(RunsTest):
    def test_cells(self):
        with open(os.environ["COLLSCOPE_PYTHON_PAGE"], encoding="utf-8") as file:
            page = file.read()
        cells = re.findall(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", page, re.DOTALL | re.MULTILINE)
        self.assertGreater(len(cells), 5)
        self.assertGreater(sum(bool(printed) for _, printed in cells), 3)
        names = {}
        for source, expected in cells:
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(source, "python.md", "exec"), names)
            self.assertEqual(printed.getvalue(), expected, source)


if __name__ == "__main__":
    sys.exit(unittest.main())
