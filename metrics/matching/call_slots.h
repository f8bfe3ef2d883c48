// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Data of the matcher: collectives as lists of calls, and the properties in which the calls of one must
// agree.

#include "metrics/matching/matching.h"
#include "model/kernels/collective_traits.h"

#include <span>
#include <vector>

namespace collscope {

using NestedSlots = std::vector<std::vector<CallRef>>; ///< one inner list per collective

/// Collectives in the order in which they were found, with all members in one array.
class Slots
{
public:
    Slots() = default;
    explicit Slots(const NestedSlots& nested)
    {
        for (const std::vector<CallRef>& slot : nested) {
            begin();
            m_members.insert(m_members.end(), slot.begin(), slot.end());
        }
    }
    void reserve(std::size_t members) { m_members.reserve(members); }
    void begin() { m_begins.push_back(m_members.size()); }
    void add(CallRef member) { m_members.push_back(member); }
    std::size_t size() const { return m_begins.size(); }
    std::span<const CallRef> operator[](std::size_t i) const
    {
        const std::size_t end = i + 1 < m_begins.size() ? m_begins[i + 1] : m_members.size();
        return std::span(m_members).subspan(m_begins[i], end - m_begins[i]);
    }

private:
    std::vector<CallRef> m_members;
    std::vector<std::size_t> m_begins;
};

/// Whether two calls agree in everything that the ranks of one collective have in common.
inline bool agree(const Call& a, const Call& b)
{
    if (!a.meta || !b.meta || a.kind == KernelClass::SendRecv)
        return a.kind == b.kind; // the send of one rank is the recv of the other
    return a.kind == b.kind && a.meta->name == b.meta->name && a.meta->elementType == b.meta->elementType
        && (!isSizedAlike(a.kind)
            || (a.meta->inElements == b.meta->inElements && a.meta->outElements == b.meta->outElements
                && a.meta->payloadBytes == b.meta->payloadBytes));
}

/// Hash that is equal for calls that agree.
inline std::uint64_t signatureOf(const Call& call)
{
    auto hash = static_cast<std::uint64_t>(call.kind);
    const auto mix = [&](std::uint64_t value) {
        hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    };
    if (call.meta && call.kind != KernelClass::SendRecv) {
        mix(call.meta->name.value);
        mix(call.meta->elementType.value);
        if (isSizedAlike(call.kind)) {
            mix(static_cast<std::uint64_t>(call.meta->inElements.value_or(-1)));
            mix(static_cast<std::uint64_t>(call.meta->outElements.value_or(-1)));
            mix(static_cast<std::uint64_t>(call.meta->payloadBytes.value_or(-1)));
        }
    }
    return hash;
}

} // namespace collscope
