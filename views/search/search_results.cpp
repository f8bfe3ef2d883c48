// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/search/search_results.h"

#include "views/charts/duration_chart.h"
#include "views/charts/duration_filter.h"
#include "views/tables/name_column_fit.h"
#include "views/tables/number_delegate.h"
#include "views/widgets/content_stack.h"

#include <QAction>
#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace collscope {

namespace {

constexpr int durationsWidth = 300;
constexpr int patienceMs = 200; ///< a search that finishes within this time shows no progress line

QString counted(std::size_t count, const QString& one, const QString& many)
{
    return count == 1 ? one : many.arg(formatCount(count));
}

} // namespace

SearchResults::SearchResults(ViewState* state, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
    , m_model(state)
    , m_summary(new QLabel(this))
    , m_progress(new QLabel(this))
    , m_cancel(new QToolButton(this))
    , m_splitter(new QSplitter(Qt::Horizontal, this))
    , m_durations(new DurationFilter(this))
    , m_pages(new ContentStack(this))
    , m_table(new QTableView(this))
{
    setObjectName(QStringLiteral("searchResults"));
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    m_summary->setContentsMargins(10, 6, 10, 4);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_summary->setWordWrap(true);
    m_progress->setForegroundRole(QPalette::PlaceholderText);
    m_progress->setWordWrap(true);
    m_cancel->setText(tr("Cancel"));
    m_cancel->setObjectName(QStringLiteral("searchCancel"));
    m_cancel->setAccessibleName(tr("Cancel reading the files"));
    buildTable();
    m_pages->addWidget(m_table);
    m_splitter->addWidget(m_pages); // first, so that F6 leads to the table
    m_splitter->insertWidget(0, m_durations);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setSizes({durationsWidth, 2 * durationsWidth});
    auto* progress = new QHBoxLayout;
    progress->setContentsMargins(10, 0, 10, 4);
    progress->setSpacing(8);
    progress->addWidget(m_progress, 1);
    progress->addWidget(m_cancel);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_summary);
    layout->addLayout(progress);
    layout->addWidget(m_splitter, 1);
    connect(m_durations, &DurationFilter::lastingWanted, this, &SearchResults::lastingWanted);
    connect(m_pages, &ContentStack::offerTaken, this, &SearchResults::rangeWanted);
    connect(m_cancel, &QToolButton::clicked, this, &SearchResults::cancelWanted);
    // Slice references of the previous run are invalid.
    connect(&state->run(), &RunContext::modelChanged, this, [this] { setListing(nullptr); });
    connect(&state->run(), &RunContext::clocksChanged, this, &SearchResults::refill);
    connect(&state->run(), &RunContext::exposureChanged, this, [this] { m_model.refresh(); });
    connect(&state->selection(), &ViewSelection::rangeChanged, this, &SearchResults::showPage);
    connect(&state->selection(), &ViewSelection::sliceChanged, this, &SearchResults::selectSlice);
    m_patience.setSingleShot(true);
    m_patience.setInterval(patienceMs);
    connect(&m_patience, &QTimer::timeout, this, &SearchResults::showProgress);
    showProgress();
    refill();
}

void SearchResults::buildTable()
{
    m_table->setModel(&m_model);
    m_table->setItemDelegate(new NumberDelegate(m_table));
    m_table->setSortingEnabled(true);
    m_table->setAccessibleName(tr("Slices found"));
    m_table->horizontalHeader()->setResizeContentsPrecision(50);
    m_table->horizontalHeader()->setStretchLastSection(true);
    setUpTable(*m_table);
    m_names = new NameColumnFit(*m_table, SearchModel::Name);
    onRowChosen(*m_table, tr("Show on the timeline"), [this](const QModelIndex& index) { reveal(index); });
}

void SearchResults::begin(const SliceQuestion& question)
{
    // While a range is being dragged, its slices stay listed until the new ones are known.
    const bool isSameList = m_question.during && question.during;
    m_question = question;
    if (!isSameList)
        setListing(nullptr);
}

void SearchResults::setListing(const SliceListingPtr& listing)
{
    m_listing = listing;
    m_durations->setListing(listing);
    refill();
}

void SearchResults::setProgress(const QString& text, bool canCancel)
{
    m_progress->setText(text);
    m_canCancel = canCancel;
    if (!canCancel)
        showProgress();
    else if (!m_progress->isVisible() && !m_patience.isActive())
        m_patience.start();
    showPage();
}

void SearchResults::showProgress()
{
    m_patience.stop();
    m_progress->setVisible(!m_progress->text().isEmpty());
    m_cancel->setVisible(m_canCancel);
}

void SearchResults::refill()
{
    m_model.setSlices(m_listing ? m_listing->wanted->longest : std::vector<SliceRef>());
    if (!m_isLaidOut && m_model.rowCount() > 0) {
        m_isLaidOut = true;
        m_table->sortByColumn(SearchModel::Duration, Qt::DescendingOrder);
    }
    m_names->fit();
    m_summary->setText(summaryText());
    m_summary->setVisible(!m_summary->text().isEmpty());
    // While a search is running, the bars stay in place.
    m_durations->setVisible(m_listing ? m_listing->all->size() > 0 : !m_question.isEmpty());
    showPage();
    m_table->scrollToTop();
    selectSlice();
}

void SearchResults::showPage()
{
    const bool offersRange = m_state->run().model() && m_question.isEmpty() && m_state->selection().range();
    m_pages->present(m_table, emptyText(),
                     offersRange ? tr("List the slices of the selected range") : QString());
}

QString SearchResults::summaryText() const
{
    if (!m_listing || m_listing->all->size() == 0)
        return {};
    const SliceMatches& wanted = *m_listing->wanted;
    const std::size_t count = wanted.size();
    QString slices = counted(count, tr("1 slice"), tr("%1 slices"));
    if (count < m_listing->all->size())
        slices = tr("%1 of %2 slices").arg(formatCount(count), formatCount(m_listing->all->size()));
    if (count == 0)
        return tr("%1.").arg(slices);
    const DurationFigures& figures = m_listing->figures;
    const QString names = counted(wanted.names, tr("1 name"), tr("%1 names"));
    QString text = m_question.during ? tr("%1 of %2 in the range, ").arg(slices, names)
                                     : tr("%1 of %2, ").arg(slices, names);
    text += tr("%1 total, %2 mean, %3 median, %4 p95, %5 min, %6 max.")
                .arg(formatDuration(wanted.totalNs),
                     formatDuration(wanted.totalNs / static_cast<std::int64_t>(count)),
                     formatDuration(figures.medianNs), formatDuration(figures.p95Ns),
                     formatDuration(figures.shortestNs), formatDuration(figures.longestNs));
    if (count > wanted.longest.size())
        text += QLatin1Char(' ') + tr("The %1 longest are listed.").arg(formatCount(wanted.longest.size()));
    return text;
}

QString SearchResults::progressText() const
{
    return m_progress->text();
}

QString SearchResults::emptyText() const
{
    if (!m_state->run().model())
        return tr("Open a run to search its slices.");
    if (m_question.isEmpty())
        return tr("Press / and type part of the name of a kernel, operator, CPU call or "
                  "annotation.\narg:stream=7 finds slices by their args.");
    if (!m_listing)
        return tr("Searching\u2026");
    if (m_listing->wanted->size() > 0)
        return {};
    if (m_listing->all->size() > 0)
        return tr("None of the %1 slices has that duration. Drag the edges on the left, or press Esc there.")
            .arg(formatCount(m_listing->all->size()));
    if (m_question.during)
        return tr("Nothing runs in the selected range on the visible ranks.");
    if (m_question.asksForArgs())
        return m_progress->text().isEmpty() ? tr("No slice in the run has a matching arg.")
                                            : tr("No match in the data searched so far.");
    return tr("No slice in the run has a matching name.");
}

void SearchResults::reveal(const QModelIndex& index)
{
    if (index.isValid())
        m_state->revealSlice(m_model.sliceAt(index.row()));
}

void SearchResults::selectSlice()
{
    const SliceRef selected = m_state->selection().slice();
    const bool isListed = selected && m_listing && m_listing->all->contains(selected);
    m_durations->chart()->setMark(
        isListed ? std::optional(m_state->run().model()->rangeOf(selected).lengthNs()) : std::nullopt);
    const int row = isVisible() && isListed ? m_model.rowOfSlice(selected) : -1;
    if (row < 0)
        return;
    m_table->setCurrentIndex(m_model.index(row, SearchModel::Name));
    m_table->scrollTo(m_table->currentIndex());
}

void SearchResults::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    selectSlice();
}

} // namespace collscope
