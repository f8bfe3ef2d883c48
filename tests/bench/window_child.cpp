// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/bench/window_child.h"

#include "app/runtime/memory_policy.h"
#include "app/window/main_window.h"
#include "tests/bench/child.h"
#include "views/timeline/timeline_view.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProgressBar>
#include <QTimer>
#include <QToolButton>

#include <algorithm>
#include <cstdio>

namespace collscope::bench {

namespace {

double milliseconds(const QElapsedTimer& timer)
{
    return static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

/// Runs the event loop until the signal comes.
template<typename Signal>
void waitFor(MainWindow& window, Signal signal)
{
    QEventLoop loop;
    QObject::connect(&window, signal, &loop, &QEventLoop::quit);
    QObject::connect(&window, &MainWindow::openFailed, &loop, [] { qFatal("the run cannot be opened"); });
    loop.exec();
}

/// Opens the run and watches.
void load(MainWindow& window, const QString& path, WindowResult& result)
{
    QElapsedTimer sinceStart;
    QElapsedTimer sinceProgress;
    QElapsedTimer sinceBeat;
    QTimer beat;
    beat.setTimerType(Qt::PreciseTimer);
    QObject::connect(&beat, &QTimer::timeout, &window, [&] {
        result.longestStallMs = std::max(result.longestStallMs, milliseconds(sinceBeat));
        sinceBeat.start();
    });
    const auto* bar = window.findChild<QProgressBar*>();
    QObject::connect(bar, &QProgressBar::valueChanged, &beat, [&] {
        result.longestSilenceMs = std::max(result.longestSilenceMs, milliseconds(sinceProgress));
        sinceProgress.start();
    });
    const auto paint = [&] {
        window.view<TimelineView>()->viewport()->repaint();
        if (result.firstPaintMs == 0)
            result.firstPaintMs = milliseconds(sinceStart);
    };
    QObject::connect(&window, &MainWindow::runPreviewed, &beat, paint);
    sinceStart.start();
    sinceProgress.start();
    sinceBeat.start();
    beat.start(2);
    window.openPaths({path});
    waitFor(window, &MainWindow::runOpened);
    result.longestSilenceMs = std::max(result.longestSilenceMs, milliseconds(sinceProgress));
    paint();
    result.loadedMs = milliseconds(sinceStart);
    while (window.isComputing())
        QApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
}

/// Clicks on Cancel a third into the next load.
double cancelNextLoad(MainWindow& window, const QString& path, double loadMs)
{
    QElapsedTimer sinceClick;
    QTimer click;
    click.setSingleShot(true);
    QObject::connect(&click, &QTimer::timeout, &window, [&] {
        sinceClick.start();
        const auto buttons = window.findChildren<QToolButton*>();
        for (QToolButton* button : buttons) {
            if (button->isVisible() && button->text() == QStringLiteral("Cancel"))
                button->click();
        }
    });
    click.start(static_cast<int>(loadMs / 3));
    bool opened = false;
    QObject::connect(&window, &MainWindow::runOpened, &window, [&] { opened = true; });
    window.openPaths({path});
    while (window.isLoading())
        QApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
    return opened || !sinceClick.isValid() ? -1 : milliseconds(sinceClick);
}

} // namespace

int runWindowChild(const QString& path)
{
    giveFreedMemoryBack();
    MainWindow window(UserSettings::Ignore);
    window.resize(1920, 1080);
    window.show();
    QApplication::processEvents();
    WindowResult result;
    if (!path.isEmpty()) {
        load(window, path, result);
        const TraceModelPtr model = window.viewState()->run().model();
        result.events = model->eventCount();
        for (std::int64_t length = model->range.lengthNs(); length > 10'000; length /= 4) {
            window.viewState()->viewport().setVisibleRange(
                {model->range.beginNs, model->range.beginNs + length});
            window.view<TimelineView>()->viewport()->repaint();
        }
        result.residentBytes = residentBytes();
        result.peakBytes = peakBytes();
        result.cancelMs = cancelNextLoad(window, path, result.loadedMs);
    } else {
        result.residentBytes = residentBytes();
        result.peakBytes = peakBytes();
    }
    const QJsonObject answer{{QStringLiteral("first_paint"), result.firstPaintMs},
                             {QStringLiteral("loaded"), result.loadedMs},
                             {QStringLiteral("silence"), result.longestSilenceMs},
                             {QStringLiteral("stall"), result.longestStallMs},
                             {QStringLiteral("cancel"), result.cancelMs},
                             {QStringLiteral("events"), static_cast<double>(result.events)},
                             {QStringLiteral("peak"), static_cast<double>(result.peakBytes)},
                             {QStringLiteral("resident"), static_cast<double>(result.residentBytes)}};
    std::fputs(QJsonDocument(answer).toJson(QJsonDocument::Compact).constData(), stdout);
    return 0;
}

WindowResult measureWindow(const QString& path)
{
    const QJsonObject answer = answerOfChild({QStringLiteral("--child-window"), path});
    const auto number = [&](const char* key) { return answer[QLatin1String(key)].toDouble(); };
    WindowResult result;
    result.firstPaintMs = number("first_paint");
    result.loadedMs = number("loaded");
    result.longestSilenceMs = number("silence");
    result.longestStallMs = number("stall");
    result.cancelMs = number("cancel");
    result.events = static_cast<std::uint64_t>(number("events"));
    result.peakBytes = static_cast<std::uint64_t>(number("peak"));
    result.residentBytes = static_cast<std::uint64_t>(number("resident"));
    return result;
}

} // namespace collscope::bench
