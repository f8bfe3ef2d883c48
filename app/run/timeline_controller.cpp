// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/run/timeline_controller.h"

#include "app/parts/actions.h"
#include "app/parts/window_context.h"
#include "app/run/kernel_rule_controller.h"
#include "views/common/format.h"
#include "views/search/search_bar.h"
#include "views/timeline/timeline_view.h"
#include "views/widgets/banner.h"
#include "views/widgets/quick_pick.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QLineEdit>
#include <QMenu>

namespace collscope {

TimelineController::TimelineController(WindowContext& context, TimelineView& timeline, QWidget& standIn,
                                       QuickPick& quickPick, KernelRuleController& kernelRules)
    : Controller(context)
    , m_timeline(timeline)
    , m_standIn(standIn)
    , m_quickPick(quickPick)
{
    bindCommands();
    connect(&m_timeline, &TimelineView::noticed, this,
            [this](const QString& text) { this->context().tell(text); });
    connect(&m_timeline, &TimelineView::menuOpening, this,
            [this, &kernelRules](QMenu* menu) { extendMenu(*menu, kernelRules); });
    connect(context.banner, &Banner::closed, this, &TimelineController::focus);
}

void TimelineController::bindCommands()
{
    const std::pair<QString, std::function<void(TimelineView&)>> commands[]{
        {QStringLiteral("zoomIn"), [](TimelineView& view) { view.navigator().zoomIn(); }},
        {QStringLiteral("zoomOut"), [](TimelineView& view) { view.navigator().zoomOut(); }},
        {QStringLiteral("fitAll"), [](TimelineView& view) { view.navigator().fitAll(); }},
        {QStringLiteral("fit"), [](TimelineView& view) { view.navigator().fitSelection(); }},
        {QStringLiteral("openThreads"), [](TimelineView& view) { view.rows().setThreadsOpen(true); }},
        {QStringLiteral("closeThreads"), [](TimelineView& view) { view.rows().setThreadsOpen(false); }},
        {QStringLiteral("toggleThreads"),
         [](TimelineView& view) { view.rows().setThreadsOpen(!view.rows().areThreadsOpen()); }},
        {QStringLiteral("pin"), [](TimelineView& view) { view.rows().togglePin(); }},
        {QStringLiteral("filterRows"), &TimelineView::editFilter},
        {QStringLiteral("collapseRanks"), [](TimelineView& view) { view.rows().setRanksCollapsed(true); }},
        {QStringLiteral("expandRanks"), [](TimelineView& view) { view.rows().setRanksCollapsed(false); }},
        {QStringLiteral("nextRank"), [](TimelineView& view) { view.navigator().walkCollective(1); }},
        {QStringLiteral("previousRank"), [](TimelineView& view) { view.navigator().walkCollective(-1); }},
        {QStringLiteral("parent"), [](TimelineView& view) { view.navigator().selectInStack(-1); }},
        {QStringLiteral("child"), [](TimelineView& view) { view.navigator().selectInStack(1); }}};
    Actions& actions = *context().actions;
    for (const auto& [id, command] : commands)
        actions.bind(id, &m_timeline, [this, run = command] { run(m_timeline); });
    actions.bind(QStringLiteral("back"), this, [this] { state().viewport().goBack(); });
    actions.bind(QStringLiteral("forward"), this, [this] { state().viewport().goForward(); });
    actions.bind(QStringLiteral("goToTrack"), this, [this] { goToTrack(); });
}

void TimelineController::extendMenu(QMenu& menu, KernelRuleController& kernelRules)
{
    const Actions& actions = *context().actions;
    if (state().selection().slice())
        menu.addAction(actions.action(QStringLiteral("findSame")));
    if (state().selection().range())
        menu.addAction(actions.action(QStringLiteral("listRange")));
    if (state().selection().slice())
        menu.addAction(actions.action(QStringLiteral("whatIfHere")));
    kernelRules.extend(menu);
    menu.addAction(actions.action(QStringLiteral("copyLocation")));
    if (!state().selection().collective())
        return;
    menu.addSeparator();
    menu.addAction(actions.action(QStringLiteral("nextRank")));
    menu.addAction(actions.action(QStringLiteral("explainHere")));
}

void TimelineController::focus()
{
    QWidget* focus = QApplication::focusWidget();
    bool isTyping = qobject_cast<const QLineEdit*>(focus) || qobject_cast<const QAbstractSpinBox*>(focus);
    for (const QWidget* part = focus; part && !isTyping; part = part->parentWidget())
        isTyping = qobject_cast<const SearchBar*>(part) != nullptr;
    if (!isTyping && !m_quickPick.isOpen())
        (m_standIn.isHidden() ? static_cast<QWidget&>(m_timeline) : m_standIn).setFocus();
}

/// Lists every stream, annotation lane and thread of every rank, including collapsed and hidden ones.
void TimelineController::goToTrack()
{
    const TraceModelPtr model = state().run().model();
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
        const QString place = toText(state().run().mesh().labelOf(timeline.rank));
        const QString rank = (tr("rank %1").arg(timeline.rank) + QLatin1Char(' ') + place).trimmed();
        for (const TrackId id : timeline.tracks) {
            const Track& track = model->track(id);
            if (track.slices.isEmpty() && track.instants.size() == 0)
                continue;
            items.push_back(
                {QString::number(id.value), toText(model->text(track.name)), rank, kindOf(track)});
        }
    }
    m_quickPick.open(std::move(items), tr("Go to track"), [this, model](const QString& id) {
        if (state().run().model() == model) // the run may have changed in the meantime
            m_timeline.navigator().goToTrack(TrackId{id.toUInt()});
    });
}

} // namespace collscope
