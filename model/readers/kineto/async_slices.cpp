// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/kineto/async_slices.h"

#include "model/kernels/collective_traits.h"
#include "model/kernels/kernel_names.h"
#include "model/readers/text/decimal_time.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>

namespace collscope {

namespace {

std::uint64_t mixedHash(std::uint64_t hash, std::string_view text)
{
    return (hash ^ std::hash<std::string_view>()(text)) * 0x9E3779B97F4A7C15u + 0x7F4A7C15u;
}

/// Whether NCCL's example profiler uses this category.
bool isNcclCategory(std::string_view category)
{
    static constexpr std::array<std::string_view, 12> categories{
        "GROUP",         "GROUP_API", "COLL", "COLL_API", "P2P", "P2P_API",
        "KERNEL_LAUNCH", "PROXY",     "NET",  "NET_IB",   "GPU", "CE_COLL"};
    for (const std::string_view own : categories) {
        if (category == own)
            return true;
    }
    return false;
}

bool isNcclCall(std::string_view category)
{
    return category == "COLL" || category == "P2P";
}

std::optional<std::uint64_t> unsignedNumber(std::string_view text)
{
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

std::optional<std::int64_t> smallNumber(std::string_view text)
{
    constexpr std::int64_t limit = std::int64_t{1} << 48; // elements of a message
    const auto number = integerFromText(text);
    return number && *number >= 0 && *number < limit ? number : std::nullopt;
}

} // namespace

void AsyncSlices::add(const Event& event, const KinetoArgs& args, StringTable& strings)
{
    Stored stored;
    stored.task = mixedHash(mixedHash(1, event.pid), event.id);
    stored.key = mixedHash(mixedHash(stored.task, event.category), event.name);
    stored.timeNs = event.timeNs;
    stored.offset = event.offset;
    stored.category = strings.intern(event.category);
    stored.name = strings.intern(event.name);
    stored.pid = strings.intern(event.pid);
    stored.isBegin = event.isBegin;
    constexpr std::int64_t mostChannels = 1 << 16;
    if (const auto channel = smallNumber(args.channel); channel && *channel < mostChannels)
        stored.channel = static_cast<std::int32_t>(*channel);
    const auto communicator = unsignedNumber(args.commHash);
    if (event.isBegin && communicator && isNcclCall(event.category)) {
        stored.call = static_cast<std::uint32_t>(m_calls.size());
        constexpr std::int64_t mostRanks = 1 << 24;
        const auto rankIn = [&](std::string_view text) {
            const auto rank = smallNumber(text);
            return rank && *rank < mostRanks ? rank : std::nullopt;
        };
        m_calls.push_back({*communicator, rankIn(args.rank), rankIn(args.peer), smallNumber(args.count),
                           smallNumber(args.ncclSequence), strings.intern(args.ncclType)});
    }
    m_events.push_back(stored);
}

void AsyncSlices::takeFrom(AsyncSlices& later, const std::vector<StringId>& names)
{
    const auto calls = static_cast<std::uint32_t>(m_calls.size());
    for (Stored event : later.m_events) {
        event.category = names[event.category.value];
        event.name = names[event.name.value];
        event.pid = names[event.pid.value];
        if (event.call != Id<void>::noneValue)
            event.call += calls;
        m_events.push_back(event);
    }
    for (NcclCall call : later.m_calls) {
        call.elementType = names[call.elementType.value];
        m_calls.push_back(call);
    }
    later.m_events.clear();
    later.m_calls.clear();
}

/// Matches begin events with end events in file order and makes slices of them.
class AsyncSlices::Pairing
{
public:
    Pairing(const AsyncSlices& events, FragmentBuilder& builder, StringTable& strings, const Ledger& ledger)
        : m_events(events.m_events)
        , m_calls(events.m_calls)
        , m_builder(builder)
        , m_strings(strings)
        , m_ledger(ledger)
    { }

    void run()
    {
        findRanks();
        for (const Stored& event : m_events) {
            if (event.isBegin)
                begin(event);
            else
                end(event);
        }
        std::vector<std::uint64_t> unended;
        for (const auto& [key, open] : m_open) {
            for (const Pair& pair : open)
                unended.push_back(pair.begin->offset);
        }
        std::sort(unended.begin(), unended.end()); // the diagnostic reports the first one in the file
        for (const std::uint64_t offset : unended)
            m_ledger.exclude("unbalanced_begin", offset, "An async begin event (ph b) without an end event.",
                             1);
    }

private:
    std::string_view categoryOf(const Stored& event) const { return m_strings.view(event.category); }

    /// A process that drives several GPUs counts as several ranks of one communicator. With a second
    /// communicator, the rank numbers could refer to either.
    void findRanks()
    {
        std::set<std::uint64_t> communicators;
        std::map<StringId, std::set<std::int64_t>> ranksOfProcess;
        for (const Stored& event : m_events) {
            if (event.call == Id<void>::noneValue)
                continue;
            communicators.insert(m_calls[event.call].communicator);
            if (m_calls[event.call].rank)
                ranksOfProcess[event.pid].insert(*m_calls[event.call].rank);
        }
        for (const auto& [pid, ranks] : ranksOfProcess)
            m_splits |= ranks.size() > 1 && communicators.size() == 1;
    }

    void begin(const Stored& event)
    {
        m_open[event.key].push_back({&event, {event.timeNs, event.timeNs}, std::nullopt});
        if (event.call != Id<void>::noneValue)
            m_callOfTask[event.task] = &event;
    }

    void end(const Stored& event)
    {
        const auto open = m_open.find(event.key);
        if (open == m_open.end() || open->second.empty())
            return m_ledger.exclude(
                "unbalanced_end", event.offset,
                "An async end event (ph e) without a begin event of the same id and name.", 1);
        Pair pair = open->second.back();
        open->second.pop_back();
        pair.times.endNs = event.timeNs;
        const bool isNccl = isNcclCategory(categoryOf(*pair.begin));
        const bool isTimed = !isNccl || (pair.times.beginNs != 0 && pair.times.endNs != 0);
        if (!isTimed) {
            m_ledger.notice("time_not_recorded", pair.begin->offset,
                            "NCCL's profiler wrote 0 for the start or the end of an event, which means that "
                            "the time was not recorded; the event is shown with length 0.");
            const std::int64_t known = std::max(pair.times.beginNs, pair.times.endNs);
            pair.times = {known, known};
        }
        if (pair.times.endNs < pair.times.beginNs)
            return m_ledger.exclude("negative_duration", event.offset, "The event ends before it starts.", 2);
        const auto call = m_callOfTask.find(event.task);
        if (isNccl && isTimed && categoryOf(*pair.begin) == "GPU" && call != m_callOfTask.end()) {
            std::optional<TimeRange>& own = m_onGpu[call->second];
            own = own ? own->united(pair.times) : pair.times;
        }
        if (pair.begin->call != Id<void>::noneValue) {
            if (const auto onGpu = m_onGpu.find(pair.begin); onGpu != m_onGpu.end())
                pair.onGpu = onGpu->second;
        }
        addSlice(pair);
        m_ledger.show(2);
    }

    /// The process of an event, with the rank added where one process drives several ranks.
    std::string processOf(const Stored& event) const
    {
        const std::string pid(m_strings.view(event.pid));
        const Stored* of = &event;
        if (of->call == Id<void>::noneValue && categoryOf(event) == "GPU") {
            if (const auto call = m_callOfTask.find(event.task); call != m_callOfTask.end())
                of = call->second;
        }
        if (!m_splits || of->call == Id<void>::noneValue || !m_calls[of->call].rank)
            return pid;
        return "[rank" + std::to_string(*m_calls[of->call].rank) + "] " + pid;
    }

    void addSlice(const Pair& pair)
    {
        const Stored& event = *pair.begin;
        SliceRow row;
        row.startNs = pair.times.beginNs;
        row.durationNs = pair.times.lengthNs();
        row.name = event.name;
        row.fileOffset = event.offset;
        TrackKind kind = TrackKind::CpuThread;
        std::string lane = "async";
        if (!categoryOf(event).empty())
            lane += " " + std::string(categoryOf(event));
        if (event.channel >= 0)
            lane += " channel " + std::to_string(event.channel);
        const bool isCall = event.call != Id<void>::noneValue;
        const KernelClass named = isCall ? classifyCollective(m_strings.view(event.name)) : KernelClass::None;
        if (named != KernelClass::None) {
            CollectiveCall call = describe(event, named);
            // NCCL's own times of a call cover its enqueueing; its channels show when data moved.
            if (pair.onGpu) {
                kind = TrackKind::GpuStream;
                lane = "NCCL";
                call.onGpu = true;
                row.startNs = pair.onGpu->beginNs;
                row.durationNs = pair.onGpu->lengthNs();
                row.category = SliceCategory::Kernel;
                row.kernelClass = named;
            }
            row.collective = m_builder.addCollective(call);
        }
        m_builder.addSlice(m_builder.track(kind, processOf(event), lane), row);
        m_ledger.start(row.startNs);
    }

    CollectiveCall describe(const Stored& event, KernelClass kind)
    {
        const NcclCall& told = m_calls[event.call];
        CollectiveCall call;
        call.kind = kind;
        call.onGpu = false;
        call.name = event.name;
        std::array<char, 17> digits{};
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), told.communicator, 16);
        call.group = m_strings.intern("0x" + std::string(digits.data(), end.ptr));
        call.elementType = told.elementType;
        call.sequence = told.sequence;
        const auto size = elementSizeBytes(m_strings.view(told.elementType));
        // For collectives that gather or scatter, the count is one rank's part, and the number of ranks is
        // not recorded.
        const CollectiveTraits* const traits = collectiveTraits(kind);
        const bool isWhole = !traits || !traits->countsOneRank;
        if (size && told.count && isWhole)
            call.payloadBytes = *told.count * *size;
        if (told.rank && told.peer) {
            const bool receives = m_strings.view(event.name) == "Recv";
            call.sourceRank = receives ? told.peer : told.rank;
            call.destinationRank = receives ? told.rank : told.peer;
        }
        return call;
    }

    const std::vector<Stored>& m_events;
    const std::vector<NcclCall>& m_calls;
    FragmentBuilder& m_builder;
    StringTable& m_strings;
    const Ledger& m_ledger;
    bool m_splits = false;
    std::unordered_map<std::uint64_t, std::vector<Pair>> m_open; ///< by key
    std::unordered_map<std::uint64_t, const Stored*> m_callOfTask; ///< the last call with an id
    std::unordered_map<const Stored*, std::optional<TimeRange>> m_onGpu;
};

void AsyncSlices::finish(FragmentBuilder& builder, StringTable& strings, const Ledger& ledger)
{
    if (!m_events.empty())
        Pairing(*this, builder, strings, ledger).run();
    m_events.clear();
    m_calls.clear();
}

} // namespace collscope
