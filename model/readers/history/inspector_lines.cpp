// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/history/inspector_lines.h"

#include "model/readers/hang/witness_text.h"
#include "model/readers/history/inspector_keys.h"
#include "model/readers/history/inspector_template.h"

#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

namespace collscope {

namespace ondemand = simdjson::ondemand;

namespace {

/// A key as it is written; of a longer one only the front, which no row has.
std::string_view rawKeyOf(ondemand::raw_json_string key)
{
    constexpr std::size_t longest = 40;
    std::size_t length = 0;
    while (length < longest && key.raw()[length] != '"')
        ++length;
    return {key.raw(), length};
}

/// Times between 2001 and 2096 in microseconds; others are of another clock, or damage.
constexpr std::int64_t earliestInspectorUs = 1'000'000'000'000'000;
constexpr std::int64_t latestInspectorUs = 4'000'000'000'000'000;

OperationClass::Timing inspectorTiming(std::string_view text)
{
    using Timing = OperationClass::Timing;
    if (text == "kernel_gpu")
        return Timing::KernelGpu;
    if (text == "kernel_cpu")
        return Timing::KernelCpu;
    return text == "collective_cpu" ? Timing::CollectiveCpu : Timing::Other;
}

/// The figures of one line. Views are valid until the next line.
struct InspectorLine
{
    std::string_view hash, name, host, version, operation;
    std::optional<std::int64_t> rank, ranks, nodes, pid, dumpUs, hostStartUs, kernelStartUs, peer;
    std::optional<std::uint64_t> number, bytes;
    std::optional<double> durationUs, busGbPerSecond;
    OperationClass::Timing timing = OperationClass::Timing::NotStated;
    std::uint64_t records = 0, dropped = 0;
    bool isPointToPoint = false, hasHeader = false, isMarker = false, isPayload = false, isProxy = false;
};

std::optional<std::int64_t> inRange(std::optional<std::int64_t> value, std::int64_t least, std::int64_t most)
{
    return value && *value >= least && *value <= most ? value : std::nullopt;
}

/// Whether a version like "v4.3" is that one or a later one; no, if it is not a version.
bool isAtLeast(std::string_view version, int major, int minor)
{
    if (version.starts_with('v'))
        version.remove_prefix(1);
    int numbers[2] = {0, 0};
    const char* const end = version.data() + version.size();
    auto read = std::from_chars(version.data(), end, numbers[0]);
    if (read.ec != std::errc() || read.ptr == end || *read.ptr != '.')
        return false;
    read = std::from_chars(read.ptr + 1, end, numbers[1]);
    return read.ec == std::errc() && std::pair(numbers[0], numbers[1]) >= std::pair(major, minor);
}

} // namespace

class InspectorLines::Parser
{
public:
    void parse(LineBlock& block, InspectorRows& rows);
    void forget() { m_knownIn = nullptr; }

private:
    bool takeObject(ondemand::object object, int depth);
    void takeField(InspectorKey key, ondemand::value value, int depth);
    void takeKernels(ondemand::value value);
    void takeLine(std::string_view line, std::uint64_t offset, InspectorRows& rows);
    static bool addRow(const InspectorFigures& figures, std::uint32_t context, OperationClass& kind,
                       std::vector<InspectorTemplate::KnownClass>* known, InspectorRows& rows);
    void learn(std::string_view line, const OperationClass& kind, InspectorRows& rows);
    bool takeKnown(std::string_view line, InspectorRows& rows);
    std::uint32_t contextOf(InspectorRows& rows);

    static constexpr int deepest = 4;
    ondemand::parser m_parser;
    InspectorLine m_line;
    bool m_isBroken = false;
    InspectorContext m_lastContext;
    std::uint32_t m_lastContextAt = InspectorRow::inherited;
    std::vector<InspectorTemplate> m_templates; ///< the most used first
    InspectorRows* m_knownIn = nullptr; ///< whose tables the remembered indices belong to
};

void InspectorLines::Parser::takeKernels(ondemand::value value)
{
    ondemand::array events;
    if (value.get_array().get(events) != simdjson::SUCCESS)
        return;
    for (auto element : events) {
        ondemand::object event;
        std::int64_t start = 0;
        if (element.get_object().get(event) != simdjson::SUCCESS)
            return;
        if (event.find_field_unordered("kernel_start_ts").get_int64().get(start) == simdjson::SUCCESS
            && start >= earliestInspectorUs)
            m_line.kernelStartUs = std::min(m_line.kernelStartUs.value_or(start), start);
    }
}

void InspectorLines::Parser::takeField(InspectorKey key, ondemand::value value, int depth)
{
    const auto text = [&](std::string_view& to) {
        if (value.get_string().get(to) != simdjson::SUCCESS)
            to = {};
    };
    const auto integer = [&](std::optional<std::int64_t>& to) {
        std::int64_t number = 0;
        if (value.get_int64().get(number) == simdjson::SUCCESS)
            to = number;
    };
    const auto natural = [&](std::optional<std::uint64_t>& to) {
        std::uint64_t number = 0;
        if (value.get_uint64().get(number) == simdjson::SUCCESS)
            to = number;
    };
    const auto real = [&](std::optional<double>& to) {
        double number = 0;
        if (value.get_double().get(number) == simdjson::SUCCESS)
            to = number;
    };
    const auto count = [&](std::uint64_t& to) {
        std::uint64_t number = 0;
        constexpr std::uint64_t most = std::uint64_t{1} << 60;
        if (value.get_uint64().get(number) == simdjson::SUCCESS && number < most)
            to += number;
    };
    switch (key) {
    case InspectorKey::Payload:
    case InspectorKey::Marker:
    case InspectorKey::Inside: {
        m_line.isPayload = m_line.isPayload || key == InspectorKey::Payload;
        m_line.isMarker = m_line.isMarker || key == InspectorKey::Marker;
        ondemand::object object;
        if (value.get_object().get(object) == simdjson::SUCCESS)
            takeObject(object, depth + 1);
        return;
    }
    case InspectorKey::Proxy:
        m_line.isProxy = true;
        return;
    case InspectorKey::Hash:
        m_line.hasHeader = true;
        return text(m_line.hash);
    case InspectorKey::Name:
        return text(m_line.name);
    case InspectorKey::Rank:
        return integer(m_line.rank);
    case InspectorKey::Ranks:
        return integer(m_line.ranks);
    case InspectorKey::Nodes:
        return integer(m_line.nodes);
    case InspectorKey::Version:
        return text(m_line.version);
    case InspectorKey::DumpTime:
        return integer(m_line.dumpUs);
    case InspectorKey::Host:
        return text(m_line.host);
    case InspectorKey::Pid:
        return integer(m_line.pid);
    case InspectorKey::PointToPoint:
    case InspectorKey::Collective:
        m_line.isPayload = true;
        m_line.isPointToPoint = key == InspectorKey::PointToPoint;
        return text(m_line.operation);
    case InspectorKey::Number:
        return natural(m_line.number);
    case InspectorKey::Peer:
        return integer(m_line.peer);
    case InspectorKey::Bytes:
        return natural(m_line.bytes);
    case InspectorKey::Duration:
        return real(m_line.durationUs);
    case InspectorKey::Timing: {
        std::string_view source;
        text(source);
        m_line.timing = inspectorTiming(source);
        return;
    }
    case InspectorKey::BusBandwidth:
        return real(m_line.busGbPerSecond);
    case InspectorKey::HostStart:
        return integer(m_line.hostStartUs);
    case InspectorKey::KernelEvents:
        return takeKernels(value);
    case InspectorKey::Records:
        return count(m_line.records);
    case InspectorKey::Dropped:
        return count(m_line.dropped);
    case InspectorKey::Other:
        return;
    }
}

bool InspectorLines::Parser::takeObject(ondemand::object object, int depth)
{
    for (auto entry : object) {
        ondemand::field field;
        if (std::move(entry).get(field) != simdjson::SUCCESS) {
            m_isBroken = true;
            return false;
        }
        const InspectorKey known
            = depth > deepest ? InspectorKey::Other : inspectorKeyOf(rawKeyOf(field.key()));
        if (known != InspectorKey::Other)
            takeField(known, field.value(), depth);
        if (m_isBroken)
            return false;
    }
    return true;
}

/// The context of the line that was parsed. Lines in a row mostly have the same one.
std::uint32_t InspectorLines::Parser::contextOf(InspectorRows& rows)
{
    constexpr std::int64_t mostPid = std::int64_t{1} << 32;
    const auto rank = static_cast<std::int32_t>(inRange(m_line.rank, 0, largestRank).value_or(-1));
    const auto ranks = static_cast<std::int32_t>(inRange(m_line.ranks, 1, largestRank).value_or(0));
    const auto nodes = static_cast<std::int32_t>(inRange(m_line.nodes, 1, largestRank).value_or(0));
    const std::int64_t pid = inRange(m_line.pid, 0, mostPid).value_or(-1);
    const std::string_view name = m_line.name == "unknown" ? std::string_view() : m_line.name;
    HistoryCommunicator& communicator = m_lastContext.communicator;
    HistoryMember& member = m_lastContext.member;
    const bool isLast = m_lastContextAt != InspectorRow::inherited && communicator.hash == m_line.hash
        && communicator.name == name && communicator.ranks == ranks && communicator.nodes == nodes
        && member.rank == rank && member.pid == pid && member.host == m_line.host;
    if (isLast)
        return m_lastContextAt;
    communicator.hash = witnessText(m_line.hash);
    communicator.name = witnessText(name);
    communicator.ranks = ranks;
    communicator.nodes = nodes;
    member.communicator = rows.tables.communicator(communicator);
    member.rank = rank;
    member.pid = pid;
    member.host = witnessText(m_line.host);
    m_lastContextAt = rows.tables.member(member);
    return m_lastContextAt;
}

/// Adds an operation; false: it is impossible. `known`: classes that were found before.
bool InspectorLines::Parser::addRow(const InspectorFigures& figures, std::uint32_t context,
                                    OperationClass& kind, std::vector<InspectorTemplate::KnownClass>* known,
                                    InspectorRows& rows)
{
    constexpr std::uint64_t mostBytes = std::uint64_t{1} << 60;
    constexpr double longestUs = 1e13; // four months
    const bool isSound = figures.number <= std::numeric_limits<std::uint32_t>::max()
        && figures.bytes < mostBytes && figures.durationUs >= 0 && figures.durationUs < longestUs;
    if (!isSound)
        return false;
    const auto inTime
        = [](std::int64_t us) { return us >= earliestInspectorUs && us <= latestInspectorUs ? us : 0; };
    const std::int64_t kernelStart = inTime(figures.kernelStartUs);
    const std::int64_t start = kernelStart != 0 ? kernelStart : inTime(figures.hostStartUs);
    InspectorRow row;
    row.context = context;
    row.number = static_cast<std::uint32_t>(figures.number);
    row.durationUs = static_cast<float>(figures.durationUs);
    row.busGbPerSecond = figures.busGbPerSecond >= 0 && figures.busGbPerSecond < 1e9
        ? static_cast<float>(figures.busGbPerSecond)
        : std::numeric_limits<float>::quiet_NaN();
    row.timeUs = start != 0 ? start : inTime(figures.dumpUs);
    kind.bytes = figures.bytes;
    kind.startIsStated = start != 0;
    const auto isKind = [&kind](const InspectorTemplate::KnownClass& own) {
        return own.bytes == kind.bytes && own.startIsStated == kind.startIsStated;
    };
    const bool isRemembered = known != nullptr && std::any_of(known->begin(), known->end(), isKind);
    row.operationClass = isRemembered ? std::find_if(known->begin(), known->end(), isKind)->place
                                      : rows.tables.operationClass(kind);
    constexpr std::size_t mostRemembered = 16;
    if (known != nullptr && !isRemembered && known->size() < mostRemembered)
        known->push_back({kind.bytes, kind.startIsStated, row.operationClass});
    rows.rows.push_back(row);
    return true;
}

void InspectorLines::Parser::takeLine(std::string_view line, std::uint64_t offset, InspectorRows& rows)
{
    const std::int64_t dumpUs = inRange(m_line.dumpUs, earliestInspectorUs, latestInspectorUs).value_or(0);
    if (m_line.isMarker) {
        if (!m_line.hasHeader)
            return rows.incomplete.add(offset);
        ++rows.markersRead;
        rows.markers.push_back({rows.rows.size(), contextOf(rows), dumpUs, m_line.records, m_line.dropped,
                                isAtLeast(m_line.version, 4, 3)});
        return;
    }
    if (!m_line.isPayload) {
        if (!m_line.isProxy)
            return rows.incomplete.add(offset);
        ++rows.proxyLines;
        return;
    }
    if (m_line.operation.empty() || !m_line.number || !m_line.bytes || !m_line.durationUs)
        return rows.incomplete.add(offset);
    OperationClass kind;
    kind.operation = witnessText(m_line.operation);
    kind.peer = m_line.isPointToPoint
        ? static_cast<std::int32_t>(inRange(m_line.peer, 0, largestRank).value_or(-1))
        : -1;
    kind.timing = m_line.timing;
    kind.isPointToPoint = m_line.isPointToPoint;
    InspectorFigures figures;
    figures.dumpUs = dumpUs;
    figures.hostStartUs = m_line.hostStartUs.value_or(0);
    figures.kernelStartUs = m_line.kernelStartUs.value_or(0);
    figures.number = *m_line.number;
    figures.bytes = *m_line.bytes;
    figures.durationUs = *m_line.durationUs;
    figures.busGbPerSecond = m_line.busGbPerSecond.value_or(-1);
    const std::uint32_t context = m_line.hasHeader ? contextOf(rows) : InspectorRow::inherited;
    if (!addRow(figures, context, kind, nullptr, rows))
        return rows.incomplete.add(offset);
    learn(line, kind, rows);
}

/// Remembers the form of a record that was read, if what its template reads is the same.
void InspectorLines::Parser::learn(std::string_view line, const OperationClass& kind, InspectorRows& rows)
{
    auto own = m_line.isProxy ? std::nullopt : InspectorTemplate::of(line);
    InspectorFigures figures;
    if (!own || !own->read(line, figures))
        return;
    const InspectorRow row = rows.rows.back();
    own->context = row.context;
    own->kind = kind;
    rows.rows.pop_back();
    const bool isAdded = addRow(figures, row.context, own->kind, &own->classes, rows);
    const InspectorRow again = isAdded ? rows.rows.back() : InspectorRow();
    const bool isSame = isAdded && again.operationClass == row.operationClass && again.number == row.number
        && again.durationUs == row.durationUs && again.timeUs == row.timeUs
        && (again.busGbPerSecond == row.busGbPerSecond
            || (std::isnan(again.busGbPerSecond) && std::isnan(row.busGbPerSecond)));
    if (isAdded)
        rows.rows.back() = row;
    else
        rows.rows.push_back(row);
    if (!isSame)
        return;
    constexpr std::size_t mostTemplates = 24;
    if (m_templates.size() == mostTemplates)
        m_templates.pop_back();
    m_templates.insert(m_templates.begin(), std::move(*own));
}

/// Whether a record has a form that is known. Those that were used last are tried first.
bool InspectorLines::Parser::takeKnown(std::string_view line, InspectorRows& rows)
{
    InspectorFigures figures;
    for (std::size_t i = 0; i < m_templates.size(); ++i) {
        if (!m_templates[i].read(line, figures))
            continue;
        InspectorTemplate& own = m_templates[i];
        if (!addRow(figures, own.context, own.kind, &own.classes, rows))
            return false;
        if (i > 0)
            std::swap(m_templates[i], m_templates[i - 1]);
        return true;
    }
    return false;
}

void InspectorLines::Parser::parse(LineBlock& block, InspectorRows& rows)
{
    if (m_knownIn != &rows) {
        m_knownIn = &rows;
        m_templates.clear();
        m_lastContextAt = InspectorRow::inherited;
    }
    static_assert(LineBlock::margin > simdjson::SIMDJSON_PADDING);
    const std::string_view text = block.view();
    for (std::size_t begin = 0; begin < text.size();) {
        const void* const found = std::memchr(text.data() + begin, '\n', text.size() - begin);
        const std::size_t end = found == nullptr
            ? text.size()
            : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
        const std::uint64_t offset = block.offset + begin;
        std::size_t first = begin;
        while (first < end && (text[first] == ' ' || text[first] == '\t' || text[first] == '\r'))
            ++first;
        const std::size_t length = end - first;
        begin = end + 1;
        if (length == 0)
            continue;
        if (text[first] != '{') {
            rows.otherText.add(offset);
            continue;
        }
        ++rows.records;
        if (takeKnown(text.substr(first, length), rows))
            continue;
        m_line = InspectorLine();
        m_isBroken = false;
        ondemand::document document;
        ondemand::object object;
        const simdjson::padded_string_view json(text.data() + first, length, block.memory.size() - first);
        const bool isRead = m_parser.iterate(json).get(document) == simdjson::SUCCESS
            && document.get_object().get(object) == simdjson::SUCCESS && takeObject(object, 0);
        const char* rest = nullptr; // of a second object on the line, as if two writers had been mixed
        const bool isMixed = isRead && document.current_location().get(rest) == simdjson::SUCCESS;
        if (!isRead || m_isBroken || isMixed)
            rows.damaged.add(offset);
        else
            takeLine(text.substr(first, length), offset, rows);
    }
}

void InspectorRows::clear()
{
    rows.clear();
    markers.clear();
    records = markersRead = proxyLines = 0;
    damaged = incomplete = otherText = {};
}

InspectorLines::InspectorLines()
    : m_parser(std::make_unique<Parser>())
{ }

InspectorLines::~InspectorLines() = default;

void InspectorLines::parse(LineBlock& block, InspectorRows& rows)
{
    m_parser->parse(block, rows);
}

void InspectorLines::forget()
{
    m_parser->forget();
}

bool holdsInspectorLines(std::string_view text)
{
    constexpr std::string_view keys[] = {"\"coll_perf\"", "\"p2p_perf\"", "\"dump_stats\"",
                                         "\"inspector_output_format_version\"", "\"coll_exec_time_us\""};
    const std::size_t brace = text.find_first_not_of(" \t\r\n");
    if (brace == std::string_view::npos)
        return false;
    return std::any_of(std::begin(keys), std::end(keys), [&](std::string_view key) {
        const std::size_t at = text.find(key);
        if (at == std::string_view::npos)
            return false;
        const std::size_t line = text.rfind('\n', at);
        const std::size_t first
            = text.find_first_not_of(" \t\r", line == std::string_view::npos ? 0 : line + 1);
        return first != std::string_view::npos && text[first] == '{';
    });
}

} // namespace collscope
