// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/page/hang_section.h"

#include "metrics/core/value.h"
#include "metrics/export/page/page_frame.h"
#include "metrics/export/page/page_table.h"
#include "metrics/hang/hang_grid.h"
#include "metrics/hang/hang_text.h"
#include "metrics/looks/hang_looks.h"
#include "model/text/capitalised.h"
#include "model/text/rank_ranges.h"

#include <algorithm>

namespace collscope {

namespace {

constexpr std::size_t mostVerdicts = 40;
constexpr std::size_t mostGrids = 3;
constexpr std::size_t mostCallColumns = 16;
constexpr std::size_t mostGridRows = 48;
constexpr std::size_t mostWaits = 200;
constexpr std::size_t mostFrames = 60;

/// A class of the style.
std::string_view lookOf(HangCell cell)
{
    switch (cell) {
    case HangCell::NotCalled:
    case HangCell::OtherArguments:
        return "c-none";
    case HangCell::Inside:
        return "c-inside";
    case HangCell::Waiting:
        return "c-wait";
    case HangCell::Started:
        return "c-started";
    case HangCell::Done:
        return "c-done";
    case HangCell::Unknown:
        break;
    }
    return "c-unknown";
}

/// The outermost frame first, as the window shows them; the first one that differs is marked. Of a long
/// stack, the outer frames are left out: the inner ones say where the rank is.
void writeStack(HtmlWriter& html, const ReportedFinding::Stack& stack,
                std::optional<std::size_t> firstDifference)
{
    const std::size_t first = stack.frames.size() - std::min(stack.frames.size(), mostFrames);
    const auto column = html.element("div");
    html.leaf("p",
              "rank " + std::to_string(stack.rank) + " (" + stack.source + "), outermost first"
                  + (first > 0 ? "; the outer " + countText(static_cast<std::int64_t>(first), "frame")
                             + (first == 1 ? " is" : " are") + " left out"
                               : std::string()),
              {{"class", "meta"}});
    const auto lines = html.element("ol", {{"class", "stack"}, {"start", std::to_string(first + 1)}});
    for (std::size_t i = first; i < stack.frames.size(); ++i)
        html.leaf("li", stack.frames[stack.frames.size() - 1 - i],
                  {{"class", firstDifference == i ? "differs" : ""}});
}

void writeStacks(HtmlWriter& html, const ReportedFinding& finding)
{
    if (finding.stacks.empty())
        return;
    const auto columns = html.element("div", {{"class", "two"}});
    for (const ReportedFinding::Stack& stack : finding.stacks)
        writeStack(html, stack, finding.firstDifference);
}

void writeWitnesses(HtmlWriter& html, const ReportedFinding& finding)
{
    if (finding.witnesses.empty())
        return;
    std::vector<std::vector<PageCell>> rows;
    for (const ReportedFinding::Witness& witness : finding.witnesses)
        rows.push_back({numberCellOf(std::to_string(witness.rank)),
                        {witness.text},
                        {witness.file},
                        numberCellOf(witness.record ? std::to_string(*witness.record) : std::string())});
    const auto more = html.element("details");
    html.leaf("summary", "What this rests on");
    writeTable(html, "What the dumps of these ranks say of this call.",
               {{"rank", true}, {"state"}, {"file"}, {"entry", true}}, rows);
}

/// "Rank 10: stopped on the CPU".
std::string titleOf(const ReportedFinding& finding)
{
    const std::vector<std::int32_t>& ranks = finding.ranks.empty() ? finding.candidates : finding.ranks;
    std::string title = ranks.empty() ? "" : rankRangesText(ranks) + ": ";
    if (finding.ranks.empty() && ranks.size() > 1)
        title.insert(0, "one or more of ");
    title += hangClassLabel(finding.hangClass);
    return capitalised(title);
}

void writeFinding(HtmlWriter& html, const ReportedFinding& finding)
{
    const auto card = html.element("article",
                                   {{"class", "finding"},
                                    {"data-class", std::string(hangClassName(finding.hangClass))},
                                    {"data-ranks", rankRangesText(finding.ranks)}});
    html.leaf("h3", titleOf(finding));
    writeParagraph(html, finding.text);
    writeParagraph(html, "First: " + finding.whatFirst, "advice");
    writeStacks(html, finding);
    writeWitnesses(html, finding);
}

void writeList(HtmlWriter& html, const std::string& title, const std::vector<std::string>& sentences)
{
    if (sentences.empty())
        return;
    html.leaf("h3", title);
    const auto list = html.element("ul");
    for (const std::string& sentence : sentences) {
        const auto item = html.element("li");
        html.sentence(sentence);
    }
}

void writeVerdict(HtmlWriter& html, const HangVerdict& verdict, const std::vector<ReportedFinding>& findings)
{
    const bool isProven = verdict.hang == HangVerdict::Hang::Yes;
    const std::string title = findings.empty() ? "The verdict"
        : isProven                             ? "What holds the job up"
                                               : "If the job was hung when these files were written";
    const std::string basis = verdict.ranks == 0
        ? std::string()
        : std::to_string(verdict.dumps) + " of " + std::to_string(verdict.ranks) + " ranks left a dump."
            + (verdict.victims.empty()
                   ? ""
                   : " " + countText(static_cast<std::int64_t>(verdict.victims.size()), "rank")
                       + " only waited: " + rankRangesText(verdict.victims) + ".");
    writeSection(html, "verdict", title, basis, [&] {
        if (!verdict.inconclusive.empty())
            writeParagraph(html, verdict.inconclusive);
        for (std::size_t i = 0; i < std::min(findings.size(), mostVerdicts); ++i)
            writeFinding(html, findings[i]);
        if (findings.size() > mostVerdicts)
            writeParagraph(html,
                           "And " + std::to_string(findings.size() - mostVerdicts)
                               + " more: collscope --batch hang --json lists all.");
        writeList(html, "Why it is a hang", verdict.proofs);
        writeList(html, "Also", verdict.notes);
    });
}

void writeGridRow(HtmlWriter& html, const HangCase& own, const HangGrid::Row& row)
{
    const auto line = html.element("tr");
    html.leaf(
        "th",
        ranksText(own.job, row.ranks)
            + (row.ranks.size() > 1 ? ": " + std::to_string(row.ranks.size()) + " alike" : std::string()),
        {{"scope", "row"}, {"class", row.isNamed ? "named" : ""}});
    for (const HangCell cell : row.cells)
        html.leaf("td", std::string(1, letterOf(cell)),
                  {{"class", std::string(lookOf(cell))}, {"title", std::string(hangCellLabel(cell))}});
}

void writeGrid(HtmlWriter& html, const HangCase& own, const StuckGroup& stuck, const HangGrid& grid)
{
    const bool hasMore = grid.numbers.size() == mostCallColumns
        && gridOf(own, stuck.group, mostCallColumns + 1).numbers.size() > mostCallColumns;
    html.leaf("h3",
              groupText(own.job, stuck.group) + ": "
                  + countText(static_cast<std::int64_t>(stuck.waiting), "rank") + " waiting"
                  + (hasMore ? "; later calls are left out" : ""));
    const auto frame = html.element("div", {{"class", "scroll"}});
    const auto table = html.element("table", {{"class", "grid"}});
    {
        const auto head = html.element("thead");
        const auto line = html.element("tr");
        html.leaf("th", "call", {{"scope", "col"}});
        for (const std::int64_t number : grid.numbers)
            html.leaf("th", std::to_string(number), {{"scope", "col"}});
    }
    const auto body = html.element("tbody");
    for (std::size_t i = 0; i < std::min(grid.rows.size(), mostGridRows); ++i)
        writeGridRow(html, own, grid.rows[i]);
    if (grid.rows.size() > mostGridRows) {
        const auto line = html.element("tr");
        html.leaf("th", "and " + std::to_string(grid.rows.size() - mostGridRows) + " more rows");
    }
}

void writeGrids(HtmlWriter& html, const HangCase& own)
{
    const std::vector<StuckGroup> stuck = stuckGroups(own);
    if (stuck.empty())
        return;
    std::string letters;
    for (std::size_t i = 0; i < hangCellCount; ++i)
        letters += (i > 0 ? ", " : "") + std::string(1, letterOf(static_cast<HangCell>(i))) + " "
            + std::string(hangCellLabels[i]);
    writeSection(html, "calls", "How far each rank was", letters + ".", [&] {
        std::size_t shown = 0;
        for (std::size_t i = 0; i < stuck.size() && shown < mostGrids; ++i) {
            const HangGrid grid = gridOf(own, stuck[i].group, mostCallColumns);
            if (grid.numbers.empty()) // sends and receives alone have no numbers
                continue;
            writeGrid(html, own, stuck[i], grid);
            ++shown;
        }
        if (stuck.size() > shown)
            writeParagraph(html,
                           "Ranks wait in "
                               + countText(static_cast<std::int64_t>(stuck.size() - shown), "group")
                               + " that " + (stuck.size() - shown == 1 ? "is" : "are") + " not shown here.",
                           "meta");
    });
}

void writeWaits(HtmlWriter& html, const HangCase& own)
{
    std::vector<std::vector<PageCell>> rows;
    for (const WaitsAlike& waits : allWaits(own))
        rows.push_back({{ranksText(own.job, waits.ranks)},
                        {awaitedText(own, waits.step)},
                        {callText(own.job, own.graph, waits.step.point)}});
    if (rows.empty())
        return;
    writeSection(html, "waits", "Who waits for whom", "", [&] {
        writeTable(html, "The waits that lead to the ranks and calls named above, the nearest first.",
                   {{"who waits"}, {"waits for"}, {"in"}}, rows, mostWaits);
    });
}

} // namespace

void writeHang(HtmlWriter& html, const HangCase& own)
{
    writeVerdict(html, own.verdict, own.reported());
    writeGrids(html, own);
    writeWaits(html, own);
}

} // namespace collscope
