// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/kineto/kineto_envelope.h"
#include "model/readers/kineto/kineto_file.h"
#include "model/readers/kineto/pipeline_workers.h"
#include "model/readers/reader.h"
#include "model/readers/text/event_starts.h"
#include "model/readers/text/json_blanks.h"
#include "model/readers/xla/merged_ranks.h"
#include "model/readers/xla/xla_devices.h"

#include <algorithm>

namespace collscope {

namespace {

constexpr std::int64_t year2001Ns = 978'307'200'000'000'000;

/// Whether a bare list of events follows log lines: a bracket at the start of a line, with an event in it.
bool holdsBareList(std::string_view head)
{
    constexpr std::size_t firstKeys = 1024; // of an event
    for (std::size_t line = head.find('\n'); line != std::string_view::npos;) {
        const std::size_t bracket = head.find_first_not_of(jsonBlanks, line);
        if (bracket == std::string_view::npos)
            return false;
        const std::size_t brace = head.find_first_not_of(jsonBlanks, bracket + 1);
        if (head[bracket] == '[' && brace != std::string_view::npos && head[brace] == '{') {
            const std::string_view element = head.substr(brace, firstKeys);
            if (element.substr(0, element.find('}')).find("\"ph\"") != std::string_view::npos)
                return true;
        }
        line = head.find('\n', bracket);
    }
    return false;
}

Sniff sniff(std::string_view fileName, std::string_view head)
{
    if (head.starts_with("\xEF\xBB\xBF"))
        head.remove_prefix(3);
    const std::size_t first = head.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos)
        return Sniff::No;
    const auto holds = [&](std::string_view text) { return head.find(text) != std::string_view::npos; };
    if (holds("\"traceEvents\"") && holds("\"ph\"")) // log lines may come first
        return Sniff::Yes;
    if (head[first] == '[') {
        const std::size_t element = head.find_first_not_of(" \t\r\n", first + 1);
        if (element == std::string_view::npos || head[element] == ']')
            return Sniff::Yes; // no events, or cut off before the first one
        if (head[element] == '{' && holds("\"ph\""))
            return Sniff::Yes;
    }
    if (holds("\"ph\"") && holdsBareList(head))
        return Sniff::Yes;
    // The text before the first event may be damaged, including the bracket of a bare list.
    const std::size_t brace = head.find('{', first);
    if (holds("\"ph\"")
        && (holds("traceEvents") || (brace < first + 8 && eventBegins(head, brace) == Begins::Yes)))
        return Sniff::Yes;
    if (head[first] != '{')
        return Sniff::No;
    if (holds("\"traceEvents\"")
        || (holds("\"schemaVersion\"") && (holds("\"deviceProperties\"") || holds("\"distributedInfo\""))))
        return Sniff::Yes;
    return fileName.ends_with(".pt.trace.json") || fileName.ends_with(".pt.trace.json.gz") ? Sniff::Yes
                                                                                           : Sniff::No;
}

void reportEnd(KinetoFile& file)
{
    const TraceDocument& document = file.parser.document();
    TraceFragment& fragment = file.fragment;
    const std::string& path = fragment.source.path;
    if (document.otherElements() > 0) {
        fragment.source.eventsInFile += document.otherElements();
        fragment.source.excluded += document.otherElements();
        fragment.problems.add(Severity::DataLoss, "not_an_event", path, 0,
                              "Elements of the event list are not objects, so they are not trace events.",
                              document.otherElements());
    }
    if (document.documents() > 1)
        fragment.problems.add(Severity::Notice, "several_documents", path, 0,
                              "The file contains " + std::to_string(document.documents())
                                  + " documents, as if two processes had written to it; the events of all "
                                    "are shown, and rank and clock are taken from the first.");
    if (document.mixed() > 0)
        fragment.problems.add(Severity::DataLoss, "interleaved", path, 0,
                              "Two processes wrote to this file at the same time, so their texts are mixed. "
                              "Intact events are shown as one rank; let each rank write to a separate file.");
    if (document.resumed() > 0)
        fragment.problems.add(Severity::Notice, "early_end", path, 0,
                              "Events follow the apparent end of the event list; they are shown.", 0);
    if (document.moreLists() > 0)
        fragment.problems.add(Severity::Notice, "several_lists", path, 0,
                              "The document has more than one event list; the events of all are shown.");
    if (document.hasTail())
        fragment.problems.add(Severity::Notice, "text_after_end", path, 0,
                              "Text that is not part of a trace follows the end of the document, as if a "
                              "program had logged into the file; it was skipped.");
    if (file.damage)
        fragment.problems.add(Severity::DataLoss, file.damage->code, path, file.textBytes,
                              file.damage->explanation);
    if (document.isComplete())
        return;
    const std::uint64_t open = file.parser.hasOpenEvent() ? 1 : 0;
    fragment.source.eventsInFile += open;
    fragment.source.excluded += open;
    fragment.problems.add(
        Severity::DataLoss, "truncated", path, file.textBytes,
        "The file ends early: its event list is not closed. Every complete event before the end was read.",
        open);
}

/// Reports that the end of the document around the list is missing. A missing end of the list itself is
/// reported elsewhere.
void reportCut(const KinetoFile& file, TraceFragment& fragment)
{
    const TraceDocument& document = file.parser.document();
    const std::string& path = fragment.source.path;
    if (document.documents() > 1 || document.mixed() > 0)
        fragment.problems.add(Severity::Notice, "bad_metadata", path, 0,
                              "The text around the event list is not valid JSON: its end is missing. "
                              "Everything before that was read.");
    else if (document.isComplete())
        fragment.problems.add(Severity::DataLoss, "truncated", path, file.textBytes,
                              "The file ends early: its event list is complete, but the text after it is "
                              "not. Everything before the end was read.");
}

/// Whether the file was written by torch.autograd.profiler of a PyTorch built without Kineto.
bool isLegacyProfile(const FragmentBuilder& builder)
{
    const std::vector<FragmentBuilder::Process> processes = builder.processes();
    return std::any_of(processes.begin(), processes.end(), [](const FragmentBuilder::Process& process) {
        return process.pid == "CPU functions";
    });
}

OnlyGroup groupOf(const KinetoEnvelope::Group& listed, StringTable& strings)
{
    OnlyGroup group;
    group.name = strings.intern(listed.name);
    group.description = strings.intern(listed.description);
    group.rankList = listed.ranks;
    group.size = listed.size.value_or(static_cast<std::int32_t>(listed.ranks.size()));
    std::string text;
    for (const std::int32_t rank : listed.ranks)
        text += (text.empty() ? "[" : ", ") + std::to_string(rank);
    if (!text.empty())
        group.ranks = strings.intern(text + "]");
    return group;
}

Timeline timelineOf(FragmentBuilder& builder, const KinetoEnvelope& envelope, StringTable& strings)
{
    Timeline timeline;
    timeline.kind = SourceKind::Kineto;
    timeline.device = firstDeviceOf(builder); // deviceProperties lists all devices of the host
    timeline.worldSize = envelope.worldSize;
    if (!envelope.host.empty())
        timeline.host = strings.intern(envelope.host);
    if (const KinetoEnvelope::Device* device = envelope.device(timeline.device)) {
        if (!device->name.empty())
            timeline.deviceName = strings.intern(device->name);
        timeline.multiprocessors = device->multiprocessors.value_or(0);
    }
    timeline.saysNoGpu = envelope.listsDevices && envelope.devices.empty();
    timeline.isLegacyProfile = isLegacyProfile(builder);
    timeline.processGroups = static_cast<std::int32_t>(envelope.groups.size());
    if (!envelope.backend.empty())
        timeline.backend = strings.intern(envelope.backend);
    if (envelope.groups.size() == 1)
        builder.setOnlyGroup(groupOf(envelope.groups.front(), strings));
    return timeline;
}

using ProgressCallback = std::function<bool(double)>;

/// Makes a timeline for each rank of a file that contains several.
bool completeRanks(TraceFragment& fragment, FragmentBuilder& builder, const RankOfPid& ranks,
                   const KinetoEnvelope& envelope, const Parallel& parallel,
                   const ProgressCallback& shouldContinue)
{
    const auto describe = [&](FragmentBuilder& part) {
        Timeline timeline = timelineOf(part, envelope, fragment.strings);
        timeline.host = {}; // the host stated in the file need not be the host of all ranks
        return timeline;
    };
    return finishRanks(fragment, builder, ranks, describe, parallel, shouldContinue);
}

/// Sets the steps stated in the events' args; they apply to all ranks of the file.
void setSteps(TraceFragment& fragment, const ArgsSteps& found)
{
    const std::vector<Step> steps = found.steps(fragment.strings);
    for (Timeline& timeline : fragment.timelines) {
        if (steps.empty())
            continue;
        timeline.steps = steps;
        timeline.stepSource = StepSource::ArgsStep;
    }
}

/// Makes timelines of the events read. `fragment` and `builder` are those of the contents, or copies of them.
/// Returns false if `shouldContinue` did.
bool complete(TraceFragment& fragment, FragmentBuilder& builder, const KinetoFile& contents,
              const SourceFile& file, const Parallel& parallel, const ProgressCallback& shouldContinue)
{
    const KinetoEventParser& parser = contents.parser;
    const KinetoEnvelope envelope
        = readKinetoEnvelope(parser.document().envelope(), file.path, fragment.problems);
    if (envelope.isCut)
        reportCut(contents, fragment);
    // Older profilers wrote ts as microseconds since the epoch; newer ones relative to baseTimeNanoseconds.
    const bool epochStamps = parser.firstStartNs() > year2001Ns;
    fragment.hasWallClock = epochStamps || envelope.baseTimeNs > year2001Ns;
    fragment.clockOffsetNs = epochStamps ? 0 : envelope.baseTimeNs;
    if (const RankOfPid devices = arrangeXlaDevices(builder, fragment.strings); !devices.empty()) {
        fragment.isOfDevices = true;
        const bool whole = completeRanks(fragment, builder, devices, envelope, parallel, shouldContinue);
        for (Timeline& timeline : fragment.timelines)
            timeline.isXla = true;
        return whole;
    }
    const std::size_t workers = arrangePipelineWorkers(builder, fragment.strings);
    if (workers > 0)
        fragment.problems.add(Severity::Info, "pipeline_workers", fragment.source.path, 0,
                              "The file identifies its ranks by data-parallel rank and pipeline stage: "
                                  + std::to_string(workers)
                                  + " workers, each shown as a rank, numbered stage by stage. "
                                    "Tensor-parallel ranks that it does not name are not included.");
    if (const RankOfPid ranks = mergedRanks(builder.processes(), parser.rankOfPid()); !ranks.empty()) {
        fragment.isMerged = true;
        fragment.problems.add(Severity::Info, "merged_file", fragment.source.path, 0,
                              "Another tool merged the traces of "
                                  + std::to_string(distinctRanks(ranks).size())
                                  + " ranks into this file; each is shown as a separate rank.");
        const bool whole = completeRanks(fragment, builder, ranks, envelope, parallel, shouldContinue);
        if (workers > 0)
            describeWorkers(fragment);
        setSteps(fragment, parser.steps());
        return whole;
    }
    if (isLegacyProfile(builder))
        fragment.problems.add(Severity::Info, "legacy_profile", fragment.source.path, 0,
                              "This is a legacy autograd profile (PyTorch built without Kineto): it states "
                              "neither its rank nor the time of day, and its events have no categories. "
                              "Operators are recognised by their names.");
    fragment.contentRank = envelope.rank;
    if (!fragment.contentRank && !file.nameRank)
        fragment.contentRank = parser.collectiveRank();
    const bool whole
        = builder.finish(fragment, timelineOf(builder, envelope, fragment.strings), parallel, shouldContinue);
    setSteps(fragment, parser.steps());
    return whole;
}

Result<TraceFragment> read(const SourceFile& file, const ReadContext& context)
{
    KinetoFirstLook firstLook;
    if (context.firstLook) {
        firstLook = [&](const KinetoFile& soFar) {
            TraceFragment fragment = soFar.fragment.clone();
            FragmentBuilder builder = soFar.builder.copyFor(fragment.strings);
            if (complete(fragment, builder, soFar, file, context.parallel,
                         [&](double) { return !context.mustStop(); }))
                context.firstLook(std::move(fragment));
        };
    }
    auto contents = readKinetoFile(file, context, std::move(firstLook));
    if (!contents)
        return contents.error();
    TraceFragment& fragment = (*contents)->fragment;
    const KinetoEventParser& parser = (*contents)->parser;
    if (!parser.document().sawEvents())
        return Error{
            Error::Kind::Format,
            file.path
                + " has no traceEvents list: it is not a profiler trace, or it is cut off before the list.",
            file.path};
    reportEnd(**contents);
    const auto shouldContinue = [&](double done) {
        const double share = ReadContext::readShare + (1 - ReadContext::readShare) * done;
        context.progress(static_cast<std::uint64_t>(share * static_cast<double>(file.bytes)));
        return !context.mustStop();
    };
    if (!complete(fragment, (*contents)->builder, **contents, file, context.parallel, shouldContinue))
        return Error{Error::Kind::Cancelled, "Loading was cancelled.", file.path};
    return std::move(fragment);
}

} // namespace

extern const ReaderDescriptor kinetoReader;
const ReaderDescriptor kinetoReader{"kineto", "PyTorch profiler (Kineto) or Chrome trace JSON",
                                    SourceKind::Kineto, sniff, read};

} // namespace collscope
