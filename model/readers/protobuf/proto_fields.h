// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Walks over the fields of a protobuf message that is held in memory.

#include "model/readers/protobuf/proto_stream.h"

namespace collscope {

/// A field of a message in memory.
struct ProtoValue
{
    std::uint32_t number = 0;
    ProtoWire wire = ProtoWire::Varint;
    std::uint64_t bits = 0; ///< of a number
    std::string_view bytes; ///< of a text or a message; a part of the message around it

    bool isBytes() const { return wire == ProtoWire::Bytes; }
    /// A number as int64 (not zigzag).
    std::int64_t integer() const { return static_cast<std::int64_t>(bits); }
    /// A Fixed64 as double, a Fixed32 as float; 0 for others.
    double real() const;
};

/// The fields of a message, in order, up to the first damage.
class ProtoFields
{
public:
    explicit ProtoFields(std::string_view message)
        : m_rest(message)
    { }
    /// False at the end, and where the message is damaged.
    bool next(ProtoValue& value);
    bool isDamaged() const { return m_isDamaged; }

private:
    std::string_view m_rest;
    bool m_isDamaged = false;
};

} // namespace collscope
