// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What a person sees of a load: the first picture, progress, how soon it can be stopped, and the memory of a
// window with everything in it.

#include "tests/bench/references.h"
#include "tests/bench/suites.h"
#include "tests/bench/window_child.h"

#include <QDir>

#include <algorithm>
#include <functional>

namespace collscope::bench {

namespace {

/// The median of one figure over several windows.
double medianOf(const std::vector<WindowResult>& results,
                const std::function<double(const WindowResult&)>& figure)
{
    std::vector<double> values;
    for (const WindowResult& result : results)
        values.push_back(figure(result));
    return median(values);
}

std::vector<WindowResult> measureWindows(const Settings& settings, const QString& path)
{
    std::vector<WindowResult> results;
    for (int run = 0; run < settings.runs; ++run)
        results.push_back(measureWindow(path));
    return results;
}

} // namespace

void measureWindowLoads(const Settings& settings, Report& report)
{
    const QString suite = QStringLiteral("Window, while it loads");
    const auto add
        = [&](const QString& name, double value, const QString& unit, const QString& goal, double bound) {
              report.add({suite,
                          name,
                          value,
                          unit,
                          {},
                          std::nullopt,
                          goal,
                          settings.smoke || goal.isEmpty() ? std::nullopt
                                                           : std::optional(value >= 0 && value <= bound)});
          };
    const int size = settings.smoke ? 6 : 1000;
    const QString large = kinetoFile(settings, QStringLiteral("%1MB/rank0_trace.json").arg(size), size, 0, 1);
    const std::vector<WindowResult> one = measureWindows(settings, large);
    const double load = medianOf(one, [](const WindowResult& r) { return r.loadedMs; });
    const QString name = QStringLiteral("%1 MB, ").arg(size);
    add(name + QStringLiteral("all of it on show"), load, QStringLiteral("ms"), {}, 0);
    add(name + QStringLiteral("first picture"),
        medianOf(one, [](const WindowResult& r) { return r.firstPaintMs; }), QStringLiteral("ms"),
        QStringLiteral("<= load / 3 or 600"), std::max(load / 3, 600.0));
    add(name + QStringLiteral("longest time without progress"),
        medianOf(one, [](const WindowResult& r) { return r.longestSilenceMs; }), QStringLiteral("ms"),
        QStringLiteral("<= 100"), 100);
    add(name + QStringLiteral("longest time without an answer to keys"),
        medianOf(one, [](const WindowResult& r) { return r.longestStallMs; }), QStringLiteral("ms"), {}, 0);
    add(name + QStringLiteral("cancel"), medianOf(one, [](const WindowResult& r) { return r.cancelMs; }),
        QStringLiteral("ms"), QStringLiteral("<= 100"), 100);

    const int each = settings.smoke ? 2 : 97;
    for (int rank = 0; rank < 8; ++rank)
        kinetoFile(settings, QStringLiteral("8x%1MB/rank%2_trace.json").arg(each).arg(rank), each, rank, 8);
    const std::vector<WindowResult> ranks
        = measureWindows(settings, QDir(settings.folder).filePath(QStringLiteral("8x%1MB").arg(each)));
    const WindowResult empty = measureWindow({});
    const auto perEvent = [&](std::uint64_t WindowResult::*bytes) {
        return medianOf(ranks, [&](const WindowResult& r) {
            return (static_cast<double>(r.*bytes) - static_cast<double>(empty.*bytes))
                / static_cast<double>(r.events);
        });
    };
    const QString eight = QStringLiteral("8 x %1 MB, ").arg(each);
    add(eight + QStringLiteral("all of it on show"),
        medianOf(ranks, [](const WindowResult& r) { return r.loadedMs; }), QStringLiteral("ms"), {}, 0);
    add(eight + QStringLiteral("memory over an empty window, peak"), perEvent(&WindowResult::peakBytes),
        QStringLiteral("B/event"), QStringLiteral("<= 100 / 80"), 100);
    add(eight + QStringLiteral("in the end"), perEvent(&WindowResult::residentBytes),
        QStringLiteral("B/event"), {}, 0);
}

} // namespace collscope::bench
