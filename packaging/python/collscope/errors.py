# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What goes wrong, as exceptions. Each has the sentence of the program and its exit code."""

from __future__ import annotations

from typing import Dict, Type


class CollscopeError(Exception):
    """The program failed.

    ``sentence`` is what it said on standard error, ``exit_code`` how it ended (negative: by a signal).
    """

    def __init__(self, sentence: str, exit_code: int) -> None:
        super().__init__(f"{sentence} (exit code {exit_code})")
        self.sentence = sentence
        self.exit_code = exit_code


class UsageError(CollscopeError):
    """The arguments contradict each other, or one of them is misspelt (exit code 1)."""


class NothingReadable(CollscopeError):
    """Nothing at the path can be read as a run (exit code 2)."""


class NotAvailable(CollscopeError):
    """The files do not tell what was asked for; the sentence says why (exit code 3)."""


class NotWritten(CollscopeError):
    """An output could not be written (exit code 4)."""


class Cancelled(CollscopeError):
    """The program was interrupted (exit code 5)."""


class ProgramNotFound(FileNotFoundError):
    """There is no program ``collscope``."""


_BY_CODE: Dict[int, Type[CollscopeError]] = {
    1: UsageError,
    2: NothingReadable,
    3: NotAvailable,
    4: NotWritten,
    5: Cancelled,
}


def error_of(sentence: str, exit_code: int) -> CollscopeError:
    """Return the exception for a failed call."""
    return _BY_CODE.get(exit_code, CollscopeError)(sentence or "The program said nothing.", exit_code)
