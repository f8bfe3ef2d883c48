// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/pictures/comparison_pictures.h"

#include "app/files/batch_io.h"
#include "app/files/page_origin.h"
#include "app/pictures/png_plots.h"
#include "metrics/export/page/comparison_page.h"
#include "views/plots/comparison_plots.h"

#include <map>

namespace collscope {

namespace {

using Section = ComparisonPlot::Section;

/// The plots of a section; its title for the page.
constexpr std::pair<Section, const char*> sections[] = {{Section::Overall, "Overall GPU metrics"},
                                                        {Section::Ranks, "Across the ranks"},
                                                        {Section::Collectives, "Collectives"}};

} // namespace

Status drawComparison(const std::vector<RunSheets>& runs, const std::vector<ComparisonReport>& finals,
                      const ReportChoices& choices, const FileSink& sink)
{
    if (!hasFonts())
        return Error{Error::Kind::Unsupported, noFontSentence};
    const CompareOptions options{choices.thresholdPercent};
    const std::vector<ComparisonPlot> plots = comparisonPlots(runs, options);
    ComparisonPage page{runs, {}, {}, {}, originOf({})};
    std::map<Section, PageChapter> chapters;
    for (const ComparisonPlot& plot : plots) {
        const std::string path = pathIn("plots", plot.file.toStdString());
        const QByteArray png = pngOf(plot.page);
        if (png.isEmpty())
            return Error{Error::Kind::Internal, "cannot draw " + path + "."};
        if (Status written = sink(path, onePiece({png.constData(), static_cast<std::size_t>(png.size())}));
            !written)
            return written;
        chapters[plot.section].pictures.push_back(
            {plot.page.title.toStdString(), png.toBase64().toStdString()});
    }
    for (const auto& [section, title] : sections) {
        if (const auto found = chapters.find(section); found != chapters.end())
            page.chapters.push_back({title, std::move(found->second.pictures)});
    }
    for (std::size_t i = 0; i < finals.size(); ++i)
        page.tests.push_back({headlineOf(runs.front(), runs[i + 1], options), finals[i]});
    const std::string html = comparisonPage(page);
    return sink(choices.allRuns ? "final_analysis_report_for_all.html" : "performance_analysis_report.html",
                onePiece(html));
}

} // namespace collscope
