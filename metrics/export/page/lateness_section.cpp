// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/page/lateness_section.h"

#include "metrics/core/value.h"
#include "metrics/export/page/lateness_picture.h"
#include "metrics/export/page/page_frame.h"

#include <algorithm>
#include <map>
#include <vector>

namespace collscope {

namespace {

/// Collectives of several ranks that the picture leaves out, by the reason.
struct LeftOut
{
    explicit LeftOut(const LatenessGrid& grid);

    std::int64_t transfers = 0; ///< sends and receives
    std::int64_t byOrder = 0; ///< matched by order alone
    std::int64_t others = 0; ///< rooted ones whose root is unknown, and unknown types

    std::int64_t all() const { return transfers + byOrder + others; }
    /// As a list, each with its reason.
    std::string text() const;
};

LeftOut::LeftOut(const LatenessGrid& grid)
{
    for (const CollectiveRow& row : grid.collectives->rows) {
        if (row.isPointToPoint)
            ++transfers;
        else if (!row.times.tellsWaits
                 && grid.collectives->instanceOf(row).confidence == MatchConfidence::OrderAlone)
            ++byOrder;
        else if (!row.times.tellsWaits)
            ++others;
    }
}

std::string LeftOut::text() const
{
    std::string list;
    const auto add = [&](std::int64_t count, const std::string& what) {
        if (count > 0)
            list += (list.empty() ? "" : "; ") + std::to_string(count) + " " + what;
    };
    add(transfers, "are between a sender and a receiver, which this picture does not show");
    add(byOrder, "were matched by the order of their calls alone");
    add(others, "are of an unknown type, or the rank that sends or receives all data is unknown");
    return list;
}

/// The most frequent reason why calls are in no collective of several ranks, as a sentence.
std::string whyUnmatched(const Matching& matching)
{
    std::map<UnmatchedReason, std::int64_t> counts;
    for (const Unmatched& unmatched : matching.unmatched)
        ++counts[unmatched.reason];
    const auto most = std::max_element(counts.begin(), counts.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most == counts.end())
        return "Each of them is of a group of one rank.";
    return "The most frequent reason: " + std::string(unmatchedReasonText(most->first)) + ".";
}

/// Whether the error of the clocks is known, so that differences beyond it are lateness.
bool areClocksKnown(const CollectiveRows& collectives)
{
    const ClockAlignment& clocks = collectives.run->clocks;
    return clocks.isUsed(collectives.choice) || (clocks.isTrusted && !clocks.isNeeded);
}

void writeShown(HtmlWriter& html, const LatenessGrid& grid)
{
    const CollectiveRows& collectives = *grid.collectives;
    if (!areClocksKnown(collectives))
        writeParagraph(html,
                       "Uncertain: the picture may show how far the clocks of the ranks differ, in place of "
                       "lateness. "
                           + collectives.run->clocks.summary(collectives.choice));
    writeLatenessPicture(html, grid, areClocksKnown(collectives));
    std::string missing;
    if (const LeftOut left(grid); left.all() > 0)
        missing = std::to_string(left.all()) + " of "
            + countText(static_cast<std::int64_t>(collectives.rows.size()), "collective") + " (" + left.text()
            + ")";
    if (const auto unmatched = static_cast<std::int64_t>(collectives.run->matching.unmatched.size());
        unmatched > 0)
        missing += (missing.empty() ? "" : ", and ") + countText(unmatched, "call")
            + " without a known partner on another rank";
    if (!missing.empty())
        writeParagraph(html, "Not in the picture: " + missing + ".", "meta");
}

} // namespace

std::string wholeFilesText(const MetricOptions& options)
{
    std::vector<std::string> choices;
    const auto add = [&](bool isChosen, const char* name) {
        if (isChosen)
            choices.emplace_back(name);
    };
    add(options.rank.has_value(), "--rank");
    add(options.range.has_value(), "--range");
    add(options.steps.mode != StepChoice::Mode::Inner, "--steps");
    std::string text = "This covers the whole files and all ranks";
    for (std::size_t i = 0; i < choices.size(); ++i)
        text += (i == 0 ? ", whatever " : i + 1 < choices.size() ? ", " : " and ") + choices[i];
    return text + (choices.empty() ? "." : choices.size() == 1 ? " selects." : " select.");
}

void writeLateness(HtmlWriter& html, Analysis& analysis, const TraceModelPtr& model)
{
    const RunCollectivesPtr run = analysis.sharedRun();
    if (!run || run->matching.calls == 0)
        return; // the section of the collectives says why
    const CollectiveRowsPtr rows
        = listCollectives(model, run, analysis.options().clocks, analysis.options().cancelled);
    const LatenessGridPtr grid = rows ? layOutLateness(rows, {}, analysis.options().cancelled) : nullptr;
    if (!grid)
        return;
    writeSection(html, "lateness", "Which rank was late", wholeFilesText(analysis.options()), [&] {
        if (!grid->columns.empty())
            writeShown(html, *grid);
        else if (run->ranks.size() == 1)
            writeParagraph(html, "This cannot be told, because the files are of one rank.");
        else if (rows->rows.empty())
            writeParagraph(html,
                           "This cannot be told: none of the "
                               + countText(run->matching.calls, "communication call")
                               + " has a known partner on another rank. " + whyUnmatched(run->matching));
        else
            writeParagraph(html, "No collective of several ranks tells it: " + LeftOut(*grid).text() + ".");
    });
}

} // namespace collscope
