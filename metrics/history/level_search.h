// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The first search for levels of a series, which offers more boundaries than there are changes.

#include <cstddef>
#include <span>
#include <vector>

namespace collscope {

/// Indices at which a new level may begin, ascending: PELT (Killick, Fearnhead and Eckley, "Optimal Detection
/// of Changepoints With a Linear Computational Cost", 2012) with squared errors, on ranks, so that outliers
/// count little. Long series are first reduced to the medians of at most 1024 equal parts.
std::vector<std::size_t> levelBoundaries(std::span<const double> values);

} // namespace collscope
