// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Reads logs of jobs that ran with NCCL_DEBUG=INFO (or VERSION, WARN). A log in which steps of the training
// stand as well is recognised by these; its lines of NCCL are read all the same (log_file.h).

#include "model/readers/measurements/log_file.h"
#include "model/readers/network/nccl_log_lines.h"

namespace collscope {

namespace {

Sniff sniffNcclLog(std::string_view, std::string_view head)
{
    return isNcclLog(head) ? Sniff::Yes : Sniff::No;
}

Result<TraceFragment> readNcclLog(const SourceFile& file, const ReadContext& context)
{
    return readLog(file, context, SourceKind::NcclLog);
}

} // namespace

extern const ReaderDescriptor ncclLogReader;
const ReaderDescriptor ncclLogReader{"nccl_log", "NCCL log (NCCL_DEBUG=INFO)", SourceKind::NcclLog,
                                     sniffNcclLog, readNcclLog};

} // namespace collscope
