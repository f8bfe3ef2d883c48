// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// What a file says of events, beyond what the model keeps of them: read again when somebody looks.

#include "model/kept_args.h"
#include "model/result.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace collscope {

/// Names and values in the order of the file; strings without quotes, everything else as JSON.
using EventArgs = std::vector<std::pair<std::string, std::string>>;

/// The args of the Kineto event that begins at this byte of the (inflated) file. An error if the file is gone
/// or does not hold an event of that name there any more. A gzip file is inflated up to there: `cancelled` is
/// polled every few hundred kB.
Result<EventArgs> readEventArgs(
    const std::string& path, std::uint64_t offset, std::string_view name,
    const std::function<bool()>& cancelled = [] { return false; });

/// Where a slice's event begins in the (inflated) file.
struct EventLocation
{
    std::uint64_t offset = 0;
    SliceRef slice;
};

/// Goes through a Kineto file once: those of the events, which come in the order of the file, that have a
/// wanted arg. An error if the file is gone or does not hold these events any more. `goesOn` is told every
/// few hundred kB how many bytes on disk were read; false cancels.
Result<std::vector<SliceRef>> slicesWithArg(const TraceModel& model, const std::string& path,
                                            std::span<const EventLocation> events, const ArgTest& isWanted,
                                            const std::function<bool(std::uint64_t diskBytes)>& goesOn);

/// Goes through a Kineto file once and gives the args of these events, which come in the order of the file.
/// Error and `goesOn` as above.
Result<std::monostate> readArgsOf(const TraceModel& model, const std::string& path,
                                  std::span<const EventLocation> events,
                                  const std::function<void(SliceRef slice, EventArgs&& args)>& take,
                                  const std::function<bool(std::uint64_t diskBytes)>& goesOn);

} // namespace collscope
