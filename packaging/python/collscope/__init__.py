# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Collscope from Python.

Each function runs a command of the program ``collscope``, which must be installed: in ``PATH``, or named by the
environment variable ``COLLSCOPE``. The results are those of the command line, number by number.

>>> import collscope
>>> collscope.findings("RUN")["findings"][0]["title"]      # what costs most time
>>> with collscope.tables("RUN") as tables:                # pandas
...     tables.frame("collectives")
"""

from .answers import (
    GateResult,
    compare,
    explain_metric,
    explain_step,
    findings,
    gate,
    hang,
    metric,
    metrics,
    what_if,
)
from .errors import (
    Cancelled,
    CollscopeError,
    NotAvailable,
    NothingReadable,
    NotWritten,
    ProgramNotFound,
    UsageError,
)
from .program import program, version
from .tables import Tables, export, tables

__version__ = "2.0.0"
__all__ = [
    "Cancelled",
    "CollscopeError",
    "GateResult",
    "NotAvailable",
    "NotWritten",
    "NothingReadable",
    "ProgramNotFound",
    "Tables",
    "UsageError",
    "compare",
    "explain_metric",
    "explain_step",
    "export",
    "findings",
    "gate",
    "hang",
    "metric",
    "metrics",
    "program",
    "tables",
    "version",
    "what_if",
]
