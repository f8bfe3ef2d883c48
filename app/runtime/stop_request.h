// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The border between std::stop_token and MetricOptions::cancelled.

#include <functional>
#include <stop_token>
#include <utility>

namespace collscope {

/// Returns a function that asks the token: for MetricOptions::cancelled, and for functions of `metrics` that
/// take such a function.
inline std::function<bool()> asksWhetherToStop(std::stop_token stop)
{
    return [stop = std::move(stop)] { return stop.stop_requested(); };
}

} // namespace collscope
