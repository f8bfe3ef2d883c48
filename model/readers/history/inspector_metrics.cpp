// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/history/inspector_metrics.h"

#include "model/readers/hang/witness_text.h"
#include "model/readers/history/history_builder.h"
#include "model/text/trimmed.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

namespace collscope {

namespace {

constexpr std::string_view inspectorMetricPrefix = "nccl_";

/// A metric, and whether its value is a bandwidth, a duration or a counter of lost operations.
struct MetricRow
{
    enum class Value : std::uint8_t
    {
        Bandwidth,
        Duration,
        Lost,
        Counted
    };
    std::string_view name;
    Value value;
};
constexpr MetricRow inspectorMetricRows[] = {
    {"nccl_bus_bandwidth_gbs", MetricRow::Value::Bandwidth},
    {"nccl_collective_exec_time_microseconds", MetricRow::Value::Duration},
    {"nccl_p2p_bus_bandwidth_gbs", MetricRow::Value::Bandwidth},
    {"nccl_p2p_exec_time_microseconds", MetricRow::Value::Duration},
    {"nccl_collectives_dropped_total", MetricRow::Value::Lost},
    {"nccl_p2p_dropped_total", MetricRow::Value::Lost},
    {"nccl_collectives_total", MetricRow::Value::Counted},
    {"nccl_p2p_total", MetricRow::Value::Counted},
};

const MetricRow* inspectorMetricOf(std::string_view line)
{
    const std::string_view name = line.substr(0, line.find_first_of("{ \t"));
    for (const MetricRow& row : inspectorMetricRows) {
        if (row.name == name)
            return &row;
    }
    return nullptr;
}

/// A sample of the text format: labels, value, and the time in ms that only exporters add.
struct MetricSample
{
    std::map<std::string, std::string, std::less<>> labels;
    double value = 0;
    std::optional<std::int64_t> timeMs;

    std::string label(std::string_view name) const
    {
        const auto at = labels.find(name);
        return at == labels.end() || at->second == "unknown" ? std::string() : at->second;
    }
};

/// Reads `name="value",...}` and returns the text after it; nullopt if it is damaged.
std::optional<std::string_view> readMetricLabels(std::string_view text, MetricSample& sample)
{
    constexpr std::size_t mostLabels = 64;
    while (!text.starts_with('}')) {
        const std::size_t equals = text.find("=\"");
        if (equals == std::string_view::npos || sample.labels.size() == mostLabels)
            return std::nullopt;
        std::string value;
        std::size_t at = equals + 2;
        for (; at < text.size() && text[at] != '"'; ++at) {
            const bool isEscape = text[at] == '\\' && at + 1 < text.size();
            at += isEscape ? 1u : 0u;
            value += isEscape && text[at] == 'n' ? '\n' : text[at];
        }
        if (at >= text.size())
            return std::nullopt;
        sample.labels[witnessText(trimmed(text.substr(0, equals)))] = witnessText(value);
        text.remove_prefix(at + 1);
        if (text.starts_with(','))
            text.remove_prefix(1);
    }
    return text.substr(1);
}

std::optional<MetricSample> metricSampleOf(std::string_view line)
{
    MetricSample sample;
    const std::size_t brace = line.find('{');
    if (brace == std::string_view::npos)
        return std::nullopt;
    const auto rest = readMetricLabels(line.substr(brace + 1), sample);
    if (!rest)
        return std::nullopt;
    const std::string_view figures = trimmed(*rest);
    const auto [end, error] = std::from_chars(figures.data(), figures.data() + figures.size(), sample.value);
    if (error != std::errc() || !std::isfinite(sample.value) || sample.value < 0)
        return std::nullopt;
    const std::string_view time = trimmed(figures.substr(static_cast<std::size_t>(end - figures.data())));
    constexpr std::int64_t earliestMs = 1'000'000'000'000, latestMs = 4'000'000'000'000;
    const WitnessNumber ms = witnessNumber(time);
    if (ms.value && ms.rest.empty() && *ms.value >= earliestMs && *ms.value <= latestMs)
        sample.timeMs = ms.value;
    return sample;
}

class MetricsReading
{
public:
    explicit MetricsReading(TraceFragment& fragment)
        : m_fragment(fragment)
    { }

    void take(std::string_view line, std::uint64_t offset)
    {
        const MetricRow* const metric = inspectorMetricOf(line);
        if (metric == nullptr)
            return;
        ++m_fragment.source.eventsInFile;
        const auto sample = metricSampleOf(line);
        if (!sample) {
            ++m_fragment.source.excluded;
            m_fragment.problems.add(Severity::DataLoss, "bad_sample", m_fragment.source.path, offset,
                                    "A sample of the NCCL Inspector is damaged.", 1);
            return;
        }
        ++m_fragment.source.shown;
        keep(*metric, *sample);
    }

    void finish() { m_fragment.history = std::make_shared<JobHistory>(std::move(m_builder.history())); }

private:
    void keep(const MetricRow& metric, const MetricSample& sample);
    static std::int32_t countOf(const std::string& text)
    {
        return witnessRank(witnessNumber(text).value).value_or(0);
    }

    TraceFragment& m_fragment;
    HistoryBuilder m_builder;
    std::map<std::string, std::size_t> m_sampleAt; ///< bandwidth and duration are two lines of one sample
};

void MetricsReading::keep(const MetricRow& metric, const MetricSample& sample)
{
    HistoryCommunicator communicator;
    communicator.name = sample.label("comm_name");
    communicator.ranks = countOf(sample.label("nranks"));
    communicator.nodes = countOf(sample.label("n_nodes"));
    HistoryMember member;
    member.communicator = m_builder.communicator(communicator);
    member.host = sample.label("node");
    member.gpu = sample.label("gpu");
    const std::uint32_t place = m_builder.member(member);
    JobHistory& history = m_builder.history();
    if (metric.value == MetricRow::Value::Counted)
        return;
    if (metric.value == MetricRow::Value::Lost) {
        std::optional<std::uint64_t>& dropped = history.members[place].dropped;
        constexpr double most = 1e15;
        if (sample.value < most)
            dropped = dropped.value_or(0) + static_cast<std::uint64_t>(sample.value);
        return;
    }
    BandwidthSample own;
    own.member = place;
    own.operation = sample.label("collective");
    if (own.operation.empty())
        own.operation = sample.label("p2p_operation");
    own.sizes = sample.label("message_size");
    own.algorithm = sample.label("algo_proto");
    if (sample.timeMs)
        own.timeNs = *sample.timeMs * 1'000'000;
    const std::string key = std::to_string(place) + '\n' + own.operation + '\n' + own.sizes + '\n'
        + own.algorithm + '\n' + std::to_string(own.timeNs.value_or(0));
    const auto [at, isNew] = m_sampleAt.emplace(key, history.samples.size());
    if (isNew)
        history.samples.push_back(own);
    BandwidthSample& kept = history.samples[at->second];
    // A mean of 0 is what the Inspector writes where no operation has a bandwidth.
    if (metric.value == MetricRow::Value::Duration)
        kept.durationUs = sample.value;
    else if (sample.value > 0)
        kept.busGbPerSecond = sample.value;
}

} // namespace

bool holdsInspectorMetrics(std::string_view text)
{
    for (std::size_t at = text.find(inspectorMetricPrefix); at != std::string_view::npos;
         at = text.find(inspectorMetricPrefix, at + 1)) {
        if (at > 0 && text[at - 1] != '\n')
            continue; // "# HELP nccl_bus_bandwidth_gbs"
        const MetricRow* const metric = inspectorMetricOf(text.substr(at, 100));
        if (metric != nullptr && text.substr(at + metric->name.size()).starts_with('{'))
            return true;
    }
    return false;
}

void readInspectorMetrics(std::string_view text, TraceFragment& fragment)
{
    MetricsReading reading(fragment);
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = trimmed(text.substr(begin, end - begin));
        if (line.starts_with(inspectorMetricPrefix))
            reading.take(line, begin);
        begin = end + 1;
    }
    reading.finish();
}

} // namespace collscope
