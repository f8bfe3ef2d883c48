// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/hang/stack_pair.h"

#include "views/common/format.h"
#include "views/common/theme.h"
#include "views/tables/cell_table.h"

#include <QHeaderView>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace collscope {

StackPair::StackPair(QWidget* parent)
    : QWidget(parent)
    , m_table(new CellTable(tr("Call stacks"), this))
    , m_empty(new QLabel(this))
{
    m_table->setObjectName(QStringLiteral("hangStacks"));
    m_table->keepOrder();
    m_table->setTextElideMode(Qt::ElideRight);
    m_empty->setWordWrap(true);
    m_empty->setMargin(10);
    m_empty->setText(
        tr("The files have no call stacks of these ranks: py-spy dump --pid PID > pyspy_rank_N.txt "
           "beside the dumps adds them."));
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_table);
    layout->addWidget(m_empty);
    setFinding(nullptr);
}

void StackPair::setFinding(const ReportedFinding* finding)
{
    const bool isThere = finding && !finding->stacks.empty();
    m_table->setVisible(isThere);
    m_empty->setVisible(finding && !isThere);
    if (!isThere)
        return m_table->setTable({}, {});
    const Surfaces colors = surfaces(palette());
    std::vector<TableColumn> columns;
    std::size_t longest = 0;
    for (const ReportedFinding::Stack& stack : finding->stacks) {
        columns.push_back({tr("rank %1 (%2), outermost first").arg(stack.rank).arg(toText(stack.source)),
                           {},
                           QStringLiteral("rank_%1").arg(stack.rank),
                           false});
        longest = std::max(longest, stack.frames.size());
    }
    std::vector<std::vector<TableCell>> rows(longest);
    const std::size_t different = finding->firstDifference.value_or(finding->stacks.size() < 2 ? 0 : longest);
    for (const ReportedFinding::Stack& stack : finding->stacks) {
        for (std::size_t row = 0; row < longest; ++row) {
            TableCell cell;
            if (row < stack.frames.size())
                cell.text = toText(stack.frames[stack.frames.size() - 1 - row]);
            if (row < different)
                cell.ink = colors.dimText;
            if (finding->firstDifference == row)
                cell.chip = colors.warning;
            rows[row].push_back(std::move(cell));
        }
    }
    m_table->setTable(std::move(columns), std::move(rows));
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
}

} // namespace collscope
