// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/decimal_time.h"
#include "model/readers/json_repair.h"
#include "model/readers/kineto_file.h"
#include "model/readers/nesting.h"
#include "model/readers/reader.h"

#include <nlohmann/json.hpp>

#include <limits>

namespace collscope {

namespace {

using nlohmann::json;

constexpr std::int64_t year2001Ns = 978'307'200'000'000'000;

Sniff sniff(std::string_view fileName, std::string_view head)
{
    if (head.starts_with("\xEF\xBB\xBF"))
        head.remove_prefix(3);
    const std::size_t first = head.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos)
        return Sniff::No;
    const auto holds = [&](std::string_view text) { return head.find(text) != std::string_view::npos; };
    if (head[first] == '[') {
        const std::size_t element = head.find_first_not_of(" \t\r\n", first + 1);
        const bool objects
            = element != std::string_view::npos && (head[element] == '{' || head[element] == ']');
        return objects && (holds("\"ph\"") || head[element] == ']') ? Sniff::Yes : Sniff::No;
    }
    if (head[first] != '{')
        return Sniff::No;
    if (holds("\"traceEvents\"")
        || (holds("\"schemaVersion\"") && (holds("\"deviceProperties\"") || holds("\"distributedInfo\""))))
        return Sniff::Yes;
    // An execution trace: known, but it has no times to draw.
    if (holds("\"nodes\"") && holds("\"schema\""))
        return Sniff::Recognised;
    return fileName.ends_with(".pt.trace.json") || fileName.ends_with(".pt.trace.json.gz") ? Sniff::Yes
                                                                                           : Sniff::No;
}

std::optional<std::int64_t> integer(const json& object, const char* key)
{
    const auto found = object.find(key);
    if (found == object.end())
        return std::nullopt;
    if (found->is_number_integer())
        return found->get<std::int64_t>();
    return found->is_string() ? integerFromText(found->get_ref<const std::string&>()) : std::nullopt;
}

/// The entry of deviceProperties for a device; nullptr if none is sure to be it.
const json* ownDevice(const json& devices, std::int32_t id)
{
    if (!devices.is_array())
        return nullptr;
    const json* first = nullptr;
    bool alike = true;
    for (const json& device : devices) {
        if (!device.is_object())
            continue;
        if (id < 0 || integer(device, "id") == std::optional<std::int64_t>(id))
            return &device;
        if (!first)
            first = &device;
        alike &= device.value("name", json()) == first->value("name", json())
            && device.value("numSms", json()) == first->value("numSms", json());
    }
    // ROCm numbers a kernel's GPU by agent and the list from 0: where all are alike, any of them will do.
    return alike ? first : nullptr;
}

/// Reads the keys beside the events; they may come after them, so this runs last. The answer: the wall-clock
/// time of the events' zero, 0 if the file does not say it.
std::int64_t readEnvelope(const json& root, TraceFragment& fragment, Timeline& timeline)
{
    std::int64_t baseTimeNs = integer(root, "baseTimeNanoseconds").value_or(0);
    if (baseTimeNs < 0 || baseTimeNs > std::numeric_limits<std::int64_t>::max() / 4)
        baseTimeNs = 0; // no clock: sums with the events' times would not fit
    if (const auto info = root.find("distributedInfo"); info != root.end() && info->is_object()) {
        if (const auto rank = integer(*info, "rank"); rank && *rank >= 0)
            fragment.contentRank = static_cast<std::int32_t>(*rank);
        if (const auto world = integer(*info, "world_size"); world && *world > 0)
            timeline.worldSize = static_cast<std::int32_t>(*world);
    }
    const auto devices = root.find("deviceProperties");
    const json* device = devices != root.end() ? ownDevice(*devices, timeline.device) : nullptr;
    if (!device)
        return baseTimeNs;
    if (const auto name = device->find("name"); name != device->end() && name->is_string())
        timeline.deviceName = fragment.strings.intern(name->get_ref<const std::string&>());
    if (const auto sms = integer(*device, "numSms"))
        timeline.multiprocessors = static_cast<std::int32_t>(*sms);
    return baseTimeNs;
}

/// The document around the events, repaired if it must be: its rank and clock matter more than its form.
json parseEnvelope(const std::string& text, const std::string& path, Diagnostics& problems)
{
    const bool outsize = isOutsizeJson(text); // what is looked up below is copied by recursion
    json root = json::parse(outsize ? std::string() : text, nullptr, false);
    if (!root.is_discarded())
        return root;
    root = json::parse(outsize ? std::string() : repairJson(text).text, nullptr, false);
    if (root.is_discarded())
        problems.add(
            Severity::Notice, "bad_metadata", path, 0,
            "The text around the event list is not valid JSON; rank, devices and clock base are unknown.");
    else
        problems.add(
            Severity::Notice, "repaired_metadata", path, 0,
            "The text around the event list held something that JSON does not allow (NaN, a trailing "
            "comma, bytes that are not UTF-8); it was read all the same.");
    return root;
}

/// The device of the first kernel; deviceProperties lists all devices of the host.
std::int32_t firstDevice(FragmentBuilder& builder)
{
    for (std::uint32_t t = 0; t < builder.trackCount(); ++t) {
        if (builder.trackAt(t).kind == TrackKind::GpuStream && builder.trackAt(t).device >= 0)
            return builder.trackAt(t).device;
    }
    return -1;
}

void reportEnd(KinetoFile& file)
{
    const JsonEventSplitter& document = file.parser.document();
    TraceFragment& fragment = file.fragment;
    const std::string& path = fragment.source.path;
    if (document.otherElements() > 0) {
        fragment.source.eventsInFile += document.otherElements();
        fragment.source.excluded += document.otherElements();
        fragment.problems.add(Severity::DataLoss, "not_an_event", path, 0,
                              "Elements of the event list that are no objects; they are not trace events.",
                              document.otherElements());
    }
    if (document.documents() > 1)
        fragment.problems.add(
            Severity::Notice, "several_documents", path, 0,
            "The file holds " + std::to_string(document.documents())
                + " documents, as if two processes had written to it; the events of all are "
                  "shown, and rank and clock are the first one's.");
    if (file.damage)
        fragment.problems.add(Severity::DataLoss, file.damage.code, path, file.textBytes,
                              file.damage.explanation);
    if (document.isComplete())
        return;
    const std::uint64_t open = document.hasOpenEvent() ? 1 : 0;
    fragment.source.eventsInFile += open;
    fragment.source.excluded += open;
    fragment.problems.add(
        Severity::DataLoss, "truncated", path, file.textBytes,
        "The file ends early: its event list is not closed. Every complete event before the end was read.",
        open);
}

/// Makes a timeline of what was read. `fragment` and `builder` are the parser's, or copies of them. False if
/// `goOn` said no.
bool complete(TraceFragment& fragment, FragmentBuilder& builder, const KinetoEventParser& parser,
              const SourceFile& file, const Parallel& parallel, const std::function<bool(double)>& goOn)
{
    Timeline timeline;
    timeline.kind = SourceKind::Kineto;
    timeline.device = firstDevice(builder);
    const json root = parseEnvelope(parser.document().envelope(), file.path, fragment.problems);
    const std::int64_t baseTimeNs = root.is_object() ? readEnvelope(root, fragment, timeline) : 0;
    if (!fragment.contentRank)
        fragment.contentRank = file.nameRank ? std::nullopt : parser.collectiveRank();

    // Older profilers wrote ts as microseconds since the epoch; newer ones relative to baseTimeNanoseconds.
    const bool epochStamps = parser.firstStartNs() > year2001Ns;
    fragment.hasWallClock = epochStamps || baseTimeNs > year2001Ns;
    fragment.clockOffsetNs = epochStamps ? 0 : baseTimeNs;
    return builder.finish(fragment, std::move(timeline), parallel, goOn);
}

Result<TraceFragment> read(const SourceFile& file, const ReadContext& context)
{
    KinetoFirstLook firstLook;
    if (context.firstLook) {
        firstLook = [&](const KinetoFile& soFar) {
            TraceFragment fragment = soFar.fragment.clone();
            FragmentBuilder builder = soFar.builder.copyFor(fragment.strings);
            if (complete(fragment, builder, soFar.parser, file, context.parallel,
                         [&](double) { return !context.cancelled(); }))
                context.firstLook(std::move(fragment));
        };
    }
    auto contents = readKinetoFile(file, context, std::move(firstLook));
    if (!contents)
        return contents.error();
    TraceFragment& fragment = (*contents)->fragment;
    const KinetoEventParser& parser = (*contents)->parser;
    if (!parser.document().sawEvents())
        return Error{Error::Kind::Format,
                     file.path
                         + " has no traceEvents list: it is no profiler trace, or is cut off before it.",
                     file.path};
    reportEnd(**contents);
    const auto goOn = [&](double done) {
        const double share = ReadContext::readShare + (1 - ReadContext::readShare) * done;
        context.progress(static_cast<std::uint64_t>(share * static_cast<double>(file.bytes)));
        return !context.cancelled();
    };
    if (!complete(fragment, (*contents)->builder, parser, file, context.parallel, goOn))
        return Error{Error::Kind::Cancelled, "Loading was cancelled.", file.path};
    return std::move(fragment);
}

} // namespace

extern const ReaderDescriptor kinetoReader;
const ReaderDescriptor kinetoReader{"kineto", "PyTorch profiler (Kineto) or Chrome trace JSON",
                                    SourceKind::Kineto, sniff, read};

} // namespace collscope
