// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A run as a row of the public CCL-Bench table: the contents of the workload card, and the dashboard's
// metrics.

#include "metrics/export/written_report.h"

namespace collscope {

/// The description of the run, under the field names of the public table ("workload_name", "tp",
/// "hardware_model"). From the card; missing fields come from the TOML or the trace. Unknown numbers are
/// null, unknown texts "".
Value::Object cardFields(const TraceModel& model, const HardwareDatabase* hardware);

/// The ids of the dashboard's metrics, in the order of its panels.
std::span<const std::string_view> dashboardMetrics();

/// {"trace", "metadata": cardFields, "metrics": {id: number or null}}, with every metric of the dashboard.
Value leaderboardRow(const TraceModel& model, const Value::Object& card,
                     const std::vector<NamedResult>& results);

} // namespace collscope
