// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A job that hung, with all that was worked out about it: what the verdict rests on can be asked for.

#include "metrics/hang/hang_verdict.h"

#include <memory>

namespace collscope {

struct HangCase
{
    /// `evidence` and `strings` must outlive the case.
    HangCase(const HangEvidence& evidence, const StringTable& strings);

    HangJob job;
    WaitGraph graph; ///< without the calls of groups that go on
    std::vector<HangFinding> findings; ///< in the order of the verdict's findings, or suspects
    HangVerdict verdict;

    /// The findings as they are reported, whether they are proven or not.
    const std::vector<ReportedFinding>& reported() const
    {
        return verdict.hang == HangVerdict::Hang::Yes ? verdict.findings : verdict.suspects;
    }
};
using HangCasePtr = std::shared_ptr<const HangCase>;

HangCasePtr examineHang(const HangEvidence& evidence, const StringTable& strings, const HangOptions& options);

} // namespace collscope
