// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A memory snapshot of a million events: loading it, replaying it, and going through it on the screen.

#include "metrics/memory/history.h"
#include "model/readers/run/load_trace.h"
#include "tests/bench/child.h"
#include "tests/bench/references.h"
#include "tests/bench/suites.h"
#include "tests/support/workloads/planted_memory.h"
#include "views/memory/memory_chart.h"
#include "views/memory/memory_view.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>

#include <algorithm>
#include <chrono>

namespace collscope::bench {

namespace {

using Clock = std::chrono::steady_clock;

/// A widget is painted at moments spread over the whole record; milliseconds of each.
std::vector<double> framesOf(QWidget& widget, ViewState& state, const MemoryHistory& history, int frames)
{
    std::vector<double> times;
    for (int frame = 0; frame < frames; ++frame) {
        const auto start = Clock::now();
        const auto place
            = history.places() * static_cast<std::size_t>(frame) / static_cast<std::size_t>(frames);
        state.selection().setMemoryMoment({history.of, place});
        const TimeRange run = state.run().range();
        const std::int64_t length = run.lengthNs() / (1 + frame % 7);
        const std::int64_t begin = run.beginNs + (run.lengthNs() - length) * frame / frames;
        state.viewport().setVisibleRange({begin, begin + length});
        QCoreApplication::processEvents(); // what a moment asks for with a delay is part of its frame
        widget.grab();
        times.push_back(millisecondsSince(start));
    }
    std::sort(times.begin(), times.end());
    return times;
}

} // namespace

void measureMemory(const Settings& settings, Report& report)
{
    const QString suite = settings.smoke ? QStringLiteral("Memory snapshot, 10 000 events")
                                         : QStringLiteral("Memory snapshot, 1 M events");
    MemoryDescription description;
    description.events = settings.smoke ? 10'000 : 1'000'000;
    description.stacks = 2000;
    const PlantedMemory planted = plantMemory(description);
    const QString path
        = QDir(settings.folder).filePath(QStringLiteral("memory/rank0_memory_snapshot.pickle"));
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)
        || file.write(planted.bytes.data(), static_cast<qint64>(planted.bytes.size()))
            != static_cast<qint64>(planted.bytes.size()))
        return report.fail(QStringLiteral("no memory snapshot could be written"));
    file.close();
    const double megabytes = static_cast<double>(planted.bytes.size()) / 1e6;
    const Reference read = memoryRead(path.toStdString());
    std::vector<double> seconds, ratios;
    for (int run = 0; run < settings.runs; ++run) {
        const double reference = read();
        const ChildResult loaded = measureInChild(1, false, {path});
        seconds.push_back(loaded.seconds);
        ratios.push_back(reference / loaded.seconds);
        if (loaded.events != planted.events)
            report.fail(QStringLiteral("%1 of %2 memory events").arg(loaded.events).arg(planted.events));
    }
    constexpr double leastRate = 100;
    const double rate = megabytes / median(seconds);
    report.add({suite, QStringLiteral("load"), rate, QStringLiteral("MB/s"),
                QStringLiteral("adding up its bytes"), median(ratios), QStringLiteral(">= 100 MB/s"),
                settings.smoke ? std::nullopt : std::optional(rate >= leastRate)});

    const auto plan = planLoad({path.toStdString()}, {});
    const auto model = plan ? loadTrace(*plan, {}) : Result<TraceModelPtr>(plan.error());
    if (!model)
        return report.fail(QStringLiteral("the memory snapshot could not be loaded"));
    const auto start = Clock::now();
    const MemoryHistoryPtr history = memoryHistory(**model, {}, [] { return false; });
    report.add({suite, QStringLiteral("replay"), millisecondsSince(start), QStringLiteral("ms")});
    if (history->levels.allocated[history->peak] != planted.peakAllocated)
        report.fail(QStringLiteral("the replayed peak is not what happened"));

    constexpr double frameMs = 16;
    constexpr double momentMs = 100;
    ViewState state;
    MemoryChart chart(&state);
    MemoryView view(&state);
    chart.resize(1400, 150);
    view.resize(1400, 300);
    state.setModel(*model);
    chart.setHistory(history);
    view.setHistory(history);
    const int frames = settings.smoke ? 5 : 60;
    // One is shown at a time: what is hidden does no work.
    chart.show();
    const auto ofChart = framesOf(chart, state, *history, frames);
    chart.hide();
    view.show();
    const auto ofView = framesOf(view, state, *history, frames);
    const auto p95 = [](const std::vector<double>& sorted) { return sorted[sorted.size() * 95 / 100]; };
    const auto add = [&](const char* name, double value, double bound) {
        report.add({suite,
                    QString::fromLatin1(name),
                    value,
                    QStringLiteral("ms"),
                    {},
                    std::nullopt,
                    QStringLiteral("<= %1").arg(bound),
                    settings.smoke ? std::nullopt : std::optional(value <= bound)});
    };
    add("frame of the chart, p95", p95(ofChart), frameMs);
    add("another moment in the tab, p95", p95(ofView), momentMs);
    QFile::remove(path);
}

} // namespace collscope::bench
