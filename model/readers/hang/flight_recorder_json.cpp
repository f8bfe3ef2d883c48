// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Reads dumps of PyTorch's Flight Recorder as JSON, which Ray and the control plane of torch fetch: the same
// members as the pickle. The counters of pg_status are texts in it.

#include "model/building/call_stack_table.h"
#include "model/readers/hang/flight_fields.h"
#include "model/readers/text/measurement_text.h"

#include <nlohmann/json.hpp>
#include <simdjson.h>

#include <algorithm>

namespace collscope {

namespace {

namespace dom = simdjson::dom;

/// "": not a text, or missing.
std::string_view textIn(dom::element value, std::string_view key)
{
    std::string_view text;
    return value[key].get(text) == simdjson::SUCCESS ? text : std::string_view();
}

/// An integer, or the text of one.
std::optional<std::int64_t> integerOf(dom::element value)
{
    std::int64_t number = 0;
    if (value.get(number) == simdjson::SUCCESS)
        return number;
    std::string_view text;
    return value.get(text) == simdjson::SUCCESS ? integerInText(text) : std::nullopt;
}

std::optional<std::int64_t> integerIn(dom::element value, std::string_view key)
{
    dom::element member;
    return value[key].get(member) == simdjson::SUCCESS ? integerOf(member) : std::nullopt;
}

class FlightJson
{
public:
    FlightJson(const SourceFile& file, TraceFragment& fragment)
        : m_strings(fragment.strings)
        , m_builder(file.path, fragment.strings, fragment.problems)
    { }

    FlightBuilder& builder() { return m_builder; }

    void read(dom::element root)
    {
        m_builder.setVersion(textIn(root, "version"));
        const std::string_view library = textIn(root, "comm_lib_version");
        m_builder.setLibrary(library.empty() ? textIn(root, "nccl_version") : library);
        dom::object groups;
        if (root["pg_config"].get(groups) == simdjson::SUCCESS) {
            m_builder.beginGroups();
            for (const dom::key_value_pair group : groups)
                addGroup(group.key, group.value);
        }
        dom::object statuses;
        if (root["pg_status"].get(statuses) == simdjson::SUCCESS) {
            for (const dom::key_value_pair status : statuses)
                addStatus(status.key, status.value);
        }
        dom::array entries;
        if (root["entries"].get(entries) == simdjson::SUCCESS) {
            m_builder.beginCalls();
            for (const dom::element entry : entries)
                addCall(entry);
        }
        m_builder.setStacks(m_stacks.take());
    }

private:
    void addStatus(std::string_view key, dom::element value)
    {
        const auto pgId = integerInText(key);
        const auto enqueued = integerIn(value, "last_enqueued_collective");
        const auto completed = integerIn(value, "last_completed_collective");
        if (pgId && enqueued && completed)
            m_builder.addStatus(
                {*pgId, *enqueued, integerIn(value, "last_started_collective").value_or(-1), *completed});
    }

    void addGroup(std::string_view key, dom::element value)
    {
        if (value.is_object()) {
            if (const auto ranks = ranksInList(textIn(value, "ranks")))
                m_builder.addGroup(-1, textIn(value, "name"), textIn(value, "desc"), *ranks);
            else
                m_builder.missGroup();
            return;
        }
        const auto pgId = integerInText(key);
        std::vector<std::int32_t> ranks;
        dom::array items;
        bool isList = pgId.has_value() && value.get(items) == simdjson::SUCCESS;
        for (const dom::element item : isList ? items : dom::array()) {
            std::int64_t rank = -1;
            isList = isList && item.get(rank) == simdjson::SUCCESS && rank >= 0
                && rank <= FlightBuilder::mostRanks;
            ranks.push_back(static_cast<std::int32_t>(isList ? rank : 0));
        }
        if (isList)
            m_builder.addGroup(*pgId, {}, {}, std::move(ranks));
        else
            m_builder.missGroup();
    }

    void addCall(dom::element entry)
    {
        dom::object members;
        if (entry.get(members) != simdjson::SUCCESS)
            return m_builder.keepOut("An entry of the dump is not a call; it is left out.");
        RawFlightCall call;
        for (const dom::key_value_pair member : members) {
            const auto name = std::find(flightFieldNames.begin(), flightFieldNames.end(), member.key);
            if (name != flightFieldNames.end())
                setField(call, static_cast<FlightField>(name - flightFieldNames.begin()), member.value);
        }
        m_builder.addCall(call);
    }

    void setField(RawFlightCall& call, FlightField field, dom::element value)
    {
        std::string_view text;
        bool flag = false;
        switch (kindOf(field)) {
        case FlightFieldKind::Integer:
            if (const auto number = integerOf(value))
                integerField(call, field) = *number;
            else if (!value.is_null())
                integerField(call, field) = impossibleNumber;
            break;
        case FlightFieldKind::Text:
            if (value.get(text) == simdjson::SUCCESS)
                textField(call, field) = m_strings.intern(text);
            break;
        case FlightFieldKind::Flag:
            if (value.get(flag) == simdjson::SUCCESS)
                setFlag(call, field, flag);
            break;
        case FlightFieldKind::Container:
            setContainer(call, field, value);
            break;
        case FlightFieldKind::None:
            break;
        }
    }

    void setContainer(RawFlightCall& call, FlightField field, dom::element value)
    {
        dom::array items;
        if (value.get(items) != simdjson::SUCCESS)
            return;
        std::string_view name, description;
        if (FlightSizes* const sizes = sizesField(call, field))
            *sizes = sizesOf(items);
        else if (StringId* const types = typesField(call, field))
            *types = typesOf(items);
        else if (field == FlightField::Frames)
            call.stack = stackOf(items);
        else if (items.at(0).get(name) == simdjson::SUCCESS
                 && items.at(1).get(description) == simdjson::SUCCESS) {
            call.groupName = m_strings.intern(name);
            call.groupDescription = m_strings.intern(description);
        }
    }

    FlightSizes sizesOf(dom::array tensors)
    {
        FlightSizesText text;
        for (const dom::element tensor : tensors) {
            text.beginTensor();
            dom::array sizes;
            if (tensor.get(sizes) == simdjson::SUCCESS) {
                for (const dom::element size : sizes)
                    text.addSize(integerOf(size).value_or(-1));
            }
            text.endTensor();
        }
        return text.finish(m_strings);
    }

    StringId typesOf(dom::array types)
    {
        std::string all;
        for (const dom::element type : types) {
            std::string_view text;
            if (type.get(text) == simdjson::SUCCESS && all.size() < FlightBuilder::longestText)
                all.append(all.empty() ? "" : ", ").append(text);
        }
        return m_strings.intern(all);
    }

    StackId stackOf(dom::array frames)
    {
        m_scratch.clear();
        for (const dom::element frame : frames) {
            const std::int64_t line = integerIn(frame, "line").value_or(0);
            m_scratch.push_back(m_stacks.rowOf(
                {m_strings.intern(textIn(frame, "name")), m_strings.intern(textIn(frame, "filename")),
                 static_cast<std::int32_t>(std::clamp<std::int64_t>(line, 0, INT32_MAX))}));
        }
        return m_scratch.empty() ? StackId() : StackId{m_stacks.stackOf(m_scratch)};
    }

    StringTable& m_strings;
    FlightBuilder m_builder;
    CallStackTable m_stacks;
    std::vector<std::uint32_t> m_scratch;
};

Sniff sniffFlightJson(std::string_view, std::string_view head)
{
    head = withoutLeadingBlanks(head);
    if (!head.starts_with('{') || head.find("\"traceEvents\"") != std::string_view::npos)
        return Sniff::No;
    // The version may come after the calls, and so after the head.
    const bool isDump = holdsMember(head, "version", "\"") || holdsMember(head, "profiling_name", "\"");
    const bool holdsAny = holdsMember(head, "entries", "[") || holdsMember(head, "pg_config", "{")
        || holdsMember(head, "pg_status", "{");
    return isDump && holdsAny ? Sniff::Yes : Sniff::No;
}

Result<TraceFragment> readFlightJson(const SourceFile& file, const ReadContext& context)
{
    TraceFragment fragment = fragmentOf(file, SourceKind::FlightRecorder);
    const auto text = readText(file, context, fragment.problems);
    if (!text)
        return text.error();
    dom::parser parser;
    dom::element root;
    const auto parses = [&](std::string_view json) {
        constexpr std::size_t deepest = 64;
        return !json.empty() && parser.allocate(json.size(), deepest) == simdjson::SUCCESS
            && parser.parse(json.data(), json.size()).get(root) == simdjson::SUCCESS && root.is_object();
    };
    std::optional<std::string> repaired;
    bool isRead = parses(withoutLeadingBlanks(*text));
    if (!isRead) {
        repaired = strictJson(withoutLeadingBlanks(*text), file.path, 0, fragment.problems);
        isRead = repaired && parses(*repaired);
    }
    if (!isRead && repaired) { // an integer beyond 64 bits, which becomes a floating-point number
        repaired = nlohmann::json::parse(*repaired).dump();
        isRead = parses(*repaired);
    }
    if (!isRead)
        return Error{
            Error::Kind::Format,
            "The dump is damaged or cut off: it is not complete JSON. Nothing of this rank is known.",
            file.path, 0};
    FlightJson json(file, fragment);
    json.read(root);
    return flightFragment(std::move(fragment), json.builder(), file);
}

} // namespace

extern const ReaderDescriptor flightRecorderJsonReader;
const ReaderDescriptor flightRecorderJsonReader{"flight_recorder_json", "PyTorch Flight Recorder dump (JSON)",
                                                SourceKind::FlightRecorder, sniffFlightJson, readFlightJson};

} // namespace collscope
