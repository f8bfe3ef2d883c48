# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A run as tables: the SQLite file that ``--batch export`` writes, read into pandas frames."""

from __future__ import annotations

import os
import pathlib
import sqlite3
import tempfile
from types import TracebackType
from typing import TYPE_CHECKING, Any, Iterable, List, Mapping, Optional, Sequence, Type, Union

from .program import PathLike, option, path_word, run

if TYPE_CHECKING:
    import pandas


def export(
    run_path: PathLike,
    database: PathLike,
    *,
    slices: bool = False,
    what_if: bool = False,
    steps: Union[None, int, str] = None,
    clocks: Optional[str] = None,
) -> None:
    """Write a run as an SQLite file. ``slices``: also every kernel, copy and CPU event. ``what_if``: also what would help."""
    # As one word, so that a name which begins with a hyphen is not taken for an option.
    words = ["--batch", "export", path_word(run_path), f"--output={os.fspath(database)}"]
    words += option("slices", slices) + option("what-if", what_if)
    run(words + option("steps", steps) + option("clocks", clocks))


def frame_of(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> "pandas.DataFrame":
    """Return a frame whose whole numbers stay whole, also beside missing ones, which are <NA>."""
    import pandas

    frame = pandas.DataFrame(list(rows), columns=list(columns), dtype=object)
    for position in range(frame.shape[1]):
        known = {type(value) for value in frame.iloc[:, position] if value is not None}
        if known == {int}:
            frame.isetitem(position, frame.iloc[:, position].astype("Int64"))
        elif known and known <= {int, float}:
            frame.isetitem(position, frame.iloc[:, position].astype("Float64"))
        elif known == {str}:
            frame.isetitem(position, frame.iloc[:, position].astype("string"))
    return frame


class Tables:
    """The tables of one SQLite file, opened for reading. A context manager.

    ``tables()`` makes one of a run; ``Tables(path)`` opens a file that export() wrote.
    """

    def __init__(self, database: PathLike) -> None:
        path = pathlib.Path(os.path.abspath(os.fspath(database)))
        # A file that does not exist must not be made.
        self._connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
        self._folder: Optional["tempfile.TemporaryDirectory[str]"] = None

    def names(self) -> List[str]:
        """Return the names of all tables and views."""
        rows = self._connection.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name")
        return [name for (name,) in rows]

    def frame(self, table: str) -> "pandas.DataFrame":
        """Return a table or a view as a frame. KeyError if the file has none of this name."""
        if table not in self.names():
            raise KeyError(f"There is no table {table!r}; there are {', '.join(self.names())}.")
        return self.sql(f'SELECT * FROM "{table}"')

    def sql(self, query: str, parameters: Union[Sequence[Any], Mapping[str, Any]] = ()) -> "pandas.DataFrame":
        """Return the rows of a query as a frame."""
        cursor = self._connection.execute(query, parameters)
        return frame_of([column[0] for column in cursor.description], cursor)

    def describe(self, table: str) -> "pandas.DataFrame":
        """Return what the columns of a table mean."""
        return self.sql(
            "SELECT column_name, type, meaning FROM descriptions WHERE table_name = ? ORDER BY rowid", [table]
        )

    def close(self) -> None:
        """Close the file; one that tables() made is removed."""
        self._connection.close()
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def __enter__(self) -> "Tables":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()


def tables(
    run_path: PathLike,
    *,
    slices: bool = False,
    what_if: bool = False,
    steps: Union[None, int, str] = None,
    clocks: Optional[str] = None,
) -> Tables:
    """Return the tables of a run, in a temporary file that is removed when they are closed."""
    folder = tempfile.TemporaryDirectory(prefix="collscope-")
    try:
        database = os.path.join(folder.name, "run.db")
        export(run_path, database, slices=slices, what_if=what_if, steps=steps, clocks=clocks)
        made = Tables(database)
    except BaseException:
        folder.cleanup()
        raise
    made._folder = folder
    return made
