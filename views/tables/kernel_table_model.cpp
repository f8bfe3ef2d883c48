// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/tables/kernel_table_model.h"

#include "model/kernels/kernel_names.h"
#include "views/common/format.h"
#include "views/common/palette.h"

#include <QApplication>
#include <QLocale>

namespace collscope {

void KernelTableModel::setRows(TraceModelPtr model, std::vector<KernelOverlap> rows, ExposurePtr exposure)
{
    beginResetModel();
    m_model = std::move(model);
    m_exposure = std::move(exposure);
    m_rows = std::move(rows);
    endResetModel();
}

int KernelTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int KernelTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant KernelTableModel::raw(const KernelOverlap& row, int column) const
{
    const Track& track = m_model->track(row.slice.track);
    switch (column) {
    case Kernel:
        return toText(m_model->nameOf(row.slice));
    case Gpu:
        return track.device;
    case Stream:
        return track.stream;
    case OverlapUs:
        return nsToUs(row.overlapNs);
    case OverlapPercent:
        return row.overlapPercent;
    case DurationUs:
        return nsToUs(row.range.lengthNs());
    case ExposedUs: {
        const auto exposed = m_exposure ? m_exposure->of(row.slice) : std::nullopt;
        return exposed ? QVariant(nsToUs(exposed->ns)) : QVariant();
    }
    case Class:
        return toText(kernelClassName(m_model->classOf(row.slice)));
    default:
        return {};
    }
}

QVariant KernelTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const KernelOverlap& row = m_rows[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    switch (role) {
    case rawRole:
        return raw(row, column);
    case Qt::DisplayRole:
        if (column == Kernel)
            return shortName(m_model->nameOf(row.slice));
        if (column == ExposedUs && raw(row, column).isNull())
            return QStringLiteral("\u2013");
        if (column == OverlapUs || column == OverlapPercent || column == DurationUs || column == ExposedUs)
            return QLocale().toString(raw(row, column).toDouble(), 'f', 1);
        return raw(row, column).toString();
    case Qt::ToolTipRole:
        return column == Kernel ? plainToolTip(raw(row, column).toString()) : QVariant();
    case Qt::TextAlignmentRole:
        return int(Qt::AlignVCenter)
            | int(column == Kernel || column == Class ? Qt::AlignLeft : Qt::AlignRight);
    case Qt::DecorationRole:
        return column == Kernel ? QVariant(kernelColor(m_model->classOf(row.slice), QApplication::palette()))
                                : QVariant();
    default:
        return {};
    }
}

QVariant KernelTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter)
            | int(section == Kernel || section == Class ? Qt::AlignLeft : Qt::AlignRight);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Kernel:
        return tr("kernel");
    case Gpu:
        return tr("GPU");
    case Stream:
        return tr("stream");
    case OverlapUs:
        return tr("overlap \u00b5s");
    case OverlapPercent:
        return tr("overlap %");
    case DurationUs:
        return tr("duration \u00b5s");
    case ExposedUs:
        return tr("exposed \u00b5s");
    default:
        return tr("class");
    }
}

} // namespace collscope
