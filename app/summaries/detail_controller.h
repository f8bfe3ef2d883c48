// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/parts/controller.h"
#include "views/summaries/rank_summaries_view.h"

#include <QStringList>

namespace collscope {

struct LoadOptions;
class RankTree;
class StragglerPanel;

/// Leads from a run of summaries to the events of its ranks: opens the traces that were summarized, or says
/// how to get them.
class DetailController : public Controller
{
    Q_OBJECT

public:
    /// A rank is activated in any of the views.
    DetailController(WindowContext& context, const RankSummariesView& view, const StragglerPanel& stragglers,
                     const RankTree& ranks);

    /// The commands that get the events of ranks, one a line.
    QString commandsFor(const RankBlock& ranks) const;

signals:
    /// Traces to open as a run of their own.
    void opened(const QStringList& paths, const collscope::LoadOptions& options);

private:
    void open(const RankBlock& ranks);
    void tellMissing(const RankBlock& ranks, const QStringList& missing, bool isAnyFound);
    void copyCommands(const RankBlock& ranks);
};

} // namespace collscope
