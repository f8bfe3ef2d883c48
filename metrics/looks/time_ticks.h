// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Where the ticks of an axis of time are, and what is written beside them.

#include <cstdint>
#include <string>

namespace collscope {

/// The smallest 1, 2 or 5 x 10^n ns that is at least `leastNs`.
std::int64_t niceTickNs(double leastNs);
/// A tick with as many decimals as ticks `stepNs` apart need to differ: "1.002 ms". `stepNs`: of
/// niceTickNs().
std::string tickText(std::int64_t ns, std::int64_t stepNs);

} // namespace collscope
