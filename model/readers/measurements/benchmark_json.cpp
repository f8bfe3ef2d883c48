// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Results of load generators: `vllm bench serve`, `vllm bench latency` and SGLang's bench_serving.

#include "model/readers/text/measurement_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace collscope {

namespace {

using nlohmann::json;

constexpr std::string_view numberFirst = "0123456789-nNI"; ///< also null, NaN, Infinity

bool holdsLatencyRun(std::string_view fileName, std::string_view head)
{
    return holdsMember(head, "avg_latency", numberFirst)
        && (fileName.ends_with(".latency.json") || holdsMember(head, "latencies", "[")
            || holdsMember(head, "percentiles", "{"));
}

Sniff sniffBenchmark(std::string_view fileName, std::string_view head)
{
    head = withoutLeadingBlanks(head);
    if (head.empty() || (head.front() != '{' && head.front() != '['))
        return Sniff::No;
    constexpr std::array<std::string_view, 5> figures{"output_throughput", "request_throughput",
                                                      "mean_ttft_ms", "median_ttft_ms", "mean_itl_ms"};
    const bool serves = holdsMember(head, "ttfts", "[")
        || std::any_of(figures.begin(), figures.end(),
                       [&](std::string_view key) { return holdsMember(head, key, numberFirst); });
    return serves || holdsLatencyRun(fileName, head) ? Sniff::Yes : Sniff::No;
}

/// The members of one record. Values of the wrong type and impossible values are ignored and reported.
class Record
{
public:
    Record(const json& object, const std::string& path, Diagnostics& problems)
        : m_object(object)
        , m_path(path)
        , m_problems(problems)
    { }

    std::optional<double> number(const char* key) const { return numberIn(m_object, key); }
    std::optional<double> percentile(const char* key) const
    {
        const auto all = m_object.find("percentiles");
        return all != m_object.end() && all->is_object() ? numberIn(*all, key) : std::nullopt;
    }
    /// A figure stated in milliseconds, in seconds.
    std::optional<double> milliseconds(const std::string& key) const
    {
        const auto value = numberIn(m_object, key.c_str());
        return value ? std::optional(*value / 1000.0) : std::nullopt;
    }
    std::optional<std::int64_t> count(const char* key) const
    {
        const auto value = number(key);
        constexpr double largest = 9007199254740992.0; // 2^53
        if (!value)
            return std::nullopt;
        if (*value != std::floor(*value) || *value > largest) {
            report(key);
            return std::nullopt;
        }
        return static_cast<std::int64_t>(*value);
    }
    std::string text(const char* key) const
    {
        const auto found = m_object.find(key);
        return found != m_object.end() && found->is_string() ? found->get<std::string>() : std::string();
    }
    /// A list of seconds; nested lists are joined.
    std::vector<double> seconds(const char* key) const
    {
        std::vector<double> values;
        const auto found = m_object.find(key);
        if (found == m_object.end() || found->is_null())
            return values;
        if (!found->is_array()) {
            report(key);
            return values;
        }
        for (const json& entry : *found) {
            if (!entry.is_array()) {
                append(entry, key, values);
                continue;
            }
            for (const json& inner : entry)
                append(inner, key, values);
        }
        return values;
    }

private:
    std::optional<double> numberIn(const json& object, const char* key) const
    {
        const auto found = object.find(key);
        if (found == object.end() || found->is_null())
            return std::nullopt;
        const double value = found->is_number() ? found->get<double>() : -1;
        if (!std::isfinite(value) || value < 0) {
            report(key);
            return std::nullopt;
        }
        return value;
    }
    void append(const json& entry, const char* key, std::vector<double>& values) const
    {
        const double value = entry.is_number() ? entry.get<double>() : -1;
        if (std::isfinite(value) && value >= 0)
            values.push_back(value);
        else
            report(key);
    }
    void report(const std::string& key) const
    {
        m_problems.add(
            Severity::DataLoss, "bad_figure", m_path, 0,
            "\"" + key
                + "\" (and possibly other fields) is not a valid number for this figure; it is ignored.");
    }

    const json& m_object;
    const std::string& m_path;
    Diagnostics& m_problems;
};

BenchmarkTimes timesOf(const Record& record, const std::string& name)
{
    BenchmarkTimes times;
    times.mean = record.milliseconds("mean_" + name + "_ms");
    times.median = record.milliseconds("median_" + name + "_ms");
    times.p99 = record.milliseconds("p99_" + name + "_ms");
    return times;
}

ServingBenchmark benchmarkOf(const Record& record)
{
    ServingBenchmark benchmark;
    benchmark.backend = record.text("backend");
    benchmark.model = record.text("model_id");
    if (benchmark.model.empty())
        benchmark.model = record.text("model");
    if (record.number("avg_latency")) {
        benchmark.ofBatches = true;
        benchmark.endToEnd.mean = record.number("avg_latency");
        benchmark.endToEnd.median = record.percentile("50");
        benchmark.endToEnd.p99 = record.percentile("99");
        benchmark.endToEnd.each = record.seconds("latencies");
        return benchmark;
    }
    benchmark.firstToken = timesOf(record, "ttft");
    benchmark.firstToken.each = record.seconds("ttfts");
    benchmark.perToken = timesOf(record, "tpot");
    benchmark.betweenTokens = timesOf(record, "itl");
    benchmark.betweenTokens.each = record.seconds("itls");
    benchmark.endToEnd = timesOf(record, "e2el"); // vLLM
    if (!benchmark.endToEnd.isKnown())
        benchmark.endToEnd = timesOf(record, "e2e_latency"); // SGLang
    benchmark.outputTokensPerSecond = record.number("output_throughput");
    benchmark.totalTokensPerSecond = record.number("total_token_throughput"); // vLLM
    if (!benchmark.totalTokensPerSecond)
        benchmark.totalTokensPerSecond = record.number("total_throughput"); // SGLang
    benchmark.requestsPerSecond = record.number("request_throughput");
    benchmark.durationSeconds = record.number("duration");
    benchmark.requests = record.count("completed");
    benchmark.inputTokens = record.count("total_input_tokens");
    benchmark.outputTokens = record.count("total_output_tokens");
    return benchmark;
}

bool statesAnything(const ServingBenchmark& b)
{
    return b.firstToken.isKnown() || b.perToken.isKnown() || b.betweenTokens.isKnown() || b.endToEnd.isKnown()
        || b.outputTokensPerSecond || b.requestsPerSecond;
}

class Reader
{
public:
    explicit Reader(TraceFragment& fragment)
        : m_fragment(fragment)
    { }

    /// Returns false if the text is not JSON.
    bool document(std::string_view text, std::uint64_t offset)
    {
        const auto strict = strictJson(text, path(), offset, m_fragment.problems);
        if (!strict)
            return false;
        const json root = json::parse(*strict, nullptr, false);
        if (root.is_array()) {
            for (const json& element : root)
                record(element, offset);
        } else {
            record(root, offset);
        }
        return true;
    }
    /// Reads one document per line, the format in which bench_serving appends its runs.
    void lines(std::string_view text)
    {
        for (std::size_t begin = 0; begin < text.size();) {
            const std::size_t end = std::min(text.find('\n', begin), text.size());
            const std::string_view line = withoutLeadingBlanks(text.substr(begin, end - begin));
            if (!line.empty() && !document(line, begin))
                m_fragment.problems.add(
                    Severity::DataLoss, "bad_line", path(), begin,
                    "A line is not valid JSON (possibly cut off); the runs on the other lines were read.");
            begin = end + 1;
        }
    }

private:
    const std::string& path() const { return m_fragment.source.path; }

    void record(const json& object, std::uint64_t offset)
    {
        const std::uint32_t place = m_place++;
        if (!object.is_object()) {
            m_fragment.problems.add(
                Severity::Notice, "not_a_benchmark", path(), offset,
                "An entry of the file is not a JSON object, so it is not a benchmark result.");
            return;
        }
        ServingBenchmark benchmark = benchmarkOf(Record(object, path(), m_fragment.problems));
        benchmark.record = place;
        if (benchmark.requests && *benchmark.requests == 0) {
            m_fragment.problems.add(
                Severity::Notice, "no_requests", path(), offset,
                "A benchmark completed no request: its figures are meaningless and are ignored.");
            return;
        }
        if (!statesAnything(benchmark)) {
            m_fragment.problems.add(Severity::Notice, "not_a_benchmark", path(), offset,
                                    "An entry of the file states neither a time nor a throughput.");
            return;
        }
        m_fragment.measurements.benchmarks.push_back(std::move(benchmark));
    }

    TraceFragment& m_fragment;
    std::uint32_t m_place = 0;
};

/// Whether the first line is a complete document and more text follows.
bool isJsonLines(std::string_view text)
{
    const std::size_t end = text.find('\n');
    Diagnostics ignored;
    return end != std::string_view::npos && !withoutLeadingBlanks(text.substr(end)).empty()
        && strictJson(text.substr(0, end), std::string(), 0, ignored).has_value();
}

Result<TraceFragment> readBenchmark(const SourceFile& file, const ReadContext& context)
{
    TraceFragment fragment = fragmentOf(file, SourceKind::Benchmark);
    const auto text = readText(file, context, fragment.problems);
    if (!text)
        return text.error();
    Reader reader(fragment);
    const std::string_view body = withoutLeadingBlanks(*text);
    if (isJsonLines(body))
        reader.lines(body);
    else if (!reader.document(body, 0))
        return Error{Error::Kind::Format,
                     "The benchmark's JSON is damaged or cut off; write it again, or open another file.",
                     file.path, 0};
    if (fragment.measurements.benchmarks.empty()) {
        const std::vector<Diagnostic>& why = fragment.problems.entries();
        return Error{Error::Kind::Format,
                     "The file contains no usable benchmark result."
                         + (why.empty() ? std::string() : " " + why.back().explanation),
                     file.path, 0};
    }
    return fragment;
}

} // namespace

extern const ReaderDescriptor benchmarkReader;
const ReaderDescriptor benchmarkReader{"benchmark", "Serving benchmark (vLLM or SGLang JSON)",
                                       SourceKind::Benchmark, sniffBenchmark, readBenchmark};

} // namespace collscope
