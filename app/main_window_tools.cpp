// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Tools for all views of the main window: the command list, pictures of a view, messages about problems.

#include "app/command_palette.h"
#include "app/help_window.h"
#include "app/main_window.h"
#include "app/save_file.h"
#include "app/timeline_area.h"
#include "app/view_export.h"
#include "model/building/run_findings.h"
#include "views/charts/gpu_counter_chart.h"
#include "views/charts/nvlink_chart.h"
#include "views/format.h"
#include "views/metrics/metrics_panel.h"
#include "views/tables/problems_view.h"
#include "views/timeline/timeline_view.h"

#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QPointer>
#include <QScrollBar>
#include <QSplitter>
#include <QTabWidget>

#include <algorithm>
#include <utility>

namespace collscope {

void MainWindow::connectTools()
{
    m_quickPick = new QuickPick(this);
    buildExportMenu();
    connectEvidence();
}

void MainWindow::connectEvidence()
{
    constexpr int settledMs = 100;
    m_evidenceTimer.setSingleShot(true);
    m_evidenceTimer.setInterval(settledMs);
    const auto lookAgain = [this] { m_evidenceTimer.start(); };
    connect(&m_evidenceTimer, &QTimer::timeout, this, &MainWindow::offerEvidence);
    connect(&m_state, &ViewState::evidenceChanged, this, [this, lookAgain] {
        m_isEvidenceNew = true;
        lookAgain();
    });
    connect(&m_state, &ViewState::modelChanged, this, lookAgain);
    connect(&m_state, &ViewState::visibleRangeChanged, this, lookAgain);
    connect(m_timeline, &TimelineView::rowsChanged, this, lookAgain);
    connect(m_timeline->verticalScrollBar(), &QScrollBar::valueChanged, this, lookAgain);
}

void MainWindow::offerEvidence()
{
    const QString about = QStringLiteral("evidence");
    const bool isNew = std::exchange(m_isEvidenceNew, false);
    const bool isNone = m_state.evidence().empty() && m_state.evidenceRanges().empty();
    if (!m_state.model() || isNone || m_timeline->isEvidenceInSight())
        m_banner->retract(about);
    else if (isNew) // otherwise it is already shown, or the user closed it
        m_banner->showMessage({BannerTone::Information,
                               tr("The highlighted items are outside the visible part of the timeline."),
                               about, tr("Show them"), [this] { showEvidence(); }});
}

/// Shows the highlighted item that is nearest to the visible range.
void MainWindow::showEvidence()
{
    const TimeRange visible = m_state.visibleRange();
    const auto distance = [&](TimeRange range) {
        return std::max({std::int64_t{0}, range.beginNs - visible.endNs, visible.beginNs - range.endNs});
    };
    const auto nearest = [&](const auto& all, const auto& rangeOf) {
        return std::min_element(all.begin(), all.end(), [&](const auto& a, const auto& b) {
            return distance(rangeOf(a)) < distance(rangeOf(b));
        });
    };
    const auto& slices = m_state.evidence();
    const auto& ranges = m_state.evidenceRanges();
    const auto slice = nearest(slices, [&](SliceRef one) { return m_state.rangeOf(one); });
    const auto range = nearest(ranges, [](TimeRange one) { return one; });
    if (slice != slices.end())
        m_state.revealSlice(*slice, true);
    else if (range != ranges.end())
        m_state.showRange(*range);
}

void MainWindow::showCommands()
{
    openCommandPalette(*m_quickPick, m_actions->menus());
}

/// Lists every stream, annotation lane and thread of every rank, including collapsed and hidden ones.
void MainWindow::goToTrack()
{
    const TraceModelPtr model = m_state.model();
    if (!model)
        return;
    const auto kindOf = [](const Track& track) {
        switch (track.kind) {
        case TrackKind::GpuStream:
            return track.communication ? tr("communication") : tr("GPU stream");
        case TrackKind::GpuAnnotation:
            return tr("annotations");
        default:
            return tr("CPU thread");
        }
    };
    std::vector<QuickPickItem> items;
    for (const Timeline& timeline : model->timelines) {
        const QString place = toText(m_state.mesh().labelOf(timeline.rank));
        const QString rank = (tr("rank %1").arg(timeline.rank) + QLatin1Char(' ') + place).trimmed();
        for (const TrackId id : timeline.tracks) {
            const Track& track = model->track(id);
            if (track.slices.isEmpty() && track.instants.size() == 0)
                continue;
            items.push_back(
                {QString::number(id.value), toText(model->text(track.name)), rank, kindOf(track)});
        }
    }
    m_quickPick->open(std::move(items), tr("Go to track"), [this, model](const QString& id) {
        if (m_state.model() == model) // the run may have changed in the meantime
            m_timeline->goToTrack(TrackId{id.toUInt()});
    });
}

void MainWindow::buildExportMenu()
{
    auto* menu = new QMenu(tr("Export a &view"), this);
    menu->setToolTipsVisible(true);
    m_actions->menu(MenuId::File)->insertMenu(m_actions->action(QStringLiteral("exportCsv")), menu);
    const auto add = [&](const QString& id, const QString& text, const QString& part,
                         const std::function<QWidget*()>& widget) {
        QAction* action = menu->addAction(text, this, [this, part, widget] { exportView(part, widget()); });
        action->setObjectName(id);
        return action;
    };
    add(QStringLiteral("exportWindow"), tr("&Whole window..."), tr("window"), [this] { return this; });
    add(QStringLiteral("exportTimeline"), tr("&Timeline and NVLink..."), tr("timeline"),
        [this] { return m_area; });
    QAction* chart = add(QStringLiteral("exportChart"), tr("&NVLink..."), tr("nvlink"), [this]() -> QWidget* {
        return m_area->nvlink()->device() ? static_cast<QWidget*>(m_area->nvlink()) : m_area->gpuCounters();
    });
    add(QStringLiteral("exportPanel"), tr("&Metrics..."), tr("metrics"), [this] { return m_metrics; });
    add(QStringLiteral("exportTab"), tr("Current ta&b..."), tr("tab"),
        [this] { return m_tabs->currentWidget(); });
    const auto update = [this, menu, chart] {
        const bool hasRun = m_state.model() != nullptr;
        const bool hasNvlink = hasRun && (m_area->nvlink()->device() || hasNvlinkCounters(*m_state.model()));
        for (QAction* action : menu->actions()) {
            action->setEnabled(hasRun && (action != chart || hasNvlink));
            action->setToolTip(action->isEnabled() ? QString()
                                   : hasRun        ? tr("This run has no NVLink counters")
                                                   : tr("Open a run first"));
        }
    };
    connect(&m_state, &ViewState::modelChanged, menu, update);
    update();
}

void MainWindow::exportView(const QString& part, QWidget* widget)
{
    const QString run = QString::fromStdString(m_state.model()->title);
    const QString title = tr("%1 \u2014 %2").arg(run, part);
    askWhereToSave(this, tr("Export a view"),
                   fileNameOf(run + QLatin1Char('-') + part) + QStringLiteral(".png"), pictureFilters(),
                   [this, title, shown = QPointer<QWidget>(widget)](const QString& path) {
                       if (shown)
                           tellSaved(m_bar, *m_banner, path, savePicture(path, *shown, title));
                   });
}

void MainWindow::openGuide(const QString& place)
{
    if (!showGuide(place))
        m_banner->showMessage(
            {BannerTone::Error, tr("The guide is not installed."), QStringLiteral("guide")});
}

void MainWindow::showFindings()
{
    m_banner->retract(QStringLiteral("findings"));
    QStringList sentences;
    for (const Diagnostic& problem : m_state.model()->problems.entries()) {
        if (isRunFinding(problem.code) && problem.severity >= Severity::DataLoss)
            sentences << toText(problem.explanation);
    }
    if (!sentences.isEmpty())
        m_banner->showMessage({BannerTone::Warning, sentences.join(QLatin1Char('\n')),
                               QStringLiteral("findings"), tr("Details"), [this] { showTab(m_problems); }});
}

void MainWindow::offerExport()
{
    const QString about = QStringLiteral("reports");
    const int reports = m_loadJob.exportableReports();
    m_banner->retract(about);
    if (reports == 0)
        return;
    m_banner->showMessage(
        {BannerTone::Information,
         tr("%n Nsight Systems report(s) (.nsys-rep) must be exported by nsys before they can be shown.",
            nullptr, reports),
         about, tr("Run nsys export"), [this, request = m_pending] {
             Request exporting = request;
             exporting.options.exportsReports = true;
             start(std::move(exporting));
         }});
}

void MainWindow::reportExclusions()
{
    const std::vector<Diagnostic>& problems = m_state.model()->problems.entries();
    const bool isComplete = std::none_of(problems.begin(), problems.end(), [](const Diagnostic& problem) {
        return problem.severity >= Severity::DataLoss;
    });
    if (isComplete)
        return;
    const std::uint64_t lost = m_state.model()->problems.excludedEvents();
    m_banner->showMessage({BannerTone::Warning,
                           lost == 0       ? tr("Some files of this run could not be used completely.")
                               : lost == 1 ? tr("One event of this run is excluded.")
                                           : tr("%1 events of this run are excluded.").arg(formatCount(lost)),
                           QStringLiteral("run"), tr("Details"), [this] { showTab(m_problems); }});
}

} // namespace collscope
