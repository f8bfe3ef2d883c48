// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The methods of the Model Context Protocol that a server with tools has
// (modelcontextprotocol.io/specification/2025-11-25).

#include "app/agents/rpc_stream.h"
#include "app/agents/tool_call.h"

namespace collscope {

class McpServer
{
public:
    McpServer(RpcStream& stream, ToolCaller& caller, KeptRuns& runs)
        : m_stream(stream)
        , m_caller(caller)
        , m_runs(runs)
    { }

    /// Answers until the input ends. Returns an ExitCode.
    int serve();

private:
    /// The line that answers a request; empty: it was cancelled.
    std::string answer(const RpcMessage& request);
    std::string callTool(const RpcMessage& request);
    void reportProgress(const Value& params);

    RpcStream& m_stream;
    ToolCaller& m_caller;
    KeptRuns& m_runs;
};

/// The version of the protocol to speak with a client that asks for one: that one, else the newest that is
/// not newer, else the newest of all.
std::string_view versionFor(std::string_view asked);

} // namespace collscope
