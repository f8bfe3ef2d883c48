// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The verdict of the command gate as text and as JSON, schema collscope.gate/1.

#include "metrics/gate/run_gate.h"

namespace collscope {

/// The verdict in a line, then the limits with their numbers, the part to blame and notes. No name from a
/// file begins a line, or breaks one: CI systems take some lines of a log as commands.
std::string gateText(const RunGate& gate);
/// A sentence for each limit that is not known to be kept.
std::string unknownLimitsText(const RunGate& gate);
/// `base`, `test`: runValue() of each run.
Value gateValue(const RunGate& gate, Value base, Value test);

} // namespace collscope
