// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Reads the JSON of rocprofv3 (`--output-format json`: *_results.json). The members are those of
// ROCm/rocm-systems, projects/rocprofiler-sdk, source/lib/output/generateJSON.cpp and
// source/include/rocprofiler-sdk/cxx/serialization.

#include "model/kernels/nccl_functions.h"
#include "model/readers/rocprof/rocprof_records.h"
#include "model/readers/rocprof/rocprof_trace.h"
#include "model/readers/text/measurement_text.h"
#include "model/text/valid_text.h"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <new>
#include <vector>

namespace collscope {

namespace {

using RocprofValue = simdjson::simdjson_result<simdjson::dom::element>;

std::optional<std::int64_t> rocprofInteger(const RocprofValue& value)
{
    std::int64_t number = 0;
    if (value.get(number) == simdjson::SUCCESS)
        return number;
    std::uint64_t large = 0;
    if (value.get(large) == simdjson::SUCCESS)
        return std::numeric_limits<std::int64_t>::max();
    return std::nullopt;
}

std::optional<std::uint64_t> rocprofCount(const RocprofValue& value)
{
    std::uint64_t number = 0;
    return value.get(number) == simdjson::SUCCESS ? std::optional(number) : std::nullopt;
}

std::string_view rocprofText(const RocprofValue& value)
{
    std::string_view text;
    return value.get(text) == simdjson::SUCCESS ? text : std::string_view();
}

/// {"handle": 7}, or the number itself.
std::optional<std::uint64_t> rocprofHandle(const RocprofValue& value)
{
    const auto handle = rocprofCount(value["handle"]);
    return handle ? handle : rocprofCount(value);
}

std::int64_t rocprofNumber(const RocprofValue& handle)
{
    constexpr std::uint64_t largest = std::uint64_t{1} << 31;
    const auto number = rocprofHandle(handle);
    return number && *number < largest ? static_cast<std::int64_t>(*number) : -1;
}

/// The lists of events, and what becomes of them.
enum class RocprofRole
{
    Dispatch,
    Copy,
    Call,
    Marker,
    RcclCall,
    NotShown
};
struct RocprofSection
{
    std::string_view name;
    RocprofRole role;
};
constexpr std::array<RocprofSection, 7> rocprofSections{{{"kernel_dispatch", RocprofRole::Dispatch},
                                                         {"memory_copy", RocprofRole::Copy},
                                                         {"hip_api", RocprofRole::Call},
                                                         {"hsa_api", RocprofRole::Call},
                                                         {"marker_api", RocprofRole::Marker},
                                                         {"rccl_api", RocprofRole::RcclCall},
                                                         {"rocdecode_api", RocprofRole::Call}}};

RocprofRole rocprofRoleOf(std::string_view section)
{
    const auto found = std::find_if(rocprofSections.begin(), rocprofSections.end(),
                                    [&](const RocprofSection& known) { return known.name == section; });
    return found == rocprofSections.end() ? RocprofRole::NotShown : found->role;
}

constexpr std::string_view rocprofEvents = "buffer_records.";
constexpr std::string_view rocprofCallbacks = "callback_records.";

class RocprofJson
{
public:
    RocprofJson(const SourceFile& file, const ReadContext& context)
        : m_file(file)
        , m_context(context)
        , m_trace(file, context)
    { }

    Result<TraceFragment> read()
    {
        // Descriptions come before the events, as rocprofv3 writes them; if not, the file is read twice.
        for (const bool isSecond : {false, true}) {
            m_isSecond = isSecond;
            auto source = ByteSource::open(m_file.path);
            if (!source)
                return source.error();
            RocprofRecords records(**source);
            const auto outcome = records.read([&](const RocprofRecords::Record& record) {
                return take(record, (*source)->diskBytesRead());
            });
            if (m_isStopped)
                return Error{Error::Kind::Cancelled, "Loading was cancelled.", m_file.path, 0};
            if (!isSecond && m_needsSecond)
                continue;
            note(outcome);
            noteDamage(**source, m_file.path, outcome.offset, m_trace.problems());
            break;
        }
        return m_trace.finish();
    }

private:
    struct Domain
    {
        std::string kind;
        std::vector<std::string> operations;
    };
    struct Tool
    {
        std::int64_t pid = 0;
        std::int64_t node = 0;
        std::vector<Domain> domains; ///< "HIP_RUNTIME_API" and its functions, by their numbers
        std::unordered_map<std::uint64_t, StringId> messages; ///< of markers, by correlation
        bool hasAgents = false, hasKernels = false;
    };

    bool take(const RocprofRecords::Record& record, std::uint64_t diskBytes);
    void describe(const RocprofRecords::Record& record, const simdjson::dom::object& object);
    void takeEvent(const RocprofRecords::Record& record, const simdjson::dom::object& object,
                   RocprofRole role);
    void addDispatch(const simdjson::dom::object& object, RocprofTrace::Record common);
    void addCopy(const simdjson::dom::object& object, RocprofTrace::Record common);
    void addCall(const simdjson::dom::object& object, RocprofTrace::Record common, RocprofRole role);
    std::string_view operationOf(const simdjson::dom::object& object) const;
    void note(const RocprofRecords::Outcome& outcome);
    bool parse(const RocprofRecords::Record& record, simdjson::dom::object& object);

    const SourceFile& m_file;
    const ReadContext& m_context;
    RocprofTrace m_trace;
    std::map<std::size_t, Tool> m_tools; ///< by their place in the file
    Tool* m_tool = nullptr; ///< of the record
    simdjson::dom::parser m_parser;
    bool m_isSecond = false, m_needsSecond = false, m_isStopped = false;
    std::uint64_t m_taken = 0;
};

bool RocprofJson::parse(const RocprofRecords::Record& record, simdjson::dom::object& object)
{
    simdjson::dom::element root;
    simdjson::error_code error = m_parser.parse(record.text.data(), record.text.size(), false).get(root);
    if (error == simdjson::UTF8_ERROR)
        error = m_parser.parse(validText(record.text)).get(root);
    if (error == simdjson::MEMALLOC)
        throw std::bad_alloc();
    return error == simdjson::SUCCESS && root.get(object) == simdjson::SUCCESS;
}

bool RocprofJson::take(const RocprofRecords::Record& record, std::uint64_t diskBytes)
{
    constexpr std::uint64_t askEvery = 2048;
    if (++m_taken % askEvery == 0) {
        m_context.progress(
            static_cast<std::uint64_t>(ReadContext::readShare * static_cast<double>(diskBytes)));
        m_isStopped = m_context.mustStop();
        if (m_isStopped)
            return false;
    }
    m_tool = &m_tools[record.tool];
    m_tool->pid = m_tool->pid == 0 ? static_cast<std::int64_t>(record.tool) : m_tool->pid;
    const bool isEvent = record.section.starts_with(rocprofEvents);
    const bool isOther = record.section.starts_with(rocprofCallbacks);
    if (!isEvent && !isOther) {
        simdjson::dom::object object;
        if (!m_isSecond && parse(record, object))
            describe(record, object);
        return true;
    }
    if (!m_isSecond && (!m_tool->hasAgents || !m_tool->hasKernels) && !m_needsSecond) {
        // Nothing was shown so far, unless a second process follows in the file: then descriptions that are
        // missing are reported event by event.
        m_needsSecond = m_trace.events() == 0;
    }
    if (m_needsSecond && !m_isSecond)
        return true;
    const RocprofRole role
        = isEvent ? rocprofRoleOf(record.section.substr(rocprofEvents.size())) : RocprofRole::NotShown;
    simdjson::dom::object object;
    if (role == RocprofRole::NotShown)
        m_trace.exclude(Severity::Info, "records_not_shown",
                        "Records of memory allocations, scratch memory, performance counters and samples of "
                        "program counters are not shown.",
                        record.offset);
    else if (parse(record, object))
        takeEvent(record, object, role);
    else
        m_trace.exclude(Severity::DataLoss, "damaged_record",
                        "A record is not valid JSON: it is damaged, and was skipped.", record.offset);
    return true;
}

void RocprofJson::describe(const RocprofRecords::Record& record, const simdjson::dom::object& object)
{
    if (record.section == "metadata") {
        m_tool->pid = rocprofInteger(object["pid"]).value_or(m_tool->pid);
        m_tool->node = rocprofInteger(object["node"]["id"]).value_or(0);
        m_trace.setHost(rocprofText(object["node"]["hostname"]));
    } else if (record.section == "agents") {
        const auto id = rocprofHandle(object["id"]);
        if (!id)
            return;
        constexpr std::int64_t gpu = 2; // rocprofiler_agent_type_t
        constexpr std::int64_t mostGpus = 1 << 16;
        RocprofAgent agent;
        agent.node = m_tool->node;
        agent.isGpu = rocprofInteger(object["type"]) == gpu;
        agent.number = static_cast<std::int32_t>(std::clamp<std::int64_t>(
            rocprofInteger(object["logical_node_type_id"]).value_or(0), 0, mostGpus));
        const std::string_view product = rocprofText(object["product_name"]);
        const std::string_view name = product.empty() ? rocprofText(object["name"]) : product;
        if (!name.empty())
            agent.name = m_trace.strings().intern(name);
        agent.computeUnits = static_cast<std::int32_t>(
            std::clamp<std::int64_t>(rocprofInteger(object["cu_count"]).value_or(0), 0, mostGpus));
        m_trace.addAgent(m_tool->pid, *id, agent);
        m_tool->hasAgents = true;
    } else if (record.section == "kernel_symbols") {
        const auto id = rocprofCount(object["kernel_id"]);
        std::string_view name = rocprofText(object["formatted_kernel_name"]);
        if (name.empty())
            name = rocprofText(object["kernel_name"]);
        if (id && !name.empty())
            m_trace.addKernel(m_tool->pid, *id, name, rocprofInteger(object["arch_vgpr_count"]).value_or(-1));
        m_tool->hasKernels = true;
    } else if (record.section == "strings.buffer_records") {
        Domain domain{std::string(rocprofText(object["kind"])), {}};
        simdjson::dom::array operations;
        if (object["operations"].get(operations) == simdjson::SUCCESS) {
            for (const simdjson::dom::element operation : operations)
                domain.operations.emplace_back(rocprofText(RocprofValue(simdjson::dom::element(operation))));
        }
        m_tool->domains.push_back(std::move(domain));
    } else if (record.section == "strings.marker_api") {
        const auto key = rocprofCount(object["key"]);
        const std::string_view message = rocprofText(object["value"]);
        if (key && !message.empty())
            m_tool->messages[*key] = m_trace.strings().intern(message);
    }
}

std::string_view RocprofJson::operationOf(const simdjson::dom::object& object) const
{
    const auto kind = rocprofCount(object["kind"]);
    const auto operation = rocprofCount(object["operation"]);
    if (!kind || !operation || *kind >= m_tool->domains.size())
        return {};
    const std::vector<std::string>& names = m_tool->domains[*kind].operations;
    return *operation < names.size() ? std::string_view(names[*operation]) : std::string_view();
}

void RocprofJson::takeEvent(const RocprofRecords::Record&, const simdjson::dom::object& object,
                            RocprofRole role)
{
    RocprofTrace::Record common;
    common.process = m_tool->pid;
    common.beginNs = rocprofCount(object["start_timestamp"]).value_or(0);
    common.endNs = rocprofCount(object["end_timestamp"]).value_or(common.beginNs);
    common.correlation = rocprofCount(object["correlation_id"]["internal"]).value_or(0);
    if (role == RocprofRole::Dispatch)
        addDispatch(object, common);
    else if (role == RocprofRole::Copy)
        addCopy(object, common);
    else
        addCall(object, common, role);
}

void RocprofJson::addDispatch(const simdjson::dom::object& object, RocprofTrace::Record common)
{
    const RocprofValue info = object["dispatch_info"];
    RocprofTrace::Dispatch dispatch;
    static_cast<RocprofTrace::Record&>(dispatch) = common;
    dispatch.agent = rocprofHandle(info["agent_id"]).value_or(0);
    dispatch.kernel = rocprofCount(info["kernel_id"]).value_or(0);
    dispatch.queue = rocprofNumber(info["queue_id"]);
    dispatch.stream = rocprofNumber(object["stream_id"]);
    dispatch.groupMemory = rocprofInteger(info["group_segment_size"]).value_or(-1);
    constexpr std::array<std::string_view, 3> axes{"x", "y", "z"};
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        dispatch.workItems[axis] = rocprofInteger(info["grid_size"][axes[axis]]).value_or(0);
        dispatch.groupSize[axis] = rocprofInteger(info["workgroup_size"][axes[axis]]).value_or(0);
    }
    m_trace.add(dispatch);
}

void RocprofJson::addCopy(const simdjson::dom::object& object, RocprofTrace::Record common)
{
    RocprofTrace::Copy copy;
    static_cast<RocprofTrace::Record&>(copy) = common;
    copy.source = rocprofHandle(object["src_agent_id"]);
    copy.destination = rocprofHandle(object["dst_agent_id"]);
    copy.operation = operationOf(object);
    copy.bytes = rocprofInteger(object["bytes"]).value_or(-1);
    copy.stream = rocprofNumber(object["stream_id"]);
    m_trace.add(copy);
}

void RocprofJson::addCall(const simdjson::dom::object& object, RocprofTrace::Record common, RocprofRole role)
{
    RocprofTrace::Call call;
    static_cast<RocprofTrace::Record&>(call) = common;
    call.thread = rocprofInteger(object["thread_id"]).value_or(0);
    call.name = operationOf(object);
    call.isMarker = role == RocprofRole::Marker;
    if (call.isMarker) {
        const auto message = m_tool->messages.find(common.correlation);
        if (message != m_tool->messages.end())
            call.name = m_trace.strings().view(message->second);
    }
    if (role == RocprofRole::RcclCall) {
        if (const auto kind = ncclFunctionClass(call.name)) {
            call.collective.emplace();
            call.collective->kind = *kind;
            call.collective->onGpu = false;
            call.collective->name = m_trace.strings().intern(call.name);
        }
    }
    if (call.name.empty())
        call.name = "(unnamed)";
    m_trace.add(call);
}

void RocprofJson::note(const RocprofRecords::Outcome& outcome)
{
    if (outcome.brokenEvents > 0)
        m_trace.exclude(Severity::DataLoss, "damaged_record",
                        "A record is not valid JSON: it is damaged, and was skipped.", outcome.offset,
                        outcome.brokenEvents);
    if (outcome.brokenPlaces > 0)
        m_trace.problems().add(Severity::DataLoss, "damaged_text", m_file.path, outcome.offset,
                               "Text between the records is not valid JSON; records may be missing.");
    if (!outcome.isCut)
        return;
    const bool isInEvent = outcome.openSection.starts_with(rocprofEvents);
    m_trace.exclude(Severity::DataLoss, "truncated",
                    "The file ends early. Every complete record before the end was read.", outcome.offset,
                    isInEvent ? 1 : 0);
}

Sniff sniffRocprof(std::string_view, std::string_view head)
{
    const std::size_t brace = head.find_first_not_of(" \t\r\n");
    if (brace == std::string_view::npos || head[brace] != '{')
        return Sniff::No;
    const std::size_t key = head.find_first_not_of(" \t\r\n", brace + 1);
    return key != std::string_view::npos
            && head.substr(key).starts_with("\"" + std::string(RocprofRecords::root) + "\"")
        ? Sniff::Yes
        : Sniff::No;
}

Result<TraceFragment> readRocprof(const SourceFile& file, const ReadContext& context)
{
    return RocprofJson(file, context).read();
}

} // namespace

extern const ReaderDescriptor rocprofReader;
const ReaderDescriptor rocprofReader{"rocprof", "JSON of AMD's rocprofv3", SourceKind::Rocprof, sniffRocprof,
                                     readRocprof};

} // namespace collscope
