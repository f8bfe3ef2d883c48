// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/ranks/rank_map_dialog.h"

#include "model/source_traits.h"
#include "views/common/format.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace collscope {

namespace {

constexpr int highestRank = 1'000'000;

enum Column
{
    Name,
    Rank,
    ColumnCount
};

/// The path relative to the opened folder; only the file name for a file that was opened directly.
std::string endOf(const std::string& path, const std::vector<std::string>& opened)
{
    for (const std::string& folder : opened) {
        if (path.size() > folder.size() + 1 && path.starts_with(folder))
            return path.substr(folder.size() + (folder.back() == '/' ? 0 : 1));
    }
    return path.substr(path.rfind('/') + 1);
}

} // namespace

RankMapDialog::RankMapDialog(const TraceModel& model, Ranks chosen, QWidget* parent)
    : QDialog(parent)
    , m_chosen(std::move(chosen))
    , m_table(new QTableWidget(this))
{
    setObjectName(QStringLiteral("rankMap"));
    setWindowTitle(tr("Assign ranks"));
    resize(620, 420);
    for (const SourceInfo& source : model.sources) {
        const SourceTraits& format = sourceTraits(source.kind);
        if (format.holdsTimeline && format.isRanked && source.eventsInFile > 0)
            m_files.push_back({endOf(source.path, model.paths), source.rank});
    }
    auto* about
        = new QLabel(tr("Collscope takes the rank from the file's contents, or else from its name. If both "
                        "are missing or wrong, set the rank here. The setting is remembered for this run."),
                     this);
    about->setWordWrap(true);
    m_table->setColumnCount(ColumnCount);
    m_table->setHorizontalHeaderLabels({tr("File"), tr("Rank")});
    m_table->setAccessibleName(tr("Files and their ranks"));
    m_table->verticalHeader()->hide();
    m_table->setSelectionMode(QAbstractItemView::NoSelection);
    m_table->horizontalHeader()->setSectionResizeMode(Name, QHeaderView::Stretch);
    m_table->setTextElideMode(Qt::ElideLeft);
    m_table->setRowCount(static_cast<int>(m_files.size()));
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const File& file = m_files[static_cast<std::size_t>(row)];
        auto* name = new QTableWidgetItem(toText(file.end));
        name->setFlags(Qt::ItemIsEnabled);
        name->setToolTip(plainToolTip(name->text()));
        m_table->setItem(row, Name, name);
        auto* rank = new QSpinBox(m_table);
        rank->setRange(0, highestRank);
        rank->setAccessibleName(tr("Rank of %1").arg(name->text()));
        rank->setValue(file.found.value_or(0));
        m_table->setCellWidget(row, Rank, rank);
    }
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    buttons->button(QDialogButtonBox::Ok)->setText(tr("Reload"));
    QPushButton* reset = buttons->addButton(tr("Use ranks from files"), QDialogButtonBox::ResetRole);
    reset->setEnabled(!m_chosen.empty());
    connect(reset, &QPushButton::clicked, this, &RankMapDialog::forgetChoices);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(about);
    layout->addWidget(m_table, 1);
    layout->addWidget(buttons);
}

/// Clears the choices. The ranks stated by the files are only known after reloading.
void RankMapDialog::forgetChoices()
{
    m_chosen.clear();
    for (int row = 0; row < m_table->rowCount(); ++row) {
        auto* rank = qobject_cast<QSpinBox*>(m_table->cellWidget(row, Rank));
        rank->setValue(m_files[static_cast<std::size_t>(row)].found.value_or(0));
    }
}

RankMapDialog::Ranks RankMapDialog::ranks() const
{
    Ranks ranks = m_chosen;
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const File& file = m_files[static_cast<std::size_t>(row)];
        const int rank = qobject_cast<const QSpinBox*>(m_table->cellWidget(row, Rank))->value();
        if (rank != file.found)
            ranks[file.end] = rank;
    }
    return ranks;
}

} // namespace collscope
