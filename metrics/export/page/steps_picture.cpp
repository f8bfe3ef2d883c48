// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/page/steps_picture.h"

#include "metrics/core/duration_text.h"
#include "metrics/core/value.h"
#include "metrics/export/page/page_style.h"
#include "metrics/export/page/part_words.h"
#include "metrics/export/page/svg_shapes.h"

#include <algorithm>
#include <map>

namespace collscope {

namespace {

constexpr std::size_t mostStepRows = 64;
constexpr std::size_t mostStepCells = 1800;
constexpr double stepLabelWidth = 124; ///< "12 ranks, 1000 ... 1011"
constexpr double headHeight = 20;

constexpr Part partAt(std::size_t index)
{
    return static_cast<Part>(index);
}

double computeShare(const StepParts& step)
{
    return static_cast<double>(step.parts.of(Part::Compute))
        / static_cast<double>(std::max<std::int64_t>(step.parts.total(), 1));
}

/// The steps by rank and column. The steps of a rank have ascending columns; ranks share a column where they
/// share the number of a step.
struct StepCells
{
    explicit StepCells(const Findings& findings);

    std::vector<std::int32_t> ranks;
    std::vector<std::int64_t> numbers; ///< of the columns
    std::map<std::pair<std::size_t, std::size_t>, const StepParts*> cells; ///< by row and column
    std::int64_t longestNs = 1;
};

StepCells::StepCells(const Findings& findings)
{
    // A number can occur again in another iteration of the profiler.
    using Column = std::pair<int, std::int64_t>; // which time, number
    std::map<Column, std::size_t> columns;
    std::vector<std::pair<std::size_t, Column>> places;
    std::map<std::int64_t, int> times;
    for (const StepParts& step : findings.steps) {
        if (ranks.empty() || ranks.back() != step.rank) {
            ranks.push_back(step.rank);
            times.clear();
        }
        places.emplace_back(ranks.size() - 1, Column(times[step.number]++, step.number));
        columns.emplace(places.back().second, 0);
        longestNs = std::max(longestNs, step.parts.total());
    }
    for (auto& [column, index] : columns) {
        index = numbers.size();
        numbers.push_back(column.second);
    }
    for (std::size_t i = 0; i < places.size(); ++i)
        cells[{places[i].first, columns.at(places[i].second)}] = &findings.steps[i];
}

/// The cells that remain when rows and columns are folded: of several, the one that computes the smallest
/// share.
using FoldedCells = std::map<std::pair<std::size_t, std::size_t>, const StepParts*>;

FoldedCells folded(const StepCells& all, const Folding& rows, const Folding& columns)
{
    FoldedCells cells;
    for (const auto& [place, step] : all.cells) {
        const StepParts*& shown = cells[{place.first / rows.size, place.second / columns.size}];
        if (!shown || computeShare(*step) < computeShare(*shown))
            shown = step;
    }
    return cells;
}

std::vector<std::string> stepSaying(const StepParts& step, const Findings& findings)
{
    return {"rank " + std::to_string(step.rank)
                + (findings.isPerStep ? ", step " + std::to_string(step.number) : std::string()) + ": "
                + timeText(step.parts.total()),
            partsSentence(step.parts, findings)};
}

void writeParts(BoxPaths& paths, const PartTimes& parts, Box box)
{
    const auto wholeNs = static_cast<double>(std::max<std::int64_t>(parts.total(), 1));
    const double whole = box.width;
    for (std::size_t i = 0; i < partCount; ++i) {
        box.width = static_cast<double>(parts.of(partAt(i))) / wholeNs * whole;
        paths.add(partLook(partAt(i)), box);
        box.x += box.width;
    }
}

std::string captionOf(const StepCells& all, const Findings& findings, const Folding& rows,
                      const Folding& columns)
{
    std::string text = findings.isPerStep ? "Each row is a rank, each column a step; a bar is as long as the "
                                            "step took, the longest "
                                          : "Each row is a rank; a bar is as long as its time, the longest ";
    text += timeText(all.longestNs) + "." + rows.sentence("row", "rank") + columns.sentence("column", "step");
    return rows.size > 1 || columns.size > 1
        ? text + " Of these, the one that computes the smallest share of its time is shown."
        : text;
}

} // namespace

void writePartsBar(HtmlWriter& html, const Findings& findings)
{
    const auto svg = html.element("svg",
                                  {{"class", "parts"},
                                   {"viewBox", "0 0 1000 26"},
                                   {"width", "100%"},
                                   {"height", "26"},
                                   {"preserveAspectRatio", "none"},
                                   {"role", "img"},
                                   {"aria-label", partsSentence(findings.parts, findings)}});
    double x = 0;
    for (std::size_t i = 0; i < partCount; ++i) {
        const std::int64_t ns = findings.parts.of(partAt(i));
        const double width = pictureWidth * static_cast<double>(ns)
            / static_cast<double>(std::max<std::int64_t>(findings.parts.total(), 1));
        if (ns > 0)
            writeBox(html, partLook(partAt(i)), {x, 0, width, 26},
                     {partWords(partAt(i), findings) + ": " + timeText(ns) + ", "
                      + partPercentText(ns, findings.stepNs)});
        x += width;
    }
}

void writeSwatch(HtmlWriter& html, Part part)
{
    const auto swatch
        = html.element("svg", {{"class", "swatch"}, {"viewBox", "0 0 10 10"}, {"aria-hidden", "true"}});
    html.lone("rect",
              {{"class", std::string(partLook(part))}, {"width", "10"}, {"height", "10"}, {"rx", "2"}});
}

void writePartsLegend(HtmlWriter& html, const Findings& findings)
{
    const auto list = html.element("ul", {{"class", "legend"}});
    for (std::size_t i = 0; i < partCount; ++i) {
        const auto item = html.element("li");
        writeSwatch(html, partAt(i));
        html.text(partText(partAt(i), findings.parts, findings));
    }
}

void writeStepsPicture(HtmlWriter& html, const Findings& findings)
{
    const StepCells all(findings);
    const Folding rows(all.ranks.size(), mostStepRows);
    const Folding columns(all.numbers.size(),
                          std::max<std::size_t>(1, mostStepCells / std::max<std::size_t>(rows.rows, 1)));
    const double rowHeight = rows.rows > 32 ? 12 : rows.rows > 16 ? 15 : 21;
    const double columnWidth
        = (pictureWidth - stepLabelWidth) / static_cast<double>(std::max<std::size_t>(columns.rows, 1));
    const double gap = columnWidth > 30 ? 5 : columnWidth > 8 ? 1.5 : 0.5;
    const double height = headHeight + static_cast<double>(rows.rows) * rowHeight + 2;
    writePicture(html, height, captionOf(all, findings, rows, columns), [&] {
        const double widest = columns.size > 1 ? 110 : 44; // "steps 120-123"
        const auto labelled = static_cast<std::size_t>(widest / columnWidth) + 1;
        for (std::size_t c = 0; findings.isPerStep && c < columns.rows; c += labelled)
            writeLabel(html, stepLabelWidth + static_cast<double>(c) * columnWidth, 13,
                       columns.labelOf(c, "step", all.numbers), "start", "dim");
        for (std::size_t r = 0; r < rows.rows; ++r)
            writeLabel(html, 0, headHeight + (static_cast<double>(r) + 0.5) * rowHeight + 3.5,
                       rows.labelOf(r, "rank", all.ranks), "start", rowHeight < 15 ? "dim" : "label");
        BoxPaths paths;
        const FoldedCells cells = folded(all, rows, columns);
        const auto boxOf = [&](std::pair<std::size_t, std::size_t> place, const StepParts& step) {
            return Box{stepLabelWidth + static_cast<double>(place.second) * columnWidth,
                       headHeight + static_cast<double>(place.first) * rowHeight,
                       (columnWidth - gap) * static_cast<double>(step.parts.total())
                           / static_cast<double>(all.longestNs),
                       rowHeight - (rowHeight > 12 ? 3 : 1)};
        };
        for (const auto& [place, step] : cells)
            writeParts(paths, step->parts, boxOf(place, *step));
        paths.write(html);
        for (const auto& [place, step] : cells)
            writeBox(html, "spot", boxOf(place, *step), stepSaying(*step, findings));
    });
}

} // namespace collscope
