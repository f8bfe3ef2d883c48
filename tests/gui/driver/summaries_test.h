// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What test classes of summaries in the window share: folders of summaries, and what the window shows of one.

#include "metrics/summary/summarized_events.h"
#include "tests/gui/driver/window_test.h"
#include "tests/support/runs/reduced_folder.h"
#include "views/summaries/rank_summaries_view.h"
#include "views/summaries/step_lateness_canvas.h"
#include "views/widgets/banner.h"

#include <QAction>
#include <QApplication>
#include <QDir>
#include <QLabel>
#include <QPushButton>
#include <QTabWidget>

namespace collscope {

class SummariesTest : public WindowTest
{
protected:
    QString path(const char* name) const { return m_folder.filePath(QLatin1String(name)); }
    /// Summaries of the run in a folder, in another one.
    void summarize(const char* run, const char* sums) const
    {
        QVERIFY(writeReduced(path(run).toStdString(), path(sums).toStdString(), 2, Kept::Summaries,
                             summarizeEvents));
    }
    RankSummariesView& view() const { return *m_window->view<RankSummariesView>(); }
    StepLatenessCanvas& canvas() const { return *m_window->view<StepLatenessCanvas>(); }
    Banner& banner() const { return widgetNamed<Banner>(*m_window, "banner"); }
    QTabWidget& tabs() const { return *m_window->findChild<QTabWidget*>(); }
    QPushButton& button(const char* name) const { return widgetNamed<QPushButton>(*m_window, name); }
    /// The object names of the visible tabs, from left to right.
    QStringList shownTabs() const
    {
        QStringList names;
        for (int i = 0; i < tabs().count(); ++i) {
            if (tabs().isTabVisible(i))
                names << tabs().widget(i)->objectName();
        }
        return names;
    }
    static QStringList tabsOfSummaries()
    {
        return {QStringLiteral("summary"), QStringLiteral("stragglers"), QStringLiteral("problems")};
    }
    QAction& action(const char* command) const { return widgetNamed<QAction>(*m_window, command); }
    bool isEnabled(const char* command) const { return action(command).isEnabled(); }
    /// The window that opened beside this one; nullptr if there is none.
    MainWindow* openedWindow() const
    {
        for (QWidget* widget : QApplication::topLevelWidgets()) {
            auto* const window = qobject_cast<MainWindow*>(widget);
            if (window && window != m_window.get() && window->isVisible())
                return window;
        }
        return nullptr;
    }
    /// Closes the other window and returns the ranks whose events it shows; empty without another window.
    std::vector<std::int32_t> openedRanks() const
    {
        MainWindow* const opened = openedWindow();
        if (!opened
            || !QTest::qWaitFor([&] { return opened->viewState()->run().model() != nullptr; }, 20'000))
            return {};
        const TraceModelPtr model = opened->viewState()->run().model();
        opened->close();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        return model->isSummarized() || model->sliceCount() == 0 ? std::vector<std::int32_t>()
                                                                 : model->ranks();
    }
    bool opensEventsOf(const std::vector<std::int32_t>& expected) const { return openedRanks() == expected; }
    QPoint middleOf(std::size_t row, std::size_t column) const
    {
        return canvas().cellRect(row, column).center();
    }
    /// Whether a visible label of a part of the window says this.
    static bool isSaid(const QWidget& part, const QString& words)
    {
        const QList<QLabel*> labels = part.findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(), [&](const QLabel* label) {
            return label->isVisible() && label->text().contains(words);
        });
    }
};

} // namespace collscope
