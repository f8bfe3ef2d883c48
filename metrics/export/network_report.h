// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What is known of the network of a job as text, as JSON (schema collscope.network/1) and for the window.

#include "metrics/core/value.h"
#include "metrics/network/measured_ceiling.h"
#include "metrics/network/network_case.h"
#include "metrics/network/network_troubles.h"
#include "model/trace_model.h"

namespace collscope {

/// All that the command network prints.
struct NetworkReport
{
    const TraceModel* model = nullptr; ///< has a record of the network
    NodeConnections connections;
    std::vector<NetworkTrouble> troubles;
    MeasuredCeiling ceiling;
};
/// Precondition: the model has a record of the network.
NetworkReport networkReport(Analysis& analysis);

/// A report for the window. Precondition: the model has a record of the network.
NetworkCasePtr networkCase(Analysis& analysis);

std::string networkText(const NetworkReport& report);
Value networkValue(const NetworkReport& report);

} // namespace collscope
