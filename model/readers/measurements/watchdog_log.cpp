// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Reads logs of jobs in which a watchdog or a launcher says how the job ended.

#include "model/readers/hang/watchdog_lines.h"
#include "model/readers/measurements/log_file.h"

namespace collscope {

namespace {

Sniff sniffWatchdogLog(std::string_view, std::string_view head)
{
    return isWatchdogLog(head) ? Sniff::Yes : Sniff::No;
}

Result<TraceFragment> readWatchdogLog(const SourceFile& file, const ReadContext& context)
{
    return readLog(file, context, SourceKind::WatchdogLog);
}

} // namespace

extern const ReaderDescriptor watchdogLogReader;
const ReaderDescriptor watchdogLogReader{"watchdog_log", "Log with lines of the NCCL watchdog",
                                         SourceKind::WatchdogLog, sniffWatchdogLog, readWatchdogLog};

} // namespace collscope
