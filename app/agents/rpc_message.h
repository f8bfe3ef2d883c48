// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Messages of JSON-RPC 2.0 (jsonrpc.org/specification), one on each line.

#include "metrics/core/value.h"

#include <optional>
#include <string>
#include <string_view>

namespace collscope {

/// The codes of errors that the specification defines.
enum RpcError : std::int64_t
{
    ParseError = -32700,
    InvalidRequest = -32600,
    MethodNotFound = -32601,
    InvalidParams = -32602
};

/// A request or a notification.
struct RpcMessage
{
    Value id; ///< text or whole number; null: a notification, which is not answered
    std::string method;
    Value params; ///< an object; an empty one if the message has none

    bool isRequest() const { return !id.as<std::nullptr_t>(); }
};

/// What a line is: a message, or something that is answered at once, or (neither) the answer to a request,
/// which this side never makes.
struct RpcLine
{
    std::optional<RpcMessage> message;
    std::string reply; ///< the line that says what is wrong
};
RpcLine readRpcLine(std::string_view line);

// Lines to send, without their line feed, which occurs nowhere in them.
std::string resultLine(const Value& id, Value result);
std::string errorLine(const Value& id, RpcError code, std::string message);
std::string notificationLine(std::string_view method, Value params);

/// Whether two ids are the same.
bool isSameId(const Value& a, const Value& b);

} // namespace collscope
