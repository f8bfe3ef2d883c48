// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/command_interrupts.h"

#include <atomic>
#include <csignal>

namespace collscope {

namespace {

std::stop_source& interrupts()
{
    // Never destroyed, because a signal may still arrive while the program ends.
    static auto* const source = new std::stop_source();
    return *source;
}

std::atomic<const StoppableRequest*> currentRequest = nullptr;

extern "C" void onInterrupt(int)
{
    // Nothing registers a callback, so this takes no lock: it sets a bit in a lock-free atomic.
    interrupts().request_stop();
}

} // namespace

void watchInterrupts()
{
    interrupts(); // allocates, which a signal handler must not
    std::signal(SIGINT, onInterrupt);
    std::signal(SIGTERM, onInterrupt);
}

bool isInterrupted()
{
    const StoppableRequest* const request = currentRequest;
    return isSignalled() || (request && request->isStopped());
}

bool isSignalled()
{
    return interrupts().stop_requested();
}

std::stop_token interruptToken()
{
    const StoppableRequest* const request = currentRequest;
    return request ? request->token() : interrupts().get_token();
}

StoppableRequest::StoppableRequest()
{
    currentRequest = this;
}

StoppableRequest::~StoppableRequest()
{
    currentRequest = nullptr;
}

} // namespace collscope
