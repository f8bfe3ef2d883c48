# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers are those of the command line, and failures are exceptions with the program's sentence."""

import glob
import json
import logging
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import collscope
from runs import RunsTest, needs_pandas, write_steps


class Answers(RunsTest):
    def test_same_as_batch(self):
        for answer, words in [
            (collscope.findings("RUN"), ["findings", "RUN", "--json"]),
            (
                collscope.findings("RUN", top=3, rank=2, steps="22-23", clocks="raw"),
                ["findings", "RUN", "--json", "--top=3", "--rank=2", "--steps=22-23", "--clocks=raw"],
            ),
            (
                collscope.findings("RUN", time_range=(10, 20.5)),
                ["findings", "RUN", "--json", "--range=10-20.5"],
            ),
            (collscope.metrics("RUN"), ["metrics", "RUN", "--json", "--metric=all"]),
            (
                collscope.metrics(pathlib.Path("RUN"), ["avg_step_time", "straggler"], steps=22),
                ["metrics", "RUN", "--json", "--metric=avg_step_time,straggler", "--steps=22"],
            ),
            (collscope.explain_step("RUN_B", 3), ["explain", "RUN_B", "--step=3", "--json"]),
            (
                {"mfu": collscope.explain_metric("RUN", "mfu")},
                ["explain", "RUN", "--metric=mfu", "--json"],
            ),
            (collscope.what_if("RUN"), ["what-if", "RUN", "--json"]),
            (
                collscope.what_if("RUN", ["comm=0", "bandwidth=2"]),
                ["what-if", "RUN", "--json", "--scenario=comm=0", "--scenario=bandwidth=2"],
            ),
            (collscope.hang("HUNG"), ["hang", "HUNG", "--json"]),
            (collscope.hang("HUNG", hung=True), ["hang", "HUNG", "--json", "--hung"]),
        ]:
            self.assertEqual(answer, json.loads(self.batch(*words)), words)

    def test_one_metric(self):
        self.assertEqual(repr(collscope.metric("RUN", "coll_call_num")), self.batch("RUN", "--metric=coll_call_num").strip())
        # The planted job has no NVLink samples: that is not zero.
        with self.assertRaises(collscope.NotAvailable) as raised:
            collscope.metric("RUN_A", "max_throughput")
        self.assertIn("NVLink", raised.exception.sentence)

    def test_failures(self):
        for call, error, code, sentence in [
            (lambda: collscope.findings("no_such_run"), collscope.NothingReadable, 2, "no_such_run"),
            (lambda: collscope.metrics("RUN", "comm_comp_overlop"), collscope.UsageError, 1, "comm_comp_overlap"),
            (lambda: collscope.findings("RUN", steps="last"), collscope.UsageError, 1, "--steps takes"),
            (lambda: collscope.explain_step("RUN", 99999), collscope.NotAvailable, 3, "99999"),
            (lambda: collscope.hang("RUN"), collscope.NothingReadable, 2, "Flight Recorder"),
            (lambda: collscope.export("RUN", "no_such_folder/run.db"), collscope.NotWritten, 4, "no_such_folder"),
        ]:
            with self.assertRaises(error) as raised:
                call()
            self.assertEqual(raised.exception.exit_code, code)
            self.assertIn(sentence, raised.exception.sentence)
            self.assertNotIn("collscope: ", raised.exception.sentence)

    def test_other_failures(self):
        with mock.patch.dict(os.environ, {"COLLSCOPE": "/no/such/program"}):
            self.assertRaises(collscope.ProgramNotFound, collscope.findings, "RUN")
        with mock.patch.dict(os.environ, {"PATH": ""}):
            del os.environ["COLLSCOPE"]
            self.assertRaises(collscope.ProgramNotFound, collscope.program)
        with tempfile.NamedTemporaryFile("w", suffix=".sh", delete=False) as script:
            script.write("#!/bin/sh\nkill -9 $$\n")
        os.chmod(script.name, 0o700)
        with mock.patch.dict(os.environ, {"COLLSCOPE": script.name}):
            with self.assertRaises(collscope.CollscopeError) as raised:
                collscope.findings("RUN")
        os.unlink(script.name)
        self.assertEqual(raised.exception.exit_code, -signal.SIGKILL)
        self.assertRaises(ValueError, collscope.findings, "")
        self.assertRaises(TypeError, collscope.findings, b"RUN")

    def test_paths_are_never_options_and_never_reach_a_shell(self):
        for name in ["-rf", "--help", "--json", "findings", "$(touch x)", "a b", "[a,b]", "'\"", "é\n"]:
            os.symlink("RUN", name)
            self.assertEqual(collscope.findings(name)["step_ns"], collscope.findings("RUN")["step_ns"], name)
            os.unlink(name)
        self.assertFalse(os.path.exists("x"))

    def test_what_is_said_is_logged(self):
        with self.assertLogs("collscope", logging.WARNING) as logged:
            collscope.metrics("DAMAGED", "avg_step_time")
        self.assertIn("rank3_trace", "\n".join(logged.output))

    @needs_pandas
    def test_compare(self):
        before = set(glob.glob(os.path.join(tempfile.gettempdir(), "collscope-*")))
        sheets = collscope.compare("RUN_A", "RUN_B")
        out = tempfile.mkdtemp()
        self.batch("compare", "RUN_A", "RUN_B", "--output=" + out, "--report-format=json", "--final-report")
        with open(glob.glob(out + "/*/tracelens_analysis/comparison_report.json")[0], encoding="utf-8") as file:
            book = json.load(file)
        self.assertEqual(list(sheets), [sheet["name"] for sheet in book["sheets"]])
        for sheet in book["sheets"]:
            frame = sheets[sheet["name"]]
            self.assertEqual(list(frame.columns), sheet["columns"])
            self.assertEqual(len(frame), len(sheet["rows"]))
        waterfall = sheets["Step_Waterfall"]
        self.assertGreater(waterfall.iloc[-1]["diff_ms"], 0)
        self.assertLessEqual(set(glob.glob(os.path.join(tempfile.gettempdir(), "collscope-*"))), before)

    def test_what_cannot_be_asked(self):
        with self.assertRaises(ValueError):
            collscope.metric("RUN_A", "avg_step_time,straggler")
        with mock.patch.dict(os.environ, COLLSCOPE=os.path.join("RUN_A", "rank0_trace.json")):
            with self.assertRaises(collscope.ProgramNotFound):
                collscope.version()

    def test_gate(self):
        for name, kernel_us in (("before", 800), ("same", 804), ("slower", 960)):
            write_steps(name, kernel_us)
        self.assertTrue(collscope.gate("before", "same", {"avg_step_time": "+5%"}).passed)
        slower = collscope.gate("before", "slower", {"avg_step_time": "+5%"})
        self.assertFalse(slower.passed)
        self.assertFalse(slower)
        self.assertIn("To blame: compute", slower.text)
        with self.assertRaises(collscope.NotAvailable):
            collscope.gate("RUN_A", "RUN_B", {"avg_step_time": "+5%"})  # too few steps

    def test_version(self):
        self.assertEqual(collscope.version().split()[:2], ["collscope", collscope.__version__])


if __name__ == "__main__":
    sys.exit(unittest.main())
