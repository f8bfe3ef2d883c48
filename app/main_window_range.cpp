// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The range label on the timeline and the tab "Range".

#include "app/main_window.h"
#include "app/metrics_controller.h"
#include "views/search/search_bar.h"
#include "views/tables/range_panel.h"
#include "views/tables/table_text.h"
#include "views/timeline/timeline_view.h"

namespace collscope {

void MainWindow::connectRange()
{
    connect(&m_rangeJob, &RangeJob::finished, this, &MainWindow::rangeSummarized);
    connect(m_timeline, &TimelineView::rangeMetricsWanted, this, [this] { m_numbers->showSelectedRange(); });
    connect(m_range, &RangePanel::nameWanted, m_search,
            [this](const QString& name) { m_search->ask(SliceQuestion::ofName(name)); });
}

void MainWindow::connectTables()
{
    for (const TableExport* table : findChildren<TableExport*>()) {
        connect(table, &TableExport::wanted, this, [this](const QString& name, const QByteArray& csv) {
            saveExport(name, tr("CSV (*.csv)"), csv);
        });
    }
}

} // namespace collscope
