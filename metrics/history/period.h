// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Whether places in a series repeat at a regular distance.

#include <cstddef>
#include <optional>
#include <span>

namespace collscope {

struct Period
{
    std::size_t every = 0; ///< from one place to the next
    std::size_t hits = 0; ///< places that fit
};

/// `places`: ascending, below `count`. A period has at least four places, and at least four fifths of all
/// places where it must have one, from the first of them to the end of the series. Other places may lie
/// between them.
std::optional<Period> periodOf(std::span<const std::size_t> places, std::size_t count);

} // namespace collscope
