// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Reads what the programs of NVIDIA/nccl-tests and ROCm/rccl-tests print (src/util.cu, src/common.cu): the
// table of sizes on standard output, or the file of their option -J.

#include "model/readers/measurements/log_file.h"
#include "model/readers/network/nccl_log_lines.h"
#include "model/text/printable_text.h"
#include "model/witnesses/network_record.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace collscope {

namespace {

constexpr double bytesPerGigabyte = 1e9;
constexpr double mostGigabytesPerSecond = 1e6;
constexpr std::size_t mostSizes = 100'000;

std::vector<std::string_view> wordsOf(std::string_view line)
{
    std::vector<std::string_view> words;
    while (true) {
        const std::size_t begin = line.find_first_not_of(" \t\r");
        if (begin == std::string_view::npos)
            return words;
        line.remove_prefix(begin);
        const std::size_t end = std::min(line.find_first_of(" \t\r"), line.size());
        words.push_back(line.substr(0, end));
        line.remove_prefix(end);
    }
}

template<typename Number>
std::optional<Number> numberOf(std::string_view text)
{
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// GB/s as bytes/s, if it can be one.
std::optional<double> bandwidthOf(std::optional<double> gigabytes)
{
    return gigabytes && std::isfinite(*gigabytes) && *gigabytes >= 0 && *gigabytes < mostGigabytesPerSecond
        ? std::optional(*gigabytes * bytesPerGigabyte)
        : std::nullopt;
}

/// "/opt/nccl-tests/build/all_reduce_perf" -> "all_reduce"; empty for other programs.
std::string collectiveOf(std::string_view program)
{
    program = program.substr(program.rfind('/') + 1);
    constexpr std::string_view ending = "_perf";
    const std::size_t at = program.find(ending);
    return at == std::string_view::npos ? std::string() : printableText(std::string(program.substr(0, at)));
}

void addDistinct(std::vector<std::string>& names, std::string name)
{
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(std::move(name));
}

/// The columns of a table, by its line of titles.
struct Columns
{
    std::size_t type = 0;
    std::vector<std::size_t> bandwidths, wrongs; ///< out of place, then in place

    /// "#       size         count      type   redop    root     time   algbw   busbw  #wrong ..."
    static std::optional<Columns> of(const std::vector<std::string_view>& words)
    {
        if (words.size() < 6 || words[0] != "#" || words[1] != "size" || words[2] != "count")
            return std::nullopt;
        Columns columns;
        for (std::size_t i = 1; i < words.size(); ++i) {
            if (words[i] == "busbw")
                columns.bandwidths.push_back(i - 1);
            else if (words[i] == "#wrong" || words[i] == "error")
                columns.wrongs.push_back(i - 1);
            else if (words[i] == "type")
                columns.type = i - 1;
        }
        return columns.bandwidths.empty() ? std::nullopt : std::optional(columns);
    }
};

/// Collects the tables of a text: each has its own collective.
class TableLines
{
public:
    void take(std::string_view line)
    {
        const std::vector<std::string_view> words = wordsOf(line);
        if (words.empty())
            return;
        if (words[0] == "#" && words.size() > 1 && words[1] == "nThread" && m_next.ranks)
            m_next = {}; // another benchmark begins
        constexpr std::string_view starting = "Collective test starting: ";
        if (const std::size_t at = line.find(starting); at != std::string_view::npos) {
            m_next = {};
            m_columns.reset();
            const std::vector<std::string_view> program = wordsOf(line.substr(at + starting.size()));
            m_next.collective = program.empty() ? std::string() : collectiveOf(program.front());
        } else if (words.size() > 9 && words[0] == "#" && words[1] == "Rank") {
            takeRank(words);
        } else if (auto columns = Columns::of(words)) {
            m_columns = std::move(columns);
            tables.push_back(m_next);
        } else if (m_columns && words[0] != "#") {
            takeRow(words);
        }
    }

    std::vector<NetworkBenchmark> tables;
    std::uint64_t rows = 0, damaged = 0;

private:
    /// "#  Rank  0 Group  0 Pid 305376 on node01 device  0 [0000:0f:00] NVIDIA A100-SXM4-40GB"
    void takeRank(const std::vector<std::string_view>& words)
    {
        const auto on = std::find(words.begin(), words.end(), "on");
        const auto rank = numberOf<int>(words[2]);
        if (!rank || *rank < 0 || words.end() - on < 5)
            return;
        m_next.ranks = std::max(m_next.ranks.value_or(0), *rank + 1);
        addDistinct(m_next.hosts, printableText(std::string(*(on + 1))));
        std::string device;
        for (auto word = on + 5; word != words.end(); ++word)
            device += (device.empty() ? "" : " ") + std::string(*word);
        addDistinct(m_next.devices, printableText(device));
    }
    void takeRow(const std::vector<std::string_view>& words)
    {
        const auto size = numberOf<std::uint64_t>(words[0]);
        if (!size || !numberOf<std::uint64_t>(words.size() > 1 ? words[1] : std::string_view()))
            return; // another line of the log
        NetworkBenchmark::Row row;
        row.bytes = *size;
        const auto word = [&](const std::vector<std::size_t>& places, std::size_t i) {
            return i < places.size() && places[i] < words.size() ? words[places[i]] : std::string_view();
        };
        row.outOfPlace = bandwidthOf(numberOf<double>(word(m_columns->bandwidths, 0)));
        row.inPlace = bandwidthOf(numberOf<double>(word(m_columns->bandwidths, 1)));
        const auto first = numberOf<std::uint64_t>(word(m_columns->wrongs, 0));
        const auto second = numberOf<std::uint64_t>(word(m_columns->wrongs, 1));
        if (first || second)
            row.wrong = first.value_or(0) + second.value_or(0);
        NetworkBenchmark& table = tables.back();
        if (!row.best() || table.rows.size() >= mostSizes) {
            ++damaged;
            return;
        }
        if (m_columns->type > 0 && m_columns->type < words.size())
            table.type = printableText(std::string(words[m_columns->type]));
        table.rows.push_back(row);
        ++rows;
    }

    NetworkBenchmark m_next; ///< what stands before a table
    std::optional<Columns> m_columns; ///< of the last table
};

std::optional<double> numberIn(const nlohmann::json& object, const char* key)
{
    const auto found = object.is_object() ? object.find(key) : object.end();
    return found != object.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

std::string textIn(const nlohmann::json& object, const char* key)
{
    const auto found = object.is_object() ? object.find(key) : object.end();
    return found != object.end() && found->is_string() ? printableText(found->get<std::string>())
                                                       : std::string();
}

/// Of the file that -J writes.
TableLines tableOfJson(const nlohmann::json& report)
{
    TableLines found;
    NetworkBenchmark& table = found.tables.emplace_back();
    if (const auto words = report.find("args");
        words != report.end() && words->is_array() && !words->empty() && words->front().is_string())
        table.collective = collectiveOf(words->front().get<std::string>());
    const auto devices = report.find("devices");
    if (devices != report.end() && devices->is_array()) {
        for (const nlohmann::json& device : *devices) {
            addDistinct(table.hosts, textIn(device, "hostname"));
            addDistinct(table.devices, textIn(device, "device_info"));
        }
        if (!devices->empty())
            table.ranks = static_cast<int>(std::min<std::size_t>(devices->size(), 1 << 20));
    }
    for (const nlohmann::json& result : report.at("results")) {
        const auto size = numberIn(result, "size");
        NetworkBenchmark::Row row;
        const auto part = [&](const char* key) {
            const auto place = result.is_object() ? result.find(key) : result.end();
            return place != result.end() ? *place : nlohmann::json();
        };
        const nlohmann::json out = part("out_of_place"), in = part("in_place");
        row.outOfPlace = bandwidthOf(numberIn(out, "bus_bw"));
        row.inPlace = bandwidthOf(numberIn(in, "bus_bw"));
        const auto wrongOut = numberIn(out, "nwrong"), wrongIn = numberIn(in, "nwrong");
        constexpr double mostBytes = 1e18;
        if (!row.best() || !size || !(*size >= 0) || *size > mostBytes || table.rows.size() >= mostSizes) {
            ++found.damaged;
            continue;
        }
        row.bytes = static_cast<std::uint64_t>(*size);
        const double wrong = wrongOut.value_or(0) + wrongIn.value_or(0);
        if ((wrongOut || wrongIn) && wrong >= 0 && wrong < mostBytes)
            row.wrong = static_cast<std::uint64_t>(wrong);
        table.type = textIn(result, "type");
        table.rows.push_back(row);
        ++found.rows;
    }
    return found;
}

bool isReport(std::string_view head)
{
    return withoutLeadingBlanks(head).starts_with('{')
        && head.find("\"nccl_version\"") != std::string_view::npos
        && head.find("\"args\"") != std::string_view::npos
        && (head.find("_perf") != std::string_view::npos
            || head.find("\"bus_bw\"") != std::string_view::npos);
}

Sniff sniffNcclTests(std::string_view, std::string_view head)
{
    const auto holds = [&](std::string_view text) { return head.find(text) != std::string_view::npos; };
    const bool isTable = holds("algbw") && holds("busbw") && holds("size") && holds("(GB/s)");
    return isTable || isReport(head) ? Sniff::Yes : Sniff::No;
}

Result<TraceFragment> readNcclTests(const SourceFile& file, const ReadContext& context)
{
    TraceFragment fragment = fragmentOf(file, SourceKind::NcclTests);
    const auto text = readText(file, context, fragment.problems);
    if (!text)
        return text.error();
    TableLines found;
    NcclLogLines nccl; // it may have run with NCCL_DEBUG=INFO; its communicators are not those of the job
    if (isReport(std::string_view(*text).substr(0, std::size_t{64} << 10))) {
        const auto strict = strictJson(*text, file.path, 0, fragment.problems);
        const nlohmann::json report = nlohmann::json::parse(strict ? *strict : std::string(), nullptr, false);
        const bool hasResults
            = report.is_object() && report.contains("results") && report["results"].is_array();
        if (!hasResults)
            return Error{Error::Kind::Format, "This report of nccl-tests is damaged, or it has no results.",
                         file.path, 0};
        found = tableOfJson(report);
    } else {
        LogLines lines;
        const auto take = [&](std::string_view line) {
            if (!nccl.take(line))
                found.take(line);
        };
        lines.add(*text, take);
        lines.add("\n", take);
    }
    std::erase_if(found.tables, [](const NetworkBenchmark& table) { return table.rows.empty(); });
    if (found.tables.empty())
        return Error{Error::Kind::Format, "The table of nccl-tests has no row.", file.path, 0};
    if (found.damaged > 0)
        fragment.problems.add(Severity::DataLoss, "damaged_row", file.path, 0,
                              "Rows of nccl-tests have no bandwidth that can be read.", found.damaged);
    const std::uint64_t ofNccl = nccl.understood() + nccl.others();
    if (ofNccl > 0)
        fragment.problems.add(Severity::Info, "nccl_lines_of_benchmark", file.path, 0,
                              "Lines of NCCL in the output of a benchmark say nothing about the job.",
                              ofNccl);
    fragment.source.shown = found.rows;
    fragment.source.excluded = found.damaged + ofNccl;
    fragment.source.eventsInFile = fragment.source.shown + fragment.source.excluded;
    fragment.network = std::make_shared<NetworkRecord>();
    fragment.network->benchmarks = std::move(found.tables);
    return fragment;
}

} // namespace

extern const ReaderDescriptor ncclTestsReader;
const ReaderDescriptor ncclTestsReader{"nccl_tests", "Output of nccl-tests", SourceKind::NcclTests,
                                       sniffNcclTests, readNcclTests};

} // namespace collscope
