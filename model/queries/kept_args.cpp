// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/queries/kept_args.h"

#include <charconv>
#include <optional>
#include <string>

namespace collscope {

namespace {

/// A value as written by the profiler.
class ValueText
{
public:
    template<typename Number>
    explicit ValueText(Number value)
        : m_end(std::to_chars(m_text, m_text + sizeof m_text, value).ptr)
    { }
    std::string_view view() const { return {m_text, static_cast<std::size_t>(m_end - m_text)}; }

private:
    char m_text[40];
    char* m_end;
};

std::string tripleText(const std::uint32_t (&triple)[3])
{
    return "[" + std::to_string(triple[0]) + ", " + std::to_string(triple[1]) + ", "
        + std::to_string(triple[2]) + "]";
}

/// Negative values are not stated in the file.
template<typename Number>
bool isWantedNumber(const ArgTest& isWanted, std::string_view name, Number value)
{
    return value >= 0 && isWanted(name, ValueText(value).view());
}

template<typename Number>
bool isWantedNumber(const ArgTest& isWanted, std::string_view name, const std::optional<Number>& value)
{
    return value && isWanted(name, ValueText(*value).view());
}

bool isWantedTriple(const ArgTest& isWanted, std::string_view name, const std::uint32_t (&triple)[3])
{
    return triple[0] > 0 && isWanted(name, tripleText(triple));
}

bool isWantedIn(const KernelDetail& detail, const ArgTest& isWanted)
{
    return isWantedNumber(isWanted, "device", detail.device)
        || isWantedNumber(isWanted, "stream", detail.stream) || isWantedTriple(isWanted, "grid", detail.grid)
        || isWantedTriple(isWanted, "block", detail.block)
        || isWantedNumber(isWanted, "registers per thread", detail.registersPerThread)
        || isWantedNumber(isWanted, "shared memory", detail.sharedMemoryBytes)
        || isWantedNumber(isWanted, "blocks per SM", detail.blocksPerSm)
        || isWantedNumber(isWanted, "est. achieved occupancy %", detail.occupancyPercent)
        || isWantedNumber(isWanted, "bytes", detail.bytes);
}

} // namespace

KeptArgs::KeptArgs(const TraceModel& model, ArgTest isWanted)
    : m_model(model)
    , m_isWanted(std::move(isWanted))
    , m_details(model.timelines.size())
{
    for (std::size_t i = 0; i < m_details.size(); ++i)
        m_details[i].resize(model.timelines[i].kernelDetails.size(), Verdict::Unknown);
}

bool KeptArgs::isWanted(SliceRef slice)
{
    const Track& track = m_model.track(slice.track);
    const SliceColumns& slices = track.slices;
    const Timeline& timeline = m_model.timeline(track.timeline);
    const std::uint32_t detail = slices.detail[slice.row];
    if (detail != SliceColumns::noRow && isWantedDetail(timeline, detail))
        return true;
    const std::uint32_t call = slices.collective[slice.row];
    if (call != SliceColumns::noRow && isWantedCall(timeline, call))
        return true;
    const auto isWantedId = [this](std::string_view name, std::uint32_t id) {
        return id != 0 && m_isWanted(name, ValueText(id).view());
    };
    return isWantedId("correlation", slices.correlation[slice.row])
        || isWantedId("External id", slices.externalId[slice.row]);
}

bool KeptArgs::isWantedDetail(const Timeline& timeline, std::uint32_t row)
{
    Verdict& verdict = m_details[m_model.indexOf(timeline)][row];
    if (verdict == Verdict::Unknown)
        verdict = isWantedIn(timeline.kernelDetails[row], m_isWanted) ? Verdict::Yes : Verdict::No;
    return verdict == Verdict::Yes;
}

bool KeptArgs::isWantedCall(const Timeline& timeline, std::uint32_t row) const
{
    const CollectiveCall& call = timeline.collectives[row];
    const auto isWantedText = [this](std::string_view name, StringId text) {
        const std::string_view value = text ? m_model.text(text) : std::string_view();
        return !value.empty() && m_isWanted(name, value);
    };
    return isWantedText("Collective name", call.name) || isWantedText("Process Group Name", call.group)
        || isWantedText("Process Group Description", call.groupDescription)
        || isWantedText("Process Group Ranks", call.groupRanks) || isWantedText("dtype", call.elementType)
        || isWantedText("In split size", call.inSplit) || isWantedText("Out split size", call.outSplit)
        || isWantedNumber(m_isWanted, "Group size", call.groupSize)
        || isWantedNumber(m_isWanted, "Seq", call.sequence)
        || isWantedNumber(m_isWanted, "Comms Id", call.commsId)
        || isWantedNumber(m_isWanted, "In msg nelems", call.inElements)
        || isWantedNumber(m_isWanted, "Out msg nelems", call.outElements)
        || isWantedNumber(m_isWanted, "Src Rank", call.sourceRank)
        || isWantedNumber(m_isWanted, "Dst Rank", call.destinationRank);
}

} // namespace collscope
