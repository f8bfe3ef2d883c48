// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/tables/kernel_table.h"

#include "metrics/counters/gpu_counters.h"
#include "views/common/format.h"
#include "views/common/moment.h"
#include "views/tables/name_column_fit.h"
#include "views/tables/number_delegate.h"
#include "views/tables/table_text.h"

#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace collscope {

namespace {
/// Nobody reads more rows, and Qt sorts them on the GUI thread.
constexpr std::size_t mostKernels = 10'000;
} // namespace

std::vector<KernelOverlap> kernelsOf(const TraceModel& model, const KernelQuestion& question)
{
    std::vector<const Timeline*> timelines;
    for (const std::size_t timeline : question.timelines)
        timelines.push_back(&model.timelines[timeline]);
    return kernelsDuring(model, timelines, question.recorded, false);
}

KernelTable::KernelTable(ViewState* state, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
    , m_caption(new QLabel(this))
    , m_table(new QTableView(this))
{
    setObjectName(QStringLiteral("peakKernels"));
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    m_sorted.setSourceModel(&m_model);
    m_sorted.setSortRole(KernelTableModel::rawRole);
    m_table->setModel(&m_sorted);
    m_table->setItemDelegate(new NumberDelegate(m_table));
    m_table->setSortingEnabled(true);
    setUpTable(*m_table);
    m_names = new NameColumnFit(*m_table, KernelTableModel::Kernel);
    onRowChosen(*m_table, tr("Show on the timeline"), [this](const QModelIndex& index) { reveal(index); });
    m_table->horizontalHeader()->setResizeContentsPrecision(50);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->sortByColumn(KernelTableModel::OverlapUs, Qt::DescendingOrder);
    m_caption->setContentsMargins(10, 6, 10, 4);
    m_caption->setWordWrap(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_caption);
    layout->addWidget(m_table);
    connect(&state->selection(), &ViewSelection::peakChanged, this, &KernelTable::update);
    connect(&state->run(), &RunContext::modelChanged, this, &KernelTable::update);
    connect(&state->run(), &RunContext::exposureChanged, this, &KernelTable::update);
    connect(&state->preferences(), &ViewPreferences::timeFormatChanged, this, &KernelTable::update);
    update();
}

void KernelTable::setKernels(KernelOverlapsPtr kernels)
{
    m_kernels = std::move(kernels);
    update();
}

/// Asks unless the answer is known. It asks again if the answer is on its way: that work may have failed.
void KernelTable::ask(std::optional<KernelQuestion> question)
{
    if (question == m_question && m_kernels)
        return;
    m_question = std::move(question);
    m_kernels.reset();
    if (m_question)
        emit kernelsWanted(*m_question);
}

void KernelTable::showNone(const QString& why)
{
    m_model.setRows(m_state->run().model(), {});
    m_table->setAccessibleName(tr("Peak kernels"));
    m_caption->setText(why);
    m_caption->setToolTip({});
}

void KernelTable::update()
{
    const TraceModelPtr& model = m_state->run().model();
    const auto peak = m_state->selection().peak();
    if (!model || !peak) {
        ask(std::nullopt);
        const bool hasNone = model && model->nvlink.empty() && !hasNvlinkCounters(*model);
        return showNone(
            hasNone ? tr("This run has no NVLink counters and therefore no peaks to explain.")
                    : tr("Click a marked peak in the NVLink chart to see which kernels ran during it."));
    }
    const std::optional<std::int32_t> rank = m_state->selection().rankOf(*peak);
    if (!rank) {
        ask(std::nullopt);
        return showNone(tr("The rank of %1 is not known, and therefore not its kernels: %2.")
                            .arg(m_state->run().nvlinkName(peak->nvlinkDevice),
                                 toText(m_state->run().nvlinkRanks().of(peak->nvlinkDevice).why)));
    }
    // Nsight counter samples and kernels come from the same file.
    const KernelSource source = peak->timeline ? KernelSource{{&model->timelines[*peak->timeline]}, {}}
                                               : chooseKernelSource(*model, *rank, ProfileMode::Auto);
    if (source.timelines.empty()) {
        ask(std::nullopt);
        return showNone(toText(source.missing));
    }
    KernelQuestion question;
    for (const Timeline* timeline : source.timelines)
        question.timelines.push_back(model->indexOf(*timeline));
    // Counters and kernels of a GPU share a clock, independent of the axis.
    question.recorded = m_state->run().clocks().fromAxis(question.timelines.front(), peak->range);
    ask(std::move(question));
    if (m_kernels)
        showKernels(*peak, *rank);
    else
        showNone(tr("Listing the kernels of the peak\u2026"));
}

void KernelTable::showKernels(const ViewSelection::Peak& peak, std::int32_t rank)
{
    const RunContext& run = m_state->run();
    const MomentText moments(*m_state);
    const bool named = peak.timeline || run.model()->nvlink[peak.nvlinkDevice].gpu.has_value();
    const QString gpu = peak.timeline || !named ? tr("GPU %1").arg(rank) : run.nvlinkName(peak.nvlinkDevice);
    const std::size_t listed = std::min(m_kernels->size(), mostKernels);
    QStringList caption(tr("%1 kernels during %2 \u2013 %3 on %4")
                            .arg(formatCount(m_kernels->size()), moments.of(peak.range.beginNs, 1000),
                                 moments.of(peak.range.endNs, 1000), gpu));
    if (!named)
        caption.append(tr("(assumed: the counter file does not name its GPU)"));
    if (listed < m_kernels->size())
        caption.append(tr("(the %1 with the largest overlap are listed)").arg(formatCount(listed)));
    m_caption->setText(caption.join(QLatin1Char(' ')));
    // Also the name of the file to which the table is exported.
    m_table->setAccessibleName(
        listed == m_kernels->size()
            ? tr("Peak kernels")
            : tr("Peak kernels, %1 of %2").arg(formatCount(listed), formatCount(m_kernels->size())));
    m_caption->setToolTip(peak.timeline ? QString() : toText(run.nvlinkRanks().of(peak.nvlinkDevice).why));
    m_model.setRows(run.model(),
                    {m_kernels->begin(), m_kernels->begin() + static_cast<std::ptrdiff_t>(listed)},
                    run.exposure());
    m_names->fit();
}

SliceRef KernelTable::sliceAt(int row) const
{
    return m_model.sliceAt(m_sorted.mapToSource(m_sorted.index(row, 0)).row());
}

void KernelTable::reveal(const QModelIndex& index)
{
    m_state->revealSlice(sliceAt(index.row()));
}

} // namespace collscope
