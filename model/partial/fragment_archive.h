// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A fragment as bytes and back: the data that a task of a distributed run passes to the merge.

#include "model/building/fragment.h"
#include "model/result.h"

#include <string>
#include <string_view>

namespace collscope {

/// Contains everything except memory snapshots and the offsets of events in their file. Unused strings are
/// dropped; the others keep their order.
std::string packFragment(TraceFragment& fragment);

/// Checks all conditions that other code relies on. Returns an Error of kind Format for bytes that do not
/// represent a fragment.
Result<TraceFragment> unpackFragment(std::string_view bytes);

} // namespace collscope
