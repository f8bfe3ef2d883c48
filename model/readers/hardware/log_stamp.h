// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What precedes a message of the kernel in a log.

#include "model/readers/hardware/sample_text.h"

namespace collscope {

struct LogPrefix
{
    Stamp stamp; ///< kind None: the line has no time
    std::string_view host; ///< empty: not stated
    bool isOfKernel = false; ///< the line says so, or has the time since the start in brackets
};

/// The prefix, without the message, of: "[12345.678901]" (dmesg), "[Thu Nov 23 12:34:56 2026]" (dmesg -T),
/// "2026-11-23T12:34:56,789012+01:00" (dmesg --time-format iso), "Nov 23 12:34:56 node07 kernel:" (syslog,
/// journalctl), "2026-11-23T12:34:56.789+01:00 node07 kernel:" (rsyslog, journalctl -o short-iso),
/// "Thu 2026-11-23 12:34:56 UTC node07 kernel:" (journalctl -o short-full); each with the other's bracket
/// behind it, or a level before it ("<4>", "kern  :err   :").
LogPrefix logPrefixOf(std::string_view prefix);

} // namespace collscope
