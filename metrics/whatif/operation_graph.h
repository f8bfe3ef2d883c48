// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Timelines of operations (a forward pass, a send, a reduction of gradients) as a graph for each step. Which
// operation waits for which is how Megatron-LM trains; StragglerAnalysis (Lin et al., "Understanding
// Stragglers in Large Model Training Using What-if Analysis", OSDI 2025) replays jobs so.

#include "metrics/core/selection.h"
#include "metrics/whatif/replay_graph.h"
#include "model/kernels/training_operation.h"

#include <functional>
#include <string>
#include <vector>

namespace collscope {

struct Operation
{
    PipelineWorker worker;
    OperationRole role = OperationRole::Forward;
    SliceRef slice;
    TimeRange range; ///< on the axis
};

/// One step of all workers.
struct OperationStep
{
    std::int64_t number = 0;
    std::vector<Operation> operations;
    ReplayGraph graph; ///< its first nodes are the operations, in their order

    std::int64_t measuredNs() const; ///< from the first start to the last end
    /// How long the step takes, in ns, if each operation takes as long as `durationNs` says and starts when
    /// what it waits for has ended. O(operations).
    std::int64_t replayedNs(const std::function<std::int64_t(const Operation&)>& durationNs) const;
};

struct OperationRun
{
    std::vector<OperationStep> steps;
    std::string refused; ///< why the steps cannot be replayed; empty if they can
};

/// Whether every timeline of a selection consists of operations. Without timelines, none does.
bool showsOperations(const Selection& selection);
/// The steps of a selection. Refuses other timelines, and operations whose order it does not know.
OperationRun operationsOf(const TraceModel& model, const Selection& selection,
                          const std::function<bool()>& cancelled);

} // namespace collscope
