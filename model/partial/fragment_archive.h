// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A fragment as bytes and back: the data that a task of a distributed run passes to the merge.

#include "model/building/fragment.h"
#include "model/result.h"

#include <limits>
#include <string>
#include <string_view>

namespace collscope {

struct PackedFragment
{
    std::string bytes;
    std::string stored; ///< what the fragment only refers to (StoredBytes)
};
/// Contains everything except memory snapshots and the offsets of events in their file. Unused strings are
/// dropped; the others keep their order.
PackedFragment packFragment(TraceFragment& fragment);

/// Checks all conditions that other code relies on. `stored` is only referred to; the sums of steps in it are
/// checked, in at most `mostBytes` of memory. Returns an Error of kind Format for bytes that do not represent
/// a fragment. Throws LostBytes.
Result<TraceFragment> unpackFragment(std::string_view bytes, const StoredBytes& stored = {},
                                     std::uint64_t mostBytes = std::numeric_limits<std::uint64_t>::max());

} // namespace collscope
