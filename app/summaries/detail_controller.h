// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/parts/controller.h"
#include "model/readers/run/load_plan.h"
#include "views/summaries/rank_summaries_view.h"

#include <QStringList>

namespace collscope {

class RankTree;
class StragglerPanel;
class SummaryView;

/// Leads from a run of summaries to the events of its ranks: opens the traces that were summarized, or says
/// how to get them.
class DetailController : public Controller
{
    Q_OBJECT

public:
    /// A rank is activated in any of the views.
    DetailController(WindowContext& context, const RankSummariesView& view, const SummaryView& findings,
                     const StragglerPanel& stragglers, const RankTree& ranks);

signals:
    /// Traces to open as a run of their own.
    void opened(const QStringList& paths, const collscope::LoadOptions& options);

private:
    /// The traces of some ranks.
    struct Traces
    {
        QStringList found, missing; ///< paths; a file that has changed is missing, too
        LoadOptions options; ///< with the ranks that the files do not state
        bool areUnstated = false; ///< there are such ranks
        bool mayBeRenumbered = false; ///< opened without the other files, these may get other numbers
    };

    /// `ranks`: ascending, here and below.
    Traces tracesOf(const std::vector<std::int32_t>& ranks) const;
    /// The commands that get the events of ranks, one a line.
    static QString commandsFor(const std::vector<std::int32_t>& ranks, const Traces& traces);
    void open(const std::vector<std::int32_t>& ranks);
    void tellMissing(const std::vector<std::int32_t>& ranks, const Traces& traces);
    void copyCommands(const std::vector<std::int32_t>& ranks, const Traces& traces);
};

} // namespace collscope
