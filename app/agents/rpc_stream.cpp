// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/agents/rpc_stream.h"

#include "app/agents/json_reading.h"
#include "app/files/batch_io.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

namespace collscope {

namespace {

/// Messages that wait; beyond that, nothing is read until one is answered.
constexpr std::size_t mostWaiting = 256;
/// How soon a signal is noticed.
constexpr int pollMilliseconds = 200;

bool isBlank(std::string_view line)
{
    return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

} // namespace

RpcStream::~RpcStream()
{
    {
        const std::lock_guard lock(m_mutex); // the reader is not between asking and waiting
        m_reader.request_stop();
    }
    m_changed.notify_all();
}

Status RpcStream::start()
{
    try {
        m_reader = std::jthread([this](const std::stop_token& stop) { readAll(stop); });
    } catch (const std::system_error& error) {
        return Error{Error::Kind::Io, std::string("The system starts no thread: ") + error.what() + "."};
    }
    return {};
}

std::optional<RpcMessage> RpcStream::next()
{
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_hasEnded || !m_waiting.empty(); });
    if (m_waiting.empty() || isSignalled())
        return std::nullopt;
    RpcMessage message = std::move(m_waiting.front());
    m_waiting.pop_front();
    m_changed.notify_all();
    return message;
}

Status RpcStream::send(const std::string& line)
{
    const std::lock_guard lock(m_outputMutex);
    return printNow(line + "\n"); // a thread that loads may be one whose output is captured
}

void RpcStream::readAll(const std::stop_token& stop)
{
    LineCutter lines;
    constexpr std::size_t blockSize = std::size_t{1} << 16;
    std::array<char, blockSize> block{};
    while (!stop.stop_requested() && !isSignalled()) {
        pollfd input{m_input, POLLIN, 0};
        const int ready = ::poll(&input, 1, pollMilliseconds);
        if (ready == 0 || (ready < 0 && errno == EINTR))
            continue;
        const ssize_t count = ready < 0 ? ready : ::read(m_input, block.data(), block.size());
        if (count < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (count <= 0)
            break;
        lines.add(
            {block.data(), static_cast<std::size_t>(count)}, [&](std::string_view line) { take(line, stop); },
            [this] {
                static_cast<void>(
                    send(errorLine({}, ParseError, "The line is longer than 1 MiB and was not read.")));
            });
    }
    if (!isBlank(lines.rest()))
        take(lines.rest(), stop);
    const std::lock_guard lock(m_mutex);
    m_hasEnded = true;
    if (m_running && isSignalled())
        m_running->stop();
    m_changed.notify_all();
}

void RpcStream::take(std::string_view line, const std::stop_token& stop)
{
    if (isBlank(line))
        return;
    RpcLine read = readRpcLine(line);
    // A closed output is noticed where the next result is sent.
    if (!read.reply.empty())
        static_cast<void>(send(read.reply));
    if (!read.message)
        return;
    RpcMessage& message = *read.message;
    if (message.method == "ping" && message.isRequest()) {
        static_cast<void>(send(resultLine(message.id, Value::Object())));
    } else if (message.method == "notifications/cancelled") {
        if (const Value* const id = memberOf(message.params, "requestId"))
            cancel(*id);
    } else if (message.isRequest()) {
        push(std::move(message), stop);
    }
}

void RpcStream::push(RpcMessage message, const std::stop_token& stop)
{
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [&] { return m_waiting.size() < mostWaiting || stop.stop_requested(); });
    m_waiting.push_back(std::move(message));
    m_changed.notify_all();
}

void RpcStream::cancel(const Value& id)
{
    const std::lock_guard lock(m_mutex);
    if (m_running && isSameId(m_runningId, id))
        m_running->stop();
    std::erase_if(m_waiting, [&](const RpcMessage& message) { return isSameId(message.id, id); });
}

RpcStream::Running::Running(RpcStream& stream, Value id)
    : m_stream(stream)
{
    const std::lock_guard lock(stream.m_mutex);
    stream.m_runningId = std::move(id);
    stream.m_running = &m_request;
}

RpcStream::Running::~Running()
{
    const std::lock_guard lock(m_stream.m_mutex);
    m_stream.m_running = nullptr;
}

} // namespace collscope
