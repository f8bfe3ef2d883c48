// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The sheets of the collective report, one function each.

#include "metrics/core/sheet_columns.h"
#include "metrics/reports/collective_listing.h"
#include "metrics/reports/collective_report_options.h"
#include "metrics/reports/run_values.h"

namespace collscope {

// A row per call and rank, per collective, per rank; collectives and calls that could not be matched. Those
// with a row per call or collective are streams, which the arguments must outlive.
Sheet longSheet(const CollectiveListing& listing);
Sheet implicitSyncSheet(const CollectiveListing& listing, const CollectiveReportOptions& options);
Sheet stragglerSheet(const CollectiveListing& listing, bool byDuration);
Sheet unmatchedSheet(const CollectiveListing& listing);

// Summaries of the same data. They fill in RunValues::collectives and RunValues::calls.
Sheet implicitSyncSummary(const CollectiveListing& listing, const CollectiveReportOptions& options,
                          RunValues& values);
Sheet longSummary(const CollectiveListing& listing, RunValues& values);

// All-to-alls whose ranks send different amounts. The first one is a stream.
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
/// Empty without values.
struct Statistics
{
    std::optional<double> mean, median, least, most;
};
Statistics statisticsOf(std::vector<double> values);
/// Adds the columns "<name>_mean" ... "<name>_max".
template<typename Row>
void addStatistics(const std::string& name, std::function<Statistics(const Row&)> spread,
                   std::vector<SheetColumn<Row>>& columns)
{
    for (const auto& [end, member] :
         {std::pair("_mean", &Statistics::mean), std::pair("_median", &Statistics::median),
          std::pair("_min", &Statistics::least), std::pair("_max", &Statistics::most)})
        columns.push_back({name + end, [spread, member = member](const Row& row) {
                               return numberCell(spread(row).*member);
                           }});
}

} // namespace collscope
