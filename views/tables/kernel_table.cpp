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

namespace collscope {

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
    m_table->setAccessibleName(tr("Peak kernels"));
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

void KernelTable::update()
{
    const auto peak = m_state->selection().peak();
    if (!m_state->run().model() || !peak) {
        m_model.setRows(m_state->run().model(), {});
        const bool hasNone = m_state->run().model() && m_state->run().model()->nvlink.empty()
            && !hasNvlinkCounters(*m_state->run().model());
        m_caption->setText(
            hasNone ? tr("This run has no NVLink counters and therefore no peaks to explain.")
                    : tr("Click a marked peak in the NVLink chart to see which kernels ran during it."));
        return;
    }
    const TraceModel& model = *m_state->run().model();
    const std::optional<std::int32_t> rank = m_state->selection().rankOf(*peak);
    if (!rank) {
        m_model.setRows(m_state->run().model(), {});
        m_caption->setText(tr("The rank of %1 is not known, and therefore not its kernels: %2.")
                               .arg(m_state->run().nvlinkName(peak->nvlinkDevice),
                                    toText(m_state->run().nvlinkRanks().of(peak->nvlinkDevice).why)));
        return;
    }
    // Nsight counter samples and kernels come from the same file.
    const KernelSource source = peak->timeline ? KernelSource{{&model.timelines[*peak->timeline]}, {}}
                                               : chooseKernelSource(model, *rank, ProfileMode::Auto);
    if (source.timelines.empty()) {
        m_model.setRows(m_state->run().model(), {});
        m_caption->setText(toText(source.missing));
        return;
    }
    // Counters and kernels of a GPU share a clock, independent of the axis.
    const TimeRange recorded
        = m_state->run().clocks().fromAxis(model.indexOf(*source.timelines.front()), peak->range);
    std::vector<KernelOverlap> rows = kernelsDuring(model, source.timelines, recorded, false);
    const MomentText moments(*m_state);
    const bool named = peak->timeline || model.nvlink[peak->nvlinkDevice].gpu.has_value();
    const QString gpu
        = peak->timeline || !named ? tr("GPU %1").arg(*rank) : m_state->run().nvlinkName(peak->nvlinkDevice);
    const QString when = tr("%1 kernels during %2 \u2013 %3 on %4")
                             .arg(QString::number(rows.size()), moments.of(peak->range.beginNs, 1000),
                                  moments.of(peak->range.endNs, 1000), gpu);
    m_caption->setText(
        named ? when : when + QLatin1Char(' ') + tr("(assumed: the counter file does not name its GPU)"));
    m_caption->setToolTip(peak->timeline ? QString()
                                         : toText(m_state->run().nvlinkRanks().of(peak->nvlinkDevice).why));
    m_model.setRows(m_state->run().model(), std::move(rows), m_state->run().exposure());
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
