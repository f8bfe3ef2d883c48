// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/tables/problems_view.h"

#include "views/common/format.h"
#include "views/common/theme.h"

#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace collscope {

namespace {
enum ProblemColumn
{
    SeverityColumn,
    Code,
    File,
    Offset,
    Count,
    Excluded,
    Meaning,
    ProblemColumnCount
};
}

ProblemsView::ProblemsView(ViewState* state, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
    , m_conservation(new QLabel(this))
    , m_table(new QTreeWidget(this))
{
    setObjectName(QStringLiteral("problems"));
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    m_conservation->setContentsMargins(10, 6, 10, 4);
    m_conservation->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_table->setRootIsDecorated(false);
    m_table->setAlternatingRowColors(true);
    m_table->setTextElideMode(Qt::ElideMiddle);
    m_table->setHeaderLabels({tr("severity"), tr("code"), tr("file"), tr("offset"), tr("count"),
                              tr("events excluded"), tr("meaning")});
    m_table->header()->setStretchLastSection(true);
    m_table->setAccessibleName(tr("Problems"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_conservation);
    layout->addWidget(m_table);
    connect(&state->run(), &RunContext::modelChanged, this, &ProblemsView::update);
    update();
}

QString ProblemsView::conservationText() const
{
    if (!m_state->run().model())
        return {};
    std::uint64_t shown = 0;
    std::uint64_t excluded = 0;
    for (const SourceInfo& source : m_state->run().model()->sources) {
        shown += source.shown;
        excluded += source.excluded;
    }
    return tr("%1 events in %2 files = %3 shown + %4 listed below")
        .arg(formatCount(m_state->run().model()->eventCount()))
        .arg(m_state->run().model()->sources.size())
        .arg(formatCount(shown), formatCount(excluded));
}

void ProblemsView::update()
{
    m_table->clear();
    m_conservation->setText(conservationText());
    m_count = 0;
    const std::vector<Diagnostic> none;
    for (const Diagnostic& d : m_state->run().model() ? m_state->run().model()->problems.entries() : none) {
        auto* item = new QTreeWidgetItem(m_table);
        item->setText(SeverityColumn, toText(severityName(d.severity)));
        item->setText(Code, toText(d.code));
        item->setText(File, QFileInfo(toText(d.file)).fileName());
        item->setToolTip(File, plainToolTip(toText(d.file)));
        item->setText(Offset, d.firstOffset > 0 ? formatCount(d.firstOffset) : QString());
        item->setText(Count, formatCount(d.count));
        item->setText(Excluded, d.excludedEvents > 0 ? formatCount(d.excludedEvents) : QString());
        item->setText(Meaning, toText(d.explanation));
        item->setToolTip(Meaning, plainToolTip(toText(d.explanation)));
        for (const int column : {Offset, Count, Excluded})
            item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        if (d.severity >= Severity::DataLoss)
            item->setForeground(SeverityColumn, surfaces(palette()).worse);
        m_count += d.severity == Severity::Info ? 0 : 1;
    }
    for (int column = 0; column < Meaning; ++column)
        m_table->resizeColumnToContents(column);
    m_table->setColumnWidth(File, std::min(m_table->columnWidth(File), 320));
    emit countChanged(m_count);
}

} // namespace collscope
