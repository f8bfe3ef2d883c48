// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/collective.h"

#include "model/kernels/collective_traits.h"
#include "model/text/lower_case.h"

#include <array>
#include <string>
#include <utility>

namespace collscope {

std::optional<int> elementSizeBytes(std::string_view elementType)
{
    std::string name = lowered(elementType);
    for (const std::string_view prefix : {"nccl", "c10::", "torch."}) {
        if (name.starts_with(prefix))
            name.erase(0, prefix.size());
    }
    if (name.starts_with("float8"))
        return 1;
    static constexpr std::array<std::pair<std::string_view, int>, 32> sizes{{
        {"float", 4},          {"float32", 4},      {"double", 8},      {"float64", 8},      {"half", 2},
        {"float16", 2},        {"bfloat16", 2},     {"bf16", 2},        {"int", 4},          {"int32", 4},
        {"uint32", 4},         {"long", 8},         {"int64", 8},       {"uint64", 8},       {"short", 2},
        {"int16", 2},          {"uint16", 2},       {"char", 1},        {"int8", 1},         {"byte", 1},
        {"uint8", 1},          {"bool", 1},         {"complexhalf", 4}, {"complexfloat", 8}, {"complex64", 8},
        {"complexdouble", 16}, {"complex128", 16},  {"signed char", 1}, {"long int", 8},     {"short int", 2},
        {"unsigned char", 1},  {"unsigned int", 4},
    }};
    for (const auto& [known, bytes] : sizes) {
        if (name == known)
            return bytes;
    }
    return std::nullopt;
}

std::optional<std::uint64_t> messageBytes(const CollectiveCall& call, std::string_view elementType)
{
    const std::optional<int> size = elementSizeBytes(elementType);
    const CollectiveTraits* const traits = collectiveTraits(call.kind);
    const bool gathers = traits && traits->sizeRule == SizeRule::Gathers;
    const std::optional<std::int64_t> elements = gathers || !call.inElements
        ? (call.outElements ? call.outElements : call.inElements)
        : call.inElements;
    if (!elements && call.payloadBytes && *call.payloadBytes >= 0)
        return static_cast<std::uint64_t>(*call.payloadBytes);
    if (!size || !elements || *elements < 0)
        return std::nullopt;
    return static_cast<std::uint64_t>(*elements) * static_cast<std::uint64_t>(*size);
}

} // namespace collscope
