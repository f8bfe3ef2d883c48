// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Conversion of metric results to JSON, CSV and text. The window and batch mode call the same functions, so
// they print the same numbers.

#include "metrics/definitions/metric_catalog.h"

#include <string>
#include <vector>

namespace collscope {

struct NamedResult
{
    MetricRequest request;
    MetricResult result;
};

/// The results of one of several runs, or of one of several profiler iterations of a run.
struct RunResults
{
    std::string label; ///< path of the run
    std::string iteration; ///< "10"; "all" if a run was measured over all of them; else empty
    Value::Object card; ///< cardFields() of the run
    std::vector<NamedResult> results;
};

/// Text as a JSON string, in quotes. Names come from files: invalid UTF-8 becomes U+FFFD.
std::string jsonQuoted(std::string_view text);
/// A tree as JSON: pretty-printed, invalid UTF-8 replaced, ends with a line feed.
std::string jsonText(const Value& value);
/// The same on one line, without spaces and without a line feed.
std::string jsonLine(const Value& value);
/// What loading reported: severity, code, file, offset, how often, and what it means.
Value problemsValue(const Diagnostics& problems);
/// One result as printed by --json: one object with the value and the details at the same level.
Value resultValue(const MetricResult& result);
/// Results keyed by the requested names.
Value resultsValue(const std::vector<NamedResult>& results);
/// resultsValue() as text.
std::string resultsJson(const std::vector<NamedResult>& results);
/// The files, ranks and world size of a run, as in the report.
Value runValue(const TraceModel& model);
/// The complete report of --output-json, schema collscope.report/1. `options` is echoed as given on the
/// command line.
Value reportValue(const TraceModel& model, const std::vector<NamedResult>& results,
                  const std::vector<std::string>& options);
/// The details of a result without a scalar, as a JSON object.
std::string detailsJson(const MetricResult& result);

/// "metric,scope,rank,step,value,unit,status,reason", RFC 4180, LF. For each metric its value, its values per
/// rank and step, and the numbers of its tables (see detail_rows.h).
std::string resultsCsv(const std::vector<NamedResult>& results);
/// Like resultsCsv(), for the profiler iterations of one run; adds a last column `iteration`.
std::string iterationRowsCsv(const std::vector<RunResults>& iterations);
/// Like resultsCsv(), for several runs: starts with a column `run`, ends with `iteration` and the metadata of
/// the card.
std::string runsCsv(const std::vector<RunResults>& runs);
/// The results of one profiler iteration of a run.
struct IterationResults
{
    std::int64_t number = -1; ///< -1: the run has no iterations
    std::vector<NamedResult> results;
    std::string run = {}; ///< label of the run if there are several
};

/// A row per profiler iteration: its number, then `<metric>_value` and `<metric>_<key>` for every number of a
/// metric. A cell is empty if an iteration lacks the number. For several runs, `run` is the first column.
std::string iterationsCsv(const std::vector<IterationResults>& iterations);
/// An RFC 4180 cell, also quoted if it contains a semicolon. Text that a spreadsheet would run as a formula
/// gets a leading apostrophe.
std::string csvCell(std::string_view text);

/// The layout of metrics without a value in a table.
enum class TextLayout
{
    EachRow, ///< each in its own row, with the reason
    ValuesFirst ///< below the values: one line per reason
};
/// One metric: the bare number followed by its tables, or its JSON object; several: an aligned table. Metrics
/// without a value show the reason.
std::string resultsText(const std::vector<NamedResult>& results, TextLayout layout = TextLayout::EachRow);
/// Several runs side by side: a column for each run, and a line for each reason below. All runs must have
/// been measured with the same metrics.
std::string runsText(const std::vector<RunResults>& runs, TextLayout layout = TextLayout::EachRow);
/// Formula, inputs, warnings and reference values of one result, for readers.
std::string explanationText(const NamedResult& result);
/// id, aliases, unit, needs and meaning of every metric; for user-defined ones also the place of definition.
std::string metricListText(const MetricCatalog& catalog);
std::string metricListJson(const MetricCatalog& catalog);
/// The metric list with formulas, by group; resources/help/metrics.md is its output for the built-in metrics.
std::string metricListMarkdown(const MetricCatalog& catalog);

/// With `digits` digits after the decimal point, in the C locale.
std::string fixedText(double value, int digits);
/// "4.19 MB": decimal, with three digits.
std::string bytesText(double bytes);
/// Pads the text with spaces on the right to `width` characters.
std::string padded(std::string text, std::size_t width);

} // namespace collscope
