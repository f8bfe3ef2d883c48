// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What a person waits for after loading: frames of the timeline, and metrics of a range.

#include "app/parts/painting_threads.h"
#include "app/runtime/thread_pool.h"
#include "metrics/analysis/analysis.h"
#include "metrics/analysis/range_summary.h"
#include "metrics/findings/finding.h"
#include "model/queries/slice_search.h"
#include "tests/bench/references.h"
#include "tests/bench/suites.h"
#include "tests/bench/synthetic_model.h"
#include "views/collectives/lateness_canvas.h"
#include "views/rows/group_lanes.h"
#include "views/timeline/timeline_view.h"

#include <QCoreApplication>
#include <QImage>
#include <QScrollBar>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <thread>
#include <tuple>

namespace collscope::bench {

namespace {

using Clock = std::chrono::steady_clock;

void addWithGoal(const Settings& settings, Report& report, const QString& name, double ms, double goalMs)
{
    report.add({QStringLiteral("Metrics of a range, 10 M slices"),
                name,
                ms,
                QStringLiteral("ms"),
                {},
                std::nullopt,
                QStringLiteral("<= %1").arg(goalMs),
                settings.smoke ? std::nullopt : std::optional(ms <= goalMs)});
}

TraceModelPtr modelFor(const Settings& settings)
{
    return syntheticModel(settings.smoke ? 100'000 : 10'000'000);
}

double percentile(std::vector<double> values, double share)
{
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

/// What is shown while frames are measured.
struct Scene
{
    TraceModelPtr model;
    RunCollectivesPtr collectives; ///< nullptr: no lanes of process groups
    bool threadsOpen = false;
    bool groupsOpen = false;
    bool everythingOn = false; ///< search, marks, pins, a selected range, several slices
};

/// What a person has on screen in the middle of the work.
void switchEverythingOn(ViewState& state, TimelineView& view)
{
    const TraceModelPtr model = state.run().model();
    const auto isWanted = [](std::string_view name) { return name.find('m') != std::string_view::npos; };
    state.emphasis().setMatches(findSlices(*model, isWanted));
    const std::int64_t length = model->range.lengthNs();
    for (int mark = 0; mark < 40; ++mark) {
        const std::int64_t time = model->range.beginNs + length / 41 * mark;
        state.run().edits()->keepMark(time);
        state.run().edits()->setNote(time, QStringLiteral("mark %1").arg(mark));
    }
    const std::int64_t middle = model->range.beginNs + length / 2;
    state.selection().setRange(TimeRange{middle, middle + length / 10});
    state.selection().setSummary(
        summarizeRange(*model, state.run().clocks(), *state.selection().range(), {}, [] { return false; }));
    for (std::uint32_t row = 0; row < 6; ++row)
        state.selection().toggleSlice({TrackId{0}, row});
    const std::vector<TimelineRow> rows = view.layout().rows();
    int pinned = 0;
    for (const TimelineRow& row : rows) {
        if (row.kind == RowKind::Stream && pinned < 3 && row.key.rank == pinned + 1) {
            state.run().edits()->setPinned(row.key, true);
            ++pinned;
        }
    }
    view.rows().setOpen({0}, view.rows().choices().openThreads, view.rows().choices().openGroups, 1);
}

/// Milliseconds of each frame while panning at every zoom, from the whole run down to microseconds.
std::vector<double> frames(const Scene& scene, QSize size, bool smoke)
{
    const TraceModelPtr& model = scene.model;
    ViewState state;
    TimelineView view(&state);
    view.resize(size);
    view.setParallel(paintingThreads());
    view.show();
    state.setModel(model);
    view.rows().setThreadsOpen(scene.threadsOpen);
    if (scene.collectives) {
        state.setCollectives(scene.collectives);
        state.setGroups(layOutGroups(*model, scene.collectives, state.run().clockChoice()));
    }
    view.rows().setGroupsOpen(scene.groupsOpen);
    if (scene.everythingOn)
        switchEverythingOn(state, view);
    QCoreApplication::processEvents();
    QImage image(size, QImage::Format_RGB32);
    // As when the window shows a frame: the viewport paints all of itself, nothing behind it is painted.
    const auto paint = [&] { view.viewport()->render(&image, QPoint(), QRegion(), QWidget::RenderFlags()); };
    paint(); // fonts are made once
    std::vector<double> milliseconds;
    const int pans = smoke ? 2 : 12;
    for (std::int64_t length = model->range.lengthNs(); length > 2'000; length /= 2) {
        for (int pan = 0; pan < pans; ++pan) {
            // Places that do not repeat at another zoom, and a pan by a fraction of the view.
            const std::int64_t room = model->range.lengthNs() - length;
            const std::int64_t begin
                = model->range.beginNs + room / 3 + std::min(room - room / 3, pan * length / 7);
            state.viewport().setVisibleRange({begin, begin + length});
            const auto start = Clock::now();
            paint();
            milliseconds.push_back(millisecondsSince(start));
        }
    }
    return milliseconds;
}

/// Milliseconds of frames beside the bar for them, which is lower on a larger screen.
void addFrames(Report& report, const Settings& settings, const QString& suite, const QString& name,
               const std::vector<double>& each, bool large)
{
    const auto add = [&](const QString& what, double value, const QString& goal, double bound) {
        report.add({suite,
                    name + what,
                    value,
                    QStringLiteral("ms"),
                    {},
                    std::nullopt,
                    goal,
                    goal.isEmpty() || settings.smoke ? std::nullopt : std::optional(value <= bound)});
    };
    add(QStringLiteral(", p50"), percentile(each, 0.5), {}, 0);
    add(QStringLiteral(", p95"), percentile(each, 0.95), large ? QString() : QStringLiteral("<= 8 / 4"), 8);
    add(QStringLiteral(", max"), percentile(each, 1),
        large ? QStringLiteral("<= 33") : QStringLiteral("<= 16.6"), large ? 33 : 16.6);
}

void addFrames(Report& report, const Settings& settings, const QString& suite, const Scene& scene, QSize size)
{
    const QString name = QStringLiteral("%1x%2%3%4%5")
                             .arg(size.width())
                             .arg(size.height())
                             .arg(scene.threadsOpen ? QStringLiteral(", threads open") : QString(),
                                  scene.groupsOpen ? QStringLiteral(", groups open") : QString(),
                                  scene.everythingOn ? QStringLiteral(", everything on") : QString());
    addFrames(report, settings, suite, name, frames(scene, size, settings.smoke), size.width() > 1920);
}

/// 64 ranks with 20 000 collectives each.
TraceModelPtr jobFor(const Settings& settings)
{
    return syntheticJob(settings.smoke ? 8 : 64, settings.smoke ? 200 : 20'000, true);
}

/// Milliseconds from the wish to cancel until the computation has ended.
double cancelLatency(const TraceModel& model, const MetricOptions& options)
{
    std::atomic<bool> cancelled = false;
    MetricOptions cancellable = options;
    cancellable.cancelled = [&] { return cancelled.load(); };
    Clock::time_point wished;
    std::thread canceller([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(15));
        wished = Clock::now();
        cancelled = true;
    });
    for (const MetricDescriptor& metric : allMetrics()) {
        if (!cancelled)
            evaluate(model, *findMetric(metric.id), cancellable);
    }
    const auto ended = Clock::now();
    canceller.join();
    return std::max(0.0, std::chrono::duration<double, std::milli>(ended - wished).count());
}

} // namespace

void measureFrames(const Settings& settings, Report& report)
{
    const TraceModelPtr model = modelFor(settings);
    for (const QSize size : {QSize(1920, 1080), QSize(3840, 2160)}) {
        for (const bool threadsOpen : {false, true})
            addFrames(report, settings, QStringLiteral("Frames, pan and zoom, 8 ranks, 64 tracks"),
                      {model, nullptr, threadsOpen, false}, size);
        addFrames(report, settings, QStringLiteral("Frames, pan and zoom, 8 ranks, 64 tracks"),
                  {model, nullptr, true, false, true}, size);
    }
}

void measureLanes(const Settings& settings, Report& report)
{
    const TraceModelPtr model = jobFor(settings);
    const RunCollectivesPtr run = matchRun(*model, MetricOptions());
    const QString suite
        = QStringLiteral("Frames with lanes of process groups, 64 ranks, 20 000 collectives each");
    for (const bool groupsOpen : {false, true})
        addFrames(report, settings, suite, {model, run, false, groupsOpen}, QSize(1920, 1080));
    const auto start = Clock::now();
    layOutGroups(*model, run, ClockChoice::Auto);
    report.add({suite,
                QStringLiteral("lanes laid out, beside the window's thread"),
                millisecondsSince(start),
                QStringLiteral("ms"),
                {},
                std::nullopt,
                {},
                std::nullopt});
}

void measureLateness(const Settings& settings, Report& report)
{
    const TraceModelPtr model = jobFor(settings);
    ViewState state;
    state.setModel(model);
    state.setCollectives(matchRun(*model, MetricOptions()));
    LatenessCanvas canvas(&state);
    canvas.resize(1920, 1080);
    canvas.show();
    canvas.setGrid(layOutLateness(listCollectives(model, state.run().collectives(), ClockChoice::Auto),
                                  LatenessRequest()));
    QCoreApplication::processEvents();
    QImage image(canvas.viewport()->size(), QImage::Format_RGB32);
    std::vector<double> milliseconds;
    const auto paint = [&] {
        const auto start = Clock::now();
        canvas.viewport()->render(&image, QPoint(), QRegion(), QWidget::RenderFlags());
        milliseconds.push_back(millisecondsSince(start));
    };
    const int zooms = settings.smoke ? 2 : 16;
    for (int zoom = 0; zoom < zooms; ++zoom) {
        QScrollBar& bar = *canvas.horizontalScrollBar();
        for (int pan = 0; pan < 12; ++pan) {
            bar.setValue(bar.maximum() / 3 + pan * bar.pageStep() / 7);
            paint();
        }
        canvas.zoomAround(canvas.viewport()->width() / 2.0, 2);
    }
    addFrames(report, settings,
              QStringLiteral("Map of lateness, pan and zoom, 64 ranks, 20 000 collectives each"),
              QStringLiteral("1920x1080"), milliseconds, false);
}

void measureMetrics(const Settings& settings, Report& report)
{
    const TraceModelPtr model = modelFor(settings);
    // As in the window: the collectives are matched once, then every range asks, with all cores.
    const RunCollectivesPtr collectives = matchRun(*model, MetricOptions());
    const Parallel threads = threadPool(0);
    MetricOptions options;
    options.collectives = collectives;
    options.parallel = threads;
    const auto medianOf = [&](const std::function<void(Analysis&)>& measured) {
        std::vector<double> milliseconds;
        for (int run = 0; run < settings.runs; ++run) {
            const auto start = Clock::now();
            Analysis analysis(*model, options);
            measured(analysis);
            milliseconds.push_back(millisecondsSince(start));
        }
        return median(milliseconds);
    };
    addWithGoal(settings, report, QStringLiteral("findings of the run"),
                medianOf([](Analysis& analysis) { std::ignore = findCosts(analysis); }), 1000);
    // Results over whole files do not depend on the range; the window keeps them (app/jobs/metric_job.h).
    std::vector<std::string> ofRange;
    Analysis opened(*model, options);
    for (const MetricDescriptor& metric : allMetrics()) {
        const MetricResult result = evaluate(opened, *findMetric(metric.id));
        if (result.state != MetricState::Value || result.window != "whole file")
            ofRange.emplace_back(metric.id);
    }
    for (const double share : {0.01, 0.3, 1.0}) {
        const auto length = static_cast<std::int64_t>(share * static_cast<double>(model->range.lengthNs()));
        const std::int64_t begin = model->range.beginNs + (model->range.lengthNs() - length) / 2;
        options.range = TimeRange{begin, begin + length};
        addWithGoal(settings, report, QStringLiteral("all metrics of %1 % of the run").arg(share * 100),
                    medianOf([&](Analysis& analysis) {
                        for (const std::string& id : ofRange)
                            evaluate(analysis, *findMetric(id));
                    }),
                    250);
    }
    addWithGoal(settings, report, QStringLiteral("cancel"), cancelLatency(*model, options), 50);
}

} // namespace collscope::bench
