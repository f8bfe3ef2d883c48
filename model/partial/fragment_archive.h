// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A fragment as bytes and back: what a task of a distributed run hands to the merge.

#include "model/fragment.h"
#include "model/result.h"

#include <string>
#include <string_view>

namespace collscope {

/// All of it but memory snapshots and the places of events in their file. Strings that nothing names stay
/// behind; the order of the others is kept.
std::string packFragment(TraceFragment& fragment);

/// Checks everything that code relies on: an Error of kind Format for bytes that no fragment gives.
Result<TraceFragment> unpackFragment(std::string_view bytes);

} // namespace collscope
