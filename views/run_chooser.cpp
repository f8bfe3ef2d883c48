// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/run_chooser.h"

#include "views/common/format.h"
#include "views/common/theme.h"

#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace collscope {

namespace {

enum RunColumn
{
    NameColumn,
    RanksColumn,
    RecordedColumn,
    SizeColumn
};

/// A row of the list; sorts times and sizes numerically and stores the index of its run.
class RunItem : public QTreeWidgetItem
{
public:
    RunItem(QTreeWidget* list, const RunChoice& run, int index)
        : QTreeWidgetItem(list)
        , m_recordedNs(run.recordedNs)
        , m_bytes(run.bytes)
    {
        setText(NameColumn, QDir::toNativeSeparators(run.name));
        setText(RanksColumn, run.ranks);
        setText(RecordedColumn, run.recorded);
        setText(SizeColumn, formatBytes(static_cast<double>(run.bytes)));
        setTextAlignment(SizeColumn, Qt::AlignRight | Qt::AlignVCenter);
        setToolTip(NameColumn, plainToolTip(run.paths.join(QLatin1Char('\n'))));
        setToolTip(RanksColumn, plainToolTip(run.ranks));
        setData(NameColumn, Qt::UserRole, index);
    }
    bool operator<(const QTreeWidgetItem& other) const override
    {
        const auto& run = static_cast<const RunItem&>(other);
        switch (treeWidget()->sortColumn()) {
        case RecordedColumn:
            return m_recordedNs < run.m_recordedNs;
        case SizeColumn:
            return m_bytes < run.m_bytes;
        default:
            return QTreeWidgetItem::operator<(other);
        }
    }

private:
    qint64 m_recordedNs;
    quint64 m_bytes;
};

} // namespace

RunChooser::RunChooser(QWidget* parent)
    : QWidget(parent)
    , m_title(new QLabel(this))
    , m_list(new QTreeWidget(this))
    , m_open(new QPushButton(tr("Open"), this))
    , m_compare(new QPushButton(tr("Compare"), this))
{
    setObjectName(QStringLiteral("runChooser"));
    QFont large = m_title->font();
    large.setPointSizeF(large.pointSizeF() * 1.3);
    large.setWeight(QFont::DemiBold);
    m_title->setFont(large);
    m_title->setTextFormat(Qt::PlainText);
    m_title->setWordWrap(true);
    auto* hint = new QLabel(
        tr("The runs contain the same ranks, or were recorded one after another. Choose the run to open."),
        this);
    hint->setWordWrap(true);
    m_list->setObjectName(QStringLiteral("runChooserList"));
    m_list->setAccessibleName(tr("Runs of the folder"));
    m_list->setHeaderLabels({tr("Run"), tr("Ranks"), tr("Recorded"), tr("Size")});
    m_list->headerItem()->setTextAlignment(SizeColumn, Qt::AlignRight | Qt::AlignVCenter);
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setAlternatingRowColors(true);
    m_list->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_list->setTextElideMode(Qt::ElideMiddle);
    m_list->header()->setStretchLastSection(false);
    m_open->setObjectName(QStringLiteral("runChooserOpen"));
    m_open->setDefault(true);
    m_compare->setObjectName(QStringLiteral("runChooserCompare"));
    auto* table = new QPushButton(tr("Open all in the runs table"), this);
    table->setObjectName(QStringLiteral("runChooserTable"));
    auto* asOne = new QPushButton(tr("Open as one run"), this);
    asOne->setObjectName(QStringLiteral("runChooserAsOne"));
    asOne->setToolTip(
        tr("Use this if these are the nodes of one job. If a rank has several files, one of them is shown."));
    auto* back = new QPushButton(tr("Back"), this);
    back->setObjectName(QStringLiteral("runChooserBack"));

    auto* buttons = new QHBoxLayout;
    for (QPushButton* button : {m_open, m_compare, table})
        buttons->addWidget(button);
    buttons->addStretch();
    for (QPushButton* button : {asOne, back})
        buttons->addWidget(button);
    auto* layout = new QVBoxLayout(this);
    constexpr int margin = 24;
    layout->setContentsMargins(margin, margin, margin, margin);
    layout->addWidget(m_title);
    layout->addWidget(hint);
    layout->addSpacing(8);
    layout->addWidget(m_list, 1);
    layout->addLayout(buttons);
    connect(m_list, &QTreeWidget::itemActivated, this, &RunChooser::openCurrent);
    connect(m_list, &QTreeWidget::itemSelectionChanged, this, &RunChooser::updateButtons);
    connect(m_open, &QPushButton::clicked, this, &RunChooser::openCurrent);
    connect(m_compare, &QPushButton::clicked, this, &RunChooser::compareSelected);
    connect(table, &QPushButton::clicked, this, [this] { emit tableChosen(m_folder); });
    connect(asOne, &QPushButton::clicked, this, [this] { emit oneRunChosen(m_folder); });
    connect(back, &QPushButton::clicked, this, &RunChooser::left);
    setFocusProxy(m_list);
}

void RunChooser::setRuns(const QString& folder, const QList<RunChoice>& runs)
{
    m_folder = folder;
    m_runs = runs;
    m_title->setText(
        tr("%1 contains %2 runs").arg(QFileInfo(QDir::cleanPath(folder)).fileName()).arg(runs.size()));
    m_title->setToolTip(plainToolTip(QDir::toNativeSeparators(folder)));
    m_list->setSortingEnabled(false);
    m_list->clear();
    for (int i = 0; i < runs.size(); ++i)
        new RunItem(m_list, runs[i], i);
    // The runs are listed by name until the user chooses an order.
    m_list->header()->setSortIndicator(-1, Qt::AscendingOrder);
    m_list->setSortingEnabled(true);
    for (const int column : {NameColumn, RanksColumn, RecordedColumn, SizeColumn})
        m_list->resizeColumnToContents(column);
    constexpr int widestName = 460;
    constexpr int widestRanks = 260;
    constexpr int gap = 24;
    m_list->setColumnWidth(NameColumn, std::min(m_list->columnWidth(NameColumn) + gap, widestName));
    m_list->setColumnWidth(RanksColumn, std::min(m_list->columnWidth(RanksColumn) + gap, widestRanks));
    m_list->setColumnWidth(RecordedColumn, m_list->columnWidth(RecordedColumn) + gap);
    if (m_list->topLevelItemCount() > 0)
        m_list->setCurrentItem(m_list->topLevelItem(0));
    updateButtons();
}

QStringList RunChooser::pathsAt(int row) const
{
    return m_runs.value(row).paths;
}

QList<int> RunChooser::selectedRows() const
{
    QList<int> rows;
    for (const QTreeWidgetItem* item : m_list->selectedItems())
        rows << item->data(NameColumn, Qt::UserRole).toInt();
    std::sort(rows.begin(), rows.end());
    return rows;
}

void RunChooser::openCurrent()
{
    if (const QTreeWidgetItem* item = m_list->currentItem())
        emit runChosen(pathsAt(item->data(NameColumn, Qt::UserRole).toInt()));
}

void RunChooser::compareSelected()
{
    if (const QList<int> rows = selectedRows(); rows.size() == 2)
        emit comparisonChosen(pathsAt(rows[0]), pathsAt(rows[1]));
}

void RunChooser::updateButtons()
{
    const auto selected = m_list->selectedItems().size();
    m_open->setEnabled(selected == 1);
    m_compare->setEnabled(selected == 2);
    m_compare->setToolTip(selected == 2 ? QString() : tr("Select two runs (Ctrl+click) to compare"));
}

void RunChooser::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        emit left();
    else
        QWidget::keyPressEvent(event);
}

void RunChooser::paintEvent(QPaintEvent*)
{
    QPainter(this).fillRect(rect(), surfaces(palette()).base);
}

} // namespace collscope
