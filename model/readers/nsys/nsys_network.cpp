// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Reads what Nsight Systems sampled of network cards and of switches of InfiniBand (`nsys profile
// --nic-metrics`,
// `--ib-switch-metrics-devices`).
//
// Tables and columns: "SQLite Schema Reference" in NVIDIA's documentation of Nsight Systems (Analysis Guide,
// schema 3.28.1 of version 2026.4; User Guide of 2023, whose tables of samples have no portId). Their
// metrics: sections "NIC Metric Sampling" and "InfiniBand Switch Metric Sampling" of its User Guide. Each
// metric states its unit, and is a rate there ("bytes/ms", "ticks/ms").

#include "model/readers/nsys/nsys_file.h"
#include "model/witnesses/network_counters.h"

#include <array>
#include <charconv>
#include <cmath>
#include <set>

namespace collscope {

namespace {

/// An export may claim any number of devices; the largest machines have some dozens with some dozens of
/// metrics.
constexpr std::size_t mostNetworkCounters = 4096;
constexpr std::size_t longestNetworkName = 120;
/// A thousand times as fast as the fastest cards: what claims more is damage.
constexpr double mostCardGigabytesPerSecond = 100'000;

/// Units of rates that are shown in GB/s. What is not listed is shown as the export states it.
struct ByteRate
{
    std::string_view unit;
    double perGigabyte; ///< how many of this unit make 1 GB/s
};
constexpr ByteRate byteRates[] = {{"bytes/ms", 1e6}, {"bytes/s", 1e9}};

struct NetworkMetric
{
    std::string name, unit;
    double divisor = 1;
};
using NetworkMetrics = std::map<std::pair<std::int64_t, std::int64_t>, NetworkMetric>; ///< by list and index
using NetworkNames = std::map<std::int64_t, std::string>; ///< by globalId

std::string shortName(std::string_view name)
{
    return std::string(name.substr(0, longestNetworkName));
}

std::string hexText(std::int64_t id)
{
    std::array<char, 16> digits;
    const auto end
        = std::to_chars(digits.data(), digits.data() + digits.size(), static_cast<std::uint64_t>(id), 16);
    return "0x" + std::string(digits.data(), end.ptr);
}

void readNetworkMetrics(NsysDatabase& database, NetworkMetrics& metrics)
{
    database.forEachRow(
        "TARGET_INFO_NETWORK_METRICS", {"metricsListId", "metricsIdx", "name", "unit"},
        [&](const NsysRow& row) {
            NetworkMetric metric{shortName(database.textOf(row, 2)), shortName(database.textOf(row, 3))};
            for (const ByteRate& rate : byteRates) {
                if (metric.unit == rate.unit) {
                    metric.unit = networkTrafficUnit;
                    metric.divisor = rate.perGigabyte;
                    break;
                }
            }
            if (!metric.name.empty())
                metrics.emplace(std::pair(row.integer(0), row.integer(1)), std::move(metric));
            return metrics.size() < mostNetworkCounters;
        });
}

/// Adds a name, unless another row gives the same key another one: then nobody can tell which it is.
void addName(NetworkNames& names, std::int64_t key, std::string_view name)
{
    const auto [known, isNew] = names.try_emplace(key, shortName(name));
    if (!isNew && known->second != shortName(name))
        known->second.clear();
}

/// Samples name a card by its globalId, which NIC_ID_MAP joins to the nicId that the names have.
void readCardNames(NsysDatabase& database, NetworkNames& cards)
{
    NetworkNames byNic;
    database.forEachRow("TARGET_INFO_NIC_INFO", {"nicId", "name"}, [&](const NsysRow& row) {
        addName(byNic, row.integer(0), database.textOf(row, 1));
        return byNic.size() < mostNetworkCounters;
    });
    database.forEachRow("NIC_ID_MAP", {"nicId", "globalId"}, [&](const NsysRow& row) {
        const auto name = row.isNumber(0) ? byNic.find(row.integer(0)) : byNic.end();
        if (name != byNic.end() && row.isNumber(1))
            addName(cards, row.integer(1), name->second);
        return cards.size() < mostNetworkCounters;
    });
}

/// Switches that the network information of the export names (`--ib-net-info-devices`). The schema does not
/// say that the globalId of their samples is the GUID; where 64 bits are the same, it is.
void readSwitchNames(NsysDatabase& database, NetworkNames& switches)
{
    database.forEachRow("NET_IB_DEVICE_INFO", {"guid", "name"}, [&](const NsysRow& row) {
        if (row.isNumber(0))
            addName(switches, row.integer(0), database.textOf(row, 1));
        return switches.size() < mostNetworkCounters;
    });
}

/// Two devices of one name are told apart by their ids, and so is one without a name.
void makeNamesUnique(NetworkNames& names)
{
    std::map<std::string, int> uses;
    for (const auto& [id, name] : names)
        ++uses[name];
    for (auto& [id, name] : names) {
        if (name.empty())
            name = hexText(id);
        else if (uses[name] > 1)
            name += " (" + hexText(id) + ")";
    }
}

/// Why a sample is not shown.
enum class NetworkLoss : std::uint8_t
{
    None,
    NoName,
    NoTime,
    BeforeStart,
    NoValue,
    TooMany
};
struct NetworkLossRow
{
    NetworkLoss loss;
    Severity severity;
    std::string_view code, explanation; ///< after the name of the table
};
constexpr NetworkLossRow networkLosses[]
    = {{NetworkLoss::NoName, Severity::DataLoss, "unnamed_network_metric",
        " has samples of no device, or of metrics that TARGET_INFO_NETWORK_METRICS does not name; they were "
        "skipped."},
       {NetworkLoss::NoTime, Severity::DataLoss, "network_sample_without_time",
        " has samples without a usable start and end; they were skipped."},
       // The first sample of a counter reaches back to an unknown time (seen in exports of --nic-metrics=lf).
       {NetworkLoss::BeforeStart, Severity::Info, "network_sample_before_start",
        " has samples that begin before the recording; they are not shown."},
       {NetworkLoss::NoValue, Severity::DataLoss, "network_sample_without_value",
        " has samples whose value is not a number, is negative, or is faster than any network; they were "
        "skipped."},
       {NetworkLoss::TooMany, Severity::DataLoss, "many_network_counters",
        " has samples of more than 4,096 counters; those of the further ones were skipped."}};

} // namespace

/// The samples of one table, sorted by what they count.
class NsysNetworkTable
{
public:
    NsysNetworkTable(NetworkCounter::Kind kind, const NetworkMetrics& metrics, const NetworkNames& names)
        : m_kind(kind)
        , m_metrics(metrics)
        , m_names(names)
    { }

    /// Of every row, before the samples: a port is named only where a device has several. False: enough.
    bool addPort(std::int64_t device, std::int64_t port)
    {
        m_portCount += m_ports[device].insert(port).second ? 1u : 0u;
        return m_portCount < mostNetworkCounters;
    }

    struct Sample
    {
        NetworkLoss loss = NetworkLoss::None;
        std::size_t counter = 0; ///< in the order of first use
        bool isFirst = false; ///< of the counter
        std::int64_t endNs = 0;
        double value = 0;
    };
    /// Columns: start, end, globalId, portId, metricsListId, metricsIdx, value.
    Sample sampleOf(const NsysRow& row)
    {
        Sample sample;
        const auto metric = m_metrics.find({row.integer(4), row.integer(5)});
        if (metric == m_metrics.end() || !row.isNumber(2) || !row.isNumber(4) || !row.isNumber(5))
            return {NetworkLoss::NoName};
        const auto isTime = [&](int column) {
            return row.isNumber(column) && row.integer(column) > -nsysLargestTimeNs
                && row.integer(column) < nsysLargestTimeNs;
        };
        if (!isTime(0) || !isTime(1) || row.integer(1) <= row.integer(0))
            return {NetworkLoss::NoTime};
        if (row.integer(0) < 0)
            return {NetworkLoss::BeforeStart};
        sample.endNs = row.integer(1);
        sample.value = row.isNumber(6) ? row.number(6) / metric->second.divisor : -1;
        if (!std::isfinite(sample.value) || sample.value < 0
            || (metric->second.unit == networkTrafficUnit && sample.value > mostCardGigabytesPerSecond))
            return {NetworkLoss::NoValue};
        const std::array key{row.integer(2), row.integer(3), row.integer(4), row.integer(5)};
        if (m_counters.size() >= mostNetworkCounters && !m_counters.contains(key))
            return {NetworkLoss::TooMany};
        const auto [known, isNew] = m_counters.try_emplace(key, m_counters.size());
        sample.counter = known->second;
        sample.isFirst = isNew;
        return sample;
    }
    bool isNamed(const NsysRow& row) const { return m_names.contains(row.integer(2)); }
    /// What the sample of a row counts. Precondition: it is not lost.
    NetworkCounter counterOf(const NsysRow& row) const
    {
        const auto name = m_names.find(row.integer(2));
        const NetworkMetric& metric = m_metrics.at({row.integer(4), row.integer(5)});
        NetworkCounter counter{m_kind, name == m_names.end() ? hexText(row.integer(2)) : name->second,
                               metric.name, metric.unit};
        const auto ports = m_ports.find(row.integer(2));
        if (ports != m_ports.end() && ports->second.size() > 1)
            counter.device += " port " + std::to_string(row.integer(3));
        return counter;
    }

private:
    NetworkCounter::Kind m_kind;
    const NetworkMetrics& m_metrics;
    const NetworkNames& m_names;
    std::map<std::int64_t, std::set<std::int64_t>> m_ports;
    std::size_t m_portCount = 0;
    std::map<std::array<std::int64_t, 4>, std::size_t> m_counters;
};

void NsysFile::readNetwork()
{
    if (!m_database.hasTable(NsysTables::cards) && !m_database.hasTable(NsysTables::switches))
        return;
    NetworkMetrics metrics;
    NetworkNames cards, switches;
    tolerate("TARGET_INFO_NETWORK_METRICS", [&] { readNetworkMetrics(m_database, metrics); });
    tolerate("TARGET_INFO_NIC_INFO", [&] { readCardNames(m_database, cards); });
    tolerate("NET_IB_DEVICE_INFO", [&] { readSwitchNames(m_database, switches); });
    makeNamesUnique(cards);
    makeNamesUnique(switches);
    NsysNetworkTable ofCards(NetworkCounter::Kind::Card, metrics, cards);
    NsysNetworkTable ofSwitches(NetworkCounter::Kind::Switch, metrics, switches);
    readNetworkTable(NsysTables::cards, ofCards);
    readNetworkTable(NsysTables::switches, ofSwitches);
}

void NsysFile::readNetworkTable(const char* table, NsysNetworkTable& network)
{
    tolerate(table, [&] {
        m_database.forEachRow(table, {"globalId", "portId"}, [&](const NsysRow& row) {
            return network.addPort(row.integer(0), row.integer(1));
        });
    });
    NsysDevice* place
        = nullptr; // the cards belong to the host, and are added to the first timeline of the file
    std::vector<std::uint32_t> counters;
    readEvents(
        table, {"start", "end", "globalId", "portId", "metricsListId", "metricsIdx", "value"},
        [&](const NsysRow& row) {
            const NsysNetworkTable::Sample sample = network.sampleOf(row);
            for (const NetworkLossRow& loss : networkLosses) {
                if (loss.loss != sample.loss)
                    continue;
                ++m_fragment.source.excluded;
                return note(loss.severity, loss.code, "Table " + (table + std::string(loss.explanation)), 1);
            }
            if (!place)
                place = m_devices.empty() ? &deviceFor(-1) : &m_devices.begin()->second;
            if (sample.isFirst) {
                if (!network.isNamed(row))
                    note(Severity::Notice, "unnamed_network_device",
                         std::string("Table ") + table
                             + " has samples of devices that the export does not name; their ids are shown.");
                const StringId name = m_fragment.strings.intern(networkCounterName(network.counterOf(row)));
                counters.push_back(place->builder.counter(name, CounterUnit::Count, -1));
            }
            place->builder.addSample(counters[sample.counter], sample.endNs, sample.value);
        });
}

} // namespace collscope
