// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/kineto/execution_values.h"

namespace collscope {

namespace ondemand = simdjson::ondemand;

std::optional<std::int64_t> integerOf(ondemand::value value)
{
    std::int64_t number = 0;
    std::uint64_t large = 0;
    if (value.get_int64().get(number) == simdjson::SUCCESS)
        return number;
    return value.get_uint64().get(large) == simdjson::SUCCESS
        ? std::optional(static_cast<std::int64_t>(large))
        : std::nullopt;
}

std::string_view rawOf(ondemand::value value)
{
    return simdjson::to_json_string(value).value();
}

std::optional<std::int64_t> countOf(ondemand::value value)
{
    constexpr std::int64_t most = std::int64_t{1} << 48;
    const auto number = integerOf(value);
    return number && *number >= 0 && *number <= most ? number : std::nullopt;
}

std::string textOf(ondemand::value value)
{
    std::string_view text;
    return value.get_string().get(text) == simdjson::SUCCESS ? std::string(text) : std::string();
}

std::optional<std::int64_t> elementsOf(ondemand::value shape, int depth)
{
    constexpr int deepest = 4;
    constexpr std::int64_t most = std::int64_t{1} << 48;
    ondemand::array items;
    if (depth == deepest || shape.get_array().get(items) != simdjson::SUCCESS)
        return std::nullopt;
    std::int64_t product = 1, sum = 0;
    bool isTensor = false, isList = false;
    for (auto item : items) {
        ondemand::value value;
        ondemand::json_type type{};
        if (item.get(value) != simdjson::SUCCESS || value.type().get(type) != simdjson::SUCCESS)
            return std::nullopt;
        const bool inner = type == ondemand::json_type::array;
        const auto count = inner ? elementsOf(value, depth + 1) : countOf(value);
        (inner ? isList : isTensor) = true;
        if (!count || (isTensor && isList) || (*count > 0 && product > most / *count) || sum > most - *count)
            return std::nullopt;
        product *= *count;
        sum += *count;
    }
    return isList ? sum : isTensor ? product : 0;
}

std::string elementTypeIn(std::string_view type)
{
    constexpr std::string_view tensor = "Tensor(";
    const std::size_t begin = type.find(tensor);
    if (begin == std::string_view::npos)
        return {};
    std::string_view name = type.substr(begin + tensor.size());
    name = name.substr(0, name.find(')'));
    constexpr std::string_view space = "c10::";
    return std::string(name.starts_with(space) ? name.substr(space.size()) : name);
}

bool isAddress(std::string_view group)
{
    constexpr std::size_t digits = 6; // a longer number is an address: no run has a million groups
    return group.size() > digits && group.find_first_not_of("0123456789") == std::string_view::npos;
}

} // namespace collscope
