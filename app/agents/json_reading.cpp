// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/agents/json_reading.h"

#include <nlohmann/json.hpp>

namespace collscope {

namespace {

using Json = nlohmann::ordered_json;

Value valueOf(const Json& json)
{
    switch (json.type()) {
    case Json::value_t::object: {
        Value::Object object;
        for (const auto& [key, member] : json.items())
            object.emplace_back(key, valueOf(member));
        return object;
    }
    case Json::value_t::array: {
        Value::Array array;
        for (const Json& element : json)
            array.push_back(valueOf(element));
        return array;
    }
    case Json::value_t::string:
        return json.get<std::string>();
    case Json::value_t::boolean:
        return json.get<bool>();
    case Json::value_t::number_integer:
        return json.get<std::int64_t>();
    case Json::value_t::number_unsigned:
        if (const auto number = json.get<std::uint64_t>();
            number <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
            return number;
        return json.get<double>();
    case Json::value_t::number_float:
        return json.get<double>();
    default:
        return {};
    }
}

} // namespace

std::optional<Value> valueOfJson(std::string_view json)
{
    constexpr int deepest = 64;
    bool isTooDeep = false;
    const auto watch = [&](int depth, Json::parse_event_t, Json&) {
        isTooDeep |= depth > deepest;
        return !isTooDeep; // what is too deep is not kept
    };
    const Json parsed = Json::parse(json.begin(), json.end(), watch, false);
    if (parsed.is_discarded() || isTooDeep)
        return std::nullopt;
    return valueOf(parsed);
}

const Value* memberOf(const Value& value, std::string_view key)
{
    const auto* object = value.as<Value::Object>();
    if (!object)
        return nullptr;
    for (const auto& [name, member] : *object) {
        if (name == key)
            return &member;
    }
    return nullptr;
}

} // namespace collscope
