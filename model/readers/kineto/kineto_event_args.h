// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Reads args of events that the model does not keep from their file again, on demand.

#include "model/queries/kept_args.h"
#include "model/result.h"

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace collscope {

/// Names and values in file order; strings without quotes, all other values as JSON.
using EventArgs = std::vector<std::pair<std::string, std::string>>;

/// Returns the args of the Kineto event that starts at this byte of the (inflated) file. Error if the file is
/// gone or does not contain an event of that name there. A gzip file is inflated up to that byte; `stop`
/// is polled every few hundred kB.
Result<EventArgs> readEventArgs(const std::string& path, std::uint64_t offset, std::string_view name,
                                const std::stop_token& stop = {});

/// Where a slice's event starts in the (inflated) file.
struct EventLocation
{
    std::uint64_t offset = 0;
    SliceRef slice;
};

/// Passes over a Kineto file once and returns those of the events that have a wanted arg. `events` must be in
/// file order. Error if the file is gone or does not contain these events any more. `goesOn` is called every
/// few hundred kB with the number of bytes read on disk; false cancels.
Result<std::vector<SliceRef>> slicesWithArg(const TraceModel& model, const std::string& path,
                                            std::span<const EventLocation> events, const ArgTest& isWanted,
                                            const std::function<bool(std::uint64_t diskBytes)>& goesOn);

/// Passes over a Kineto file once and calls `take` with the args of these events, which must be in file
/// order. Error and `goesOn` as for slicesWithArg().
Status readArgsOf(const TraceModel& model, const std::string& path, std::span<const EventLocation> events,
                  const std::function<void(SliceRef slice, EventArgs&& args)>& take,
                  const std::function<bool(std::uint64_t diskBytes)>& goesOn);

} // namespace collscope
