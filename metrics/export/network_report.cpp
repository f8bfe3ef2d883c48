// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/network_report.h"

#include "metrics/core/duration_text.h"
#include "metrics/export/text_table.h"
#include "metrics/export/written_report.h"
#include "model/kernels/collective_traits.h"

#include <algorithm>
#include <map>
#include <set>

namespace collscope {

namespace {

constexpr std::size_t mostTextRows = 20;
constexpr double bytesPerGigabyte = 1e9;

std::string_view transportName(Transport transport)
{
    switch (transport) {
    case Transport::PeerToPeer:
        return "P2P";
    case Transport::SharedMemory:
        return "SHM";
    case Transport::Network:
        break;
    }
    return "NET";
}

/// "NET/IB with GDRDMA", "P2P".
std::string transportText(const NodeConnection& connection)
{
    std::string text(transportName(connection.transport));
    if (connection.transport == Transport::Network)
        text += "/" + connection.network + (connection.hasGpuDirect ? " with GDRDMA" : "");
    return text;
}

std::string listed(const std::map<std::string, std::uint64_t>& names)
{
    std::string text;
    for (const auto& [name, lines] : names)
        text += (text.empty() ? "" : ", ") + name;
    return text;
}

std::string headline(const NetworkReport& report)
{
    const auto certain = static_cast<std::int64_t>(
        std::count_if(report.troubles.begin(), report.troubles.end(),
                      [](const NetworkTrouble& trouble) { return !trouble.isConditional; }));
    const NetworkRecord& record = *report.model->network;
    if (!record.hasLog())
        return "The run has measurements of the network, and no log of NCCL.\n";
    if (certain > 0)
        return "The logs of NCCL show " + countText(certain, "trouble") + ".\n";
    if (report.connections.all.empty())
        return "The logs of NCCL do not say how GPUs are connected: record with NCCL_DEBUG=INFO.\n";
    if (report.connections.unplaced > 0)
        return "As far as the logs of NCCL say where connections lead, they show no trouble.\n";
    return report.troubles.empty() ? "The logs of NCCL show no trouble.\n"
                                   : "The logs of NCCL show no difference between the nodes.\n";
}

std::string transportsText(const NetworkReport& report)
{
    // Both ends of a connection may have written it down.
    using Ends = std::map<bool, std::int64_t>; // channels, by whether the receiver wrote it
    std::map<std::pair<bool, std::string>, std::map<std::pair<GpuName, GpuName>, Ends>> sums;
    for (const NodeConnection& connection : report.connections.all)
        sums[{connection.isBetweenHosts(), transportText(connection)}][{connection.from, connection.to}]
            [connection.isReceiver]
            += connection.channels;
    TextTable table({false, false, true, true});
    table.add({"where", "transport", "connections", "channels"});
    for (const auto& [key, pairs] : sums) {
        std::int64_t channels = 0;
        for (const auto& [pair, ends] : pairs)
            channels += std::max_element(ends.begin(), ends.end(), [](const auto& a, const auto& b) {
                            return a.second < b.second;
                        })->second;
        table.add({key.first ? "between nodes" : "within a node", key.second, std::to_string(pairs.size()),
                   std::to_string(channels)});
    }
    std::string text = sums.empty() ? std::string() : "\nTransports\n" + table.text(2);
    if (report.connections.unplaced > 0)
        text += "  Of " + countText(static_cast<std::int64_t>(report.connections.unplaced), "channel")
            + " it is not known to which node they lead: the other rank wrote no log, or the line does not "
              "say "
              "which communicator it is about.\n";
    return text;
}

std::string algorithmsText(const NetworkRecord& record)
{
    if (record.algorithms.empty())
        return {};
    TextTable table({false, true, false, false, true});
    table.add({"collective", "bytes", "algorithm", "protocol", "lines"});
    std::vector<std::pair<std::uint64_t, const NcclAlgorithm*>> byCalls;
    for (const auto& [algorithm, calls] : record.algorithms)
        byCalls.emplace_back(calls, &algorithm);
    std::stable_sort(byCalls.begin(), byCalls.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    for (std::size_t i = 0; i < std::min(byCalls.size(), mostTextRows); ++i) {
        const NcclAlgorithm& own = *byCalls[i].second;
        table.add({own.collective, std::to_string(own.bytes), own.algorithm, own.protocol,
                   std::to_string(byCalls[i].first)});
    }
    std::string text = "\nAlgorithms\n" + table.text(2);
    if (byCalls.size() > mostTextRows)
        text += "  and " + std::to_string(byCalls.size() - mostTextRows) + " more\n";
    return text;
}

std::string ceilingText(const NetworkReport& report)
{
    const auto& rows = report.ceiling.rows;
    std::string text;
    if (!rows.empty()) {
        TextTable table({false, true, true, true, true, true, true});
        table.add({"collective", "ranks", "bytes", "calls", "GB/s", "nccl-tests GB/s", "share"});
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const CeilingRow& row = rows[i];
            table.add({std::string(collectiveTraits(row.kind)->name), std::to_string(row.ranks),
                       std::to_string(row.bytes), std::to_string(row.calls),
                       fixedText(row.reached / bytesPerGigabyte, 2),
                       fixedText(row.ceiling / bytesPerGigabyte, 2),
                       fixedText(100 * row.reached / row.ceiling, 0) + " %"});
        }
        text = "\nBus bandwidth, and what nccl-tests measured at that size (or between two sizes)\n"
            + table.text(2);
    }
    for (const std::string& note : report.ceiling.notes)
        text += (text.empty() ? "\n" : "") + note + "\n";
    return text;
}

std::string benchmarksText(const NetworkReport& report)
{
    const auto& benchmarks = report.model->network->benchmarks;
    if (benchmarks.empty())
        return {};
    TextTable table({false, true, true, true, true});
    table.add({"nccl-tests", "ranks", "nodes", "largest size", "highest GB/s"});
    for (const NetworkBenchmark& benchmark : benchmarks) {
        double highest = 0;
        for (const auto& row : benchmark.rows)
            highest = std::max(highest, row.best().value_or(0));
        table.add({benchmark.collective.empty() ? "not stated" : benchmark.collective,
                   benchmark.ranks ? std::to_string(*benchmark.ranks) : "-",
                   benchmark.hosts.empty() ? "-" : std::to_string(benchmark.hosts.size()),
                   std::to_string(benchmark.rows.back().bytes), fixedText(highest / bytesPerGigabyte, 2)});
    }
    return "\nMeasured\n" + table.text(2);
}

Value gpuValue(const GpuName& gpu)
{
    return Value::Object{{"host", gpu.host}, {"gpu", gpu.device < 0 ? Value() : Value(gpu.device)}};
}

Value connectionsValue(const NodeConnections& connections)
{
    Value::Array rows;
    for (const NodeConnection& own : connections.all)
        rows.push_back(Value::Object{
            {"from", gpuValue(own.from)},
            {"to", gpuValue(own.to)},
            {"transport", std::string(transportName(own.transport))},
            {"network", textOrNull(own.network)},
            {"adapter", own.adapter < 0 ? Value() : Value(own.adapter)},
            {"adapter_host", textOrNull(own.adapter < 0 ? "" : own.writerHost)},
            {"gpu_direct", own.transport == Transport::Network ? Value(own.hasGpuDirect) : Value()},
            {"channels", std::int64_t{own.channels}}});
    return rows;
}

Value communicatorsValue(const NetworkRecord& record)
{
    Value::Array rows;
    for (const NcclCommunicator& communicator : record.communicators) {
        if (communicator.isAmbiguous)
            continue; // several that cannot be told apart
        Value::Array members;
        for (const auto& [rank, member] : communicator.members)
            members.push_back(Value::Object{{"rank", rank},
                                            {"host", member.process.host},
                                            {"pid", member.process.pid},
                                            {"gpu", orNull(member.device)},
                                            {"bus_id", textOrNull(member.busId)}});
        std::set<int> channels;
        for (const auto& [rank, count] : communicator.channels)
            channels.insert(count);
        rows.push_back(Value::Object{{"id", communicator.isGuessed ? Value() : Value(communicator.id)},
                                     {"ranks", communicator.size},
                                     {"channels", channels.size() == 1 ? Value(*channels.begin()) : Value()},
                                     {"guessed", communicator.isGuessed},
                                     {"members", std::move(members)}});
    }
    return rows;
}

Value benchmarksValue(const TraceModel& model)
{
    Value::Array all;
    for (const NetworkBenchmark& benchmark : model.network->benchmarks) {
        Value::Array rows;
        for (const auto& row : benchmark.rows)
            rows.push_back(Value::Object{{"bytes", row.bytes},
                                         {"out_of_place_bytes_per_s", orNull(row.outOfPlace)},
                                         {"in_place_bytes_per_s", orNull(row.inPlace)},
                                         {"wrong", orNull(row.wrong)}});
        all.push_back(Value::Object{{"file", model.sources[benchmark.source.value].path},
                                    {"collective", textOrNull(benchmark.collective)},
                                    {"type", textOrNull(benchmark.type)},
                                    {"ranks", orNull(benchmark.ranks)},
                                    {"hosts", textsValue(benchmark.hosts)},
                                    {"devices", textsValue(benchmark.devices)},
                                    {"rows", std::move(rows)}});
    }
    return all;
}

Value ceilingValue(const NetworkReport& report)
{
    Value::Array rows;
    for (const CeilingRow& row : report.ceiling.rows)
        rows.push_back(Value::Object{{"collective", std::string(collectiveTraits(row.kind)->name)},
                                     {"ranks", row.ranks},
                                     {"bytes", row.bytes},
                                     {"calls", static_cast<std::int64_t>(row.calls)},
                                     {"bytes_per_s", row.reached},
                                     {"measured_bytes_per_s", row.ceiling},
                                     {"file", report.model->sources[row.source.value].path}});
    return rows;
}

Value logValue(const NetworkRecord& record)
{
    Value::Array adapters, settings, algorithms, networks, versions;
    for (const auto& [own, lines] : record.adapters)
        adapters.push_back(
            Value::Object{{"host", own.host}, {"index", own.index}, {"name", own.name}, {"kind", own.kind}});
    for (const auto& [own, lines] : record.settings)
        settings.push_back(Value::Object{{"host", own.host}, {"name", own.name}, {"value", own.value}});
    for (const auto& [own, calls] : record.algorithms)
        algorithms.push_back(Value::Object{{"collective", own.collective},
                                           {"bytes", own.bytes},
                                           {"algorithm", own.algorithm},
                                           {"protocol", textOrNull(own.protocol)},
                                           {"lines", calls}});
    for (const auto& [host, network] : record.networks)
        networks.push_back(Value::Object{{"host", host}, {"network", network}});
    for (const auto& [version, lines] : record.versions)
        versions.push_back(version);
    return Value::Object{{"versions", std::move(versions)},
                         {"networks", std::move(networks)},
                         {"adapters", std::move(adapters)},
                         {"settings", std::move(settings)},
                         {"algorithms", std::move(algorithms)},
                         {"warnings", record.warnings},
                         {"first_warnings", textsValue(record.firstWarnings)}};
}

} // namespace

NetworkReport networkReport(Analysis& analysis)
{
    NetworkReport report;
    report.model = &analysis.model();
    report.connections = nodeConnections(*report.model->network);
    report.troubles = networkTroubles(*report.model->network, report.connections);
    if (!report.model->timelines.empty())
        report.ceiling = measuredCeiling(analysis);
    return report;
}

NetworkCasePtr networkCase(Analysis& analysis)
{
    const NetworkReport report = networkReport(analysis);
    NetworkCase own;
    own.headline = headline(report);
    own.text = networkText(report).substr(own.headline.size());
    own.headline.pop_back(); // the end of the line
    own.text.erase(0, own.text.find_first_not_of('\n'));
    for (const NetworkTrouble& trouble : report.troubles) {
        if (!trouble.isConditional && own.trouble.empty())
            own.trouble = trouble.text;
    }
    own.matrix = nodeMatrix(*report.model->network, report.connections);
    return std::make_shared<const NetworkCase>(std::move(own));
}

std::string networkText(const NetworkReport& report)
{
    const NetworkRecord& record = *report.model->network;
    std::string text = headline(report);
    for (const NetworkTrouble& trouble : report.troubles)
        text += "  " + trouble.text + "\n";
    if (record.hasLog()) {
        text += "\n" + countText(static_cast<std::int64_t>(hostsOf(record).size()), "node") + ", "
            + countText(static_cast<std::int64_t>(record.communicators.size()), "communicator") + ", NCCL "
            + (record.versions.empty() ? "of an unknown version" : listed(record.versions)) + ".\n";
        text += transportsText(report) + algorithmsText(record);
    }
    if (record.warnings > 0) {
        text += "\n" + countText(static_cast<std::int64_t>(record.warnings), "warning")
            + " of NCCL; the first:\n";
        for (const std::string& warning : record.firstWarnings)
            text += "  " + warning + "\n";
    }
    return text + benchmarksText(report) + ceilingText(report);
}

Value networkValue(const NetworkReport& report)
{
    Value::Array troubles;
    for (const NetworkTrouble& trouble : report.troubles)
        troubles.push_back(Value::Object{{"id", std::string(networkTroubleId(trouble.kind))},
                                         {"text", trouble.text},
                                         {"hosts", textsValue(trouble.hosts)},
                                         {"conditional", trouble.isConditional}});
    return Value::Object{{"schema", "collscope.network/1"},
                         {"run", runValue(*report.model)},
                         {"troubles", std::move(troubles)},
                         {"log", logValue(*report.model->network)},
                         {"communicators", communicatorsValue(*report.model->network)},
                         {"connections", connectionsValue(report.connections)},
                         {"channels_not_placed", report.connections.unplaced},
                         {"benchmarks", benchmarksValue(*report.model)},
                         {"reached", ceilingValue(report)},
                         {"notes", textsValue(report.ceiling.notes)}};
}

} // namespace collscope
