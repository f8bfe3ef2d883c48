// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Whether "no communication" can be told from "communication that nobody recognised": a 0 has to be measured.

#include "metrics/analysis.h"

namespace collscope {

/// How the reason of a figure begins that the trace could have recorded and did not, or not under a name that
/// is known.
constexpr std::string_view notRecorded = "Not recorded: ";

/// What a metric of communication answers where no kernel of the run is known as communication and nobody
/// says that the run has one rank: then its figures are unknown, and not 0. nullopt: they can be measured.
std::optional<MetricResult> communicationUnknown(Analysis& analysis, const Selection& selection);

/// What a metric of communication answers where the window holds none: communicationUnknown(), else that none
/// that is known as such ran in it (and `soThat` follows: "no GPU waits for communication").
MetricResult whyNoCommunication(Analysis& analysis, const Selection& selection, std::string_view soThat = {});

/// A figure of communication, or null where communicationUnknown() has an answer.
Value knownCommunication(Analysis& analysis, const Selection& selection, Value figure);

} // namespace collscope
