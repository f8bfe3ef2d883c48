// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/search_results.h"

#include "views/number_delegate.h"

#include <QAction>
#include <QHeaderView>
#include <QLabel>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

namespace collscope {

SearchResults::SearchResults(ViewState* state, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
    , m_model(state)
    , m_summary(new QLabel(this))
    , m_pages(new QStackedWidget(this))
    , m_table(new QTableView(this))
    , m_empty(new QLabel(this))
{
    setObjectName(QStringLiteral("searchResults"));
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    m_summary->setContentsMargins(10, 6, 10, 4);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setMargin(24);
    m_empty->setForegroundRole(QPalette::PlaceholderText);
    m_table->setModel(&m_model);
    m_table->setItemDelegate(new NumberDelegate(m_table));
    m_table->setSortingEnabled(true);
    m_table->setAccessibleName(tr("Slices that were found"));
    m_table->horizontalHeader()->setResizeContentsPrecision(50);
    m_table->horizontalHeader()->setStretchLastSection(true);
    QAction* copy = setUpTable(*m_table);
    auto* show = new QAction(tr("Show on the timeline"), m_table);
    show->setShortcuts({QKeySequence(Qt::Key_Return), QKeySequence(Qt::Key_Enter)});
    show->setShortcutContext(Qt::WidgetShortcut);
    m_table->insertAction(copy, show);
    connect(show, &QAction::triggered, this, [this] { reveal(m_table->currentIndex()); });
    connect(m_table, &QTableView::doubleClicked, this, &SearchResults::reveal);
    m_pages->addWidget(m_table);
    m_pages->addWidget(m_empty);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_summary);
    layout->addWidget(m_pages, 1);
    connect(state, &ViewState::matchesChanged, this, &SearchResults::refill);
    connect(state, &ViewState::modelChanged, this, &SearchResults::refill);
    connect(state, &ViewState::clocksChanged, this, &SearchResults::refill);
    connect(state, &ViewState::selectedSliceChanged, this, &SearchResults::selectSlice);
    refill();
}

void SearchResults::refill()
{
    const SliceMatchesPtr& matches = m_state->matches();
    m_model.setSlices(matches ? matches->longest : std::vector<SliceRef>());
    if (!m_isLaidOut && m_model.rowCount() > 0) {
        m_isLaidOut = true;
        m_table->sortByColumn(SearchModel::Duration, Qt::DescendingOrder);
        m_table->resizeColumnsToContents();
        m_table->setColumnWidth(SearchModel::Name, 360);
    }
    m_summary->setText(summaryText());
    m_summary->setVisible(!m_summary->text().isEmpty());
    const QString empty = emptyText();
    m_empty->setText(empty);
    m_pages->setCurrentWidget(empty.isEmpty() ? static_cast<QWidget*>(m_table) : m_empty);
    selectSlice();
}

QString SearchResults::summaryText() const
{
    const SliceMatchesPtr& matches = m_state->matches();
    if (!matches || matches->size() == 0)
        return {};
    const std::size_t count = matches->size();
    const QString slices = count == 1 ? tr("1 slice") : tr("%1 slices").arg(formatCount(count));
    const QString names
        = matches->names == 1 ? tr("1 name") : tr("%1 names").arg(formatCount(matches->names));
    QString text = tr("%1 of %2, %3 in all, %4 on average.")
                       .arg(slices, names, formatDuration(matches->totalNs),
                            formatDuration(matches->totalNs / static_cast<std::int64_t>(count)));
    if (matches->size() > matches->longest.size())
        text += QLatin1Char(' ') + tr("The %1 longest are listed.").arg(formatCount(matches->longest.size()));
    return text;
}

QString SearchResults::emptyText() const
{
    if (!m_state->model())
        return tr("Open a run to search its slices.");
    if (!m_state->matches())
        return tr("Press / and type a part of a name: kernels, operators, CPU calls, annotations.");
    return m_state->matches()->size() > 0 ? QString() : tr("No slice of the run has such a name.");
}

void SearchResults::reveal(const QModelIndex& index)
{
    if (index.isValid())
        m_state->revealSlice(m_model.sliceAt(index.row()));
}

void SearchResults::selectSlice()
{
    const int row = isVisible() ? m_model.rowOfSlice(m_state->selectedSlice()) : -1;
    if (row < 0)
        return;
    m_table->setCurrentIndex(m_model.index(row, SearchModel::Name));
    m_table->scrollTo(m_table->currentIndex());
}

} // namespace collscope
