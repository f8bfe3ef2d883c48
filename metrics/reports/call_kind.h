// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What communication calls of one kind have in common: the key by which comparisons join the calls of two
// runs, and by which they are found in a trace.

#include "metrics/core/sheet.h"

#include <bitset>
#include <span>

namespace collscope {

class CollectiveListing;
struct Call;

struct CallKind
{
    std::optional<std::int64_t> rank;
    std::string name, elementType;
    std::optional<std::int64_t> inElements, outElements, groupSize;
    std::string groupDescription, groupRanks;
    std::optional<std::int64_t> stream;
    std::string nodeSpan;

    friend auto operator<=>(const CallKind&, const CallKind&) = default;
};

/// A member of CallKind in sheets.
struct CallKey
{
    const char* title;
    std::size_t at; ///< its place in CallKeys
    Value (*cell)(const CallKind& kind);
    void (*copy)(const CallKind& from, CallKind& to);
    void (*read)(const Value& cell, CallKind& kind);
};
/// Some members of CallKind, by CallKey::at.
using CallKeys = std::bitset<10>;
constexpr CallKeys allCallKeys{0x3FF};

/// The members that distinguish collectives, and calls on a rank, in the order of their columns.
std::span<const CallKey> collectiveKeys();
std::span<const CallKey> callKeys();

/// The members that are both in `keys` and in `known`; the others are empty.
CallKind restricted(const CallKind& kind, std::span<const CallKey> keys, CallKeys known);
/// All members as the trace has them, but the rank.
CallKind kindOf(const CollectiveListing& listing, const Call& call);

/// The whole number in a cell, also if it is written as text; nullopt for any other cell.
std::optional<std::int64_t> wholeNumberIn(const Value& cell);

} // namespace collscope
