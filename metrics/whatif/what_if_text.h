// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a replay and its answers are called in sentences.

#include "metrics/whatif/what_if_answer.h"

namespace collscope {

/// "-15.9 %": what a step gains is less time.
std::string changeText(double gainNs, double ofNs);
/// What an answer rests on, and what it leaves out. May be empty.
std::string basisText(const TraceModel& model, const ScenarioAnswer& answer);
/// "Replay of steps 11-14, 8 ranks: 2.031 s, measured 2.034 s (...); 97.1 % of the longest chain explained."
std::string replayText(const WhatIfReplay& replay);
/// "0.4 %", or a time.
std::string gateValueText(const Gate& gate);

} // namespace collscope
