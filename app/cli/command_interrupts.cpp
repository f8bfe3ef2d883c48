// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/command_interrupts.h"

#include <csignal>

namespace collscope {

namespace {

std::stop_source& interrupts()
{
    // Never destroyed, because a signal may still arrive while the program ends.
    static auto* const source = new std::stop_source();
    return *source;
}

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
    return interrupts().stop_requested();
}

std::stop_token interruptToken()
{
    return interrupts().get_token();
}

} // namespace collscope
