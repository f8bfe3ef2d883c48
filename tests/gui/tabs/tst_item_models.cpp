// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Every table, list and tree of the window keeps to the rules of Qt's item models while runs are opened,
// sorted and filtered: a model that announces its rows wrongly makes a view show, or click, the wrong one.

#include "app/files/resources.h"
#include "tests/gui/driver/window_test.h"
#include "tests/support/suite/suite.h"

#include <QAbstractItemModelTester>
#include <QAbstractItemView>
#include <QAbstractProxyModel>
#include <QHeaderView>
#include <QLineEdit>
#include <QTableView>
#include <QTreeView>

#include <set>

namespace collscope {

class TestItemModels : public WindowTest
{
    Q_OBJECT

private:
    std::set<QAbstractItemModel*> m_watched;
    std::vector<std::unique_ptr<QAbstractItemModelTester>> m_testers;

    void writeFiles() override { writeSmallRun(runPath()); }
    void openFirst() override
    {
        m_testers.clear();
        m_watched.clear();
        watchAll();
    }
    /// Watches our own models of all views. Qt's, of its list and tree widgets, are not ours to judge. Models
    /// come with their run.
    void watchAll()
    {
        for (const auto* const view : m_window->findChildren<QAbstractItemView*>()) {
            for (QAbstractItemModel* model = view->model(); model;) {
                const QLatin1String name(model->metaObject()->className());
                if (name.startsWith(QLatin1String("collscope::")) && m_watched.insert(model).second)
                    m_testers.push_back(std::make_unique<QAbstractItemModelTester>(
                        model, QAbstractItemModelTester::FailureReportingMode::QtTest));
                auto* const proxy = qobject_cast<QAbstractProxyModel*>(model);
                model = proxy ? proxy->sourceModel() : nullptr;
            }
        }
    }
    static void sortByAll(const QHeaderView& header, QAbstractItemView& view)
    {
        for (int column = 0; column < view.model()->columnCount(); ++column) {
            for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder})
                view.model()->sort(column, order);
        }
        QVERIFY2(header.count() == view.model()->columnCount(), qPrintable(view.objectName()));
    }
    int sortEverything() const
    {
        int rows = 0;
        for (auto* const view : m_window->findChildren<QTableView*>()) {
            rows += view->model() ? view->model()->rowCount() : 0;
            if (view->model() && view->isSortingEnabled())
                sortByAll(*view->horizontalHeader(), *view);
        }
        for (auto* const view : m_window->findChildren<QTreeView*>()) {
            rows += view->model() ? view->model()->rowCount() : 0;
            if (view->model() && view->isSortingEnabled())
                sortByAll(*view->header(), *view);
        }
        return rows;
    }
    void filterEverything(const QString& text) const
    {
        for (auto* const field : m_window->findChildren<QLineEdit*>()) {
            field->setText(text);
            field->setText({});
        }
    }

private slots:
    void keepTheirRulesFromRunToRun()
    {
        QVERIFY(openAndWait(*m_window, {QString::fromStdString(resourceFolder("demo"))}));
        watchAll();
        QVERIFY(m_watched.size() >= 8);
        QVERIFY(sortEverything() > 100);
        state().selection().setRange(state().viewport().visibleRange());
        QTest::qWait(50);
        filterEverything(QStringLiteral("nccl"));
        QVERIFY(openAndWait(*m_window, {runPath()}));
        watchAll();
        QVERIFY(sortEverything() > 20);
        state().clearSelection();
        filterEverything(QStringLiteral("no row has this name"));
        QVERIFY(sortEverything() > 20);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestItemModels)
#include "tst_item_models.moc"
