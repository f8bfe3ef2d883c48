// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/tables/run_table.h"

#include "views/common/theme.h"
#include "views/tables/run_filter.h"
#include "views/tables/table_text.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace collscope {

namespace {

/// Colours a cell's background by the dashboard's thresholds for its value.
class LevelDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Surfaces colors = surfaces(option.palette);
        const int level = index.data(RunTableModel::LevelRole).toInt();
        QColor color = level == RunTableModel::Good ? colors.better
            : level == RunTableModel::Poor          ? colors.worse
                                                    : colors.accent;
        if (level != RunTableModel::NoLevel && (option.state & QStyle::State_Selected) == 0) {
            color.setAlphaF(level == RunTableModel::Fair ? 0.10F : 0.18F);
            painter->fillRect(option.rect, color);
        }
        if (option.state & QStyle::State_Selected)
            painter->fillRect(option.rect, colors.selection);
        QStyleOptionViewItem inner = option;
        inner.rect.adjust(padding, 0, -padding, 0);
        QStyledItemDelegate::paint(painter, inner, index);
    }
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        return QStyledItemDelegate::sizeHint(option, index) + QSize(2 * padding, 0);
    }

private:
    static constexpr int padding = 6; ///< aligns the text with its heading
};

} // namespace

RunTable::RunTable(QWidget* parent)
    : QWidget(parent)
    , m_model(new RunTableModel(this))
    , m_filter(new RunFilter(this))
    , m_filterLine(new QLineEdit(this))
    , m_table(new QTableView(this))
    , m_summary(new QLabel(this))
{
    setObjectName(QStringLiteral("runTable"));
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    m_filterLine->setPlaceholderText(tr("Filter, for example: llama tp:4 mfu>40"));
    m_filterLine->setToolTip(tr("Words that a row must contain; field:word searches one column; "
                                "metric>number or metric<number compares a value"));
    m_filterLine->setClearButtonEnabled(true);
    m_filterLine->setAccessibleName(tr("Filter runs"));
    m_filter->setSourceModel(m_model);
    m_table->setObjectName(QStringLiteral("runs"));
    m_table->setModel(m_filter);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(0, Qt::AscendingOrder);
    m_table->setItemDelegate(new LevelDelegate(m_table));
    setUpTable(*m_table);
    m_table->setAccessibleName(tr("Runs and their metrics"));
    auto* folders = new QPushButton(tr("Choose folder\u2026"), this);
    auto* csv = new QPushButton(tr("CSV"), this);
    csv->setToolTip(tr("Save the runs shown as CSV (identical to collscope --batch RUN\u2026 --csv)"));
    m_summary->setForegroundRole(QPalette::PlaceholderText);

    auto* top = new QHBoxLayout;
    top->setContentsMargins(12, 10, 12, 8);
    top->setSpacing(8);
    top->addWidget(m_filterLine, 1);
    top->addWidget(folders);
    top->addWidget(csv);
    auto* bottom = new QHBoxLayout;
    bottom->setContentsMargins(12, 6, 12, 8);
    bottom->addWidget(m_summary);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(top);
    layout->addWidget(m_table, 1);
    layout->addLayout(bottom);

    connect(m_filterLine, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_filter->setTerms(text);
        updateSummary();
    });
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex& index) {
        emit runActivated(index.data(RunTableModel::PathRole).toString());
    });
    connect(folders, &QPushButton::clicked, this, &RunTable::foldersRequested);
    connect(csv, &QPushButton::clicked, this, &RunTable::exportRequested);
    updateSummary();
}

void RunTable::begin(const QStringList& paths, const std::vector<const MetricDescriptor*>& metrics,
                     const QStringList& cardFields)
{
    std::vector<RunRow> rows;
    for (const QString& path : paths) {
        RunRow row;
        row.path = path;
        row.name = QFileInfo(path).fileName();
        rows.push_back(std::move(row));
    }
    m_model->reset(std::move(rows), cardFields, metrics);
    m_table->resizeColumnsToContents();
    updateSummary();
}

void RunTable::setRow(const RunRow& row)
{
    m_model->setRow(row);
    m_table->resizeColumnsToContents();
    updateSummary();
}

QStringList RunTable::shownPaths() const
{
    QStringList paths;
    for (int row = 0; row < m_filter->rowCount(); ++row)
        paths << m_filter->index(row, 0).data(RunTableModel::PathRole).toString();
    return paths;
}

void RunTable::updateSummary()
{
    const auto& rows = m_model->rows();
    if (rows.empty()) {
        m_summary->setText(
            tr("Choose a folder that contains several runs. Each of its subfolders becomes a row."));
        return;
    }
    const auto done = std::count_if(rows.begin(), rows.end(), [](const RunRow& row) { return row.isDone; });
    QString text = tr("%1 of %2 runs shown").arg(m_filter->rowCount()).arg(rows.size());
    if (done < static_cast<std::ptrdiff_t>(rows.size()))
        text += tr(" \u00b7 %1 loaded").arg(done);
    m_summary->setText(
        text + tr(" \u00b7 colours: public dashboard's thresholds \u00b7 double-click opens a run"));
}

} // namespace collscope
