// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The sheets of the collective report, one function each.

#include "metrics/reports/collective_listing.h"
#include "metrics/reports/collective_report.h"

namespace collscope {

// A row per call and rank, per collective, per rank; collectives and calls that could not be matched.
Sheet longSheet(const CollectiveListing& listing);
Sheet implicitSyncSheet(const CollectiveListing& listing, const CollectiveReportOptions& options);
Sheet stragglerSheet(const CollectiveListing& listing, bool byDuration);
Sheet unmatchedSheet(const CollectiveListing& listing);

// Summaries of the same data.
Sheet implicitSyncSummary(const CollectiveListing& listing, const CollectiveReportOptions& options);
Sheet longSummary(const CollectiveListing& listing);

// All-to-alls whose ranks send different amounts.
Sheet unevenSheet(const CollectiveListing& listing, const CollectiveReportOptions& options);
Sheet unevenSummary(const CollectiveListing& listing, const CollectiveReportOptions& options);
Sheet unevenTraffic(const CollectiveListing& listing);

/// Bandwidth of a collective in the unit of the options: S / shortest duration; null if a size is unknown.
Value algorithmBandwidthCell(const ListedCollective& collective, const CollectiveReportOptions& options);
Value busBandwidthCell(const ListedCollective& collective, const CollectiveReportOptions& options);
/// Bytes over time in the unit of the options.
double bandwidthOf(double bytes, std::int64_t ns, const CollectiveReportOptions& options);

/// Adds the number in a cell, if the cell contains one.
void addNumber(const Value& cell, std::vector<double>& values);
/// Adds mean, median, min and max of `values`, as four cells; null without values.
void addStatistics(std::vector<double> values, Value::Array& row);
/// Adds "<name>_mean" ... "<name>_max".
void addStatisticsColumns(const std::string& name, std::vector<std::string>& columns);

} // namespace collscope
