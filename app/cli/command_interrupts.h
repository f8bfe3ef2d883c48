// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// SIGINT and SIGTERM as a request to stop.

#include <stop_token>

namespace collscope {

/// Makes SIGINT and SIGTERM cancel from now on.
void watchInterrupts();
/// Whether to stop what runs.
bool isInterrupted();
/// Whether a signal arrived, so that the program ends.
bool isSignalled();
/// Returns the token for readers: a stop is requested by the same signals, or by StoppableRequest.
std::stop_token interruptToken();

/// While it lives, stop() interrupts what runs, as a signal does; afterwards the program goes on. For a
/// program that answers one request after the other. A signal alone does not stop readers meanwhile: call
/// stop() for it.
class StoppableRequest
{
public:
    StoppableRequest();
    ~StoppableRequest();
    StoppableRequest(const StoppableRequest&) = delete;
    StoppableRequest& operator=(const StoppableRequest&) = delete;

    void stop() { m_source.request_stop(); } ///< any thread
    bool isStopped() const { return m_source.stop_requested(); }
    std::stop_token token() const { return m_source.get_token(); }

private:
    std::stop_source m_source;
};

} // namespace collscope
