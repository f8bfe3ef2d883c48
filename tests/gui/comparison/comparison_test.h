// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What test classes of the comparison share: asking for it, clicking on it, reading it.

#include "app/comparison/comparison_window.h"
#include "tests/gui/driver/window_test.h"
#include "tests/support/runs/compared_runs.h"
#include "views/comparison/delta_table.h"
#include "views/tables/table_text.h"

#include <QLabel>
#include <QTabWidget>

namespace collscope {

/// The window of each test function shows the run "base" of its class' folder.
class ComparisonTest : public WindowTest
{
protected:
    QString path(const char* name) const { return m_folder.filePath(QLatin1String(name)); }
    ComparisonWindow& window() const { return *m_window->comparison(); }
    ComparisonView& view() const { return *window().view(); }

    /// Compares the open run with another, as it is asked for in the window; true once all is on show.
    bool compareWith(const char* name) const
    {
        m_window->compareWith({path(name)});
        return QTest::qWaitFor([this] { return m_window->comparison() && !window().isBusy(); }, 30'000)
            && QTest::qWaitForWindowExposed(&window());
    }
    bool hasText(const QString& part) const
    {
        const QList<QLabel*> labels = window().findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(), [&](const QLabel* label) {
            return label->isVisible() && label->text().contains(part);
        });
    }
    /// Clicks the first row of a table that has that text in its cells; false if there is none.
    bool clickRow(const char* sheet, const QString& text) const
    {
        DeltaTable& table = *view().table(QLatin1String(sheet));
        for (QWidget* page = &table; page; page = page->parentWidget()) {
            if (view().tabs()->indexOf(page) >= 0)
                view().tabs()->setCurrentWidget(page);
        }
        for (int row = 0; row < table.model()->rowCount(); ++row) {
            for (int column = 0; column < table.model()->columnCount(); ++column) {
                const QModelIndex index = table.model()->index(row, column);
                if (index.data().toString() != text)
                    continue;
                table.scrollTo(index);
                QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(index).center());
                return QTest::qWaitFor([this] { return !window().isBusy(); });
            }
        }
        return false;
    }
    /// The column of a sheet with that name in exports; -1 if there is none.
    int columnOf(const char* sheet, const char* key) const
    {
        const QAbstractItemModel& model = *view().table(QLatin1String(sheet))->model();
        int column = model.columnCount() - 1;
        while (column >= 0
               && model.headerData(column, Qt::Horizontal, RawRole).toString() != QLatin1String(key))
            --column;
        return column;
    }
    QString heading(const char* sheet, const char* key) const
    {
        const QAbstractItemModel& model = *view().table(QLatin1String(sheet))->model();
        return model.headerData(columnOf(sheet, key), Qt::Horizontal).toString();
    }
    QString cell(const char* sheet, int row, const char* key, int role = Qt::DisplayRole) const
    {
        const int column = columnOf(sheet, key);
        const QVariant data = view().table(QLatin1String(sheet))->model()->index(row, column).data(role);
        return column < 0                ? QStringLiteral("no column ") + QLatin1String(key)
            : role == Qt::ForegroundRole ? data.value<QColor>().name()
                                         : data.toString();
    }
    static std::string selectedName(RunPane& pane)
    {
        const SliceRef slice = pane.state()->selection().slice();
        return slice ? std::string(pane.run()->model->nameOf(slice)) : std::string();
    }
    /// Where the begin of a step is on the timeline of a run.
    static double xOf(RunPane& pane, std::int64_t step)
    {
        const QRect lanes = pane.timeline()->lanesRect();
        const TimeAxis axis(pane.state()->viewport().visibleRange(), lanes.width());
        return axis.xOf(pane.run()->stepOnAxis(step).value_or(TimeRange()).beginNs);
    }
};

} // namespace collscope
