// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The groups of the partition that become findings, one function per part. None of them owns time of another.

#include "metrics/findings/finding.h"

namespace collscope {

/// What all groups are made from.
struct FindingInput
{
    Analysis& analysis;
    const Partition& partition;
    Findings& findings; ///< the groups are added here, with ranks, time and places, without costs
};

/// Facts that the model knows: missing ranks, several jobs, clocks, unrecognised communication, no steps.
void addRunFacts(const FindingInput& input);
/// Idle time by cause.
void addIdleTime(const FindingInput& input);
/// Copies by name.
void addCopies(const FindingInput& input);
/// Communication: late ranks, pipeline bubbles, slow collectives, exposed communication by type and group.
void addCommunication(const FindingInput& input);
/// Compute time that one rank or a few steps need beyond the others. Says in the late ranks why they are
/// late, so it comes last.
void addExcess(const FindingInput& input);

/// The collectives whose bus bandwidth is far below that of the same size in groups of the same kind, by
/// index into Analysis::run().matching.instances; 0: not slow, else the share that it reaches, in percent.
std::vector<std::uint8_t> slowCollectives(Analysis& analysis);

/// "1.2 ms per step (8 %)".
std::string costText(const Findings& findings, const Finding& finding);
/// " on rank 3", " on 3 of 8 ranks"; empty if all ranks pay.
std::string payersText(const FindingInput& input, const Finding& finding);

} // namespace collscope
