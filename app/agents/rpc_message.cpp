// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/agents/rpc_message.h"

#include "app/agents/json_reading.h"
#include "metrics/export/written_report.h"

namespace collscope {

namespace {

bool isId(const Value& value)
{
    return value.as<std::string>() || value.as<std::int64_t>();
}

RpcLine refused(const Value& id, RpcError code, std::string message)
{
    return {std::nullopt, errorLine(id, code, std::move(message))};
}

Value::Object messageWith(std::string_view key, Value value)
{
    return {{"jsonrpc", "2.0"}, {std::string(key), std::move(value)}};
}

} // namespace

RpcLine readRpcLine(std::string_view line)
{
    const std::optional<Value> read = valueOfJson(line);
    if (!read)
        return refused({}, ParseError, "The line is not JSON.");
    if (!read->as<Value::Object>())
        return refused({}, InvalidRequest, "A message is an object; batches are not supported.");
    const Value* const id = memberOf(*read, "id");
    const Value* const method = memberOf(*read, "method");
    const Value answered = id && isId(*id) ? *id : Value();
    const Value* const version = memberOf(*read, "jsonrpc");
    const auto* versionText = version ? version->as<std::string>() : nullptr;
    if (!versionText || *versionText != "2.0")
        return refused(answered, InvalidRequest, "\"jsonrpc\" must be \"2.0\".");
    if (!method && (memberOf(*read, "result") || memberOf(*read, "error")))
        return {};
    const auto* name = method ? method->as<std::string>() : nullptr;
    if (!name)
        return refused(answered, InvalidRequest, "\"method\" must be text.");
    if (id && !isId(*id))
        return refused({}, InvalidRequest, "\"id\" must be text or a whole number.");
    const Value* const params = memberOf(*read, "params");
    if (params && !params->as<Value::Object>())
        return id ? refused(*id, InvalidParams, "\"params\" must be an object.") : RpcLine();
    return {RpcMessage{answered, *name, params ? *params : Value(Value::Object())}, {}};
}

std::string resultLine(const Value& id, Value result)
{
    Value::Object message = messageWith("id", id);
    message.emplace_back("result", std::move(result));
    return jsonLine(message);
}

std::string errorLine(const Value& id, RpcError code, std::string message)
{
    Value::Object answer = messageWith("id", id);
    answer.emplace_back(
        "error", Value::Object{{"code", static_cast<std::int64_t>(code)}, {"message", std::move(message)}});
    return jsonLine(answer);
}

std::string notificationLine(std::string_view method, Value params)
{
    Value::Object message = messageWith("method", method);
    message.emplace_back("params", std::move(params));
    return jsonLine(message);
}

bool isSameId(const Value& a, const Value& b)
{
    const auto* text = a.as<std::string>();
    const auto* otherText = b.as<std::string>();
    const auto* number = a.as<std::int64_t>();
    const auto* otherNumber = b.as<std::int64_t>();
    return (text && otherText && *text == *otherText) || (number && otherNumber && *number == *otherNumber);
}

} // namespace collscope
