// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One row of the timeline: a GPU stream, a CPU thread, an annotation lane.

#include "model/columns.h"

namespace collscope {

enum class TrackKind : std::uint8_t
{
    GpuStream,
    GpuAnnotation, ///< annotations projected onto a stream
    CpuThread,
};

/// Slices on a GPU stream never overlap: an overlapping slice goes to a sibling track with lane + 1. Slices
/// on a CPU thread nest (see SliceColumns::depth); a slice that crosses its parent's end also goes to a
/// sibling. Nothing is dropped.
struct Track
{
    TrackKind kind = TrackKind::CpuThread;
    TimelineId timeline;
    StringId name; ///< display name: "stream 7", "thread 4242 (pt_autograd_0)"
    StringId pid, tid; ///< as written in the file
    std::int32_t device = -1; ///< GPU tracks
    std::int32_t stream = -1; ///< GPU tracks
    std::uint8_t lane = 0; ///< 0 = the track itself, n = nth overflow lane of the same stream or thread
    std::uint8_t maxDepth = 0;
    bool communication = false; ///< most of a GPU track's kernels communicate
    SliceColumns slices;
    InstantColumns instants;
};

} // namespace collscope
