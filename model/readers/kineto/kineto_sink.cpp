// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/kineto/kineto_sink.h"

#include "model/kernels/kernel_names.h"
#include "model/readers/text/decimal_time.h"
#include "model/readers/xla/other_devices.h"
#include "model/text/same_text.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <limits>

namespace collscope {

namespace {

/// A time beyond this is damage, and sums of a few such times would overflow.
constexpr std::int64_t longestTimeNs = std::numeric_limits<std::int64_t>::max() / 4;

std::optional<std::int32_t> rankFromText(std::string_view text)
{
    const auto rank = integerFromText(text);
    const bool fits = rank && *rank >= 0 && *rank <= std::numeric_limits<std::int32_t>::max();
    return fits ? std::optional(static_cast<std::int32_t>(*rank)) : std::nullopt;
}

SliceCategory categoryOf(std::string_view cat)
{
    const auto is = [cat](std::string_view name) { return sameText(cat, name); };
    if (is("kernel") || is("Kernel"))
        return SliceCategory::Kernel;
    if (is("gpu_memcpy") || is("Memcpy"))
        return SliceCategory::Memcpy;
    if (is("gpu_memset") || is("Memset"))
        return SliceCategory::Memset;
    if (is("gpu_user_annotation"))
        return SliceCategory::GpuAnnotation;
    if (is("user_annotation"))
        return SliceCategory::UserAnnotation;
    if (is("cpu_op") || is("Operator") || is("operator"))
        return SliceCategory::CpuOp;
    if (is("cuda_runtime") || is("cuda_driver") || is("hip_runtime") || is("Runtime") || is("xpu_runtime")
        || is("xpu_driver") || is("mtia_runtime") || is("privateuse1_runtime") || is("privateuse1_driver"))
        return SliceCategory::Runtime;
    if (is("python_function"))
        return SliceCategory::Python;
    if (is("overhead"))
        return SliceCategory::Overhead;
    return SliceCategory::Other;
}

/// The process in profiles written by a PyTorch without Kineto, which have no categories.
constexpr std::string_view legacyProcess = "CPU functions";

SliceCategory legacyCategoryOf(std::string_view name)
{
    if (cpuCallOf(name).kind == CpuCallName::Kind::Span || name.starts_with("ProfilerStep#")
        || name.starts_with("Optimizer."))
        return SliceCategory::UserAnnotation;
    return name.find("::") != std::string_view::npos || name.find("Backward") != std::string_view::npos
        ? SliceCategory::CpuOp
        : SliceCategory::Other;
}

TrackKind trackKindOf(SliceCategory category)
{
    if (isGpuWork(category))
        return TrackKind::GpuStream;
    return category == SliceCategory::GpuAnnotation ? TrackKind::GpuAnnotation : TrackKind::CpuThread;
}

} // namespace

void KinetoEventSink::commit(const RawEvent& event, std::uint64_t offset)
{
    switch (event.phase) {
    case 'X':
        return commitComplete(event, offset);
    case 'B':
        return commitBegin(event, offset);
    case 'E':
        return commitEnd(event, offset);
    case 'b':
    case 'e':
        return commitAsync(event, offset);
    case 'i':
    case 'I':
    case 'R':
    case 'n':
    case 'P':
    case 's':
    case 't':
    case 'f':
        break;
    case 0:
        return exclude("no_phase", offset, "The element has no ph: it is not a trace event.");
    default:
        return exclude("unsupported_phase", offset,
                       "Events of this ph (older async or object events) are not drawn.");
    }
    const auto time = timeOf(event.ts, offset);
    if (!time)
        return;
    if (event.phase == 's' || event.phase == 't' || event.phase == 'f')
        commitFlow(event, *time);
    else
        m_builder.addInstant(trackOf(event, TrackKind::CpuThread), *time,
                             m_fragment.strings.intern(event.name));
    if (event.name == "[memory]")
        addMemory(event, *time);
    countShown();
}

void KinetoEventSink::commitAsync(const RawEvent& event, std::uint64_t offset)
{
    if (const auto time = timeOf(event.ts, offset))
        m_async.add({event.category, event.name, event.pid, event.id, event.phase == 'b', *time, offset},
                    event.args, m_fragment.strings);
}

void KinetoEventSink::addMemory(const RawEvent& event, std::int64_t timeNs)
{
    constexpr std::int64_t cpu = 0; // c10::DeviceType
    constexpr std::int64_t mostDevices = 1 << 10;
    const auto type = integerFromText(event.args.deviceType);
    const auto device = integerFromText(event.args.deviceId);
    if (type == cpu) {
        const auto bytes = integerFromText(event.args.totalAllocated);
        if (bytes && *bytes >= 0)
            m_builder.addCounter(m_fragment.strings.intern(hostAllocatedCounter), CounterUnit::Bytes, -1,
                                 timeNs, static_cast<double>(*bytes));
        return;
    }
    if (!type || !device || *device < 0 || *device >= mostDevices)
        return;
    if (m_lastMemory.device != *device) {
        const auto counter = [&](std::string_view name) {
            return m_builder.counter(m_fragment.strings.intern(name), CounterUnit::Bytes,
                                     static_cast<std::int32_t>(*device));
        };
        m_lastMemory = {*device, counter(allocatedCounter), counter(reservedCounter)};
    }
    for (const auto& [text, counter] : {std::pair(event.args.totalAllocated, m_lastMemory.allocated),
                                        {event.args.totalReserved, m_lastMemory.reserved}}) {
        const auto bytes = integerFromText(text);
        if (bytes && *bytes >= 0)
            m_builder.addSample(counter, timeNs, static_cast<double>(*bytes));
    }
}

void KinetoEventSink::commitFlow(const RawEvent& event, std::int64_t timeNs)
{
    const auto number = integerFromText(event.id);
    const std::uint64_t id
        = number ? static_cast<std::uint64_t>(*number) : std::hash<std::string_view>()(event.id);
    const FlowPhase phase = event.phase == 's' ? FlowPhase::Start
        : event.phase == 't'                   ? FlowPhase::Step
                                               : FlowPhase::End;
    LastFlow& last = m_lastFlow[static_cast<std::size_t>(phase)];
    if (last.place == Id<void>::noneValue || !sameText(last.tid, event.tid) || !sameText(last.pid, event.pid)
        || !sameText(last.category, event.category)) {
        last.place = m_builder.flowPlace(event.pid, event.tid, event.category, phase);
        last.pid = event.pid;
        last.tid = event.tid;
        last.category = event.category;
    }
    m_builder.addFlow(last.place, timeNs, id);
}

void KinetoEventSink::addCounter(std::string_view name, std::int64_t timeNs, double value)
{
    m_builder.addCounter(m_fragment.strings.intern(name), CounterUnit::Count, -1, timeNs, value);
}

void KinetoEventSink::exclude(std::string_view code, std::uint64_t offset, std::string_view explanation,
                              std::uint64_t events)
{
    m_fragment.problems.add(Severity::DataLoss, code, m_fragment.source.path, offset, explanation, events);
    m_fragment.source.excluded += events;
}

void KinetoEventSink::notice(std::string_view code, std::uint64_t offset, std::string_view explanation)
{
    m_fragment.problems.add(Severity::Notice, code, m_fragment.source.path, offset, explanation);
}

std::optional<std::int64_t> KinetoEventSink::timeOf(std::string_view ts, std::uint64_t offset)
{
    const auto time = nanosecondsFromMicroseconds(ts);
    if (!time && !isDecimalNumber(ts))
        exclude("bad_time", offset, "The event's ts is missing or not a number.");
    else if (!time || std::abs(*time) > longestTimeNs)
        excludeAbsurd(offset);
    else
        return time;
    return std::nullopt;
}

void KinetoEventSink::excludeAbsurd(std::uint64_t offset)
{
    exclude("absurd_time", offset,
            "The event's time is outside any plausible range (73 years around the clock's zero: with times "
            "since 1970, up to 2043).");
}

/// An event whose length cannot be read is still shown, at its start.
std::optional<std::int64_t> KinetoEventSink::durationOf(std::string_view dur, std::uint64_t offset)
{
    const auto duration = nanosecondsFromMicroseconds(dur);
    if (duration && *duration < 0) {
        exclude("negative_duration", offset, "The event ends before it starts.");
        return std::nullopt;
    }
    if (duration ? *duration > longestTimeNs : isDecimalNumber(dur)) {
        excludeAbsurd(offset);
        return std::nullopt;
    }
    if (!duration && (dur.empty() || dur.starts_with("null")))
        notice("missing_dur", offset, "The event has no duration; it is shown with length 0.");
    else if (!duration)
        notice("bad_dur", offset, "The event's dur is not a number; the event is shown with length 0.");
    return duration.value_or(0);
}

bool KinetoEventSink::describe(const RawEvent& event, std::uint64_t offset, Described& slice)
{
    const auto start = timeOf(event.ts, offset);
    if (!start)
        return false;
    slice.detail.reset();
    slice.call.reset();
    slice.sync.reset();
    slice.row = {};
    SliceRow& row = slice.row;
    row.startNs = *start;
    row.name = m_fragment.strings.intern(event.name);
    row.category = event.category.empty() && event.pid == legacyProcess ? legacyCategoryOf(event.name)
                                                                        : categoryOf(event.category);
    row.correlation = kinetoId(event.args.correlation);
    row.externalId = kinetoId(event.args.externalId);
    row.fileOffset = offset;
    const KernelClass named = event.args.collectiveName.empty()
        ? KernelClass::None
        : classifyCollective(event.args.collectiveName);
    if (row.category == SliceCategory::Kernel)
        row.kernelClass = named != KernelClass::None ? named : kernelClassOf(row.name);
    else if (row.category == SliceCategory::Memcpy)
        row.kernelClass = KernelClass::Copy;
    else if (row.category == SliceCategory::Memset)
        row.kernelClass = KernelClass::Memset;
    std::string_view lane;
    if (row.category == SliceCategory::Other) {
        if (const auto work = otherDeviceWork(event.category, event.name, event.args.hloCategory)) {
            row.category = work->category;
            row.kernelClass = work->kernelClass;
            lane = work->lane;
            constexpr std::size_t rankDigits = 4; // a larger number is a process id of the system
            if (work->pidIsRank && event.pid.size() <= rankDigits)
                noteRank(event.pid, event.pid);
        }
    }
    constexpr std::string_view syncCategory = "cuda_sync";
    if (row.category == SliceCategory::Other && event.category == syncCategory && row.correlation != 0)
        slice.sync = kinetoSync(event.args);
    const bool onGpu = isGpuWork(row.category);
    if (onGpu)
        slice.detail = kinetoDetail(event.args);
    if (named != KernelClass::None && (onGpu || event.name == "record_param_comms")) {
        slice.call = kinetoCollective(event.args, named, onGpu, m_fragment.strings);
        if (!collectiveRank && !event.args.rank.empty()) {
            collectiveRank = rankFromText(event.args.rank);
        }
    } else if (row.category == SliceCategory::UserAnnotation || row.category == SliceCategory::CpuOp) {
        if (const CpuCallName called = cpuCallOf(event.name); called.kind != CpuCallName::Kind::None)
            slice.call = kinetoCpuCall(event.args, called, m_fragment.strings);
    }
    slice.track = trackOf(event, trackKindOf(row.category));
    if (!lane.empty() && !m_builder.trackAt(slice.track).name)
        m_builder.trackAt(slice.track).name = m_fragment.strings.intern(lane);
    if (!event.args.rawPid.empty() && !event.args.mergedRank.empty())
        noteRank(event.pid, event.args.mergedRank);
    return true;
}

void KinetoEventSink::noteRank(std::string_view pid, std::string_view rankText)
{
    const auto rank = rankFromText(rankText);
    if (rank && rankOfPid.find(pid) == rankOfPid.end())
        rankOfPid.emplace(pid, *rank);
}

void KinetoEventSink::addSlice(const Described& slice)
{
    SliceRow row = slice.row;
    if (slice.detail) {
        row.detail = m_builder.addDetail(*slice.detail);
        Track& stream = m_builder.trackAt(slice.track);
        stream.device = stream.device < 0 ? slice.detail->device : stream.device;
        stream.stream = stream.stream < 0 ? slice.detail->stream : stream.stream;
    }
    if (slice.call)
        row.collective = m_builder.addCollective(*slice.call);
    if (slice.sync)
        m_builder.addSync(*slice.sync);
    m_builder.addSlice(slice.track, row);
    firstStartNs = std::min(firstStartNs.value_or(row.startNs), row.startNs);
}

void KinetoEventSink::commitComplete(const RawEvent& event, std::uint64_t offset)
{
    if (!describe(event, offset, m_described))
        return;
    const auto duration = durationOf(event.dur, offset);
    if (!duration)
        return;
    m_described.row.durationNs = *duration;
    addSlice(m_described);
    ++steps.slices;
    if (!event.args.step.empty())
        steps.add(event.args.step, {m_described.row.startNs, m_described.row.startNs + *duration});
    countShown();
}

std::uint64_t KinetoEventSink::threadOf(const RawEvent& event)
{
    const std::uint64_t pid = m_fragment.strings.intern(event.pid).value;
    return pid << 32 | m_fragment.strings.intern(event.tid).value;
}

void KinetoEventSink::commitBegin(const RawEvent& event, std::uint64_t offset)
{
    if (describe(event, offset, m_described))
        m_open[threadOf(event)].push_back(m_described);
}

void KinetoEventSink::commitEnd(const RawEvent& event, std::uint64_t offset)
{
    if (const auto time = timeOf(event.ts, offset))
        endSlice(threadOf(event), *time, offset);
}

void KinetoEventSink::endSlice(std::uint64_t thread, std::int64_t timeNs, std::uint64_t offset)
{
    std::vector<Described>& open = m_open[thread];
    if (open.empty() && m_isPart) {
        m_looseEnds.push_back({thread, timeNs, offset});
        return;
    }
    if (open.empty())
        return exclude("unbalanced_end", offset, "An end event (ph E) without a begin event on its thread.");
    Described slice = open.back();
    open.pop_back();
    if (timeNs < slice.row.startNs)
        return exclude("negative_duration", offset, "The event ends before it starts.", 2);
    slice.row.durationNs = timeNs - slice.row.startNs;
    addSlice(slice);
    m_fragment.source.shown += 2;
}

void KinetoEventSink::takeFrom(KinetoEventSink& later, const std::vector<std::uint32_t>& tracks,
                               const std::vector<StringId>& names)
{
    const auto threadHere = [&](std::uint64_t thread) {
        const std::uint64_t pid = names[static_cast<std::size_t>(thread >> 32)].value;
        return pid << 32 | names[static_cast<std::size_t>(thread & 0xffff'ffffu)].value;
    };
    for (const LooseEnd& end : later.m_looseEnds)
        endSlice(threadHere(end.thread), end.timeNs, end.offset);
    later.m_looseEnds.clear();
    for (auto& [thread, open] : later.m_open) {
        for (Described& slice : open) {
            slice.row.name = names[slice.row.name.value];
            slice.track = tracks[slice.track];
            if (slice.call)
                forEachString(*slice.call, [&](StringId& id) { id = names[id.value]; });
            m_open[threadHere(thread)].push_back(slice);
        }
        open.clear();
    }
    if (later.firstStartNs)
        firstStartNs = std::min(firstStartNs.value_or(*later.firstStartNs), *later.firstStartNs);
    if (!collectiveRank)
        collectiveRank = later.collectiveRank;
    rankOfPid.merge(later.rankOfPid);
    steps.takeFrom(later.steps);
    m_async.takeFrom(later.m_async, names);
}

void KinetoEventSink::finish()
{
    for (const auto& [thread, open] : m_open) {
        for (const Described& slice : open)
            exclude("unbalanced_begin", slice.row.fileOffset, "A begin event (ph B) without an end event.");
    }
    m_open.clear();
    AsyncSlices::Ledger ledger;
    ledger.show = [this](std::uint64_t events) { m_fragment.source.shown += events; };
    ledger.exclude = [this](std::string_view code, std::uint64_t offset, std::string_view explanation,
                            std::uint64_t events) { exclude(code, offset, explanation, events); };
    ledger.notice = [this](std::string_view code, std::uint64_t offset, std::string_view explanation) {
        notice(code, offset, explanation);
    };
    ledger.start
        = [this](std::int64_t startNs) { firstStartNs = std::min(firstStartNs.value_or(startNs), startNs); };
    m_async.finish(m_builder, m_fragment.strings, ledger);
}

std::uint32_t KinetoEventSink::trackOf(const RawEvent& event, TrackKind kind)
{
    LastTrack& last = m_last[static_cast<std::size_t>(kind)];
    if (last.index == Id<void>::noneValue || !sameText(last.tid, event.tid)
        || !sameText(last.pid, event.pid)) {
        last.index = m_builder.track(kind, event.pid, event.tid);
        last.pid = event.pid;
        last.tid = event.tid;
    }
    return last.index;
}

KernelClass KinetoEventSink::kernelClassOf(StringId name)
{
    if (name.value >= m_kernelClassOf.size())
        m_kernelClassOf.resize(std::max<std::size_t>(m_fragment.strings.size(), name.value + 1) * 2, -1);
    std::int8_t& known = m_kernelClassOf[name.value];
    if (known < 0)
        known = static_cast<std::int8_t>(classifyKernel(m_fragment.strings.view(name)));
    return static_cast<KernelClass>(known);
}

} // namespace collscope
