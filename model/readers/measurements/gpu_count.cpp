// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// gpu_count.txt: a single number, the run's number of GPUs.

#include "model/readers/text/measurement_text.h"
#include "model/readers/trace_names.h"
#include "model/text/lower_case.h"

#include <charconv>

namespace collscope {

namespace {

std::optional<std::int32_t> countIn(std::string_view text)
{
    text = withoutLeadingBlanks(text);
    std::int32_t count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    const std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
    const bool alone = rest.find_first_not_of(" \t\r\n") == std::string_view::npos;
    return error == std::errc() && alone && count > 0 ? std::optional(count) : std::nullopt;
}

Sniff sniffGpuCount(std::string_view fileName, std::string_view)
{
    return lowered(fileName) == "gpu_count.txt" ? Sniff::Yes : Sniff::No;
}

Result<TraceFragment> readGpuCount(const SourceFile& file, const ReadContext& context)
{
    TraceFragment fragment = fragmentOf(file, SourceKind::GpuCount);
    const auto text = readText(file, context, fragment.problems);
    if (!text)
        return text.error();
    fragment.measurements.gpuCount = countIn(*text);
    if (!fragment.measurements.gpuCount)
        fragment.problems.add(Severity::Notice, "bad_figure", file.path, 0,
                              "The file does not contain a single number above 0; it is not used.");
    return fragment;
}

} // namespace

extern const ReaderDescriptor gpuCountReader;
const ReaderDescriptor gpuCountReader{"gpu_count", "Number of GPUs (gpu_count.txt)", SourceKind::GpuCount,
                                      sniffGpuCount, readGpuCount};

} // namespace collscope
