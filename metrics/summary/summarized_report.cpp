// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/summary/summarized_report.h"

#include "metrics/summary/summarized_straggler.h"

namespace collscope {

StragglerReport reportOfSummaries(Analysis& analysis)
{
    StragglerReport report;
    report.knowsCollectives = false;
    const Selection& selection = analysis.communicating();
    report.window = selection.window;
    if (const auto failure = needsTwoRanks(analysis, selection)) {
        report.reason = failure->reason;
        return report;
    }
    const Result<FoldedStraggler>& folded = stragglerOfSummaries(analysis);
    if (!folded) {
        report.reason = folded.error().message;
        return report;
    }
    tellArrivals(analysis, folded->arrivals, folded->clocks, folded->collectivesOfGroup, report);
    return report;
}

} // namespace collscope
