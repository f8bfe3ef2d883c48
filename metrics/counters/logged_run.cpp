// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/counters/logged_run.h"

#include <set>

namespace collscope {

namespace {

/// The loss that TorchTitan prints on pipeline stages that do not compute it.
constexpr double lossElsewhere = -1.0;

bool isElsewhere(const LoggedStep& line)
{
    return line.loss == std::optional(lossElsewhere);
}

/// Merges one log into the run. Of several processes, the first one with the loss supplies a step.
void addLog(const TrainingLog& log, LoggedRun& run)
{
    std::set<std::pair<std::int64_t, std::int32_t>> seen; // (step, writer)
    std::set<std::int64_t> own; // steps supplied by this log
    for (const LoggedStep& line : log.steps) {
        ++run.lines;
        run.withoutLoss += isElsewhere(line) ? 1u : 0u;
        const bool again = !seen.insert({line.step, line.writer}).second;
        run.repeated += again ? 1u : 0u;
        const auto [found, isNew] = run.steps.try_emplace(line.step, line);
        LoggedStep& kept = found->second;
        if (isNew) {
            own.insert(line.step);
            continue;
        }
        const bool restarted = again && own.contains(line.step) && kept.writer == line.writer;
        if (restarted || (isElsewhere(kept) && !isElsewhere(line))) {
            kept = line;
            own.insert(line.step);
        } else if (!isElsewhere(line) && line.loss != kept.loss) {
            ++run.disagreeing;
        }
    }
}

} // namespace

LoggedRun loggedRun(const TraceModel& model)
{
    LoggedRun run;
    for (const TrainingLog& log : model.measurements.trainingLogs)
        addLog(log, run);
    for (auto& [number, step] : run.steps) {
        if (isElsewhere(step))
            step.loss.reset();
    }
    return run;
}

} // namespace collscope
