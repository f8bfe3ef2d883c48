# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames have the cells of the tables, exactly."""

import glob
import os
import sqlite3
import sys
import tempfile
import unittest

import collscope
from collscope.tables import frame_of
from runs import RunsTest, needs_pandas


@needs_pandas
class Frames(RunsTest):
    def test_every_table(self):
        collscope.export("RUN", "run.db", slices=True, what_if=True)
        database = sqlite3.connect("run.db")
        with collscope.Tables("run.db") as tables:
            self.assertIn("collectives", tables.names())
            self.assertIn("v_collectives", tables.names())
            for name in tables.names():
                frame = tables.frame(name)
                cursor = database.execute(f'SELECT * FROM "{name}"')
                self.assertEqual(list(frame.columns), [column[0] for column in cursor.description])
                rows = [[None if cell is NA() else cell for cell in row] for row in frame.astype(object).values.tolist()]
                self.assertEqual(rows, [list(row) for row in cursor], name)
            self.assertNotIn("what_ifs", set(tables.sql("SELECT table_name FROM contents WHERE missing LIKE 'Not asked%'")["table_name"]))
            self.assertRaises(KeyError, tables.frame, "no_such_table")
            self.assertRaises(KeyError, tables.frame, 'collectives" --')
            self.assertRaises(sqlite3.OperationalError, tables.sql, "DELETE FROM collectives")
            one = tables.sql("SELECT count(*) AS n FROM collectives WHERE operation = ?", ["allreduce"])
            self.assertGreater(one["n"][0], 0)
            self.assertIn("waited_ns", set(tables.describe("collectives")["column_name"].dropna()))
        database.close()

    def test_missing_is_not_zero_and_large_numbers_are_exact(self):
        large = 2**62 + 1
        frame = frame_of(["whole", "real", "text", "none"], [[large, 0.5, "a", None], [None, 1, None, None]])
        self.assertEqual(frame["whole"][0], large)
        self.assertTrue(frame["whole"].isna()[1] and frame["text"].isna()[1] and frame["none"].isna().all())
        self.assertEqual([str(dtype) for dtype in frame.dtypes], ["Int64", "Float64", "string", "object"])
        self.assertEqual(len(frame_of(["a", "a"], [[1, 2]]).columns), 2)
        self.assertEqual(len(frame_of(["a"], [])), 0)

    def test_temporary_files_are_removed(self):
        pattern = os.path.join(tempfile.gettempdir(), "collscope-*")
        before = set(glob.glob(pattern))
        with collscope.tables("RUN") as tables:
            self.assertEqual(len(set(glob.glob(pattern)) - before), 1)
            self.assertGreater(len(tables.frame("steps")), 0)
        self.assertRaises(collscope.NothingReadable, collscope.tables, "no_such_run")
        self.assertEqual(set(glob.glob(pattern)), before)

    def test_a_file_that_does_not_exist_is_not_made(self):
        self.assertRaises(sqlite3.OperationalError, lambda: collscope.Tables("none.db").names())
        self.assertFalse(os.path.exists("none.db"))

    def test_names_of_files(self):
        for name in ["-x.db", "a?b#c.db", "%41.db", "a b.db"]:
            collscope.export("RUN_A", name)
            with collscope.Tables(name) as tables:
                self.assertGreater(len(tables.frame("ranks")), 0)
            os.unlink(name)


def NA():
    """Return the value of a missing cell."""
    import pandas

    return pandas.NA


if __name__ == "__main__":
    sys.exit(unittest.main())
