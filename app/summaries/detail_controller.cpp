// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/summaries/detail_controller.h"

#include "app/commands/job_folder.h"
#include "app/parts/window_context.h"
#include "views/collectives/straggler_panel.h"
#include "views/common/format.h"
#include "views/ranks/rank_tree.h"
#include "views/widgets/banner.h"

#include <QClipboard>
#include <QFile>
#include <QFileInfo>
#include <QGuiApplication>

namespace collscope {

namespace {

QString rangeText(const RankBlock& ranks)
{
    const QString first = QString::number(ranks.first);
    return ranks.first == ranks.last ? first : QStringLiteral("%1-%2").arg(first).arg(ranks.last);
}

} // namespace

DetailController::DetailController(WindowContext& context, const RankSummariesView& view,
                                   const StragglerPanel& stragglers, const RankTree& ranks)
    : Controller(context)
{
    const auto openOne = [this](std::int32_t rank) { open({rank, rank}); };
    connect(&stragglers, &StragglerPanel::rankActivated, this, openOne);
    connect(&ranks, &RankTree::rankActivated, this, openOne);
    connect(&view, &RankSummariesView::detailWanted, this, &DetailController::open);
    connect(&view, &RankSummariesView::commandsWanted, this, &DetailController::copyCommands);
    connect(&state().run(), &RunContext::modelChanged, this,
            [this] { this->context().banner->retract(QStringLiteral("detail")); });
}

void DetailController::open(const RankBlock& ranks)
{
    const TraceModel& model = *state().run().model();
    if (!model.isSummarized())
        return;
    QStringList found, missing;
    LoadOptions options;
    for (const Timeline& timeline : model.timelines) {
        if (timeline.rank < ranks.first || timeline.rank > ranks.last)
            continue;
        const SourceInfo& source = model.sources[timeline.source.value];
        const QString path = QFile::decodeName(source.path.c_str());
        // Another file may have the name by now.
        const bool isThere
            = QFileInfo::exists(path) && QFileInfo(path).size() == static_cast<qint64>(source.bytes);
        QStringList& list = isThere ? found : missing;
        if (!list.contains(path))
            list << path;
        if (timeline.isRankAssumed)
            options.ranks[source.path] = timeline.rank;
    }
    context().banner->retract(QStringLiteral("detail"));
    if (!missing.isEmpty())
        tellMissing(ranks, missing, !found.isEmpty());
    if (!found.isEmpty())
        emit opened(found, options);
}

void DetailController::tellMissing(const RankBlock& ranks, const QStringList& missing, bool isAnyFound)
{
    const QString what = missing.size() == 1
        ? tr("%1 is not here, or has changed since it was summarized.").arg(missing.front())
        : tr("%1 and %n more are not here, or have changed since they were summarized.", nullptr,
             static_cast<int>(missing.size()) - 1)
              .arg(missing.front());
    const QString how = tr("Where the traces are, this plans the ranks with their events: %1")
                            .arg(commandsFor(ranks).section(u'\n', 0, 0));
    context().banner->showMessage({isAnyFound ? BannerTone::Information : BannerTone::Warning,
                                   what + u'\n' + how, QStringLiteral("detail"), tr("Copy the commands"),
                                   [this, ranks] { copyCommands(ranks); }});
}

QString DetailController::commandsFor(const RankBlock& ranks) const
{
    QStringList run;
    for (const std::string& path : state().run().model()->paths)
        run << toText(shellWord(path));
    const QString name = QStringLiteral("ranks-") + rangeText(ranks);
    return QStringList{QStringLiteral("collscope --batch plan %1 --tasks 1 --ranks %2 --keep all -o %3.json")
                           .arg(run.join(u' '), rangeText(ranks), name),
                       QStringLiteral("collscope --batch reduce %1.json --task 0 -o %1").arg(name),
                       QStringLiteral("collscope %1").arg(name)}
        .join(u'\n');
}

void DetailController::copyCommands(const RankBlock& ranks)
{
    QGuiApplication::clipboard()->setText(commandsFor(ranks));
    context().tell(tr("Copied three commands that get the events of ranks %1").arg(rangeText(ranks)));
}

} // namespace collscope
