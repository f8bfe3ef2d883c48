// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Distinguishes "no communication" from "unrecognised communication", and "no copies" from files that never
// contain any: a 0 must be measured.

#include "metrics/analysis/analysis.h"

namespace collscope {

/// Prefix of the reason for a missing figure that the trace could have recorded but did not, or not under a
/// known name.
constexpr std::string_view notRecorded = "Not recorded: ";

/// The result of a communication metric if no kernel of the run is recognised as communication and no source
/// states that the run has one rank: its figures are unknown, not 0. nullopt if they can be measured.
std::optional<MetricResult> communicationUnknown(Analysis& analysis, const Selection& selection);

/// The result of a communication metric if the window contains no communication: communicationUnknown(), else
/// that no recognised communication ran in it, followed by `soThat` ("no GPU waits for communication").
MetricResult whyNoCommunication(Analysis& analysis, const Selection& selection, std::string_view soThat = {});

/// A communication figure, or null if communicationUnknown() returns a result.
Value knownCommunication(Analysis& analysis, const Selection& selection, Value figure);

/// The result of a metric of copies if no file of the selection can contain any: that none are there is not
/// evidence that none ran. nullopt if they can be measured.
std::optional<MetricResult> copiesUnknown(const Selection& selection);

} // namespace collscope
