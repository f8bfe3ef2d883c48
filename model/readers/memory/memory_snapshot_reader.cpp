// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Reads CUDA memory snapshots: a Python pickle of {"segments", "device_traces", "allocator_settings", ...}
// (written by torch/cuda/memory.py from torch/csrc/cuda/Module.cpp).

#include "model/readers/memory/memory_records.h"
#include "model/readers/text/measurement_text.h"
#include "model/text/valid_text.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace collscope {

namespace {

using Kind = PickleValue::Kind;

/// GPUs have less than a pebibyte, and the sum of all sizes in a file must fit in 64 bits.
constexpr std::int64_t mostBytes = std::int64_t{1} << 50;
constexpr std::int64_t mostBytesInAll = std::int64_t{1} << 60;
constexpr std::int64_t mostTimeUs = std::int64_t{1} << 52;
constexpr std::int64_t earliestWallUs = 1'000'000'000'000'000; ///< 2001; an earlier value is not a time since
                                                               ///< 1970
/// Limits for the keys and values of a dict, and for settings; a segment has about 30.
constexpr std::size_t mostDictMembers = 1000;
constexpr std::size_t longestSetting = 1000;

class SnapshotFile
{
public:
    SnapshotFile(const SourceFile& file, const ReadContext& context, ByteSource& source)
        : m_file(file)
        , m_context(context)
        , m_source(source)
        , m_fragment(fragmentOf(file, SourceKind::MemorySnapshot))
        , m_records(m_fragment.strings)
        , m_pickle(source, m_fragment.strings, m_records, [this] { return mustStop(); })
    {
        m_records.resolveWith(m_pickle);
    }

    Result<TraceFragment> read()
    {
        const Unpickler::End end = m_pickle.read();
        if (end == Unpickler::End::Cancelled)
            return error(Error::Kind::Cancelled, "Loading was cancelled.");
        const PickleValue root = m_pickle.root();
        const auto segments = listIn(root, "segments");
        const auto traces = listIn(root, "device_traces");
        if (end == Unpickler::End::Refused) {
            if (!segments && !traces)
                return error(Error::Kind::Format, "This pickle cannot be read. " + m_pickle.refusal());
            m_snapshot.isCutOff = true;
            m_fragment.problems.add(
                Severity::DataLoss, "damaged_pickle", m_file.path, m_pickle.offset(),
                "The snapshot can be read only up to this position. " + m_pickle.refusal()
                    + " Everything before it is shown; the rest is unknown, so peaks are lower bounds.");
        }
        if (end == Unpickler::End::CutOff) {
            m_snapshot.isCutOff = true;
            m_fragment.problems.add(Severity::DataLoss, "truncated", m_file.path, m_pickle.bytesRead(),
                                    "The snapshot is cut off: everything before the cut is shown; the rest "
                                    "is unknown, so peaks are lower bounds.");
        }
        noteDamage(m_source, m_file.path, m_pickle.bytesRead(), m_fragment.problems);
        if (!segments && !traces)
            return error(Error::Kind::Format,
                         "This pickle is not a memory snapshot: it has neither \"segments\" nor "
                         "\"device_traces\".");
        if (!segments)
            m_snapshot.isCutOff = true; // without segments, events cannot be replayed
        for (const PickleValue& segment : m_pickle.itemsOf(segments.value_or(PickleValue())))
            addSegment(segment);
        const auto devices = m_pickle.itemsOf(traces.value_or(PickleValue()));
        for (std::size_t device = 0; device < devices.size(); ++device)
            addEvents(static_cast<std::int32_t>(device), devices[device]);
        addSettings(root);
        addAnnotations(root);
        return finish();
    }

private:
    bool mustStop()
    {
        m_context.progress(m_source.diskBytesRead());
        return m_context.mustStop();
    }

    Error error(Error::Kind kind, std::string message) const
    {
        return {kind, std::move(message), m_file.path, m_pickle.offset()};
    }

    std::optional<PickleValue> listIn(PickleValue dict, std::string_view key) const
    {
        const auto value = m_pickle.member(dict, key);
        return value && value->is(Kind::List) ? value : std::nullopt;
    }

    std::int64_t integerIn(PickleValue dict, std::string_view key, std::int64_t otherwise = 0) const
    {
        const auto value = m_pickle.member(dict, key);
        return value && value->is(Kind::Integer) ? value->integer : otherwise;
    }

    /// A number of bytes; 0, with a problem, if it is invalid.
    std::int64_t bytesIn(PickleValue dict, std::string_view key)
    {
        const std::int64_t bytes = integerIn(dict, key);
        if (countBytes(bytes))
            return bytes;
        m_fragment.problems.add(Severity::DataLoss, "bad_size", m_file.path, 0,
                                "A size in the snapshot is negative or larger than any GPU's memory; it "
                                "counts as 0.");
        return 0;
    }

    /// Adds a size to the total; false if it is impossible, or if the total would be too large.
    bool countBytes(std::int64_t bytes)
    {
        if (bytes < 0 || bytes > mostBytes || bytes > mostBytesInAll - m_bytesInAll)
            return false;
        m_bytesInAll += bytes;
        return true;
    }

    bool isTrue(PickleValue dict, std::string_view key) const
    {
        const auto value = m_pickle.member(dict, key);
        return value && value->is(Kind::Bool) && value->integer != 0;
    }

    std::string_view textIn(PickleValue dict, std::string_view key) const
    {
        const auto value = m_pickle.member(dict, key);
        return value && value->text() ? m_fragment.strings.view(value->text()) : std::string_view();
    }

    MemoryDevice& device(std::int64_t number)
    {
        return m_devices[static_cast<std::int32_t>(std::clamp<std::int64_t>(number, 0, mostDevices))];
    }
    static constexpr std::int64_t mostDevices = 1 << 16;

    /// Returns true for a container that is requested for the first time and not too large. A pickle can
    /// contain one list in a million places; reading it each time would fill the memory.
    bool claim(PickleValue container, std::size_t mostItems = SIZE_MAX)
    {
        if (!container.is(Kind::Dict) && !container.is(Kind::List))
            return false;
        if (container.index >= m_claimed.size())
            m_claimed.resize(container.index + std::size_t{1});
        const bool isNew = !m_claimed[container.index];
        m_claimed[container.index] = true;
        return isNew && m_pickle.itemsOf(container).size() <= mostItems;
    }

    /// Items of a list in a dict; each list is returned once.
    std::span<const PickleValue> itemsIn(PickleValue dict, std::string_view key)
    {
        const auto list = listIn(dict, key);
        return list && claim(*list) ? m_pickle.itemsOf(*list) : std::span<const PickleValue>();
    }

    void addSegment(PickleValue dict)
    {
        if (!dict.is(Kind::Dict) || !claim(dict, mostDictMembers)) {
            m_fragment.problems.add(Severity::DataLoss, "bad_segment", m_file.path, 0,
                                    "An entry of \"segments\" is not a segment; it is skipped.");
            return;
        }
        const std::int64_t number = integerIn(dict, "device");
        if (number < 0 || number > mostDevices) {
            m_fragment.problems.add(Severity::DataLoss, "bad_segment", m_file.path, 0,
                                    "A segment has an impossible device number; it is skipped.");
            return;
        }
        MemorySegment segment;
        segment.address = static_cast<std::uint64_t>(integerIn(dict, "address"));
        segment.totalBytes = bytesIn(dict, "total_size");
        segment.allocatedBytes = bytesIn(dict, "allocated_size");
        segment.activeBytes = bytesIn(dict, "active_size");
        segment.requestedBytes = bytesIn(dict, "requested_size");
        segment.stream = integerIn(dict, "stream");
        segment.isLarge = textIn(dict, "segment_type") == "large";
        segment.isExpandable = isTrue(dict, "is_expandable");
        if (const auto pool = m_pickle.member(dict, "segment_pool_id")) {
            const auto numbers = m_pickle.itemsOf(*pool);
            if (numbers.size() == 2 && numbers[0].is(Kind::Integer) && numbers[1].is(Kind::Integer))
                segment.pool = {numbers[0].integer, numbers[1].integer};
        }
        std::uint64_t next = segment.address; // old files state only the size of each block
        for (const PickleValue& block : itemsIn(dict, "blocks")) {
            if (block.is(Kind::Dict) && claim(block, mostDictMembers))
                segment.blocks.push_back(blockOf(block, next));
        }
        std::stable_sort(segment.blocks.begin(), segment.blocks.end(),
                         [](const MemoryBlock& a, const MemoryBlock& b) { return a.address < b.address; });
        device(number).segments.push_back(std::move(segment));
    }

    MemoryBlock blockOf(PickleValue dict, std::uint64_t& next)
    {
        MemoryBlock block;
        block.address
            = static_cast<std::uint64_t>(integerIn(dict, "address", static_cast<std::int64_t>(next)));
        block.bytes = bytesIn(dict, "size");
        next = block.address + static_cast<std::uint64_t>(block.bytes);
        block.requestedBytes = bytesIn(dict, "requested_size");
        const std::string_view state = textIn(dict, "state");
        block.state = BlockState::Inactive;
        if (state == "active_allocated")
            block.state = BlockState::Allocated;
        else if (state.starts_with("active_"))
            block.state = BlockState::PendingFree; // _pending_free, older _awaiting_free
        block.stack = m_records.stackOf(m_pickle.member(dict, "frames").value_or(PickleValue()));
        for (const PickleValue& entry : itemsIn(dict, "history")) { // in old files, latest last
            if (!claim(entry, mostDictMembers))
                continue;
            block.stack = m_records.stackOf(m_pickle.member(entry, "frames").value_or(PickleValue()));
            block.requestedBytes = std::max(block.requestedBytes, bytesIn(entry, "real_size"));
        }
        return block;
    }

    void addEvents(std::int32_t number, PickleValue list)
    {
        if (!claim(list) || m_pickle.itemsOf(list).empty())
            return;
        const auto items = m_pickle.itemsOf(list);
        MemoryEvents& events = device(number).events;
        for (const PickleValue& item : items) {
            ++m_fragment.source.eventsInFile;
            const PickleValue value = m_pickle.resolved(item);
            const bool isEvent = value.is(Kind::Record) && value.record == MemoryRecords::Own;
            const RawMemoryEvent raw = isEvent ? m_records.event(value.index) : RawMemoryEvent();
            const auto action = isEvent ? memoryActionOf(m_fragment.strings.view(raw.action))
                                        : std::optional<MemoryAction>();
            if (!action || !countBytes(raw.bytes)) {
                ++m_fragment.source.excluded;
                m_fragment.problems.add(
                    Severity::DataLoss, "bad_event", m_file.path, 0,
                    "An event of the snapshot has an unknown action or an impossible size; it is skipped, so "
                    "the memory before it may be wrong by its size.",
                    1);
                continue;
            }
            addEvent(events, *action, raw);
        }
    }

    void addEvent(MemoryEvents& events, MemoryAction action, const RawMemoryEvent& raw)
    {
        std::int64_t timeNs = 0;
        if (raw.timeUs < 0 || raw.timeUs > mostTimeUs)
            m_hasTimes = false;
        else
            timeNs = raw.timeUs * 1000;
        if (!events.timeNs.empty() && timeNs <= events.timeNs.back()) {
            if (m_hasTimes && timeNs / 1000 < events.timeNs.back() / 1000)
                m_fragment.problems.add(Severity::Notice, "time_backwards", m_file.path, 0,
                                        "The clock went backwards between two events; the later event is "
                                        "shown at the time of the earlier one.");
            // Events of the same microsecond are placed a nanosecond apart, so that each moment has one
            // state.
            timeNs = events.timeNs.back() + 1;
        }
        events.timeNs.push_back(timeNs);
        events.address.push_back(raw.address);
        events.bytes.push_back(raw.bytes);
        events.stack.push_back(raw.stack);
        events.action.push_back(action);
    }

    std::string textOf(PickleValue value) const
    {
        switch (value.kind) {
        case Kind::Text:
            return std::string(textFront(m_fragment.strings.view(value.text()), longestSetting));
        case Kind::Bool:
            return value.integer != 0 ? "True" : "False";
        case Kind::Integer:
            return std::to_string(value.integer);
        case Kind::Number: {
            char text[32];
            return {text, std::to_chars(text, text + sizeof text, value.number).ptr};
        }
        default:
            return {};
        }
    }

    void addSettings(PickleValue root)
    {
        const auto settings
            = m_pickle.itemsOf(m_pickle.member(root, "allocator_settings").value_or(PickleValue()));
        for (std::size_t i = 0; i + 1 < settings.size(); i += 2) {
            if (m_snapshot.settings.size() == mostDictMembers)
                break;
            if (std::string value = textOf(settings[i + 1]); !value.empty() && settings[i].text())
                m_snapshot.settings.emplace_back(textOf(settings[i]), std::move(value));
        }
    }

    /// Adds the spans between "START" and "END" that user code named while memory was recorded (mostly
    /// optimizer steps).
    void addAnnotations(PickleValue root)
    {
        std::map<std::pair<std::int64_t, StringId>, std::vector<std::int64_t>> open;
        const auto list = listIn(root, "external_annotations");
        for (const PickleValue& dict : m_pickle.itemsOf(list.value_or(PickleValue()))) {
            if (!claim(dict, mostDictMembers))
                continue;
            const auto name = m_pickle.member(dict, "name");
            const std::int64_t timeUs = integerIn(dict, "time_us", -1);
            if (!name || !name->text() || timeUs < 0 || timeUs > mostTimeUs)
                continue;
            const std::int64_t number = integerIn(dict, "device");
            auto& begins = open[{number, name->text()}];
            if (textIn(dict, "stage") == "START") {
                begins.push_back(timeUs * 1000);
            } else if (!begins.empty()) {
                m_snapshot.annotations.push_back({{begins.back(), std::max(begins.back(), timeUs * 1000)},
                                                  name->text(),
                                                  static_cast<std::int32_t>(number)});
                begins.pop_back();
            }
        }
        std::sort(m_snapshot.annotations.begin(), m_snapshot.annotations.end(),
                  [](const MemoryAnnotation& a, const MemoryAnnotation& b) {
                      return a.range.beginNs < b.range.beginNs;
                  });
    }

    Result<TraceFragment> finish()
    {
        for (auto& [number, own] : m_devices) {
            own.device = number;
            if (!m_hasTimes) { // in order, a microsecond apart
                for (std::size_t i = 0; i < own.events.size(); ++i)
                    own.events.timeNs[i] = static_cast<std::int64_t>(i) * 1000;
            }
            std::stable_sort(
                own.segments.begin(), own.segments.end(),
                [](const MemorySegment& a, const MemorySegment& b) { return a.address < b.address; });
            m_snapshot.hasTimes |= own.events.size() > 0;
            m_snapshot.devices.push_back(std::move(own));
        }
        m_snapshot.hasTimes &= m_hasTimes;
        m_fragment.hasWallClock
            = m_snapshot.hasTimes
            && std::all_of(m_snapshot.devices.begin(), m_snapshot.devices.end(), [](const MemoryDevice& own) {
                   return own.events.size() == 0 || own.events.timeNs.front() >= earliestWallUs * 1000;
               });
        if (!m_hasTimes)
            m_fragment.problems.add(Severity::Notice, "no_times", m_file.path, 0,
                                    "Not every event of the snapshot has a time: events are shown in order, "
                                    "and not alongside the timelines.");
        m_snapshot.iteration = m_file.iteration;
        m_snapshot.atExit = m_file.path.find("_exit") != std::string::npos;
        m_snapshot.stacks = m_records.takeStacks();
        if (m_records.hasEndlessStacks())
            m_fragment.problems.add(
                Severity::Notice, "endless_stacks", m_file.path, 0,
                "Call stacks have more frames than any program; the excess frames are omitted.");
        m_fragment.source.shown = m_fragment.source.eventsInFile - m_fragment.source.excluded;
        m_fragment.memory.push_back(std::move(m_snapshot));
        return std::move(m_fragment);
    }

    const SourceFile& m_file;
    const ReadContext& m_context;
    ByteSource& m_source;
    TraceFragment m_fragment;
    MemoryRecords m_records;
    Unpickler m_pickle;
    MemorySnapshot m_snapshot;
    std::map<std::int32_t, MemoryDevice> m_devices;
    std::vector<bool> m_claimed; ///< by container
    std::int64_t m_bytesInAll = 0;
    bool m_hasTimes = true;
};

Sniff sniffSnapshot(std::string_view fileName, std::string_view head)
{
    constexpr char protocol = '\x80';
    if (head.size() < 3 || head[0] != protocol || head[1] < 2 || head[1] > 5)
        return Sniff::No;
    const bool says = head.find("segments") != std::string_view::npos
        || head.find("device_traces") != std::string_view::npos;
    return says || fileName.find("memory_snapshot") != std::string_view::npos ? Sniff::Yes : Sniff::No;
}

Result<TraceFragment> readSnapshot(const SourceFile& file, const ReadContext& context)
{
    auto source = ByteSource::open(file.path);
    if (!source)
        return source.error();
    return SnapshotFile(file, context, **source).read();
}

} // namespace

extern const ReaderDescriptor memorySnapshotReader;
const ReaderDescriptor memorySnapshotReader{"memory_snapshot", "CUDA memory snapshot (pickle)",
                                            SourceKind::MemorySnapshot, sniffSnapshot, readSnapshot};

} // namespace collscope
