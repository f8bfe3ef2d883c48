// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The keys of a call in a Flight Recorder dump, and what pickle and JSON share in reading it.

#include "model/building/fragment.h"
#include "model/readers/hang/flight_builder.h"
#include "model/readers/reader.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace collscope {

enum class FlightField : std::uint8_t
{
    Record,
    PgId,
    Collective,
    OldCollective,
    PointToPoint,
    Created,
    Started,
    Completed,
    Timeout,
    Name,
    State,
    Retired,
    IsPointToPoint,
    Group,
    InputSizes,
    OutputSizes,
    InputTypes,
    OutputTypes,
    Frames,
    None
};

/// In the order of FlightField. "seq_id" is the name of collective_seq_id before version 2.0.
constexpr std::array<std::string_view, 19> flightFieldNames{"record_id",
                                                            "pg_id",
                                                            "collective_seq_id",
                                                            "seq_id",
                                                            "p2p_seq_id",
                                                            "time_created_ns",
                                                            "time_discovered_started_ns",
                                                            "time_discovered_completed_ns",
                                                            "timeout_ms",
                                                            "profiling_name",
                                                            "state",
                                                            "retired",
                                                            "is_p2p",
                                                            "process_group",
                                                            "input_sizes",
                                                            "output_sizes",
                                                            "input_dtypes",
                                                            "output_dtypes",
                                                            "frames"};

enum class FlightFieldKind : std::uint8_t
{
    Integer,
    Text,
    Flag,
    Container,
    None
};
constexpr FlightFieldKind kindOf(FlightField field)
{
    if (field <= FlightField::Timeout)
        return FlightFieldKind::Integer;
    if (field <= FlightField::State)
        return FlightFieldKind::Text;
    if (field <= FlightField::IsPointToPoint)
        return FlightFieldKind::Flag;
    return field < FlightField::None ? FlightFieldKind::Container : FlightFieldKind::None;
}

/// Marks a number that the file states and that cannot be one: the call is left out. It must not pass as
/// "not stated".
constexpr std::int64_t impossibleNumber = INT64_MAX;

/// The member that an integer field sets.
std::int64_t& integerField(RawFlightCall& call, FlightField field);
StringId& textField(RawFlightCall& call, FlightField field);
void setFlag(RawFlightCall& call, FlightField field, bool value);
/// nullptr for a field that does not have sizes.
FlightSizes* sizesField(RawFlightCall& call, FlightField field);
/// nullptr for a field that does not have types.
StringId* typesField(RawFlightCall& call, FlightField field);

/// The sizes of the tensors of a call, as text and as a number of elements.
class FlightSizesText
{
public:
    void beginTensor();
    void addSize(std::int64_t size);
    void endTensor();
    FlightSizes finish(StringTable& strings);

private:
    std::string m_text = "[";
    std::int64_t m_all = 0, m_tensor = 1;
    bool m_isFirstTensor = true, m_isFirstSize = true;
};

/// The whole text as an integer.
std::optional<std::int64_t> integerInText(std::string_view text);
/// The fragment with the finished record, and its counts.
TraceFragment flightFragment(TraceFragment fragment, FlightBuilder& builder, const SourceFile& file);

} // namespace collscope
