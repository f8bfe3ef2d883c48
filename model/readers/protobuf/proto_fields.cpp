// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/protobuf/proto_fields.h"

#include <protozero/exception.hpp>
#include <protozero/pbf_reader.hpp>

#include <bit>

namespace collscope {

double ProtoValue::real() const
{
    if (wire == ProtoWire::Fixed64)
        return std::bit_cast<double>(bits);
    return wire == ProtoWire::Fixed32 ? std::bit_cast<float>(static_cast<std::uint32_t>(bits)) : 0;
}

bool ProtoFields::next(ProtoValue& value)
{
    if (m_rest.empty() || m_isDamaged)
        return false;
    try {
        protozero::pbf_reader reader(m_rest.data(), m_rest.size());
        reader.next();
        value.number = reader.tag();
        value.bits = 0;
        value.bytes = {};
        switch (reader.wire_type()) {
        case protozero::pbf_wire_type::varint:
            value.wire = ProtoWire::Varint;
            value.bits = reader.get_uint64();
            break;
        case protozero::pbf_wire_type::fixed64:
            value.wire = ProtoWire::Fixed64;
            value.bits = reader.get_fixed64();
            break;
        case protozero::pbf_wire_type::length_delimited: {
            value.wire = ProtoWire::Bytes;
            const protozero::data_view bytes = reader.get_view();
            value.bytes = {bytes.data(), bytes.size()};
            break;
        }
        case protozero::pbf_wire_type::fixed32:
            value.wire = ProtoWire::Fixed32;
            value.bits = reader.get_fixed32();
            break;
        default:
            m_isDamaged = true;
            return false;
        }
        m_rest.remove_prefix(m_rest.size() - reader.length());
        return true;
    } catch (const protozero::exception&) {
        m_isDamaged = true;
        return false;
    }
}

} // namespace collscope
