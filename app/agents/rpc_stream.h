// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Standard input and output as streams of messages. A thread reads, so that a ping is answered and a
// cancellation is obeyed while a tool works.

#include "app/agents/rpc_message.h"
#include "app/cli/command_interrupts.h"
#include "model/result.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

namespace collscope {

/// A longer line is refused, and read to its end without being kept.
constexpr std::size_t longestRpcLine = std::size_t{1} << 20;

/// Cuts bytes into lines.
class LineCutter
{
public:
    /// Calls take(line) for each line that ends in the bytes; takeLong() instead if it was too long.
    template<typename Take, typename TakeLong>
    void add(std::string_view bytes, const Take& take, const TakeLong& takeLong)
    {
        while (!bytes.empty()) {
            const std::size_t end = bytes.find('\n');
            const std::string_view part = bytes.substr(0, end);
            m_isTooLong = m_isTooLong || m_line.size() + part.size() > longestRpcLine;
            if (m_isTooLong)
                m_line.clear();
            else
                m_line += part;
            if (end == std::string_view::npos)
                return;
            if (m_isTooLong)
                takeLong();
            else
                take(m_line);
            m_line.clear();
            m_isTooLong = false;
            bytes.remove_prefix(end + 1);
        }
    }
    /// What follows the last line feed.
    const std::string& rest() const { return m_line; }

private:
    std::string m_line;
    bool m_isTooLong = false;
};

class RpcStream
{
public:
    /// Reads from a descriptor and writes to standard output. start() before anything else.
    explicit RpcStream(int input)
        : m_input(input)
    { }
    ~RpcStream();
    RpcStream(const RpcStream&) = delete;
    RpcStream& operator=(const RpcStream&) = delete;

    /// An error if the system starts no thread.
    Status start();
    /// Waits for the next message. nullopt: the input has ended, or the program is interrupted.
    std::optional<RpcMessage> next();
    /// Sends a line. An error if standard output is closed. Any thread.
    Status send(const std::string& line);

    /// While it lives, a cancellation of this request stops it.
    class Running
    {
    public:
        Running(RpcStream& stream, Value id);
        ~Running();
        Running(const Running&) = delete;
        Running& operator=(const Running&) = delete;
        bool isCancelled() const { return m_request.isStopped(); }

    private:
        RpcStream& m_stream;
        StoppableRequest m_request;
    };

private:
    void readAll(const std::stop_token& stop);
    void take(std::string_view line, const std::stop_token& stop);
    void push(RpcMessage message, const std::stop_token& stop);
    void cancel(const Value& id);

    const int m_input;
    std::mutex m_mutex; ///< of all below
    std::condition_variable m_changed;
    std::deque<RpcMessage> m_waiting;
    bool m_hasEnded = false;
    Value m_runningId;
    StoppableRequest* m_running = nullptr;
    std::mutex m_outputMutex;
    std::jthread m_reader; ///< last, so that it ends first
};

} // namespace collscope
