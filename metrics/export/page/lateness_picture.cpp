// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/page/lateness_picture.h"

#include "metrics/core/duration_text.h"
#include "metrics/core/value.h"
#include "metrics/export/page/page_style.h"
#include "metrics/export/page/svg_shapes.h"
#include "metrics/looks/lateness_range.h"
#include "model/text/short_names.h"

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

constexpr std::size_t mostLatenessRows = 64;
constexpr std::size_t mostLatenessColumns = 300;
constexpr std::size_t mostLatenessCells = 2400;
constexpr double rankWidth = 124; ///< "12 ranks, 1000 ... 1011"
constexpr double legendHeight = 30;

class LatenessPainter
{
public:
    LatenessPainter(const LatenessGrid& grid, bool isErrorKnown)
        : m_grid(grid)
        , m_isErrorKnown(isErrorKnown)
        , m_range(grid)
        , m_rows(grid.ranks.size(), mostLatenessRows)
        , m_columns(grid.columns.size(),
                    std::clamp<std::size_t>(mostLatenessCells / std::max<std::size_t>(m_rows.rows, 1), 1,
                                            mostLatenessColumns))
        , m_rowHeight(m_rows.rows > 32       ? 9
                          : m_rows.rows > 16 ? 13
                                             : 20)
        , m_columnWidth(std::min(40.0, (pictureWidth - rankWidth) / static_cast<double>(m_columns.rows)))
    { }

    double height() const { return static_cast<double>(m_rows.rows) * m_rowHeight + legendHeight; }

    std::string caption() const
    {
        const std::string text
            = "Each row is a rank, each column a collective, in the order of their starts. The colour tells "
              "how late a rank was: in most collectives, the time since the first rank arrived. Up to "
            + timeText(m_grid.significantNs)
            + (m_isErrorKnown ? ", at least the error of the clocks, it counts as on time."
                              : " it counts as on time; the error of the clocks is not known.")
            + m_rows.sentence("row", "rank") + m_columns.sentence("column", "collective");
        return m_rows.size > 1 || m_columns.size > 1 ? text + " Of these, the largest lateness is shown."
                                                     : text;
    }

    void paint(HtmlWriter& html) const
    {
        BoxPaths paths;
        for (std::size_t row = 0; row < m_rows.rows; ++row)
            for (std::size_t column = 0; column < m_columns.rows; ++column)
                addCell(paths, row, column);
        paths.write(html);
        for (std::size_t row = 0; row < m_rows.rows; ++row) {
            writeLabel(html, 0, (static_cast<double>(row) + 0.5) * m_rowHeight + 3.5,
                       m_rows.labelOf(row, "rank", m_grid.ranks), "start",
                       m_rowHeight < 13 ? "dim" : "label");
            for (std::size_t column = 0; column < m_columns.rows; ++column)
                writeCell(html, row, column);
        }
        paintLegend(html);
    }

private:
    /// The rank with the largest lateness in the columns of a cell; its lateness, or LatenessGrid::absent.
    struct Worst
    {
        std::size_t rank = 0;
        float ns = LatenessGrid::absent;
    };
    Worst worstOf(std::size_t row, std::size_t column) const
    {
        Worst worst;
        const std::size_t begin = m_columns.firstOf(column);
        const std::size_t end = m_columns.endOf(column);
        for (std::size_t rank = m_rows.firstOf(row); rank < m_rows.endOf(row); ++rank) {
            if (const float ns = m_grid.largestIn(rank, begin, end); ns > worst.ns)
                worst = {rank, ns};
        }
        return worst;
    }
    Box boxOf(std::size_t row, std::size_t column) const
    {
        const double gap = m_columnWidth > 8 ? 1 : 0;
        return {rankWidth + static_cast<double>(column) * m_columnWidth,
                static_cast<double>(row) * m_rowHeight, m_columnWidth - gap, m_rowHeight - 1};
    }
    void addCell(BoxPaths& paths, std::size_t row, std::size_t column) const
    {
        const float ns = worstOf(row, column).ns;
        if (ns >= 0)
            paths.add(ns > 0 ? latenessLook(m_range.positionOf(ns)) : "late-none", boxOf(row, column));
    }
    void writeCell(HtmlWriter& html, std::size_t row, std::size_t column) const
    {
        const Worst worst = worstOf(row, column);
        if (worst.ns > 0)
            writeBox(html, "spot", boxOf(row, column), {sayingOf(worst, column)});
    }
    std::string sayingOf(const Worst& worst, std::size_t column) const
    {
        std::size_t own = m_columns.firstOf(column);
        while (m_grid.at(worst.rank, own) < worst.ns)
            ++own;
        const auto row = m_grid.collectiveAt(worst.rank, own);
        const CollectiveRows& all = *m_grid.collectives;
        const std::string name
            = row ? shortened(shortNameOf(all.nameOf(all.rows[*row]))) : std::string("a collective");
        const auto& step = m_grid.columns[own].step;
        return "rank " + std::to_string(m_grid.ranks[worst.rank]) + ", " + name
            + (step ? ", step " + std::to_string(*step) : std::string()) + ": "
            + timeText(std::llround(worst.ns)) + " late";
    }
    void paintLegend(HtmlWriter& html) const
    {
        const double top = static_cast<double>(m_rows.rows) * m_rowHeight + 10;
        constexpr double width = 16;
        BoxPaths paths;
        paths.add("late-none", {rankWidth, top, width - 1, 12});
        writeLabel(html, rankWidth + width + 4, top + 10, "on time", "start", "dim");
        double x = rankWidth + 150;
        writeLabel(html, x - 5, top + 10, timeText(std::llround(m_range.leastNs)), "end", "dim");
        for (std::size_t level = 0; level < latenessLooks; ++level, x += width)
            paths.add(latenessLook((static_cast<double>(level) + 0.5) / latenessLooks),
                      {x, top, width - 1, 12});
        paths.write(html);
        writeLabel(html, x + 4, top + 10, timeText(std::llround(m_range.mostNs)) + " late", "start", "dim");
    }

    const LatenessGrid& m_grid;
    bool m_isErrorKnown;
    LatenessRange m_range;
    Folding m_rows, m_columns;
    double m_rowHeight, m_columnWidth;
};

} // namespace

void writeLatenessPicture(HtmlWriter& html, const LatenessGrid& grid, bool isErrorKnown)
{
    const LatenessPainter painter(grid, isErrorKnown);
    writePicture(html, painter.height(), painter.caption(), [&] { painter.paint(html); });
}

} // namespace collscope
