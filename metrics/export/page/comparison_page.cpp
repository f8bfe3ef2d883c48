// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/page/comparison_page.h"

#include "metrics/core/duration_text.h"
#include "metrics/export/findings_report.h"
#include "metrics/export/page/page_table.h"
#include "metrics/export/page/steps_picture.h"
#include "metrics/export/page/waterfall_picture.h"

#include <algorithm>

namespace collscope {

namespace {

constexpr std::size_t mostFindings = 5;
/// Rows of the tables of one kind, over all tests.
constexpr std::size_t mostRows = 300;
constexpr std::size_t fewestRows = 10; ///< of a table

/// A column heading: the time of the run "fast" is "fast, time ms".
std::string headingOf(const ComparedColumn& column, const std::array<std::string, 2>& labels)
{
    const std::string name = withBlanks(column.name);
    if (column.role == ColumnRole::Change)
        return "change %" + (name.empty() ? name : " " + name);
    if (column.role == ColumnRole::Difference)
        return "change " + name;
    return column.run < 0 ? name : labels[static_cast<std::size_t>(column.run)] + ", " + name;
}

/// Whether a column is on the page: those up to the verdict, but for ratios, which say what percentages do.
bool isOnPage(const ComparedSheet& sheet, std::size_t column)
{
    return column <= sheet.first(ColumnRole::Status).value_or(sheet.columns.size() - 1)
        && sheet.roles[column].role != ColumnRole::Ratio;
}

ComparedSheet pageTable(const ComparedSheet& sheet)
{
    ComparedSheet table = asRead(sheet);
    const ComparedSheet all = table;
    const auto keep = [&](auto& cells) {
        std::size_t column = 0;
        std::erase_if(cells, [&](const auto&) { return !isOnPage(all, column++); });
    };
    keep(table.columns);
    keep(table.roles);
    for (Value::Array& row : table.rows)
        keep(row);
    return table;
}

/// Returns false if the report has no such table.
bool writeCompared(HtmlWriter& html, const ComparisonReport& report, ComparisonKind kind,
                   const std::string& caption, const std::array<std::string, 2>& labels, std::size_t most)
{
    const ComparedSheet* const sheet = report.sheet(kind);
    if (!sheet || sheet->isEmpty())
        return false;
    const ComparedSheet table = pageTable(*sheet);
    std::vector<std::string> headings;
    for (const ComparedColumn& column : table.roles)
        headings.push_back(headingOf(column, labels));
    writeSheet(html, table, caption, headings, most);
    return true;
}

/// A headline for the terminal, with arrows of one character, which no line break divides.
std::string withArrows(std::string headline)
{
    constexpr std::string_view ascii = "->";
    for (std::size_t at = 0; (at = headline.find(ascii, at)) != std::string::npos;)
        headline.replace(at, ascii.size(), "\u2192");
    return headline;
}

void writeTest(HtmlWriter& html, const ComparisonPage& page, std::size_t index)
{
    const RunSheets& base = page.runs.front();
    const RunSheets& test = page.runs[index + 1];
    const ComparedOnPage& own = page.tests[index];
    const std::array<std::string, 2> labels{base.label, test.label};
    const auto table = [&](ComparisonKind kind, const char* caption) {
        return writeCompared(html, own.report, kind, caption, labels,
                             std::max(mostRows / page.tests.size(), fewestRows));
    };
    writeSection(
        html, "test-" + std::to_string(index + 1), test.label + " against " + base.label,
        index > 0 ? withArrows(own.headline) : std::string(), [&] {
            writeWaterfall(html, base, test);
            std::string parts
                = "The parts of the time. Communication that is not split may contain waits, and "
                  "memsets are among the copies.";
            if (!page.loaded.empty())
                parts += " What costs time in each run, below, tells waits by the clocks, and counts memsets "
                         "as computing.";
            if (!table(ComparisonKind::Waterfall, parts.c_str())) {
                // Without GPU work: the available tables of the steps.
                table(ComparisonKind::Steps, "The steps.");
                table(ComparisonKind::RankSteps, "The mean step of each rank.");
            }
            if (!table(ComparisonKind::UnitTimes, "Times per unit of work."))
                table(ComparisonKind::GpuTimes, "GPU times of the whole trace, means of the ranks.");
            const auto more = html.element("details");
            html.leaf("summary", "Kernels and collectives");
            table(ComparisonKind::KernelClasses, "Kernels by class.");
            table(ComparisonKind::Kernels, "Kernels by name.");
            table(ComparisonKind::Collectives, "Collectives by kind.");
        });
}

void writeNoteList(HtmlWriter& html, const std::vector<std::string>& notes)
{
    if (notes.empty())
        return;
    const auto list = html.element("ul");
    for (const std::string& note : notes) {
        const auto item = html.element("li");
        html.sentence(note);
    }
}

void writeNotes(HtmlWriter& html, const ComparisonPage& page)
{
    std::vector<std::string> notes;
    for (const ComparedOnPage& test : page.tests) {
        for (const std::string& note : test.report.notes) {
            if (std::find(notes.begin(), notes.end(), note) == notes.end())
                notes.push_back(note);
        }
    }
    if (notes.empty() && page.loaded.empty())
        return;
    writeSection(html, "provenance", "Where these numbers come from", "", [&] {
        if (!page.origin.command.empty())
            writeCommand(html, page.origin);
        writeNoteList(html, notes);
        for (const LoadedOnPage& run : page.loaded)
            html.markup(run.files);
    });
}

/// What a run that was loaded is made of, and its largest costs.
void writeCosts(HtmlWriter& html, const Findings& findings)
{
    writeParagraph(html,
                   (findings.isPerStep ? "Step " : "Time ") + timeText(findings.stepNs) + " ("
                       + findings.scope + ", " + findings.window + ").",
                   "meta");
    writePartsBar(html, findings);
    writePartsLegend(html, findings);
    std::size_t shown = 0;
    std::size_t left = 0;
    {
        const auto list = html.element("ol");
        for (const Finding& finding : findings.all) {
            if (isAboutTime(finding.kind) && shareOf(findings, finding) < smallShare)
                continue;
            if (isAboutTime(finding.kind) && ++shown > mostFindings) {
                ++left;
                continue;
            }
            const auto item = html.element("li");
            html.sentence(finding.title);
        }
    }
    if (shown == 0)
        writeParagraph(html, "Nothing costs 1 % of the time or more.");
    if (left > 0)
        writeParagraph(html,
                       std::to_string(left)
                           + " more cost 1 % or more each; collscope --batch findings --json lists them.",
                       "meta");
    if (const std::string unsplit = unsplitText(findings); !unsplit.empty())
        writeParagraph(html, unsplit, "meta");
    for (const std::string& warning : findings.warnings)
        writeParagraph(html, "Note: " + warning, "meta");
}

} // namespace

LoadedOnPage loadedOnPage(Analysis& analysis, const std::string& label, const PageOrigin& origin)
{
    HtmlWriter costs, files;
    costs.leaf("h3", label);
    if (const Result<Findings> findings = findCosts(analysis))
        writeCosts(costs, *findings);
    else
        writeParagraph(costs, "What costs time cannot be told: " + findings.error().message);
    writeFiles(files, analysis.model(), origin, label);
    writeProblemsOf(files, analysis.model().problems, label);
    return {costs.take(), files.take()};
}

std::string comparisonPage(const ComparisonPage& page)
{
    const RunSheets& base = page.runs.front();
    std::string title = base.label + " and ";
    for (std::size_t i = 1; i < page.runs.size(); ++i)
        title += (i > 1 ? ", " : "") + page.runs[i].label;
    HtmlWriter html;
    writeHeader(html, title, withArrows(page.tests.front().headline),
                "Changes are the test minus the baseline " + base.label
                    + ", in percent of the baseline; a decrease is negative.");
    {
        const auto content = html.element("main");
        for (std::size_t i = 0; i < page.tests.size(); ++i)
            writeTest(html, page, i);
        if (!page.loaded.empty())
            writeSection(
                html, "costs", "What costs time in each run",
                "Each run is measured on its own, over all its ranks and the steps of its window. The "
                "comparison of the steps above counts the steps and ranks that the runs share.",
                [&] {
                    for (const LoadedOnPage& run : page.loaded)
                        html.markup(run.costs);
                });
        int number = 0;
        for (const PageChapter& chapter : page.chapters) {
            ++number;
            writeSection(html, "plots-" + std::to_string(number),
                         std::to_string(number) + ". " + chapter.title, "", [&] {
                             for (const PagePicture& picture : chapter.pictures)
                                 writePng(html, picture);
                         });
        }
        writeNotes(html, page);
    }
    writeFooter(html, page.origin);
    return document(title, html.take());
}

} // namespace collscope
