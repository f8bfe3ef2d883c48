// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Reads XSpace protobufs of XLA's profiler (*.xplane.pb), from which the trace viewer makes its JSON. Planes,
// lines and events become what the JSON becomes (xla_devices.h); the viewer's limit of events does not apply.
// The message is defined by openxla/xla, third_party/tsl/tsl/profiler/protobuf/xplane.proto.

#include "model/readers/reader.h"
#include "model/readers/text/measurement_text.h"
#include "model/readers/xla/merged_ranks.h"
#include "model/readers/xla/other_devices.h"
#include "model/readers/xla/xla_devices.h"
#include "model/readers/xla/xplane_plane.h"

#include <array>
#include <cstdlib>
#include <limits>
#include <utility>

namespace collscope {

namespace {

constexpr std::int64_t xlaYear2001Ns = 978'307'200'000'000'000;
/// A time beyond this is damage, and sums of a few such times would overflow.
constexpr std::int64_t longestXlaNs = std::numeric_limits<std::int64_t>::max() / 4;
constexpr std::int64_t psPerNs = 1000;
constexpr std::uint64_t longestXlaEvent = std::uint64_t{16} << 20;

std::int64_t wholeNs(std::int64_t ps)
{
    return ps / psPerNs - (ps % psPerNs < 0 ? 1 : 0);
}

TrackKind xlaTrackKind(SliceCategory category)
{
    if (isGpuWork(category))
        return TrackKind::GpuStream;
    return category == SliceCategory::GpuAnnotation ? TrackKind::GpuAnnotation : TrackKind::CpuThread;
}

/// Reads the lines of all planes.
class LineReader
{
public:
    LineReader(ProtoStream& stream, const XlaSpace& space, TraceFragment& fragment,
               const ReadContext& context)
        : m_stream(stream)
        , m_space(space)
        , m_fragment(fragment)
        , m_context(context)
        , m_builder(fragment.strings)
    {
        if (!context.keepsEvents)
            m_builder.keepNothing();
    }

    void read()
    {
        ProtoField field;
        while (!m_isStopped && m_stream.next(field, ProtoStream::endOfFile)) {
            if (field.number == XlaField::spacePlane && field.isBytes()) {
                readPlane(field.end());
                noteDamage();
                ++m_plane;
            }
            m_stream.skip(field);
        }
        noteDamage();
    }
    FragmentBuilder& builder() { return m_builder; }
    bool isStopped() const { return m_isStopped; }
    bool isEpoch() const { return m_isEpoch; } ///< times count from 1970

private:
    struct Event
    {
        std::uint64_t kind = 0;
        std::int64_t offsetPs = 0, durationPs = 0;
        bool isAggregate = false;
    };
    /// A line and what is known of it so far: its fields may come in any order.
    struct Line
    {
        std::uint64_t id = 0;
        std::int64_t beginNs = 0;
        std::string name, displayName;
        std::array<std::uint32_t, 3> tracks{}; ///< by TrackKind
        std::array<std::size_t, 3> before{}; ///< slices that other lines put there
        bool hasEvents = false;
    };

    void note(Severity severity, std::string_view code, std::string_view explanation,
              std::uint64_t excluded = 0)
    {
        m_fragment.source.excluded += excluded;
        m_fragment.problems.add(severity, code, m_fragment.source.path, m_stream.offset(), explanation,
                                excluded);
    }

    void noteDamage()
    {
        if (m_stream.damage() == ProtoStream::Damage::Malformed)
            note(Severity::DataLoss, "damaged_plane",
                 "A plane of the profile is damaged; its events after this place were not read.");
        else if (m_stream.damage() == ProtoStream::Damage::Cut && !std::exchange(m_isCut, true))
            note(Severity::DataLoss, "truncated",
                 "The file ends early. Every complete event before the end was read; the names of events may "
                 "be lost, because they follow the events.");
    }

    void readPlane(std::uint64_t end)
    {
        ProtoField field;
        while (!m_isStopped && m_stream.next(field, end)) {
            if (field.number == XlaField::planeLine && field.isBytes())
                readLine(field.end());
            if (m_stream.damage() == ProtoStream::Damage::Malformed)
                noteDamage();
            m_stream.skip(field);
        }
    }

    void readLine(std::uint64_t end)
    {
        constexpr std::uint32_t idField = 1, nameField = 2, beginField = 3, eventField = 4,
                                displayNameField = 11;
        constexpr std::uint64_t longestName = std::uint64_t{1} << 20;
        Line line;
        line.tracks.fill(Id<void>::noneValue);
        ProtoField field;
        while (!m_isStopped && m_stream.next(field, end)) {
            if (field.number == eventField && field.isBytes()) {
                readEvent(line, field);
                line.hasEvents = true;
            } else if (field.number == idField && !line.hasEvents) {
                line.id = field.value;
            } else if (field.number == beginField) {
                setBegin(line, static_cast<std::int64_t>(field.value));
            } else if (field.number == nameField || field.number == displayNameField) {
                if (const auto text = m_stream.content(field, longestName))
                    (field.number == nameField ? line.name : line.displayName) = *text;
            }
            m_stream.skip(field);
        }
        const std::string& shown = line.displayName.empty() ? line.name : line.displayName;
        if (line.hasEvents && !shown.empty())
            m_builder.setThreadName(pidText(), std::to_string(line.id), shown);
    }

    std::string pidText() const { return std::to_string(m_plane); }
    const XlaPlane* plane() const
    {
        return m_plane < m_space.planes.size() ? &m_space.planes[m_plane] : nullptr;
    }

    /// Moves events that were read before the time of their line was known.
    void setBegin(Line& line, std::int64_t beginNs)
    {
        if (std::abs(beginNs / 2) > longestXlaNs / 2) {
            note(Severity::DataLoss, "absurd_time",
                 "The time of a line is outside any plausible range; its events are shown as if it began at "
                 "0.");
            return;
        }
        for (std::size_t kind = 0; kind < line.tracks.size(); ++kind) {
            if (line.tracks[kind] == Id<void>::noneValue)
                continue;
            auto& starts = m_builder.trackAt(line.tracks[kind]).slices.startNs;
            for (std::size_t row = line.before[kind]; row < starts.size(); ++row)
                starts[row] += beginNs - line.beginNs;
        }
        line.beginNs = beginNs;
        m_isEpoch = m_isEpoch || beginNs > xlaYear2001Ns;
    }

    void readEvent(Line& line, const ProtoField& field)
    {
        ++m_fragment.source.eventsInFile;
        constexpr std::uint64_t askEvery = 8192;
        if (m_fragment.source.eventsInFile % askEvery == 0) {
            m_context.progress(static_cast<std::uint64_t>(static_cast<double>(m_stream.diskBytesRead())
                                                          * ReadContext::readShare));
            m_isStopped = m_context.mustStop();
        }
        const auto message = m_stream.content(field, longestXlaEvent);
        if (!message)
            return note(Severity::DataLoss, "damaged_event",
                        "An event is cut off or longer than 16 MiB; it was skipped.", 1);
        const XlaPlane* const own = plane();
        if (!own)
            return note(Severity::DataLoss, "too_many_planes",
                        "The profile has more than 4096 planes; the events of the others were skipped.", 1);
        addEvent(line, *own, *message);
    }

    /// Fields of XEvent.
    static constexpr std::uint32_t kindField = 1, offsetField = 2, durationField = 3, statField = 4,
                                   countField = 5;

    /// Reads what is not a statistic; false if the message is damaged.
    static bool readNumbers(std::string_view message, Event& event)
    {
        ProtoFields fields(message);
        ProtoValue value;
        while (fields.next(value)) {
            if (value.isBytes())
                continue;
            if (value.number == kindField)
                event.kind = value.bits;
            else if (value.number == offsetField)
                event.offsetPs = value.integer();
            else if (value.number == durationField)
                event.durationPs = value.integer();
            else if (value.number == countField)
                event.isAggregate = true;
        }
        return !fields.isDamaged();
    }

    void addEvent(Line& line, const XlaPlane& plane, std::string_view message)
    {
        Event event;
        if (!readNumbers(message, event))
            return note(Severity::DataLoss, "damaged_event",
                        "An event is cut off or longer than 16 MiB; it was skipped.", 1);
        if (event.isAggregate)
            return note(Severity::Info, "aggregated_events",
                        "Events that only count how often something happened have no place in time; they are "
                        "not shown.",
                        1);
        constexpr std::int64_t mostPs = std::numeric_limits<std::int64_t>::max() / 4;
        if (event.durationPs < 0)
            return note(Severity::DataLoss, "negative_duration", "The event ends before it starts.", 1);
        if (std::abs(event.offsetPs / 2) > mostPs / 2 || event.durationPs > mostPs)
            return note(Severity::DataLoss, "absurd_time",
                        "The event's time is outside any plausible range (a month after its line begins).",
                        1);
        const auto known = plane.kinds.find(event.kind);
        XlaFacts facts;
        if (known != plane.kinds.end()) {
            const XlaEventKind& kind = known->second;
            facts = {kind.hloCategory ? plane.texts.view(kind.hloCategory) : std::string_view(),
                     kind.stepName ? plane.texts.view(kind.stepName) : std::string_view(), kind.detail,
                     kind.hasDetail};
        }
        ProtoFields fields(message);
        ProtoValue value;
        while (fields.next(value)) {
            if (value.number == statField && value.isBytes())
                plane.addFact(value.bytes, facts);
        }
        const std::int64_t offsetNs = wholeNs(event.offsetPs);
        SliceRow row;
        row.startNs = line.beginNs + offsetNs;
        row.durationNs = wholeNs(event.offsetPs + event.durationPs) - offsetNs;
        if (!facts.stepName.empty())
            row.name = m_fragment.strings.intern(facts.stepName);
        else
            row.name = known != plane.kinds.end() && known->second.name ? known->second.name : unnamed();
        addSlice(line, row, facts);
    }

    StringId unnamed()
    {
        m_fragment.problems.add(Severity::Notice, "missing_name", m_fragment.source.path, m_stream.offset(),
                                "The profile does not name an event; it is shown as (unnamed).");
        return m_fragment.strings.intern("(unnamed)");
    }

    void addSlice(Line& line, SliceRow row, const XlaFacts& facts)
    {
        if (!facts.hloCategory.empty()) {
            if (const auto work = otherDeviceWork({}, m_fragment.strings.view(row.name), facts.hloCategory)) {
                row.category = work->category;
                row.kernelClass = work->kernelClass;
            }
        }
        if (facts.hasDetail)
            row.detail = m_builder.addDetail(facts.detail);
        const TrackKind kind = xlaTrackKind(row.category);
        std::uint32_t& track = line.tracks[static_cast<std::size_t>(kind)];
        if (track == Id<void>::noneValue) {
            track = m_builder.track(kind, pidText(), std::to_string(line.id));
            line.before[static_cast<std::size_t>(kind)] = m_builder.trackAt(track).slices.size();
            m_builder.setProcessName(pidText(), plane()->name);
        }
        m_builder.addSlice(track, row);
        ++m_fragment.source.shown;
    }

    ProtoStream& m_stream;
    const XlaSpace& m_space;
    TraceFragment& m_fragment;
    const ReadContext& m_context;
    FragmentBuilder m_builder;
    std::size_t m_plane = 0;
    bool m_isStopped = false;
    bool m_isEpoch = false;
    bool m_isCut = false;
};

void describeXla(const XlaSpace& space, bool isEpoch, TraceFragment& fragment)
{
    fragment.hasWallClock = isEpoch || space.startTimeNs > xlaYear2001Ns;
    fragment.clockOffsetNs = isEpoch || !fragment.hasWallClock ? 0 : space.startTimeNs;
    for (const std::string& complaint : space.complaints)
        fragment.problems.add(Severity::Notice, "profiler_complaint", fragment.source.path, 0,
                              "The profiler reports: " + complaint);
}

Timeline xlaTimelineOf(FragmentBuilder& builder, const XlaSpace& space, StringTable& strings)
{
    Timeline timeline;
    timeline.kind = SourceKind::Xplane;
    timeline.isXla = true;
    timeline.device = firstDeviceOf(builder);
    if (space.hosts.size() == 1)
        timeline.host = strings.intern(space.hosts.front());
    for (const XlaPlane& plane : space.planes) {
        if (!plane.deviceType.empty())
            timeline.deviceName = strings.intern(plane.deviceType);
        // Grids count blocks; on other devices, cores are something else.
        if (timeline.device >= 0 && plane.name == "/device:GPU:" + std::to_string(timeline.device))
            timeline.multiprocessors = plane.coreCount;
    }
    return timeline;
}

/// The profiler describes all GPUs that it sees, but only those with events are shown.
void noteIdleGpus(const XlaSpace& space, const RankOfPid& devices, TraceFragment& fragment)
{
    std::size_t gpus = 0, shown = 0;
    for (std::size_t i = 0; i < space.planes.size(); ++i) {
        if (!space.planes[i].name.starts_with("/device:GPU:"))
            continue;
        ++gpus;
        shown += devices.contains(std::to_string(i)) ? 1u : 0u;
    }
    if (shown < gpus)
        fragment.problems.add(Severity::Info, "idle_devices", fragment.source.path, 0,
                              "The profile describes " + std::to_string(gpus) + " GPUs, but "
                                  + std::to_string(gpus - shown)
                                  + " of them have no events; they are not shown as ranks.");
}

Result<TraceFragment> readXplane(const SourceFile& file, const ReadContext& context)
{
    TraceFragment fragment = fragmentOf(file, SourceKind::Xplane);
    const Error cancelled{Error::Kind::Cancelled, "Loading was cancelled.", file.path};
    const auto space = readXlaSpace(file.path, fragment.strings, [&context] { return context.mustStop(); });
    if (!space)
        return space.error();
    auto stream = ProtoStream::open(file.path);
    if (!stream)
        return stream.error();
    LineReader lines(*stream, *space, fragment, context);
    lines.read();
    if (lines.isStopped() || context.mustStop())
        return cancelled;
    if (const auto lost = stream->lost())
        fragment.problems.add(Severity::DataLoss, lost->code, file.path, stream->offset(), lost->explanation);
    if (fragment.source.eventsInFile == 0)
        return Error{
            Error::Kind::Format,
            "The profile contains no events: nothing ran while it was recorded, or the file is damaged.",
            file.path, 0};
    describeXla(*space, lines.isEpoch(), fragment);
    const auto shouldContinue = [&](double done) {
        const double share = ReadContext::readShare + (1 - ReadContext::readShare) * done;
        context.progress(static_cast<std::uint64_t>(share * static_cast<double>(file.bytes)));
        return !context.mustStop();
    };
    const auto describeTimeline
        = [&](FragmentBuilder& builder) { return xlaTimelineOf(builder, *space, fragment.strings); };
    const RankOfPid devices = arrangeXlaDevices(lines.builder(), fragment.strings);
    fragment.isOfDevices = !devices.empty();
    noteIdleGpus(*space, devices, fragment);
    const bool isWhole = devices.empty()
        ? lines.builder().finish(fragment, describeTimeline(lines.builder()), context.parallel,
                                 shouldContinue)
        : finishRanks(fragment, lines.builder(), devices, describeTimeline, context.parallel, shouldContinue);
    if (!isWhole)
        return cancelled;
    return fragment;
}

/// Looks for a first plane (field 1) with its name (field 2, preceded at most by an id) near the start:
/// "/host:CPU", "/device:TPU:0".
Sniff sniffXplane(std::string_view, std::string_view head)
{
    constexpr std::size_t nameWithin = 64;
    const std::string_view begin = head.substr(0, nameWithin);
    const bool names
        = begin.find("/host:") != std::string_view::npos || begin.find("/device:") != std::string_view::npos;
    return begin.starts_with('\n') && begin.find('{') == std::string_view::npos && names ? Sniff::Yes
                                                                                         : Sniff::No;
}

} // namespace

extern const ReaderDescriptor xplaneReader;
const ReaderDescriptor xplaneReader{"xplane", "XLA profile as protobuf (.xplane.pb)", SourceKind::Xplane,
                                    sniffXplane, readXplane};

} // namespace collscope
