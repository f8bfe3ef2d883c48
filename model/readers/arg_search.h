// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Slices by what their files say of them: the traces are read again, from their beginning to their end.

#include "model/kept_args.h"
#include "model/match_collector.h"
#include "model/parallel.h"
#include "model/result.h"

namespace collscope {

struct ArgQuestion
{
    NameTest isWantedName; ///< none: every name
    ArgTest isWantedArg;
};

struct ArgSearchContext
{
    Parallel parallel;
    /// Bytes on disk that were read of a source (index into TraceModel::sources). From any thread.
    std::function<void(std::size_t source, std::uint64_t doneBytes)> progress
        = [](std::size_t, std::uint64_t) {};
    std::function<bool()> cancelled = [] { return false; };
};

struct ArgSearchAnswer
{
    SliceMatchesPtr matches;
    std::vector<Error>
        failures; ///< of files that could not be read again: what is kept of their args decides
};
using ArgSearchAnswerPtr = std::shared_ptr<const ArgSearchAnswer>;

/// The slices that have a wanted arg among those that the model keeps. nullptr if cancelled. O(slices).
SliceMatchesPtr slicesWithKeptArg(
    const TraceModel& model, const ArgQuestion& question,
    const std::function<bool()>& cancelled = [] { return false; });

/// The Kineto files that slicesWithArgInFiles() reads: indices into TraceModel::sources.
std::vector<std::size_t> sourcesWithArgs(const TraceModel& model);

/// The slices that have a wanted arg in their file; other files than Kineto's have no more than the model
/// keeps. nullptr if cancelled.
ArgSearchAnswerPtr slicesWithArgInFiles(const TraceModel& model, const ArgQuestion& question,
                                        const ArgSearchContext& context);

} // namespace collscope
