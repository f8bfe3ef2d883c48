// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/summary/composition.h"

#include <algorithm>
#include <map>

namespace collscope {

namespace {

double computeShare(const PartTimes& parts)
{
    const auto wholeNs = static_cast<double>(parts.total());
    return wholeNs > 0 ? static_cast<double>(parts.of(Part::Compute)) / wholeNs : 1;
}

} // namespace

void Composition::setFindings(FindingsPtr findings)
{
    m_findings = std::move(findings);
}

const std::vector<StepParts>* Composition::steps() const
{
    if (!m_findings || !*m_findings || !(*m_findings)->isPerStep || (*m_findings)->steps.empty())
        return nullptr;
    return &(*m_findings)->steps;
}

std::vector<Composition::Cell> Composition::cellsOf(const QRect& box, const TimeAxis& axis) const
{
    const std::size_t ranks = (*m_findings)->ranks.size();
    const std::size_t rows = std::min(ranks, static_cast<std::size_t>(std::max(1, box.height())));
    const auto top = [&](std::size_t row) {
        return box.top() + static_cast<int>(row * static_cast<std::size_t>(box.height()) / rows);
    };
    std::map<std::pair<std::size_t, int>, Cell> cells; // by row and left edge
    std::size_t rank = 0;
    for (const StepParts& step : *steps()) {
        while (rank + 1 < ranks && (*m_findings)->ranks[rank].rank != step.rank)
            ++rank;
        const std::size_t row = rank * rows / ranks;
        const int left = box.left() + static_cast<int>(axis.xOf(step.range.beginNs));
        const int right = box.left() + static_cast<int>(axis.xOf(step.range.endNs));
        const int height = top(row + 1) - top(row);
        const QRect place(left, top(row), std::max(1, right - left - (right - left > 4 ? 1 : 0)),
                          std::max(1, height - (height > 3 ? 1 : 0)));
        Cell& cell = cells[{row, left}];
        if (!cell.step || computeShare(step.parts) < computeShare(cell.step->parts))
            cell = {place, &step};
    }
    std::vector<Cell> all;
    all.reserve(cells.size());
    for (const auto& [key, cell] : cells)
        all.push_back(cell);
    return all;
}

void Composition::paint(QPainter& painter, const QRect& box, const TimeAxis& axis, const QPalette& palette)
{
    if (isEmpty())
        return;
    for (const Cell& cell : cellsOf(box, axis)) {
        painter.fillRect(cell.box, palette.base());
        m_fill.paintStack(painter, cell.box, cell.step->parts, palette);
    }
}

const StepParts* Composition::stepAt(QPoint point, const QRect& box, const TimeAxis& axis) const
{
    if (isEmpty())
        return nullptr;
    const std::vector<Cell> cells = cellsOf(box, axis);
    const auto found = std::find_if(cells.begin(), cells.end(),
                                    [&](const Cell& cell) { return cell.box.contains(point); });
    return found != cells.end() ? found->step : nullptr;
}

} // namespace collscope
