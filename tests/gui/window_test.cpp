// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/gui/window_test.h"

#include "views/theme.h"

#include <QApplication>
#include <QTabBar>
#include <QTabWidget>

namespace collscope {

void WindowTest::openRun(const SmallRun& run) const
{
    const QTemporaryDir folder;
    run.write(folder.path().toStdString());
    QVERIFY(openAndWait(*m_window, {folder.path()}));
}

void WindowTest::clickTab(QWidget& content) const
{
    for (auto* const tabs : m_window->findChildren<QTabWidget*>()) {
        const int index = tabs->indexOf(&content);
        if (index < 0)
            continue;
        QTest::mouseClick(tabs->tabBar(), Qt::LeftButton, {}, tabs->tabBar()->tabRect(index).center());
        QCOMPARE(tabs->currentWidget(), &content);
        return;
    }
    QFAIL("the window has no such tab");
}

void WindowTest::initTestCase()
{
    applyTheme(*qApp, ThemeChoice::Light);
    writeFiles();
}

void WindowTest::init()
{
    m_window = shownWindow();
    QVERIFY(m_window);
    openFirst();
}

} // namespace collscope
