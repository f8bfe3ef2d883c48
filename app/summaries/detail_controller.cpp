// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/summaries/detail_controller.h"

#include "app/parts/window_context.h"
#include "model/text/shell_word.h"
#include "views/collectives/straggler_panel.h"
#include "views/common/format.h"
#include "views/ranks/rank_tree.h"
#include "views/summary/summary_view.h"
#include "views/widgets/banner.h"

#include <QClipboard>
#include <QFile>
#include <QFileInfo>
#include <QGuiApplication>

#include <algorithm>
#include <set>

namespace collscope {

namespace {

/// The ranks of each file.
std::vector<std::set<std::int32_t>> ranksOfSources(const TraceModel& model)
{
    std::vector<std::set<std::int32_t>> ranks(model.sources.size());
    for (const Timeline& timeline : model.timelines)
        ranks[timeline.source.value].insert(timeline.rank);
    return ranks;
}

/// Whether the file that was summarized is still there. Another one may have its name by now.
bool isThere(const SourceInfo& source, const QString& path)
{
    return QFileInfo::exists(path) && QFileInfo(path).size() == static_cast<qint64>(source.bytes);
}

void addOnce(QStringList& list, const QString& text)
{
    if (!list.contains(text))
        list << text;
}

} // namespace

DetailController::DetailController(WindowContext& context, const RankSummariesView& view,
                                   const SummaryView& findings, const StragglerPanel& stragglers,
                                   const RankTree& ranks)
    : Controller(context)
{
    const auto openOne = [this](std::int32_t rank) { open({rank}); };
    connect(&findings, &SummaryView::rankActivated, this, openOne);
    connect(&stragglers, &StragglerPanel::rankActivated, this, openOne);
    connect(&ranks, &RankTree::rankActivated, this, openOne);
    connect(&view, &RankSummariesView::detailWanted, this, &DetailController::open);
    connect(&view, &RankSummariesView::commandsWanted, this,
            [this](const auto& wanted) { copyCommands(wanted, tracesOf(wanted)); });
    connect(&state().run(), &RunContext::modelChanged, this,
            [this] { this->context().banner->retract(QStringLiteral("detail")); });
}

DetailController::Traces DetailController::tracesOf(const std::vector<std::int32_t>& ranks) const
{
    const TraceModel& model = *state().run().model();
    const std::vector<std::set<std::int32_t>> ofSources = ranksOfSources(model);
    Traces traces;
    for (const Timeline& timeline : model.timelines) {
        if (!std::binary_search(ranks.begin(), ranks.end(), timeline.rank))
            continue;
        const SourceInfo& source = model.sources[timeline.source.value];
        const QString path = QFile::decodeName(source.path.c_str());
        addOnce(isThere(source, path) ? traces.found : traces.missing, path);
        if (!timeline.isRankAssumed)
            continue;
        traces.areUnstated = true;
        // A rank that is given to a file is that of all its timelines.
        const bool isOfOneRank = ofSources[timeline.source.value].size() == 1;
        if (isOfOneRank)
            traces.options.ranks[source.path] = timeline.rank;
        // The devices of the only host that is open are the ranks, whatever is given.
        const bool isOfDevices = timeline.kind == SourceKind::Nsys || timeline.isXla;
        traces.mayBeRenumbered
            |= (!isOfOneRank || isOfDevices) && timeline.rank != std::max(timeline.device, 0);
    }
    return traces;
}

void DetailController::open(const std::vector<std::int32_t>& ranks)
{
    if (!state().run().model()->isSummarized())
        return;
    const Traces traces = tracesOf(ranks);
    context().banner->retract(QStringLiteral("detail"));
    if (!traces.missing.isEmpty())
        tellMissing(ranks, traces);
    else if (traces.mayBeRenumbered)
        context().banner->showMessage(
            {BannerTone::Information,
             tr("Some of the files do not state their ranks. In the new window, these may have other "
                "numbers than here: they count from 0."),
             QStringLiteral("detail")});
    if (!traces.found.isEmpty())
        emit opened(traces.found, traces.options);
}

void DetailController::tellMissing(const std::vector<std::int32_t>& ranks, const Traces& traces)
{
    const QStringList& missing = traces.missing;
    const QString what = missing.size() == 1
        ? tr("%1 is not here, or has changed since it was summarized.").arg(missing.front())
        : tr("%1 and %n more are not here, or have changed since they were summarized.", nullptr,
             static_cast<int>(missing.size()) - 1)
              .arg(missing.front());
    const QString how = tr("Where the traces are, three commands get the events of rank(s) %1.", nullptr,
                           static_cast<int>(ranks.size()))
                            .arg(RankSummariesView::rangesText(ranks));
    context().banner->showMessage({traces.found.isEmpty() ? BannerTone::Warning : BannerTone::Information,
                                   what + u'\n' + how, QStringLiteral("detail"), tr("Copy the commands"),
                                   [this, ranks, traces] { copyCommands(ranks, traces); }});
}

QString DetailController::commandsFor(const std::vector<std::int32_t>& ranks, const Traces& traces)
{
    QStringList files;
    for (const QString& path : traces.found + traces.missing)
        files << toText(shellWord(QFile::encodeName(path).toStdString()));
    QString name = QStringLiteral("ranks-%1").arg(ranks.front());
    if (ranks.size() > 1)
        name += QStringLiteral("-%1").arg(ranks.back());
    return QStringList{QStringLiteral("collscope --batch plan %1 --tasks 1 --keep all -o %2.json")
                           .arg(files.join(u' '), name),
                       QStringLiteral("collscope --batch reduce %1.json --task 0 -o %1").arg(name),
                       QStringLiteral("collscope %1").arg(name)}
        .join(u'\n');
}

void DetailController::copyCommands(const std::vector<std::int32_t>& ranks, const Traces& traces)
{
    QGuiApplication::clipboard()->setText(commandsFor(ranks, traces));
    const QString copied = tr("Copied three commands that get the events of rank(s) %1", nullptr,
                              static_cast<int>(ranks.size()))
                               .arg(RankSummariesView::rangesText(ranks));
    context().tell(traces.areUnstated ? tr("%1. Some of the files do not state their ranks: in the run that "
                                           "the commands make, these count from 0.")
                                            .arg(copied)
                                      : copied);
}

} // namespace collscope
