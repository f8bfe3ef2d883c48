# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A function for each command that prints JSON. Paths are str or os.PathLike.

Times are whole nanoseconds where the key ends in _ns. None, with a reason, means that the files do not tell: it is
never zero. Arguments that several functions have:

* ``rank``: one rank of the run.
* ``steps``: "inner" (default), "all", "3" or "3-7". ``time_range``: (begin, end) in ms on the time axis, instead of
  steps.
* ``clocks``: "auto" (default), "aligned" or "raw".
"""

from __future__ import annotations

import json
import os
import tempfile
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from .errors import NotAvailable
from .program import PathLike, option, path_word, run, run_json

if TYPE_CHECKING:
    import pandas

Json = Dict[str, Any]
TimeRange = Tuple[float, float]


def _selection(
    rank: Optional[int] = None,
    steps: Union[None, int, str] = None,
    time_range: Optional[TimeRange] = None,
    clocks: Optional[str] = None,
) -> List[str]:
    spans = None if time_range is None else "-".join(f"{Decimal(repr(float(ms))):f}" for ms in time_range)
    return [*option("rank", rank), *option("steps", steps), *option("range", spans), *option("clocks", clocks)]


def findings(
    run_path: PathLike,
    *,
    top: Optional[int] = None,
    rank: Optional[int] = None,
    steps: Union[None, int, str] = None,
    time_range: Optional[TimeRange] = None,
    clocks: Optional[str] = None,
) -> Json:
    """Return what costs time, the largest cost first (``--batch findings --json``).

    ``parts`` add up to ``step_ns``. ``confidence`` of a finding is "measured" or "estimated".
    """
    words = ["--batch", "findings", path_word(run_path), "--json", *option("top", top)]
    return run_json(words + _selection(rank, steps, time_range, clocks), answers=(0,))


def metrics(
    run_path: PathLike,
    ids: Union[None, str, Sequence[str]] = None,
    *,
    rank: Optional[int] = None,
    steps: Union[None, int, str] = None,
    time_range: Optional[TimeRange] = None,
    clocks: Optional[str] = None,
) -> Dict[str, Json]:
    """Return metrics by id (``--batch metrics --json``); without ``ids`` all of them.

    ``status`` says whether ``value`` is there; if not, ``reason`` says why.
    """
    names = "all" if ids is None else ids if isinstance(ids, str) else ",".join(ids)
    words = ["--batch", "metrics", path_word(run_path), "--json", *option("metric", names)]
    return run_json(words + _selection(rank, steps, time_range, clocks))


def metric(run_path: PathLike, metric_id: str, **selection: Any) -> float:
    """Return the value of one metric. NotAvailable if it has none, with the reason."""
    if "," in metric_id:
        raise ValueError("metric() takes one metric; metrics() takes several")
    result = metrics(run_path, [metric_id], **selection)[metric_id]
    if result["value"] is None:
        raise NotAvailable(result.get("reason") or f"{metric_id} is not a single number.", 3)
    return result["value"]


def explain_metric(run_path: PathLike, metric_id: str, **selection: Any) -> Json:
    """Return a metric with its formula, inputs, warnings and what other tools print for it."""
    words = ["--batch", "explain", path_word(run_path), "--json", *option("metric", metric_id)]
    return run_json(words + _selection(**selection))[metric_id]


def explain_step(run_path: PathLike, step: int, *, clocks: Optional[str] = None) -> Json:
    """Return why a step took as long as it did: a verdict and the measured facts behind it.

    The verdict may be "inconclusive"; then nobody is to blame by these files.
    """
    answer = run_json(
        ["--batch", "explain", path_word(run_path), "--json", *option("step", step), *option("clocks", clocks)]
    )
    if answer["verdict"] is None:
        raise NotAvailable(answer["reason"], 3)
    return answer


def what_if(
    run_path: PathLike,
    scenarios: Union[str, Sequence[str]] = (),
    *,
    steps: Union[None, int, str] = None,
    time_range: Optional[TimeRange] = None,
    clocks: Optional[str] = None,
) -> Json:
    """Return what would make a step shorter (``--batch what-if --json``).

    Without scenarios: those that would help most. ``refused`` says why the run, or a scenario, is not answered.
    """
    chosen = [scenarios] if isinstance(scenarios, str) else scenarios
    words = ["--batch", "what-if", path_word(run_path), "--json"]
    for scenario in chosen:
        words += option("scenario", scenario)
    return run_json(words + _selection(None, steps, time_range, clocks), answers=(0,))


def hang(folder: PathLike, *, hung: bool = False) -> Json:
    """Return which rank of a job that hung did not go on (``--batch hang --json``).

    ``hang`` is "yes", "no" or "unproven". ``hung=True``: the job was hung when the files were written.
    """
    return run_json(["--batch", "hang", path_word(folder), "--json", *option("hung", hung)])


def compare(
    baseline: PathLike, test: PathLike, *, threshold: Optional[float] = None
) -> "Dict[str, pandas.DataFrame]":
    """Return the sheets of a comparison as frames by name: Step_Waterfall, Kernel_Cmp, ...

    Differences are test - baseline. ``threshold``: changes of up to ``threshold`` percent count as similar.
    """
    from .tables import frame_of

    with tempfile.TemporaryDirectory(prefix="collscope-") as folder:
        words = ["--batch", "compare", path_word(baseline), path_word(test), *option("output", folder)]
        words += ["--final-report", "--report-format=json", *option("threshold", threshold)]
        printed = run(words).text.splitlines()
        reports = [line for line in printed if os.path.basename(line) == "comparison_report.json"]
        with open(reports[0], encoding="utf-8") as file:
            book = json.load(file)
    return {sheet["name"]: frame_of(sheet["columns"], sheet["rows"]) for sheet in book["sheets"]}


class GateResult(NamedTuple):
    """Whether a test stays within the limits, and what the program printed. True if it does."""

    passed: bool
    text: str

    def __bool__(self) -> bool:
        return self.passed


def gate(baseline: PathLike, test: PathLike, limits: Mapping[str, str]) -> GateResult:
    """Compare a test with a baseline: ``gate(a, b, {"avg_step_time": "+5%"})``.

    NotAvailable if there is not enough data to say.
    """
    words = ["--batch", "gate", path_word(baseline), path_word(test)]
    for metric_id, limit in limits.items():
        words += option("max", f"{metric_id}={limit}")
    answer = run(words, answers=(0, 6))
    return GateResult(answer.exit_code == 0, answer.text)
