// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How far a load is, in words.

#include "app/runtime/byte_progress.h"

#include <QString>

namespace collscope {

/// "file 3 of 8, 120 MB of 664 MB, 210 MB/s, 3 s left". Rate and time from the first second on, when they
/// mean something; they are of the load so far. `elapsedMs`: since the load began.
QString loadProgressText(const ByteProgress::State& state, std::size_t files, qint64 elapsedMs);
/// "on the other machine: 3 of 8 parts"; without numbers before it is known how many there are.
QString remoteProgressText(std::size_t arrived, std::size_t all);

} // namespace collscope
