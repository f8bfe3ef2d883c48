// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Whether a job hung, and who made it hang, by the dumps of its ranks and what lies beside them.

#include "metrics/hang/reported_finding.h"

namespace collscope {

struct HangOptions
{
    /// The user knows that the job was hung when the files were written: no proof is needed.
    bool isKnownToHang = false;
};

struct HangVerdict
{
    enum class Hang : std::uint8_t
    {
        Yes,
        No,
        Unproven
    };
    struct Group
    {
        std::string name, description;
        std::vector<std::int32_t> ranks;
    };
    Hang hang = Hang::Unproven;
    std::string text; ///< the first sentence of all
    std::vector<std::string> proofs; ///< sentences
    std::vector<ReportedFinding> findings; ///< if it is a hang
    std::vector<ReportedFinding> suspects; ///< what would be the findings if it was hung; only if unproven
    std::vector<Group> groups; ///< of findings and suspects
    std::vector<std::int32_t> victims; ///< ranks that only wait
    std::vector<std::int32_t> missing; ///< ranks without a dump
    std::vector<std::int32_t> aliveByLog; ///< of these, those that printed a line later
    std::vector<std::string> notes;
    std::string inconclusive; ///< why nothing is found, though it is a hang; empty otherwise
    double coverage = 0; ///< share of the ranks that wait which the findings explain
    std::size_t ranks = 0, dumps = 0;
};

HangVerdict judgeHang(const HangEvidence& evidence, const StringTable& strings, const HangOptions& options);

} // namespace collscope
