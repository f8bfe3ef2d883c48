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

/// One object keyed by the names asked for, as in the contract ("--json"). Pretty-printed, ends with a line
/// feed.
std::string resultsJson(const std::vector<NamedResult>& results);
/// The whole report of --output-json, schema collscope.report/1. `options` is echoed as given on the command
/// line.
std::string reportJson(const TraceModel& model, const std::vector<NamedResult>& results,
                       const std::vector<std::string>& options);
/// The details of a result without a scalar, as a JSON object.
std::string detailsJson(const MetricResult& result);
/// "metric,scope,rank,step,value,unit,status,reason", RFC 4180, LF.
std::string resultsCsv(const std::vector<NamedResult>& results);
/// One metric: the bare number or its JSON object; several: an aligned table. Metrics without a value say
/// why.
std::string resultsText(const std::vector<NamedResult>& results);
/// Formula, inputs, warnings, reference values of one result, for people.
std::string explanationText(const NamedResult& result);
/// id, aliases, unit, needs and meaning of every metric; those that the user defined say where.
std::string metricListText(const MetricCatalog& catalog);
std::string metricListJson(const MetricCatalog& catalog);
/// The same with formulas, by group: resources/help/metrics.md is what it gives for the built-in metrics.
std::string metricListMarkdown(const MetricCatalog& catalog);

} // namespace collscope
