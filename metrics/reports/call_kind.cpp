// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/reports/call_kind.h"

#include "metrics/reports/collective_listing.h"

#include <charconv>
#include <cmath>

namespace collscope {

namespace {

Value cellOf(const std::string& text)
{
    return textCell(text);
}

Value cellOf(const std::optional<std::int64_t>& number)
{
    return countCell(number);
}

void readInto(const Value& cell, std::string& text)
{
    text = keyText(cell);
}

void readInto(const Value& cell, std::optional<std::int64_t>& number)
{
    number = wholeNumberIn(cell);
}

template<auto Member>
constexpr CallKey key(std::size_t at, const char* title)
{
    return {title, at, [](const CallKind& kind) { return cellOf(kind.*Member); },
            [](const CallKind& from, CallKind& to) { to.*Member = from.*Member; },
            [](const Value& cell, CallKind& kind) { readInto(cell, kind.*Member); }};
}

struct Keys
{
    static constexpr CallKey rank = key<&CallKind::rank>(0, "rank");
    static constexpr CallKey name = key<&CallKind::name>(1, "Collective name");
    static constexpr CallKey elementType = key<&CallKind::elementType>(2, "dtype");
    static constexpr CallKey inElements = key<&CallKind::inElements>(3, "In msg nelems");
    static constexpr CallKey outElements = key<&CallKind::outElements>(4, "Out msg nelems");
    static constexpr CallKey groupSize = key<&CallKind::groupSize>(5, "Group size");
    static constexpr CallKey description = key<&CallKind::groupDescription>(6, "Process Group Description");
    static constexpr CallKey groupRanks = key<&CallKind::groupRanks>(7, "Process Group Ranks");
    static constexpr CallKey stream = key<&CallKind::stream>(8, "stream");
    static constexpr CallKey nodeSpan = key<&CallKind::nodeSpan>(9, "node_span");

    static constexpr CallKey ofCollectives[]
        = {name, elementType, inElements, groupSize, description, nodeSpan};
    static constexpr CallKey ofCalls[]
        = {rank, name, elementType, inElements, outElements, description, groupRanks, stream};
};

} // namespace

std::span<const CallKey> collectiveKeys()
{
    return Keys::ofCollectives;
}

std::span<const CallKey> callKeys()
{
    return Keys::ofCalls;
}

CallKind restricted(const CallKind& kind, std::span<const CallKey> keys, CallKeys known)
{
    CallKind part;
    for (const CallKey& own : keys) {
        if (known[own.at])
            own.copy(kind, part);
    }
    return part;
}

CallKind kindOf(const CollectiveListing& listing, const Call& call)
{
    const CollectiveCall& meta = CollectiveListing::metaOf(call);
    CallKind kind;
    kind.name = listing.nameOf(call);
    kind.elementType = listing.elementType(call);
    kind.inElements = meta.inElements;
    kind.outElements = meta.outElements;
    if (call.groupSize > 0)
        kind.groupSize = call.groupSize;
    kind.groupDescription = listing.groupDescription(call);
    kind.groupRanks = listing.groupRanks(call);
    kind.stream = wholeNumberIn(listing.streamOf(call));
    kind.nodeSpan = keyText(listing.nodeSpan(call));
    return kind;
}

std::optional<std::int64_t> wholeNumberIn(const Value& cell)
{
    constexpr double mostExact = 9'007'199'254'740'992.0; // 2^53; other programs may write more
    auto number = numberOf(cell);
    if (const auto* text = cell.as<std::string>()) {
        double read = 0;
        const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), read);
        if (error == std::errc() && end == text->data() + text->size())
            number = read;
    }
    if (!number || !(std::abs(*number) <= mostExact) || *number != std::floor(*number))
        return std::nullopt;
    return static_cast<std::int64_t>(*number);
}

} // namespace collscope
