# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds and runs the program, without a shell."""

from __future__ import annotations

import json
import logging
import os
import shutil
import subprocess
from typing import Any, Collection, List, NamedTuple, Sequence, Union

from .errors import ProgramNotFound, error_of

PathLike = Union[str, "os.PathLike[str]"]

_log = logging.getLogger("collscope")


class Answer(NamedTuple):
    """What a call printed, and how it ended."""

    text: str
    exit_code: int
    sentences: str


def program() -> str:
    """Return the path of the program: the environment variable COLLSCOPE, else the one in PATH."""
    named = os.environ.get("COLLSCOPE")
    found = named or shutil.which("collscope")
    if not found:
        raise ProgramNotFound(
            "The program collscope is not in PATH. Install it, or name it in the environment variable COLLSCOPE."
        )
    return found


def path_word(path: PathLike) -> str:
    """Return a path as a word that is never taken for an option."""
    word = os.fspath(path)
    if not isinstance(word, str):
        raise TypeError("a path must be str or os.PathLike[str]")
    if not word:
        raise ValueError("a path cannot be empty")
    return "./" + word if word.startswith("-") else word


def option(name: str, value: object) -> List[str]:
    """Return the words of an option; none if the value is None or False."""
    if value is None or value is False:
        return []
    if value is True:
        return ["--" + name]
    # One word, so that a value which begins with a hyphen is not taken for an option.
    return [f"--{name}={value}"]


def run(words: Sequence[str], answers: Collection[int] = (0,)) -> Answer:
    """Run ``collscope WORDS`` and return what it printed.

    An exit code that is not among ``answers`` raises CollscopeError. What the program says besides is logged as
    warnings of the logger ``collscope``.
    """
    try:
        done = subprocess.run(
            [program(), *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False
        )
    except FileNotFoundError as error:
        raise ProgramNotFound(f"{program()} does not exist.") from error
    except PermissionError as error:
        raise ProgramNotFound(f"{program()} cannot be run: {error.strerror}.") from error
    lines = done.stderr.decode("utf-8", "replace").splitlines()
    sentences = "\n".join(line[len("collscope: "):] if line.startswith("collscope: ") else line for line in lines)
    if done.returncode not in answers:
        raise error_of(sentences, done.returncode)
    for sentence in sentences.splitlines():
        _log.warning("%s", sentence)
    return Answer(done.stdout.decode("utf-8"), done.returncode, sentences)


def run_json(words: Sequence[str], answers: Collection[int] = (0, 3)) -> Any:
    """Like run(), for a command that prints JSON.

    Exit code 3 with JSON is an answer: it says itself what cannot be told. Without JSON it is an error.
    """
    answer = run(words, answers)
    if not answer.text:
        raise error_of(answer.sentences, answer.exit_code)
    return json.loads(answer.text)


def version() -> str:
    """Return what ``collscope --version`` prints."""
    return run(["--version"]).text.strip()
