// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A window that opens a run, in a process of its own.

#include <QString>

#include <cstdint>

namespace collscope::bench {

struct WindowResult
{
    double firstPaintMs = 0; ///< from opening until slices are painted
    double loadedMs = 0; ///< until all of them are
    double longestSilenceMs = 0; ///< between two steps of the progress bar
    double longestStallMs = 0; ///< of the event loop, until metrics are there
    double cancelMs = 0; ///< from the click on Cancel, a third into a second load, until it has ended; -1 if
                         ///< the load came first
    std::uint64_t events = 0;
    std::uint64_t peakBytes = 0; ///< resident, of the whole process
    std::uint64_t residentBytes = 0; ///< with every zoom painted and all metrics computed
};

/// Runs this program again; "" = a window that stays empty.
WindowResult measureWindow(const QString& path);
/// What the child does; the exit code of its process.
int runWindowChild(const QString& path);

} // namespace collscope::bench
