// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/kineto_events.h"

#include "model/readers/decimal_time.h"
#include "model/readers/json_repair.h"
#include "model/readers/kineto_args.h"

#include <simdjson.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <unordered_map>

namespace collscope {

namespace ondemand = simdjson::ondemand;

namespace {

/// The fields of one event as text of the file. Views are valid while the event's text is.
struct RawEvent
{
    char phase = 0;
    std::string_view name, category, ts, dur, pid, tid, id;
    KinetoArgs args;
};

SliceCategory categoryOf(std::string_view cat)
{
    if (cat == "kernel" || cat == "Kernel")
        return SliceCategory::Kernel;
    if (cat == "gpu_memcpy" || cat == "Memcpy")
        return SliceCategory::Memcpy;
    if (cat == "gpu_memset" || cat == "Memset")
        return SliceCategory::Memset;
    if (cat == "gpu_user_annotation")
        return SliceCategory::GpuAnnotation;
    if (cat == "user_annotation")
        return SliceCategory::UserAnnotation;
    if (cat == "cpu_op" || cat == "Operator" || cat == "operator")
        return SliceCategory::CpuOp;
    if (cat == "cuda_runtime" || cat == "cuda_driver" || cat == "hip_runtime" || cat == "Runtime")
        return SliceCategory::Runtime;
    if (cat == "python_function")
        return SliceCategory::Python;
    if (cat == "overhead")
        return SliceCategory::Overhead;
    return SliceCategory::Other;
}

TrackKind trackKindOf(SliceCategory category)
{
    if (isGpuWork(category))
        return TrackKind::GpuStream;
    return category == SliceCategory::GpuAnnotation ? TrackKind::GpuAnnotation : TrackKind::CpuThread;
}

/// A scalar's text without quotes and blanks; a list as it stands. Escapes stay: the args we keep hold none that matter.
std::string_view plainText(ondemand::value value)
{
    const ondemand::json_type type = value.type();
    std::string_view text;
    if (type == ondemand::json_type::array) {
        ondemand::array array = value.get_array();
        text = simdjson::to_json_string(array);
    } else if (type != ondemand::json_type::object && type != ondemand::json_type::null) {
        text = value.raw_json_token();
    }
    while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ')
        text.remove_suffix(1);
    if (text.size() >= 2 && text.front() == '"')
        text = text.substr(1, text.size() - 2);
    return text;
}

void readArgs(ondemand::object object, KinetoArgs& args)
{
    for (ondemand::field field : object) {
        if (std::string_view* text = kinetoArgField(args, field.key().raw()))
            *text = plainText(field.value());
    }
}

} // namespace

class KinetoEventParser::Impl
{
public:
    Impl(TraceFragment& fragment, FragmentBuilder& builder)
        : m_fragment(fragment)
        , m_builder(builder)
    {
    }

    void parse(char* text, std::size_t size, std::span<const JsonEventSplitter::Span> events, std::uint64_t fileOffset);
    void finish();

    std::optional<std::int64_t> firstStartNs;
    std::optional<std::int32_t> collectiveRank;

private:
    void parseAlone(std::string_view event, std::uint64_t offset);
    void readEvent(ondemand::object object, RawEvent& event);
    std::string_view text(ondemand::value value, std::string& scratch);
    void commit(const RawEvent& event, std::string_view source, std::uint64_t offset);
    void commitComplete(const RawEvent& event, std::uint64_t offset);
    void commitBegin(const RawEvent& event, std::uint64_t offset);
    void commitEnd(const RawEvent& event, std::uint64_t offset);
    void commitCounter(std::string_view source, const RawEvent& event, std::uint64_t offset);
    void commitMetadata(std::string_view source, const RawEvent& event);
    bool makeRow(const RawEvent& event, std::uint64_t offset, SliceRow& row);
    void addSlice(const RawEvent& event, const SliceRow& row);
    std::uint32_t trackOf(const RawEvent& event, TrackKind kind);
    KernelClass kernelClassOf(StringId name);
    void exclude(std::string_view code, std::uint64_t offset, std::string_view explanation, std::uint64_t events = 1)
    {
        m_fragment.problems.add(Severity::DataLoss, code, m_fragment.source.path, offset, explanation, events);
        m_fragment.source.excluded += events;
    }
    void notice(std::string_view code, std::uint64_t offset, std::string_view explanation)
    {
        m_fragment.problems.add(Severity::Notice, code, m_fragment.source.path, offset, explanation);
    }

    struct OpenSlice
    {
        SliceRow row;
        std::uint32_t track;
    };

    TraceFragment& m_fragment;
    FragmentBuilder& m_builder;
    ondemand::parser m_parser;
    ondemand::parser m_singleParser;
    simdjson::dom::parser m_domParser;
    std::string m_nameScratch, m_categoryScratch, m_pidScratch, m_tidScratch, m_idScratch;
    std::vector<std::int8_t> m_kernelClassOf; ///< by string id, -1 = not asked yet
    std::unordered_map<std::uint32_t, std::vector<OpenSlice>> m_open; ///< B events by track
    struct LastTrack
    {
        std::string pid, tid;
        std::uint32_t index = Id<void>::noneValue;
    } m_last[3]; ///< by kind: events of one thread come in runs
};

std::string_view KinetoEventParser::Impl::text(ondemand::value value, std::string& scratch)
{
    std::string_view token = value.raw_json_token();
    while (!token.empty() && static_cast<unsigned char>(token.back()) <= ' ')
        token.remove_suffix(1);
    if (token.size() < 2 || token.front() != '"')
        return token; // a number: pid 4242 and pid "4242" are the same process
    const std::string_view content = token.substr(1, token.size() - 2);
    if (std::memchr(content.data(), '\\', content.size()) == nullptr)
        return content;
    scratch.assign(std::string_view(value.get_string()));
    return scratch;
}

void KinetoEventParser::Impl::readEvent(ondemand::object object, RawEvent& event)
{
    for (ondemand::field field : object) {
        const ondemand::raw_json_string key = field.key();
        const char* raw = key.raw();
        switch (raw[0]) {
        case 'p':
            if (key.unsafe_is_equal("ph")) {
                const std::string_view token = field.value().raw_json_token();
                event.phase = token.size() > 2 && token[0] == '"' ? token[1] : '\0';
            } else if (key.unsafe_is_equal("pid")) {
                event.pid = text(field.value(), m_pidScratch);
            }
            break;
        case 't':
            if (key.unsafe_is_equal("ts"))
                event.ts = field.value().raw_json_token();
            else if (key.unsafe_is_equal("tid"))
                event.tid = text(field.value(), m_tidScratch);
            break;
        case 'd':
            if (key.unsafe_is_equal("dur"))
                event.dur = field.value().raw_json_token();
            break;
        case 'n':
            if (key.unsafe_is_equal("name"))
                event.name = text(field.value(), m_nameScratch);
            break;
        case 'c':
            if (key.unsafe_is_equal("cat"))
                event.category = text(field.value(), m_categoryScratch);
            break;
        case 'i':
            if (key.unsafe_is_equal("id"))
                event.id = text(field.value(), m_idScratch);
            break;
        case 'a':
            if (key.unsafe_is_equal("args") && field.value().type() == ondemand::json_type::object)
                readArgs(field.value().get_object(), event.args);
            break;
        default:
            break;
        }
    }
}

void KinetoEventParser::Impl::parse(char* base, std::size_t size, std::span<const JsonEventSplitter::Span> events,
                                    std::uint64_t fileOffset)
{
    m_fragment.source.eventsInFile += events.size();
    if (events.empty())
        return;
    // One array of all events costs one stage-1 pass; the bracket and the padding go over neighbouring bytes and back.
    char* begin = base + events.front().begin - 1;
    char* end = base + events.back().end;
    const char savedFront = *begin;
    char savedBack[backMargin];
    std::memcpy(savedBack, end, backMargin);
    *begin = '[';
    *end = ']';
    std::memset(end + 1, ' ', backMargin - 1);

    std::size_t done = 0;
    try {
        const auto length = static_cast<std::size_t>(end + 1 - begin);
        ondemand::document document = m_parser.iterate(begin, length, length + backMargin - 1);
        for (ondemand::object object : document.get_array()) {
            if (done == events.size())
                break;
            RawEvent event;
            readEvent(object, event);
            const auto span = events[done];
            commit(event, {base + span.begin, span.end - span.begin}, fileOffset + span.begin);
            ++done;
        }
    } catch (const simdjson::simdjson_error&) {
        // Something in this chunk is not JSON. The events from `done` on are read one by one, below.
    }
    *begin = savedFront;
    std::memcpy(end, savedBack, backMargin);
    for (; done < events.size(); ++done) {
        const auto span = events[done];
        if (span.end <= size)
            parseAlone({base + span.begin, span.end - span.begin}, fileOffset + span.begin);
    }
}

void KinetoEventParser::Impl::parseAlone(std::string_view source, std::uint64_t offset)
{
    const auto attempt = [&](std::string_view json) {
        try {
            const simdjson::padded_string padded(json);
            ondemand::document document = m_singleParser.iterate(padded);
            RawEvent event;
            readEvent(document.get_object(), event);
            commit(event, json, offset);
            return true;
        } catch (const simdjson::simdjson_error&) {
            return false;
        }
    };
    if (attempt(source))
        return;
    const RepairedJson repaired = repairJson(source);
    if (!repaired.changed() || !attempt(repaired.text)) {
        exclude("malformed_event", offset, "This event is not valid JSON and could not be repaired.");
        return;
    }
    if (repaired.controlCharacters)
        notice("control_character", offset, "A string held raw control characters; they are shown escaped.");
    if (repaired.invalidUtf8)
        notice("invalid_utf8", offset, "A string held bytes that are not UTF-8; each is shown as U+FFFD.");
    if (repaired.notANumber)
        notice("not_a_number", offset, "A number was NaN or infinite; the value is treated as missing.");
}

void KinetoEventParser::Impl::commit(const RawEvent& event, std::string_view source, std::uint64_t offset)
{
    switch (event.phase) {
    case 'X':
        return commitComplete(event, offset);
    case 'B':
        return commitBegin(event, offset);
    case 'E':
        return commitEnd(event, offset);
    case 'C':
        return commitCounter(source, event, offset);
    case 'M':
        return commitMetadata(source, event);
    case 'i':
    case 'I':
    case 'R':
    case 'n':
    case 'P': {
        const auto time = nanosecondsFromMicroseconds(event.ts);
        if (!time)
            return exclude("bad_time", offset, "The event's ts is missing or not a number.");
        m_builder.addInstant(trackOf(event, TrackKind::CpuThread), *time, m_fragment.strings.intern(event.name));
        ++m_fragment.source.shown;
        return;
    }
    case 's':
    case 't':
    case 'f': {
        const auto time = nanosecondsFromMicroseconds(event.ts);
        if (!time)
            return exclude("bad_time", offset, "The event's ts is missing or not a number.");
        const auto number = integerFromText(event.id);
        const std::uint64_t id = number ? static_cast<std::uint64_t>(*number) : std::hash<std::string_view>()(event.id);
        const FlowPhase phase = event.phase == 's' ? FlowPhase::Start
            : event.phase == 't'                   ? FlowPhase::Step
                                                   : FlowPhase::End;
        m_builder.addFlow(event.pid, event.tid, *time, id, m_fragment.strings.intern(event.category), phase);
        ++m_fragment.source.shown;
        return;
    }
    case 0:
        return exclude("no_phase", offset, "The element has no ph: it is not a trace event.");
    default:
        return exclude("unsupported_phase", offset, "Events of this ph (async or object events) are not drawn.");
    }
}

bool KinetoEventParser::Impl::makeRow(const RawEvent& event, std::uint64_t offset, SliceRow& row)
{
    const auto start = nanosecondsFromMicroseconds(event.ts);
    if (!start) {
        exclude("bad_time", offset, "The event's ts is missing or not a number.");
        return false;
    }
    row.startNs = *start;
    row.name = m_fragment.strings.intern(event.name);
    row.category = categoryOf(event.category);
    row.correlation = kinetoId(event.args.correlation);
    row.externalId = kinetoId(event.args.externalId);
    row.fileOffset = offset;
    return true;
}

void KinetoEventParser::Impl::addSlice(const RawEvent& event, const SliceRow& plain)
{
    SliceRow row = plain;
    const KernelClass named = classifyCollective(event.args.collectiveName);
    if (row.category == SliceCategory::Kernel) {
        row.kernelClass = kernelClassOf(row.name);
        if (named != KernelClass::None)
            row.kernelClass = named;
    } else if (row.category == SliceCategory::Memcpy) {
        row.kernelClass = KernelClass::Copy;
    } else if (row.category == SliceCategory::Memset) {
        row.kernelClass = KernelClass::Memset;
    }
    const bool onGpu = isGpuWork(row.category);
    if (named != KernelClass::None && (onGpu || event.name == "record_param_comms")) {
        row.collective = m_builder.addCollective(kinetoCollective(event.args, named, onGpu, m_fragment.strings));
        if (!collectiveRank && !event.args.rank.empty()) {
            if (const auto rank = integerFromText(event.args.rank))
                collectiveRank = static_cast<std::int32_t>(*rank);
        }
    }
    const std::uint32_t track = trackOf(event, trackKindOf(row.category));
    if (onGpu) {
        const KernelDetail detail = kinetoDetail(event.args);
        row.detail = m_builder.addDetail(detail);
        Track& stream = m_builder.trackAt(track);
        stream.device = stream.device < 0 ? detail.device : stream.device;
        stream.stream = stream.stream < 0 ? detail.stream : stream.stream;
    }
    m_builder.addSlice(track, row);
    firstStartNs = std::min(firstStartNs.value_or(row.startNs), row.startNs);
}

void KinetoEventParser::Impl::commitComplete(const RawEvent& event, std::uint64_t offset)
{
    SliceRow row;
    if (!makeRow(event, offset, row))
        return;
    const auto duration = nanosecondsFromMicroseconds(event.dur);
    if (!duration)
        notice("missing_dur", offset, "The event has no duration; it is shown with length 0.");
    else if (*duration < 0)
        return exclude("negative_duration", offset, "The event ends before it begins.");
    row.durationNs = duration.value_or(0);
    if (row.durationNs > std::numeric_limits<std::int64_t>::max() / 4 || std::abs(row.startNs) > std::numeric_limits<std::int64_t>::max() / 2)
        return exclude("absurd_time", offset, "The event's time is outside any plausible range.");
    addSlice(event, row);
    ++m_fragment.source.shown;
}

void KinetoEventParser::Impl::commitBegin(const RawEvent& event, std::uint64_t offset)
{
    SliceRow row;
    if (!makeRow(event, offset, row))
        return;
    const std::uint32_t track = trackOf(event, trackKindOf(row.category));
    m_open[track].push_back({row, track});
}

void KinetoEventParser::Impl::commitEnd(const RawEvent& event, std::uint64_t offset)
{
    const auto time = nanosecondsFromMicroseconds(event.ts);
    if (!time)
        return exclude("bad_time", offset, "The event's ts is missing or not a number.");
    const auto open = m_open.find(trackOf(event, trackKindOf(categoryOf(event.category))));
    if (open == m_open.end() || open->second.empty())
        return exclude("unbalanced_end", offset, "An end event (ph E) without a begin event on its thread.");
    OpenSlice slice = open->second.back();
    open->second.pop_back();
    if (*time < slice.row.startNs)
        return exclude("negative_duration", offset, "The event ends before it begins.", 2);
    slice.row.durationNs = *time - slice.row.startNs;
    m_builder.addSlice(slice.track, slice.row);
    firstStartNs = std::min(firstStartNs.value_or(slice.row.startNs), slice.row.startNs);
    m_fragment.source.shown += 2;
}

void KinetoEventParser::Impl::finish()
{
    for (const auto& [track, open] : m_open) {
        for (const OpenSlice& slice : open)
            exclude("unbalanced_begin", slice.row.fileOffset, "A begin event (ph B) that never ends.");
    }
    m_open.clear();
}

void KinetoEventParser::Impl::commitCounter(std::string_view source, const RawEvent& event, std::uint64_t offset)
{
    const auto time = nanosecondsFromMicroseconds(event.ts);
    if (!time)
        return exclude("bad_time", offset, "The event's ts is missing or not a number.");
    simdjson::dom::element document;
    simdjson::dom::object args;
    bool any = false;
    if (m_domParser.parse(source).get(document) == simdjson::SUCCESS && document["args"].get(args) == simdjson::SUCCESS) {
        for (const auto field : args) {
            double value = 0;
            if (field.value.get(value) != simdjson::SUCCESS)
                continue;
            const std::string name = args.size() == 1 ? std::string(event.name)
                                                       : std::string(event.name) + " " + std::string(field.key);
            m_builder.addCounter(m_fragment.strings.intern(name), CounterUnit::Count, -1, *time, value);
            any = true;
        }
    }
    if (!any)
        return exclude("empty_counter", offset, "A counter event without a number.");
    ++m_fragment.source.shown;
}

void KinetoEventParser::Impl::commitMetadata(std::string_view source, const RawEvent& event)
{
    ++m_fragment.source.shown;
    if (event.name != "process_name" && event.name != "thread_name")
        return;
    simdjson::dom::element document;
    std::string_view name;
    if (m_domParser.parse(source).get(document) != simdjson::SUCCESS
        || document["args"]["name"].get(name) != simdjson::SUCCESS)
        return;
    if (event.name == "process_name")
        m_builder.setProcessName(event.pid, name);
    else
        m_builder.setThreadName(event.pid, event.tid, name);
}

std::uint32_t KinetoEventParser::Impl::trackOf(const RawEvent& event, TrackKind kind)
{
    LastTrack& last = m_last[static_cast<std::size_t>(kind)];
    if (last.index == Id<void>::noneValue || last.tid != event.tid || last.pid != event.pid) {
        last.index = m_builder.track(kind, event.pid, event.tid);
        last.pid = event.pid;
        last.tid = event.tid;
    }
    return last.index;
}

KernelClass KinetoEventParser::Impl::kernelClassOf(StringId name)
{
    if (name.value >= m_kernelClassOf.size())
        m_kernelClassOf.resize(std::max<std::size_t>(m_fragment.strings.size(), name.value + 1) * 2, -1);
    std::int8_t& known = m_kernelClassOf[name.value];
    if (known < 0)
        known = static_cast<std::int8_t>(classifyKernel(m_fragment.strings.view(name)));
    return static_cast<KernelClass>(known);
}

KinetoEventParser::KinetoEventParser(TraceFragment& fragment, FragmentBuilder& builder)
    : m_impl(std::make_unique<Impl>(fragment, builder))
{
}

KinetoEventParser::~KinetoEventParser() = default;

void KinetoEventParser::parse(char* text, std::size_t size, std::span<const JsonEventSplitter::Span> events,
                              std::uint64_t fileOffset)
{
    m_impl->parse(text, size, events, fileOffset);
}

void KinetoEventParser::finish()
{
    m_impl->finish();
}

std::int64_t KinetoEventParser::firstStartNs() const
{
    return m_impl->firstStartNs.value_or(0);
}

std::optional<std::int32_t> KinetoEventParser::collectiveRank() const
{
    return m_impl->collectiveRank;
}

} // namespace collscope
