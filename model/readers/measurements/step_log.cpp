// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Reads logs that state the time of each step: Megatron-LM, NeMo, DeepSpeed, Hugging Face Trainer, verl.

#include "model/readers/history/step_lines.h"
#include "model/readers/measurements/log_file.h"
#include "model/readers/reader.h"

#include <algorithm>

namespace collscope {

namespace {

Sniff sniffStepLog(std::string_view, std::string_view head)
{
    constexpr std::string_view markers[] = {"elapsed time per iteration (ms):",
                                            "train_step_timing in s",
                                            "timing_s/step:",
                                            "perf/time_per_step:",
                                            "RunningAvgSamplesPerSec=",
                                            "{'loss':"};
    const bool isLikely = std::any_of(std::begin(markers), std::end(markers), [&](std::string_view marker) {
        return head.find(marker) != std::string_view::npos;
    });
    return isLikely && holdsStepLines(head) ? Sniff::Yes : Sniff::No;
}

Result<TraceFragment> readStepLog(const SourceFile& file, const ReadContext& context)
{
    return readLog(file, context, SourceKind::StepLog);
}

} // namespace

extern const ReaderDescriptor stepLogReader;
const ReaderDescriptor stepLogReader{
    "step_log", "Log with times of steps (Megatron-LM, NeMo, DeepSpeed, Hugging Face, verl)",
    SourceKind::StepLog, sniffStepLog, readStepLog};

} // namespace collscope
