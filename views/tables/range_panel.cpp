// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/tables/range_panel.h"

#include "views/common/format.h"
#include "views/common/name_filter.h"
#include "views/common/range_label.h"
#include "views/tables/name_column_fit.h"
#include "views/tables/number_delegate.h"
#include "views/widgets/content_stack.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <QVBoxLayout>

namespace collscope {

namespace {

template<typename Choice>
Choice chosen(const QComboBox& box)
{
    return static_cast<Choice>(box.currentData().toInt());
}

} // namespace

RangePanel::RangePanel(ViewState* state, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
    , m_model(state)
    , m_summaryLine(new QLabel(this))
    , m_filter(new QLineEdit(this))
    , m_grouping(new QComboBox(this))
    , m_work(new QComboBox(this))
    , m_pages(new ContentStack(this))
    , m_table(new QTableView(this))
    , m_showName(new QAction(tr("Show these on the timeline"), m_table))
{
    setObjectName(QStringLiteral("rangePanel"));
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    buildControls();
    buildTable();
    m_pages->addWidget(m_table);
    auto* controls = new QHBoxLayout;
    controls->setContentsMargins(10, 0, 10, 6);
    controls->setSpacing(8);
    controls->addWidget(m_filter, 1);
    controls->addWidget(m_grouping);
    controls->addWidget(m_work);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_summaryLine);
    layout->addLayout(controls);
    layout->addWidget(m_pages, 1);
    connect(&state->selection(), &ViewSelection::summaryChanged, this, &RangePanel::onSummaryChanged);
    connect(&state->run(), &RunContext::modelChanged, this,
            &RangePanel::refill); // the rows belong to the previous run
    refill();
}

void RangePanel::buildControls()
{
    m_summaryLine->setContentsMargins(10, 6, 10, 4);
    m_summaryLine->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_filter->setPlaceholderText(tr("Filter, for example: gemm or /^nccl.*f32/"));
    m_filter->setToolTip(tr("Part of a slice's name or class, or a regular expression between slashes"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setAccessibleName(tr("Filter the slices in the range"));
    m_filter->setMinimumWidth(120);
    const auto add = [](QComboBox& box, const QString& text, auto choice) {
        box.addItem(text, static_cast<int>(choice));
    };
    add(*m_grouping, tr("by class"), RangeGrouping::Class);
    add(*m_grouping, tr("by name"), RangeGrouping::Name);
    add(*m_grouping, tr("by rank"), RangeGrouping::Rank);
    add(*m_grouping, tr("by stream or thread"), RangeGrouping::Track);
    m_grouping->setCurrentIndex(1);
    m_grouping->setObjectName(QStringLiteral("rangeGrouping"));
    m_grouping->setAccessibleName(tr("Group the slices in the range"));
    add(*m_work, tr("GPU"), RangeWork::Gpu);
    add(*m_work, tr("CPU"), RangeWork::Cpu);
    add(*m_work, tr("everything"), RangeWork::Everything);
    m_work->setItemData(0, tr("kernels, copies and memsets on streams"), Qt::ToolTipRole);
    m_work->setItemData(1, tr("calls and annotations on threads"), Qt::ToolTipRole);
    m_work->setItemData(2, tr("both, and annotations on GPUs"), Qt::ToolTipRole);
    m_work->setObjectName(QStringLiteral("rangeWork"));
    m_work->setAccessibleName(tr("Slices to count in the range"));
    connect(m_filter, &QLineEdit::textChanged, this, &RangePanel::refill);
    connect(m_grouping, &QComboBox::currentIndexChanged, this, &RangePanel::refill);
    connect(m_work, &QComboBox::currentIndexChanged, this, &RangePanel::refill);
}

void RangePanel::buildTable()
{
    m_table->setModel(&m_model);
    m_table->setItemDelegate(new NumberDelegate(m_table));
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(RangeModel::Total, Qt::DescendingOrder);
    m_table->setAccessibleName(tr("Slices in the range"));
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->horizontalHeader()->setResizeContentsPrecision(50);
    QAction* copy = setUpTable(*m_table);
    m_names = new NameColumnFit(*m_table, RangeModel::Label);
    onRowChosen(*m_table, tr("Show the longest"), [this](const QModelIndex& index) { reveal(index); });
    m_table->insertAction(copy, m_showName);
    m_showName->setObjectName(QStringLiteral("showOnTimeline"));
    connect(m_showName, &QAction::triggered, this, [this] {
        if (m_table->currentIndex().isValid())
            emit nameWanted(
                toText(m_state->run().model()->text(m_model.rowAt(m_table->currentIndex().row()).name)));
    });
}

/// Delays updates of a hidden table, which need not follow every mouse movement.
void RangePanel::onSummaryChanged()
{
    m_isStale = true;
    if (isVisible())
        refill();
}

void RangePanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_isStale)
        refill();
}

void RangePanel::refill()
{
    m_isStale = false;
    m_summary = m_state->selection().summary();
    m_isOfSelection = m_summary && m_state->selection().range() == m_summary->range;
    const auto grouping = chosen<RangeGrouping>(*m_grouping);
    const NameFilter filter(m_filter->text());
    const auto fits = [&filter](std::string_view name) { return filter.matches(toText(name)); };
    RangePivot pivot;
    if (m_summary && filter.check())
        pivot = pivotOf(*m_state->run().model(), *m_summary, grouping, chosen<RangeWork>(*m_work),
                        filter.isEmpty() ? std::function<bool(std::string_view)>() : fits);
    const QHeaderView* header = m_table->horizontalHeader();
    const bool wasSortedByExtra = header->sortIndicatorSection() == RangeModel::Extra;
    if (wasSortedByExtra && grouping != m_model.grouping())
        m_table->sortByColumn(RangeModel::Total, Qt::DescendingOrder); // the column changed
    m_model.setPivot(m_summary, grouping, std::move(pivot));
    m_names->fit();
    const bool isNamed = grouping == RangeGrouping::Name;
    m_showName->setEnabled(isNamed);
    m_showName->setToolTip(isNamed ? QString() : tr("Available when the table is grouped by name"));
    updatePage();
}

void RangePanel::updatePage()
{
    m_summaryLine->setText(
        m_summary ? summaryText() : QStringLiteral(" ")); // reserves the height, so that nothing moves later
    m_summaryLine->setToolTip(m_summary ? rangeToolTip(*m_summary) : QString());
    for (QWidget* control : std::initializer_list<QWidget*>{m_filter, m_grouping, m_work})
        control->setEnabled(m_summary != nullptr);
    m_pages->present(m_table, emptyText());
}

QString RangePanel::summaryText() const
{
    if (!m_summary)
        return {};
    return (m_isOfSelection ? tr("Selected %1: %2") : tr("Visible %1: %2"))
        .arg(formatDuration(m_summary->range.lengthNs()), rangeText(*m_summary));
}

QString RangePanel::emptyText() const
{
    if (!m_state->run().model())
        return tr("Open a run to see its slices in a time range.");
    if (m_state->run().model()->timelines.empty())
        return tr("This run has no timeline.");
    if (!m_summary)
        return tr("Adding up the slices in the range\u2026");
    if (const Status filter = NameFilter(m_filter->text()).check(); !filter)
        return toText(filter.error().message);
    if (m_model.rowCount() > 0)
        return {};
    if (m_summary->slices == 0)
        return m_state->preferences().hiddenRanks().empty()
            ? tr("Nothing happens in this range. Drag over the timeline to select another.")
            : tr("Nothing happens in this range on the visible ranks. To include hidden ranks, tick them in "
                 "the list of ranks.");
    if (!m_filter->text().isEmpty())
        return tr("Nothing in this range matches the filter.");
    return chosen<RangeWork>(*m_work) == RangeWork::Gpu
        ? tr("No kernel, copy or memset runs in this range. Choose CPU, or everything, to see the rest.")
        : tr("No CPU thread is active in this range. Choose GPU, or everything, to see the rest.");
}

/// Reveals the longest slice. Keeps the visible range if the table summarises that.
void RangePanel::reveal(const QModelIndex& index)
{
    if (index.isValid())
        m_state->revealSlice(m_model.rowAt(index.row()).longest, !m_isOfSelection);
}

} // namespace collscope
