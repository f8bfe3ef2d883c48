// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/hang/flight_fields.h"

#include "model/hang/hang_evidence.h"

#include <sys/stat.h>

#include <charconv>

namespace collscope {

std::int64_t& integerField(RawFlightCall& call, FlightField field)
{
    switch (field) {
    case FlightField::Record:
        return call.record;
    case FlightField::PgId:
        return call.pgId;
    case FlightField::Collective:
    case FlightField::OldCollective:
        return call.collective;
    case FlightField::PointToPoint:
        return call.pointToPoint;
    case FlightField::Created:
        return call.createdNs;
    case FlightField::Started:
        return call.startedNs;
    case FlightField::Completed:
        return call.completedNs;
    default:
        return call.timeoutMs;
    }
}

StringId& textField(RawFlightCall& call, FlightField field)
{
    return field == FlightField::Name ? call.name : call.state;
}

void setFlag(RawFlightCall& call, FlightField field, bool value)
{
    if (field == FlightField::Retired)
        call.retired = value;
    else
        call.isPointToPoint = value;
}

FlightSizes* sizesField(RawFlightCall& call, FlightField field)
{
    if (field == FlightField::InputSizes)
        return &call.inputs;
    return field == FlightField::OutputSizes ? &call.outputs : nullptr;
}

StringId* typesField(RawFlightCall& call, FlightField field)
{
    if (field == FlightField::InputTypes)
        return &call.inputTypes;
    return field == FlightField::OutputTypes ? &call.outputTypes : nullptr;
}

void FlightSizesText::beginTensor()
{
    m_text += m_isFirstTensor ? "[" : ", [";
    m_isFirstTensor = false;
    m_isFirstSize = true;
    m_tensor = 1;
}

void FlightSizesText::addSize(std::int64_t size)
{
    m_tensor = m_tensor < 0 ? m_tensor : elementProduct(m_tensor, size);
    if (m_text.size() > FlightBuilder::longestText)
        return;
    char digits[24];
    const char* const end = std::to_chars(digits, digits + sizeof digits, size).ptr;
    m_text += m_isFirstSize ? "" : ", ";
    m_text.append(digits, static_cast<std::size_t>(end - digits));
    m_isFirstSize = false;
}

void FlightSizesText::endTensor()
{
    constexpr std::int64_t most = std::int64_t{1} << 60;
    m_all
        = m_all < 0 || m_tensor < 0 || m_all > most - m_tensor ? FlightSignature::unknown : m_all + m_tensor;
    m_text += ']';
}

FlightSizes FlightSizesText::finish(StringTable& strings)
{
    m_text += ']';
    return {strings.intern(std::string_view(m_text).substr(0, FlightBuilder::longestText)), m_all};
}

std::optional<std::int64_t> integerInText(std::string_view text)
{
    std::int64_t value = 0;
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, value);
    return error == std::errc() && end == last ? std::optional(value) : std::nullopt;
}

TraceFragment flightFragment(TraceFragment fragment, FlightBuilder& builder, const SourceFile& file)
{
    FlightRecord record = builder.finish();
    if (file.chosenRank)
        record.rank = file.chosenRank;
    struct stat info = {};
    constexpr std::int64_t second = 1'000'000'000;
    if (::stat(file.path.c_str(), &info) == 0)
        record.fileTimeNs = std::int64_t{info.st_mtim.tv_sec} * second + info.st_mtim.tv_nsec;
    fragment.source.rank = record.rank;
    fragment.source.eventsInFile = builder.callsInFile();
    fragment.source.excluded = builder.keptOut();
    fragment.source.shown = builder.callsInFile() - builder.keptOut();
    fragment.hang = std::make_shared<HangEvidence>();
    fragment.hang->records.push_back(std::move(record));
    return fragment;
}

} // namespace collscope
