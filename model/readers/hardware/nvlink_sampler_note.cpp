// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Reads nvlink_sampler.txt, which resources/collect/tools/nvlink_sampler.cpp writes beside its counter files:
// lines "host node07", "started_unix_ns 17...", "period_ms 5", and for each GPU
// "gpu 3 uuid GPU-8f6c... links 0 1 2 records 1200 missed 0". The counter files themselves state neither host
// nor UUID.

#include "model/readers/hardware/sample_text.h"
#include "model/readers/text/measurement_text.h"

#include <algorithm>
#include <memory>

namespace collscope {

namespace {

constexpr std::size_t largestNote = std::size_t{1} << 20;
constexpr std::size_t longestHostName = 256; ///< of a host or UUID

bool isPlainName(std::string_view name)
{
    constexpr std::string_view others = "-_.:";
    return name.size() <= longestHostName && std::all_of(name.begin(), name.end(), [&](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
                   || others.find(c) != std::string_view::npos;
           });
}

/// The GPU of a line "gpu 3 uuid GPU-8f6c... links ..."; nullopt for another line. NVML may not have told the
/// UUID: then "links" follows "uuid".
std::optional<NumberedGpu> numberedGpuOf(const std::vector<std::string_view>& words)
{
    if (words.size() < 4 || words[0] != "gpu" || words[2] != "uuid")
        return std::nullopt;
    const auto index = gpuIndexOf(words[1]);
    const bool hasUuid = words[3] != "links";
    if (!index || (hasUuid && (words.size() < 5 || words[4] != "links" || !isPlainName(words[3]))))
        return std::nullopt;
    NumberedGpu gpu;
    gpu.index = *index;
    if (hasUuid)
        gpu.uuid = words[3];
    return gpu;
}

Sniff sniffSamplerNote(std::string_view, std::string_view head)
{
    return head.starts_with("host ") && head.find("\nstarted_unix_ns ") != std::string_view::npos
            && head.find("\nperiod_ms ") != std::string_view::npos
        ? Sniff::Yes
        : Sniff::No;
}

Result<TraceFragment> readSamplerNote(const SourceFile& file, const ReadContext& context)
{
    TraceFragment fragment = fragmentOf(file, SourceKind::HardwareSamples);
    const Result<std::string> text = readText(file, context, fragment.problems, largestNote);
    if (!text)
        return text.error();
    auto record = std::make_shared<HardwareRecord>();
    std::string host;
    std::vector<std::string_view> words;
    std::string_view rest = *text;
    while (!rest.empty()) {
        const auto offset = static_cast<std::uint64_t>(rest.data() - text->data());
        const std::string_view line = takeLine(rest);
        splitWords(line, words);
        if (words.size() == 2 && words[0] == "host" && host.empty() && isPlainName(words[1]))
            host = words[1];
        if (words.empty() || words[0] != "gpu")
            continue;
        ++fragment.source.eventsInFile;
        if (std::optional<NumberedGpu> gpu = numberedGpuOf(words)) {
            ++fragment.source.shown;
            record->numbered.push_back(std::move(*gpu));
            continue;
        }
        ++fragment.source.excluded;
        fragment.problems.add(Severity::DataLoss, "bad_row", file.path, offset,
                              "A line does not say which GPU it is of; it was skipped.", 1);
    }
    if (record->numbered.empty())
        return Error{Error::Kind::Format, "The description of NVLink samples names no GPU.", file.path, 0};
    for (NumberedGpu& gpu : record->numbered)
        gpu.host = host;
    fragment.hardware = std::move(record);
    return fragment;
}

} // namespace

extern const ReaderDescriptor nvlinkSamplerReader;
const ReaderDescriptor nvlinkSamplerReader{"nvlink_sampler", "description of NVLink samples",
                                           SourceKind::HardwareSamples, sniffSamplerNote, readSamplerNote};

} // namespace collscope
