// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Times and shares in the sentences of comparisons.

#include <string>

namespace collscope {

/// "300 ms", "4.01 ms", "23.5 us": three digits.
std::string timeText(double ms);
/// "12 %", "3.4 %": without a sign.
std::string shortPercentText(double percent);
/// A number of calls: whole, or with one decimal.
std::string countsText(double calls);

} // namespace collscope
