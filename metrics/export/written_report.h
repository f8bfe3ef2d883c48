// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Metric results -> bytes: JSON, CSV, text. The window and batch call the same functions, so they print the
// same numbers.

#include "metrics/metric_catalog.h"

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
    std::string iteration; ///< "10"; "all" where a run was measured over all of them; else empty
    Value::Object card; ///< cardFields() of the run
    std::vector<NamedResult> results;
};

/// Text as JSON writes it, in quotes. Names come from files: invalid UTF-8 becomes U+FFFD.
std::string jsonQuoted(std::string_view text);
/// A tree as JSON: pretty-printed, invalid UTF-8 replaced, ends with a line feed.
std::string jsonText(const Value& value);
/// One result as --json prints it: one object, in which the details stand beside the value.
Value resultValue(const MetricResult& result);
/// Results keyed by the names asked for.
Value resultsValue(const std::vector<NamedResult>& results);
/// The same as text.
std::string resultsJson(const std::vector<NamedResult>& results);
/// The whole report of --output-json, schema collscope.report/1. `options` is echoed as given on the command
/// line.
Value reportValue(const TraceModel& model, const std::vector<NamedResult>& results,
                  const std::vector<std::string>& options);
/// The details of a result without a scalar, as a JSON object.
std::string detailsJson(const MetricResult& result);

/// "metric,scope,rank,step,value,unit,status,reason", RFC 4180, LF. Of each metric its value, its values per
/// rank and step, and the numbers of its tables (see detail_rows.h).
std::string resultsCsv(const std::vector<NamedResult>& results);
/// The same for the profiler iterations of one run; a column `iteration` stands behind the others.
std::string iterationRowsCsv(const std::vector<RunResults>& iterations);
/// The same for several runs: `run` stands before, `iteration` and the metadata of the card behind each row.
std::string runsCsv(const std::vector<RunResults>& runs);
/// The results of one profiler iteration of a run.
struct IterationResults
{
    std::int64_t number = -1; ///< -1: of a run that has none
    std::vector<NamedResult> results;
    std::string run = {}; ///< what it is called, where there are several
};

/// A row per profiler iteration: its number, then `<metric>_value` and `<metric>_<key>` for every number a
/// metric gives. A cell is empty where an iteration has no such number. Of several runs `run` stands before.
std::string iterationsCsv(const std::vector<IterationResults>& iterations);
/// An RFC 4180 cell, in quotes also where it holds a semicolon. Text that a spreadsheet would run as a
/// formula gets a leading apostrophe.
std::string csvCell(std::string_view text);

/// How the metrics without a value stand in a table.
enum class TextLayout
{
    EachRow, ///< each in a row of its own, with the reason
    ValuesFirst ///< below the values: a line for each reason
};
/// One metric: the bare number, with its tables below, or its JSON object; several: an aligned table.
/// Metrics without a value say why.
std::string resultsText(const std::vector<NamedResult>& results, TextLayout layout = TextLayout::EachRow);
/// Several runs side by side: a column for each, a line for each reason below. The runs were asked for the
/// same metrics.
std::string runsText(const std::vector<RunResults>& runs, TextLayout layout = TextLayout::EachRow);
/// Formula, inputs, warnings, reference values of one result, for people.
std::string explanationText(const NamedResult& result);
/// id, aliases, unit, needs and meaning of every metric; those that the user defined say where.
std::string metricListText(const MetricCatalog& catalog);
std::string metricListJson(const MetricCatalog& catalog);
/// The same with formulas, by group: resources/help/metrics.md is what it gives for the built-in metrics.
std::string metricListMarkdown(const MetricCatalog& catalog);

/// With `digits` after the point, in the C locale.
std::string fixedText(double value, int digits);
/// With blanks behind it, up to `width` characters.
std::string padded(std::string text, std::size_t width);

} // namespace collscope
