// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/page/waterfall_picture.h"

#include "metrics/core/duration_text.h"

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

constexpr double partLabelWidth = 230;
constexpr double numberWidth = 110;
constexpr double rowHeight = 22;

std::string signedText(std::int64_t ns)
{
    return (ns < 0 ? "\u2212" : "+") + timeText(std::abs(ns));
}

/// A row: a bar from one time to another.
struct Row
{
    std::string label, number;
    std::int64_t fromNs = 0, toNs = 0;
    std::string_view look;
};

std::vector<Row> rowsOf(const StepWaterfall& waterfall, const RunSheets& base, const RunSheets& test)
{
    std::vector<StepPart> parts;
    // A bar that nobody can see says nothing; the table has its number.
    const std::int64_t leastNs = std::max(waterfall.baseNs, waterfall.testNs) / 1000;
    std::int64_t restNs = waterfall.testNs - waterfall.baseNs;
    for (std::size_t i = 0; i < stepPartCount; ++i) {
        const std::int64_t change = waterfall.change(static_cast<StepPart>(i));
        if (std::abs(change) <= leastNs)
            continue;
        parts.push_back(static_cast<StepPart>(i));
        restNs -= change;
    }
    std::stable_sort(parts.begin(), parts.end(), [&](StepPart a, StepPart b) {
        return std::abs(waterfall.change(a)) > std::abs(waterfall.change(b));
    });
    std::vector<Row> rows{{base.label, timeText(waterfall.baseNs), 0, waterfall.baseNs, "total"}};
    std::int64_t atNs = waterfall.baseNs;
    for (const StepPart part : parts) {
        const std::int64_t change = waterfall.change(part);
        rows.push_back({std::string(stepPartName(part)), signedText(change), atNs, atNs + change,
                        change > 0 ? "longer" : "shorter"});
        atNs += change;
    }
    if (restNs != 0)
        rows.push_back(
            {"all others", signedText(restNs), atNs, atNs + restNs, restNs > 0 ? "longer" : "shorter"});
    rows.push_back({test.label, timeText(waterfall.testNs), 0, waterfall.testNs, "total"});
    return rows;
}

} // namespace

void writeWaterfall(HtmlWriter& html, const RunSheets& base, const RunSheets& test)
{
    const SharedSteps steps = sharedSteps(base, test);
    if (!steps.haveParts || steps.base.empty())
        return;
    const std::vector<Row> rows = rowsOf(stepWaterfall(steps), base, test);
    std::int64_t mostNs = 1;
    for (const Row& row : rows)
        mostNs = std::max({mostNs, row.fromNs, row.toNs});
    const auto xOf = [&](std::int64_t ns) {
        return partLabelWidth
            + static_cast<double>(ns) / static_cast<double>(mostNs)
            * (pictureWidth - partLabelWidth - numberWidth);
    };
    writePicture(html, rowHeight * static_cast<double>(rows.size()),
                 "From the mean time of " + base.label + " to that of " + test.label
                     + ", part by part, the largest change first.",
                 [&] {
                     double top = 0;
                     for (const Row& row : rows) {
                         const double from = xOf(std::min(row.fromNs, row.toNs));
                         const double to = xOf(std::max(row.fromNs, row.toNs));
                         writeLabel(html, 0, top + 14.5, shortened(row.label));
                         writeBox(html, row.look, {from, top + 3, std::max(1.0, to - from), rowHeight - 7},
                                  {row.label + ": " + row.number});
                         writeLabel(html, to + 6, top + 14.5, row.number);
                         top += rowHeight;
                     }
                 });
}

} // namespace collscope
