// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Reads Perfetto traces (.pftrace, .perfetto-trace): tracks, slices, instants, counters and work on GPUs.
// Defined by google/perfetto, protos/perfetto/trace/trace_packet.proto, track_event/*.proto and
// gpu/gpu_render_stage_event.proto.

#include "model/readers/perfetto/perfetto_sequence.h"
#include "model/readers/perfetto/perfetto_tracks.h"
#include "model/readers/text/measurement_text.h"

#include <optional>

namespace collscope {

namespace {

constexpr std::uint64_t longestPacket = std::uint64_t{16} << 20;
/// A time beyond this is damage.
constexpr std::uint64_t largestPerfettoTime = std::uint64_t{1} << 61;
constexpr std::int64_t perfettoYear2001Ns = 978'307'200'000'000'000;

/// Fields of TracePacket.
struct PacketField
{
    static constexpr std::uint32_t clockSnapshot = 6, time = 8, sequence = 10, trackEvent = 11, interned = 12,
                                   flags = 13, isCleared = 41, wasDropped = 42, compressed = 50, gpuWork = 53,
                                   clock = 58, defaults = 59, descriptor = 60, zstdCompressed = 133;
};

/// Other fields of TracePacket that hold events, with what they are; the rest describe the trace or the
/// machine.
struct OtherEvents
{
    std::uint32_t field;
    std::string_view name;
};
constexpr OtherEvents otherEvents[] = {{1, "kernel events (ftrace)"},
                                       {5, "legacy Chrome events"},
                                       {7, "system statistics"},
                                       {9, "process statistics"},
                                       {37, "heap profiles"},
                                       {38, "battery counters"},
                                       {39, "logs"},
                                       {40, "power rails"},
                                       {52, "GPU counters"},
                                       {54, "stack samples"},
                                       {56, "heap graphs"},
                                       {57, "graphics frames"},
                                       {62, "Vulkan memory"},
                                       {65, "Vulkan calls"},
                                       {66, "stack samples"},
                                       {71, "GPU memory"},
                                       {76, "frame timelines"},
                                       {88, "network packets"},
                                       {95, "Windows events"}};

/// A packet, with what concerns all kinds of packets.
struct Packet
{
    std::optional<std::uint64_t> time;
    std::optional<std::uint32_t> clock;
    std::uint64_t sequence = 0;
    std::uint64_t flags = 0;
    bool isCleared = false, wasDropped = false, isCompressed = false;
    std::string_view event, gpuWork, descriptor, interned, defaults, snapshot;
    bool hasEvent = false, hasGpuWork = false;
    std::string_view other; ///< what else it holds
};

/// nullopt if the packet is damaged.
std::optional<Packet> packetOf(std::string_view message)
{
    Packet packet;
    ProtoFields fields(message);
    ProtoValue value;
    while (fields.next(value)) {
        switch (value.number) {
        case PacketField::time:
            packet.time = value.bits;
            break;
        case PacketField::clock:
            packet.clock = static_cast<std::uint32_t>(value.bits);
            break;
        case PacketField::sequence:
            packet.sequence = value.bits;
            break;
        case PacketField::flags:
            packet.flags = value.bits;
            break;
        case PacketField::isCleared:
            packet.isCleared = value.bits != 0;
            break;
        case PacketField::wasDropped:
            packet.wasDropped = value.bits != 0;
            break;
        case PacketField::trackEvent:
            packet.event = value.bytes;
            packet.hasEvent = true;
            break;
        case PacketField::gpuWork:
            packet.gpuWork = value.bytes;
            packet.hasGpuWork = true;
            break;
        case PacketField::descriptor:
            packet.descriptor = value.bytes;
            break;
        case PacketField::interned:
            packet.interned = value.bytes;
            break;
        case PacketField::defaults:
            packet.defaults = value.bytes;
            break;
        case PacketField::clockSnapshot:
            packet.snapshot = value.bytes;
            break;
        case PacketField::compressed:
        case PacketField::zstdCompressed:
            packet.isCompressed = true;
            break;
        default:
            for (const OtherEvents& other : otherEvents) {
                if (other.field == value.number)
                    packet.other = other.name;
            }
        }
    }
    return fields.isDamaged() ? std::nullopt : std::optional(packet);
}

class PerfettoFile
{
public:
    PerfettoFile(ProtoStream& stream, TraceFragment& fragment, const ReadContext& context)
        : m_stream(stream)
        , m_fragment(fragment)
        , m_context(context)
        , m_tracks(fragment, context)
    { }

    /// False if the user cancelled.
    bool read();
    bool finish();

private:
    void take(const Packet& packet);
    void takeEvent(const Packet& packet, PerfettoSequence& sequence);
    void takeGpuWork(const Packet& packet, PerfettoSequence& sequence);
    void readAnnotation(std::string_view message, const PerfettoSequence& sequence, PerfettoEvent& event);
    std::optional<std::int64_t> timeOf(const Packet& packet, PerfettoSequence& sequence);
    void exclude(Severity severity, std::string_view code, std::string_view explanation,
                 std::uint64_t events = 1)
    {
        m_fragment.source.excluded += events;
        m_fragment.problems.add(severity, code, m_fragment.source.path, m_stream.offset(), explanation,
                                events);
    }

    ProtoStream& m_stream;
    TraceFragment& m_fragment;
    const ReadContext& m_context;
    PerfettoTracks m_tracks;
    std::unordered_map<std::uint64_t, PerfettoSequence> m_sequences;
    PerfettoClockMap m_clocks;
    std::optional<std::int64_t> m_epochNs; ///< of the boot clock's zero
};

bool PerfettoFile::read()
{
    constexpr std::uint32_t packetField = 1;
    constexpr std::uint64_t askEvery = 8192;
    std::uint64_t packets = 0;
    ProtoField field;
    while (m_stream.next(field, ProtoStream::endOfFile)) {
        if (++packets % askEvery == 0) {
            m_context.progress(static_cast<std::uint64_t>(static_cast<double>(m_stream.diskBytesRead())
                                                          * ReadContext::readShare));
            if (m_context.mustStop())
                return false;
        }
        if (field.number != packetField || !field.isBytes()) {
            m_stream.skip(field);
            continue;
        }
        const auto message = m_stream.content(field, longestPacket);
        if (!message && m_stream.damage() == ProtoStream::Damage::Cut)
            break;
        const auto packet = message ? packetOf(*message) : std::nullopt;
        if (packet) {
            take(*packet);
        } else {
            ++m_fragment.source.eventsInFile;
            exclude(Severity::DataLoss, "damaged_packet",
                    "A packet is damaged or longer than 16 MiB; it was skipped.");
        }
    }
    if (m_stream.damage() == ProtoStream::Damage::Malformed) {
        ++m_fragment.source.eventsInFile;
        exclude(Severity::DataLoss, "damaged_packet",
                "The file is damaged at this place; what follows was not read.");
    } else if (m_stream.damage() == ProtoStream::Damage::Cut) {
        ++m_fragment.source.eventsInFile;
        exclude(Severity::DataLoss, "truncated",
                "The file ends early. Every complete packet before the end was read.");
    }
    return true;
}

void PerfettoFile::take(const Packet& packet)
{
    constexpr std::uint64_t clearedFlag = 1, needsStateFlag = 2;
    PerfettoSequence& sequence = m_sequences[packet.sequence];
    if (packet.isCleared || (packet.flags & clearedFlag) != 0)
        sequence.clear();
    else if (packet.wasDropped && (packet.flags & needsStateFlag) != 0)
        sequence.lose();
    if (!packet.snapshot.empty()) {
        const auto epoch = addClockSnapshot(packet.snapshot, sequence.clocks, m_clocks);
        if (!m_epochNs)
            m_epochNs = epoch;
    }
    if (!packet.defaults.empty())
        sequence.setDefaults(packet.defaults);
    if (!packet.interned.empty())
        sequence.addNames(packet.interned, m_fragment.strings);
    if (!packet.descriptor.empty())
        m_tracks.describe(packet.descriptor);
    const bool lacksState = (packet.flags & needsStateFlag) != 0 && !sequence.isSound();
    if (packet.hasEvent || packet.hasGpuWork || packet.isCompressed || !packet.other.empty())
        ++m_fragment.source.eventsInFile;
    else
        return;
    if (packet.isCompressed)
        exclude(Severity::DataLoss, "compressed_packets",
                "The trace contains compressed packets, which are not read: decompress it with "
                "`traceconv decompress_packets TRACE FILE`.");
    else if (!packet.other.empty())
        exclude(Severity::Info, "packets_not_shown",
                "The trace also contains " + std::string(packet.other)
                    + " and possibly others; they are not shown.");
    else if (lacksState)
        exclude(Severity::DataLoss, "lost_state",
                "Packets before this one were lost, and with them the names it refers to; it was skipped.");
    else if (packet.hasEvent)
        takeEvent(packet, sequence);
    else
        takeGpuWork(packet, sequence);
}

/// The time of a packet in ns of the boot clock; nullopt, with a problem, if there is none that is usable.
std::optional<std::int64_t> PerfettoFile::timeOf(const Packet& packet, PerfettoSequence& sequence)
{
    const std::uint32_t id = packet.clock.value_or(sequence.defaultClock.value_or(PerfettoClocks::boot));
    const bool isOfSequence = id >= PerfettoClocks::firstOfSequence && id < PerfettoClocks::afterSequence;
    PerfettoClockMap& clocks = isOfSequence ? sequence.clocks : m_clocks;
    const auto clock = clocks.find(id);
    std::uint64_t time = packet.time.value_or(largestPerfettoTime);
    std::int64_t toBootNs = 0;
    if (clock != clocks.end()) {
        time = clock->second.isIncremental && time < largestPerfettoTime ? time + clock->second.last : time;
        if (time < largestPerfettoTime / clock->second.unitNs) {
            clock->second.last = time;
            time *= clock->second.unitNs;
        } else {
            time = largestPerfettoTime;
        }
        toBootNs = clock->second.toBootNs;
    } else if (isOfSequence) {
        exclude(Severity::DataLoss, "unknown_clock",
                "The trace does not say how the clock of an event relates to others; it was skipped.");
        return std::nullopt;
    } else if (id != PerfettoClocks::boot) {
        m_fragment.problems.add(
            Severity::Notice, "unknown_clock_offset", m_fragment.source.path, m_stream.offset(),
            "The trace does not say how a clock relates to the clock of the trace; times of both "
            "are shown as written.");
    }
    if (time >= largestPerfettoTime) {
        exclude(Severity::DataLoss, "bad_time", "The event has no time, or one outside any plausible range.");
        return std::nullopt;
    }
    return static_cast<std::int64_t>(time) + toBootNs;
}

/// Reads what rocprofv3 notes with its events: the GPU, and the call that launched it.
void PerfettoFile::readAnnotation(std::string_view message, const PerfettoSequence& sequence,
                                  PerfettoEvent& event)
{
    constexpr std::uint32_t nameIdField = 1, unsignedField = 3, integerField = 4, textField = 6,
                            nameField = 10;
    std::string_view name, text;
    std::optional<std::uint64_t> number;
    ProtoFields fields(message);
    ProtoValue value;
    while (fields.next(value)) {
        if (value.number == nameField)
            name = value.bytes;
        else if (value.number == nameIdField) {
            const StringId known = sequence.annotationName(value.bits);
            name = known ? m_fragment.strings.view(known) : std::string_view();
        } else if (value.number == textField)
            text = value.bytes;
        else if (value.number == unsignedField || value.number == integerField)
            number = value.bits;
    }
    constexpr std::size_t longestGpu = 64;
    if (name == "agent") {
        event.gpu = number ? std::to_string(*number) : std::string(text.substr(0, longestGpu));
    } else if (name == "corr_id" && number && *number < Id<void>::noneValue) {
        event.correlation = static_cast<std::uint32_t>(*number);
    }
}

void PerfettoFile::takeEvent(const Packet& packet, PerfettoSequence& sequence)
{
    constexpr std::uint32_t categoryIdField = 3, annotationField = 4, typeField = 9, nameIdField = 10,
                            trackField = 11, categoryField = 22, nameField = 23, valueField = 30,
                            realValueField = 44;
    const auto time = timeOf(packet, sequence);
    if (!time)
        return;
    PerfettoEvent event;
    event.timeNs = *time;
    event.track = sequence.defaultTrack.value_or(0);
    ProtoFields fields(packet.event);
    ProtoValue value;
    while (fields.next(value)) {
        switch (value.number) {
        case typeField:
            event.type = value.bits <= static_cast<std::uint64_t>(PerfettoEvent::Type::Counter)
                ? static_cast<PerfettoEvent::Type>(value.bits)
                : PerfettoEvent::Type::Unknown;
            break;
        case trackField:
            event.track = value.bits;
            break;
        case nameIdField:
            event.name = sequence.eventName(value.bits);
            break;
        case nameField:
            event.name = m_fragment.strings.intern(value.bytes);
            break;
        case categoryIdField:
            if (!event.category && !value.isBytes())
                event.category = sequence.category(value.bits);
            break;
        case categoryField:
            if (!event.category)
                event.category = m_fragment.strings.intern(value.bytes);
            break;
        case valueField:
            event.value = static_cast<double>(value.integer());
            break;
        case realValueField:
            event.value = value.real();
            break;
        case annotationField:
            if (value.isBytes())
                readAnnotation(value.bytes, sequence, event);
            break;
        default:
            break;
        }
    }
    if (fields.isDamaged())
        return exclude(Severity::DataLoss, "damaged_packet",
                       "A packet is damaged or longer than 16 MiB; it was skipped.");
    m_tracks.add(event);
}

void PerfettoFile::takeGpuWork(const Packet& packet, PerfettoSequence& sequence)
{
    constexpr std::uint32_t durationField = 2, gpuField = 11, queueField = 13, stageField = 14,
                            nameField = 17, nameIdField = 20;
    const auto time = timeOf(packet, sequence);
    if (!time)
        return;
    PerfettoGpuWork work;
    work.timeNs = *time;
    StringId stage;
    ProtoFields fields(packet.gpuWork);
    ProtoValue value;
    while (fields.next(value)) {
        switch (value.number) {
        case durationField:
            work.durationNs = value.bits < largestPerfettoTime ? static_cast<std::int64_t>(value.bits) : -1;
            break;
        case gpuField:
            work.gpu = static_cast<std::int32_t>(value.bits);
            break;
        case queueField:
            work.queue = value.bits;
            work.queueName = sequence.gpuSpecification(value.bits);
            break;
        case stageField:
            stage = sequence.gpuSpecification(value.bits);
            break;
        case nameField:
            work.name = m_fragment.strings.intern(value.bytes);
            break;
        case nameIdField:
            work.name = sequence.eventName(value.bits);
            break;
        default:
            break;
        }
    }
    if (fields.isDamaged() || work.durationNs < 0)
        return exclude(Severity::DataLoss, "damaged_packet",
                       "A packet is damaged or longer than 16 MiB; it was skipped.");
    work.name = work.name ? work.name : stage;
    m_tracks.add(work);
}

bool PerfettoFile::finish()
{
    m_fragment.hasWallClock = m_epochNs && *m_epochNs > perfettoYear2001Ns;
    m_fragment.clockOffsetNs = m_fragment.hasWallClock ? *m_epochNs : 0;
    if (!m_tracks.finish())
        return false;
    if (m_fragment.source.shown > 0)
        m_fragment.problems.add(
            Severity::Info, "generic_trace", m_fragment.source.path, 0,
            "A Perfetto trace shows tracks and slices. What they mean is known only where their categories "
            "are those of rocprofv3 or PyTorch; ranks, groups and sizes of collectives are not in it.");
    return true;
}

/// Whether a message is a packet that states its writer (a number), as the tracing service and the SDK have
/// it in each packet.
bool isPacketOfSequence(std::string_view message)
{
    bool isOfSequence = false;
    ProtoFields fields(message);
    ProtoValue value;
    while (fields.next(value))
        isOfSequence
            = isOfSequence || (value.number == PacketField::sequence && value.wire == ProtoWire::Varint);
    return isOfSequence && !fields.isDamaged();
}

/// A trace begins with packets (field 1). Where the name does not say that it is a trace, they have to state
/// their writers; a packet that is longer than the head cannot be judged.
Sniff sniffPerfetto(std::string_view fileName, std::string_view head)
{
    const bool isNamed = fileName.ends_with(".pftrace") || fileName.ends_with(".perfetto-trace")
        || fileName.ends_with(".perfetto");
    if (!head.starts_with('\n'))
        return Sniff::No;
    // Several packets in a row are not a coincidence; one may be longer than the head.
    constexpr int enough = 8;
    std::string_view rest = head;
    int packets = 0;
    for (; packets < enough && !rest.empty(); ++packets) {
        ProtoFields fields(rest);
        ProtoValue value;
        if (!fields.next(value))
            break;
        if (value.number != 1 || !value.isBytes() || (!isNamed && !isPacketOfSequence(value.bytes)))
            return Sniff::No;
        rest = rest.substr(static_cast<std::size_t>(value.bytes.data() - rest.data()) + value.bytes.size());
    }
    return isNamed || packets > 0 ? Sniff::Yes : Sniff::No;
}

Result<TraceFragment> readPerfetto(const SourceFile& file, const ReadContext& context)
{
    TraceFragment fragment = fragmentOf(file, SourceKind::Perfetto);
    const Error cancelled{Error::Kind::Cancelled, "Loading was cancelled.", file.path};
    auto stream = ProtoStream::open(file.path);
    if (!stream)
        return stream.error();
    PerfettoFile contents(*stream, fragment, context);
    if (!contents.read() || context.mustStop())
        return cancelled;
    if (const auto lost = stream->lost())
        fragment.problems.add(Severity::DataLoss, lost->code, file.path, stream->offset(), lost->explanation);
    if (fragment.source.eventsInFile == 0)
        return Error{Error::Kind::Format,
                     "The Perfetto trace contains no slices, instants, counters or work on GPUs.", file.path,
                     0};
    if (!contents.finish())
        return cancelled;
    return fragment;
}

} // namespace

extern const ReaderDescriptor perfettoReader;
const ReaderDescriptor perfettoReader{"perfetto", "Perfetto trace", SourceKind::Perfetto, sniffPerfetto,
                                      readPerfetto};

} // namespace collscope
