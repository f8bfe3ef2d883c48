// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/page/comparison_page.h"

#include "metrics/core/duration_text.h"
#include "metrics/export/page/page_table.h"
#include "metrics/export/page/part_words.h"
#include "metrics/export/page/steps_picture.h"
#include "metrics/export/page/waterfall_picture.h"

#include <algorithm>

namespace collscope {

namespace {

constexpr std::size_t mostFindings = 5;

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

/// The columns of a comparison that fit on a page: up to the verdict.
ComparedSheet pageTable(const ComparedSheet& sheet)
{
    ComparedSheet table = asRead(sheet);
    const std::size_t last = table.first(ColumnRole::Status).value_or(table.columns.size() - 1);
    table.columns.resize(last + 1);
    table.roles.resize(last + 1);
    for (Value::Array& row : table.rows)
        row.resize(last + 1);
    return table;
}

/// Returns false if the report has no such table.
bool writeCompared(HtmlWriter& html, const ComparisonReport& report, ComparisonKind kind,
                   const std::string& caption, const std::array<std::string, 2>& labels)
{
    const ComparedSheet* const sheet = report.sheet(kind);
    if (!sheet || sheet->isEmpty())
        return false;
    const ComparedSheet table = pageTable(*sheet);
    std::vector<std::string> headings;
    for (const ComparedColumn& column : table.roles)
        headings.push_back(headingOf(column, labels));
    writeSheet(html, table, caption, headings);
    return true;
}

void writeTest(HtmlWriter& html, const ComparisonPage& page, std::size_t index)
{
    const RunSheets& base = page.runs.front();
    const RunSheets& test = page.runs[index + 1];
    const ComparedOnPage& own = page.tests[index];
    const std::array<std::string, 2> labels{base.label, test.label};
    const auto table = [&](ComparisonKind kind, const char* caption) {
        return writeCompared(html, own.report, kind, caption, labels);
    };
    writeSection(html, "test-" + std::to_string(index + 1), test.label + " against " + base.label,
                 index > 0 ? own.headline : std::string(), [&] {
                     writeWaterfall(html, base, test);
                     if (!table(ComparisonKind::Waterfall, "The parts of the time.")) {
                         // Without GPU work: the available tables of the steps.
                         table(ComparisonKind::Steps, "The steps.");
                         table(ComparisonKind::RankSteps, "The mean step of each rank.");
                     }
                     if (!table(ComparisonKind::UnitTimes, "Times per unit of work."))
                         table(ComparisonKind::GpuTimes, "GPU times, means of the ranks.");
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

} // namespace

LoadedOnPage loadedOnPage(Analysis& analysis, const std::string& label, const PageOrigin& origin)
{
    HtmlWriter costs, files;
    const Result<Findings> findings = findCosts(analysis);
    costs.leaf("h3", label);
    if (!findings) {
        writeParagraph(costs, "What costs time cannot be told: " + findings.error().message);
    } else {
        writeParagraph(costs,
                       (findings->isPerStep ? "Step " : "Time ") + timeText(findings->stepNs) + ": "
                           + partsSentence(findings->parts, *findings) + ".",
                       "meta");
        writePartsBar(costs, *findings);
        const auto list = costs.element("ol");
        std::size_t count = 0;
        for (const Finding& finding : findings->all) {
            if (!isAboutTime(finding.kind) || shareOf(*findings, finding) < smallShare
                || count++ >= mostFindings)
                continue;
            const auto item = costs.element("li");
            costs.sentence(finding.title);
        }
    }
    writeFiles(files, analysis.model(), origin, label);
    return {costs.take(), files.take()};
}

std::string comparisonPage(const ComparisonPage& page)
{
    const RunSheets& base = page.runs.front();
    std::string title = base.label + " and ";
    for (std::size_t i = 1; i < page.runs.size(); ++i)
        title += (i > 1 ? ", " : "") + page.runs[i].label;
    HtmlWriter html;
    writeHeader(html, title, page.tests.front().headline,
                "Changes are the test minus the baseline " + base.label
                    + ", in percent of the baseline; a decrease is negative.");
    {
        const auto content = html.element("main");
        for (std::size_t i = 0; i < page.tests.size(); ++i)
            writeTest(html, page, i);
        if (!page.loaded.empty())
            writeSection(html, "costs", "What costs time in each run", "", [&] {
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
