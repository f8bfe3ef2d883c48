// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/pictures/comparison_pictures.h"

#include "app/files/batch_io.h"
#include "app/pictures/comparison_page.h"
#include "app/pictures/png_plots.h"

namespace collscope {

namespace {

/// Returns the columns of a comparison that fit on a page: up to the verdict.
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

/// Returns headline and tables of the comparison of the first run with another.
PageComparison onPage(const RunSheets& base, const RunSheets& test, const ComparisonReport& report,
                      const CompareOptions& options)
{
    PageComparison own;
    own.headline = headlineOf(base, test, options);
    const auto add = [&](ComparisonKind kind) {
        const ComparedSheet* const sheet = report.sheet(kind);
        if (sheet)
            own.tables.push_back(pageTable(*sheet));
        return sheet != nullptr;
    };
    if (!add(ComparisonKind::UnitTimes))
        add(ComparisonKind::GpuTimes);
    if (!add(ComparisonKind::Waterfall)) { // without GPU work: the available tables of the steps
        add(ComparisonKind::Steps);
        add(ComparisonKind::RankSteps);
    }
    return own;
}

} // namespace

Status drawComparison(const std::vector<RunSheets>& runs, const std::vector<ComparisonReport>& finals,
                      const ReportChoices& choices, const FileSink& sink)
{
    if (!hasFonts())
        return Error{Error::Kind::Unsupported, noFontSentence};
    const CompareOptions options{choices.thresholdPercent};
    const std::vector<ComparisonPlot> plots = comparisonPlots(runs, options);
    std::vector<PagePicture> pictures;
    for (const ComparisonPlot& plot : plots) {
        const std::string path = pathIn("plots", plot.file.toStdString());
        pictures.emplace_back(&plot, pngOf(plot.page));
        const QByteArray& png = pictures.back().second;
        if (png.isEmpty())
            return Error{Error::Kind::Internal, "cannot draw " + path + "."};
        if (Status written = sink(path, onePiece({png.constData(), static_cast<std::size_t>(png.size())}));
            !written)
            return written;
    }
    std::vector<PageComparison> comparisons;
    std::vector<std::string> notes;
    for (std::size_t i = 0; i < finals.size(); ++i) {
        comparisons.push_back(onPage(runs.front(), runs[i + 1], finals[i], options));
        notes.insert(notes.end(), finals[i].notes.begin(), finals[i].notes.end());
    }
    const auto page = comparisonPage(runs, comparisons, pictures, notes);
    return sink(choices.allRuns ? "final_analysis_report_for_all.html" : "performance_analysis_report.html",
                onePiece(page));
}

} // namespace collscope
