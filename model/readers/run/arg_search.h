// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Finds slices by their args: among those that the model keeps, or by reading the trace files again from
// start to end.

#include "model/parallel.h"
#include "model/queries/kept_args.h"
#include "model/queries/slice_matches.h"
#include "model/result.h"

#include <functional>
#include <stop_token>

namespace collscope {

struct ArgQuestion
{
    NameTest isWantedName; ///< empty: every name
    ArgTest isWantedArg;
};

struct ArgSearchContext
{
    Parallel parallel;
    /// Reports the bytes on disk that were read of a source (index into TraceModel::sources). Called from any
    /// thread.
    std::function<void(std::size_t source, std::uint64_t doneBytes)> progress
        = [](std::size_t, std::uint64_t) {};
    std::stop_token stop; ///< requested when the user cancels
};

struct ArgSearchAnswer
{
    SliceMatchesPtr matches;
    std::vector<Error> failures; ///< for files that could not be read again; only the args kept in the model
                                 ///< are searched for these
};
using ArgSearchAnswerPtr = std::shared_ptr<const ArgSearchAnswer>;

/// Returns the slices with a wanted arg among the args that the model keeps; nullptr if cancelled. O(slices).
SliceMatchesPtr slicesWithKeptArg(const TraceModel& model, const ArgQuestion& question,
                                  const std::stop_token& stop = {});

/// Returns the Kineto files that slicesWithArgInFiles() reads, as indices into TraceModel::sources.
std::vector<std::size_t> sourcesWithArgs(const TraceModel& model);

/// Returns the slices that have a wanted arg in their file. For files other than Kineto's, the model keeps
/// all args that are read. nullptr if cancelled.
ArgSearchAnswerPtr slicesWithArgInFiles(const TraceModel& model, const ArgQuestion& question,
                                        const ArgSearchContext& context);

} // namespace collscope
