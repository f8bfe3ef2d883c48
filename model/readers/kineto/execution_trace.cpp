// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Reads PyTorch execution traces, from schema 1.0.1 to the Chakra schemas (written by
// torch/csrc/profiler/standalone/execution_trace_observer.cpp).

#include "model/cpu_calls.h"
#include "model/kernels/kernel_names.h"
#include "model/readers/kineto/execution_nodes.h"
#include "model/readers/kineto/execution_values.h"
#include "model/readers/text/measurement_text.h"

#include <simdjson.h>

#include <charconv>
#include <map>

namespace collscope {

namespace {

namespace ondemand = simdjson::ondemand;

/// With every operator of a step, a large model's trace takes tens of MB.
constexpr std::size_t largestTrace = std::size_t{512} << 20;

/// The members of one node that describe communication, as JSON text.
struct Node
{
    std::string_view values, shapes, types, attributes;
    std::int64_t recordId = 0;
};

class ExecutionTraceFile
{
public:
    ExecutionTraceFile(const SourceFile& file, const ReadContext& context)
        : m_file(file)
        , m_context(context)
        , m_fragment(fragmentOf(file, SourceKind::ExecutionTrace))
    { }

    Result<TraceFragment> read()
    {
        auto text = readText(m_file, m_context, m_fragment.problems, largestTrace);
        if (!text)
            return text.error();
        const simdjson::padded_string json(*text);
        text = std::string();
        const Diagnostics before = m_fragment.problems;
        if (!readSound(json)) {
            m_fragment.problems = before;
            startAgain();
            const bool isClosed = readDamaged(json);
            if (m_trace.nodes == 0)
                return Error{Error::Kind::Format,
                             "The execution trace is damaged or cut off: none of its nodes can be read.",
                             m_file.path, 0};
            if (!isClosed)
                m_fragment.problems.add(Severity::DataLoss, "truncated", m_file.path, json.size(),
                                        "The execution trace is cut off; the nodes before the cut are used.");
        }
        if (m_context.mustStop())
            return Error{Error::Kind::Cancelled, "Loading was cancelled.", m_file.path, 0};
        if (m_trace.nodes == 0)
            return Error{Error::Kind::Format, "The execution trace contains no nodes.", m_file.path, 0};
        // If a GPU library records its calls, the operators are the same calls again; and a span is the work
        // of an operator.
        if (m_trace.calls.empty())
            m_trace.calls = m_operators.empty() ? std::move(m_spans) : std::move(m_operators);
        sizeUnnamedGroups();
        m_fragment.source.eventsInFile = m_trace.nodes;
        m_fragment.source.shown = m_trace.nodes - std::min(m_trace.nodes, m_fragment.source.excluded);
        m_fragment.executionTraces.push_back(std::move(m_trace));
        return std::move(m_fragment);
    }

private:
    /// Returns false if the text is not JSON.
    bool readSound(const simdjson::padded_string& json)
    {
        try {
            ondemand::parser parser;
            ondemand::document document = parser.iterate(json);
            readRoot(document);
            return true;
        } catch (const simdjson::simdjson_error&) {
            return false;
        }
    }

    /// Discards the content read up to the damage.
    void startAgain()
    {
        m_fragment.source.excluded = 0;
        m_trace = ExecutionTrace();
        m_operators.clear();
        m_spans.clear();
        m_unnamedGroups.clear();
    }

    /// Reads node by node. Returns false if the list of nodes has no end.
    bool readDamaged(std::string_view text)
    {
        constexpr std::uint64_t askEvery = 4096;
        const std::size_t begin = beginOfNodes(text);
        readSound(simdjson::padded_string(std::string(text.substr(0, begin)) + "]}")); // reads schema and pid
        ondemand::parser parser;
        NodeCallbacks callbacks;
        callbacks.whole = [&](std::string_view node, std::size_t offset) {
            try {
                const simdjson::padded_string json(node);
                ondemand::document document = parser.iterate(json);
                readNode(document.get_object());
            } catch (const simdjson::simdjson_error&) {
                excludeNodes(offset, 1);
            }
            return ++m_trace.nodes % askEvery != 0 || !m_context.mustStop();
        };
        callbacks.lost = [&](std::size_t offset, std::uint64_t nodes) {
            m_trace.nodes += nodes;
            excludeNodes(offset, nodes);
        };
        return forEachNode(text, begin, callbacks);
    }

    void readRoot(ondemand::document& document)
    {
        for (auto field : document.get_object()) {
            const std::string_view key = field.unescaped_key();
            if (key == "schema")
                m_trace.schema = textOf(field.value());
            else if (key == "pid")
                m_trace.pid = integerOf(field.value()).value_or(0);
            else if (key == "nodes")
                readNodes(field.value().get_array());
        }
    }

    void readNodes(ondemand::array nodes)
    {
        constexpr std::uint64_t askEvery = 4096;
        for (auto node : nodes) {
            ondemand::object object;
            const simdjson::error_code error = node.get_object().get(object);
            if (error == simdjson::SUCCESS)
                readNode(object);
            else if (error == simdjson::INCORRECT_TYPE)
                excludeNode();
            else
                throw simdjson::simdjson_error(error); // the list is damaged, and its iteration would just
                                                       // end here
            if (++m_trace.nodes % askEvery == 0 && m_context.mustStop())
                return;
        }
    }

    void readNode(ondemand::object object)
    {
        Node node;
        std::string name;
        for (auto field : object) {
            const std::string_view key = field.unescaped_key();
            ondemand::value value = field.value();
            if (key == "name")
                name = textOf(value);
            else if (key == "rf_id")
                node.recordId = integerOf(value).value_or(0);
            else if (key == "inputs") // a list in old files, {"values", "shapes", "types"} in new ones
                readInputs(value, node);
            else if (key == "input_shapes")
                node.shapes = rawOf(value);
            else if (key == "input_types")
                node.types = rawOf(value);
            else if (key == "attrs")
                node.attributes = rawOf(value);
        }
        const bool isRecord = name == "record_param_comms";
        const CpuCallName called = isRecord ? CpuCallName() : cpuCallOf(name);
        if (!isRecord && called.kind == CpuCallName::Kind::None)
            return;
        try { // these members are parsed separately
            if (isRecord)
                addCall(node);
            else
                addCpuCall(node, called);
        } catch (const simdjson::simdjson_error&) {
            excludeNode();
        }
    }

    void excludeNode() { excludeNodes(0, 1); }
    void excludeNodes(std::size_t offset, std::uint64_t nodes)
    {
        m_fragment.source.excluded += nodes;
        m_fragment.problems.add(Severity::DataLoss, "bad_node", m_file.path, offset,
                                "A node does not have the form of an execution trace node; it is skipped.",
                                nodes);
    }

    static void readInputs(ondemand::value value, Node& node)
    {
        if (value.type() != ondemand::json_type::object) {
            node.values = rawOf(value);
            return;
        }
        for (auto field : value.get_object()) {
            const std::string_view key = field.unescaped_key();
            if (key == "values")
                node.values = rawOf(field.value());
            else if (key == "shapes")
                node.shapes = rawOf(field.value());
            else if (key == "types") // but not "strides", which the newest files contain too
                node.types = rawOf(field.value());
        }
    }

    StringId intern(std::string_view text)
    {
        return text.empty() ? StringId() : m_fragment.strings.intern(text);
    }

    void addCall(const Node& node)
    {
        ExecutionTrace::Call call;
        call.meta.onGpu = false;
        call.recordId = node.recordId;
        std::string name;
        m_address.clear();
        readPositions(node, call.meta, name);
        readAttributes(node, call, name); // more detailed, if present
        call.meta.name = intern(name);
        call.meta.kind = classifyCollective(name);
        if (call.meta.kind == KernelClass::None)
            return;
        if (!m_address.empty()) {
            UnnamedGroup& group = m_unnamedGroups[m_address];
            group.calls.push_back(m_trace.calls.size());
            group.size = call.meta.groupSize ? call.meta.groupSize : group.size;
        }
        m_trace.calls.push_back(call);
    }

    /// Adds an operator of c10d, or the span of a CPU backend in it (model/cpu_calls.h).
    void addCpuCall(const Node& node, const CpuCallName& called)
    {
        ExecutionTrace::Call call;
        call.meta.onGpu = false;
        std::string name(called.collective);
        readAttributes(node, call, name);
        call.meta.name = intern(name);
        call.meta.kind = classifyCollective(name);
        if (call.meta.kind == KernelClass::None)
            return;
        const bool isOperator = called.kind == CpuCallName::Kind::Operator;
        const auto arguments = isOperator ? callArguments(called.collective) : CallArguments();
        std::size_t at = 0;
        forEachItem(node.types, [&](ondemand::value value) {
            const std::string type = elementTypeIn(textOf(value));
            const bool isOfMessage = arguments && (at == arguments->sent || at == arguments->received);
            if (isOfMessage && !type.empty() && !call.meta.elementType)
                call.meta.elementType = intern(type);
            ++at;
        });
        at = 0;
        forEachItem(node.shapes, [&](ondemand::value value) {
            const bool isSent = arguments && call.meta.elementType && at == arguments->sent;
            const bool isReceived = arguments && call.meta.elementType && at == arguments->received;
            const auto elements = isSent || isReceived ? elementsOf(value) : std::nullopt;
            if (isSent)
                call.meta.inElements = elements;
            if (isReceived && isOperator)
                call.meta.outElements = elements;
            ++at;
        });
        std::vector<ExecutionTrace::Call>& calls = isOperator ? m_operators : m_spans;
        call.meta.order = static_cast<std::int64_t>(calls.size());
        calls.push_back(call);
    }

    /// Reads values by position: [tensors,] sequence, group, rank, name, in split, out split[, start,
    /// stride][, size]. Positions are relative to the name, the first string.
    void readPositions(const Node& node, CollectiveCall& meta, std::string& name)
    {
        std::vector<std::string> values;
        std::size_t nameAt = 0;
        forEachItem(node.values, [&](ondemand::value value) {
            const std::string_view raw = rawOf(value);
            if (name.empty() && raw.starts_with('"')) {
                name = std::string(raw.substr(1, raw.find('"', 1) - 1));
                nameAt = values.size();
            }
            values.emplace_back(raw);
        });
        if (name.empty() || nameAt < 2)
            return;
        std::string group = values[nameAt - 2];
        std::string description;
        if (group.starts_with('[')) { // ["0", "default_pg"]
            std::vector<std::string> parts;
            forEachItem(values[nameAt - 2], [&](ondemand::value value) { parts.push_back(textOf(value)); });
            group = parts.empty() ? std::string() : parts.front();
            description = parts.size() > 1 ? parts[1] : std::string();
        }
        if (isAddress(group))
            m_address = group;
        else
            meta.group = intern(group);
        meta.groupDescription = intern(description);
        readSplits(values, nameAt, meta);
        const std::size_t more = values.size() - std::min(values.size(), nameAt + 3);
        if (more == 1 || more >= 3) { // start and stride alone do not include the size
            std::int32_t size = 0;
            const std::string last = trimmed(values.back());
            const auto [end, error] = std::from_chars(last.data(), last.data() + last.size(), size);
            if (error == std::errc() && end == last.data() + last.size() && size > 0)
                meta.groupSize = size;
        }
        bool isFirst = true;
        forEachItem(node.types, [&](ondemand::value value) {
            if (isFirst)
                meta.elementType = intern(elementTypeIn(textOf(value)));
            isFirst = false;
        });
        if (!meta.elementType)
            return; // the inputs do not start with tensors
        isFirst = true;
        forEachItem(node.shapes, [&](ondemand::value value) {
            if (isFirst)
                meta.inElements = elementsOf(value);
            isFirst = false;
        });
    }

    static std::string trimmed(const std::string& text)
    {
        return text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
    }

    /// Reads the parts of an uneven all-to-all; their number is the group's size.
    void readSplits(const std::vector<std::string>& values, std::size_t nameAt, CollectiveCall& meta)
    {
        for (const auto& [place, split] :
             {std::pair(nameAt + 1, &meta.inSplit), {nameAt + 2, &meta.outSplit}}) {
            const std::string list = place < values.size() ? trimmed(values[place]) : std::string();
            std::int32_t parts = 0;
            if (list.starts_with('['))
                forEachItem(list, [&](ondemand::value) { ++parts; });
            if (parts == 0)
                continue;
            *split = intern(list);
            meta.groupSize = parts;
        }
    }

    /// Calls with the same address belong to one group, so a size stated by one of them applies to all.
    void sizeUnnamedGroups()
    {
        for (const auto& [address, group] : m_unnamedGroups) {
            for (const std::size_t call : group.calls) {
                if (!m_trace.calls[call].meta.groupSize)
                    m_trace.calls[call].meta.groupSize = group.size;
            }
        }
    }

    void readAttributes(const Node& node, ExecutionTrace::Call& call, std::string& name)
    {
        CollectiveCall& meta = call.meta;
        forEachItem(node.attributes, [&](ondemand::value item) {
            ondemand::object attribute = item.get_object();
            const std::string key = textOf(attribute["name"].value());
            ondemand::value value = attribute["value"].value();
            const auto setText = [&](StringId& id) {
                const std::string text = textOf(value);
                if (!text.empty() && text != "[]")
                    id = intern(text);
            };
            if (key == "rf_id")
                call.recordId = integerOf(value).value_or(0);
            else if (key == "collective_name")
                name = textOf(value);
            else if (key == "dtype")
                setText(meta.elementType);
            else if (key == "in_msg_nelems")
                meta.inElements = countOf(value);
            else if (key == "out_msg_nelems")
                meta.outElements = countOf(value);
            else if (key == "in_split_size")
                setText(meta.inSplit);
            else if (key == "out_split_size")
                setText(meta.outSplit);
            else if (key == "pg_name")
                setText(meta.group);
            else if (key == "pg_desc")
                setText(meta.groupDescription);
            else if (key == "pg_size") {
                const auto size = countOf(value);
                if (size && *size > 0 && *size <= INT32_MAX)
                    meta.groupSize = static_cast<std::int32_t>(*size);
            }
        });
    }

    /// Calls `f` for each item of a list given as text; does nothing if the text is not a list.
    template<typename F>
    void forEachItem(std::string_view list, F&& f)
    {
        if (list.empty())
            return;
        const simdjson::padded_string json(list);
        ondemand::document document = m_parser.iterate(json);
        ondemand::array items;
        if (document.get_array().get(items) != simdjson::SUCCESS)
            return;
        for (auto item : items)
            f(item.value());
    }

    const SourceFile& m_file;
    const ReadContext& m_context;
    TraceFragment m_fragment;
    ExecutionTrace m_trace;
    std::vector<ExecutionTrace::Call> m_operators, m_spans; ///< c10d::allreduce_, gloo:all_reduce
    struct UnnamedGroup
    {
        std::vector<std::size_t> calls; ///< indices into m_trace.calls
        std::optional<std::int32_t> size;
    };
    std::map<std::string, UnnamedGroup> m_unnamedGroups; ///< by address
    std::string m_address; ///< of the current call's group; empty = the group has a name
    ondemand::parser m_parser; ///< for the parts of one node
};

Sniff sniffExecutionTrace(std::string_view, std::string_view head)
{
    head = withoutLeadingBlanks(head);
    // Any one of these signs may be damaged.
    int signs = 0;
    if (holdsMember(head, "schema", "\""))
        ++signs;
    if (holdsMember(head, "nodes", "["))
        ++signs;
    if (holdsMember(head, "rf_id", "0123456789") || holdsMember(head, "ctrl_deps", "0123456789"))
        ++signs;
    const int needed = head.starts_with('{') ? 2 : 3;
    const bool says = signs >= needed;
    return says && head.find("\"traceEvents\"") == std::string_view::npos ? Sniff::Yes : Sniff::No;
}

Result<TraceFragment> readExecutionTrace(const SourceFile& file, const ReadContext& context)
{
    return ExecutionTraceFile(file, context).read();
}

} // namespace

extern const ReaderDescriptor executionTraceReader;
const ReaderDescriptor executionTraceReader{"execution_trace", "PyTorch execution trace (JSON)",
                                            SourceKind::ExecutionTrace, sniffExecutionTrace,
                                            readExecutionTrace};

} // namespace collscope
