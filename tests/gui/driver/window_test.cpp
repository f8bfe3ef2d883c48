// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/gui/driver/window_test.h"

#include "views/common/theme.h"
#include "views/search/search_bar.h"

#include <QApplication>
#include <QLineEdit>
#include <QTabBar>
#include <QTabWidget>

#include <cmath>

namespace collscope {

void WindowTest::openRun(const SmallRun& run) const
{
    const QTemporaryDir folder;
    run.write(folder.path().toStdString());
    QVERIFY(openAndWait(*m_window, {folder.path()}));
}

SliceRef WindowTest::slice(const char* name, std::int32_t rank) const
{
    const TraceModel& model = *state().run().model();
    for (std::uint32_t t = 0; t < model.tracks.size(); ++t) {
        for (std::uint32_t row = 0; row < model.tracks[t].slices.size(); ++row) {
            const SliceRef ref{TrackId{t}, row};
            if (model.nameOf(ref) == name && model.timelineOf(ref).rank == rank)
                return ref;
        }
    }
    return {};
}

void WindowTest::press(Qt::Key key, Qt::KeyboardModifiers modifiers) const
{
    QTest::keyClick(&timeline(), key, modifiers);
}

void WindowTest::searchFor(const QString& text) const
{
    timeline().setFocus();
    press(Qt::Key_Slash);
    QLineEdit* const line = m_window->view<SearchBar>()->line();
    QVERIFY(line->hasFocus());
    QTest::keyClicks(line, text);
    QTRY_VERIFY(state().emphasis().matches());
}

QPoint WindowTest::timelinePoint(std::int64_t axisNs, int y) const
{
    const QRect lanes = m_window->view<TimelineView>()->lanesRect();
    const TimeAxis axis(state().viewport().visibleRange(), lanes.width());
    return {lanes.left() + static_cast<int>(std::floor(axis.xOf(axisNs))), y};
}

void WindowTest::hoverTimeline(std::int64_t axisNs, int y) const
{
    const QPoint point = timelinePoint(axisNs, y);
    QTest::mouseMove(m_window->view<TimelineView>()->viewport(), point + QPoint(3, 0));
    QTest::mouseMove(m_window->view<TimelineView>()->viewport(), point);
    QVERIFY(state().selection().hoverTime().has_value());
}

QImage WindowTest::timelineImage() const
{
    return m_window->view<TimelineView>()->viewport()->grab().toImage();
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
