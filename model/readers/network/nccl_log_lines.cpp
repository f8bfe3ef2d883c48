// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/network/nccl_log_lines.h"

#include "model/text/printable_text.h"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace collscope {

namespace {

constexpr std::string_view infoMark = " NCCL INFO ";
constexpr std::string_view warnMark = " NCCL WARN ";
constexpr std::size_t mostTableRows = 2'000'000; ///< of a table
constexpr std::size_t mostWarnings = 20;
constexpr std::size_t longestName = 256;
constexpr int mostRanks = 1 << 20;

/// The front of the text up to a character of `ends`.
std::string_view upTo(std::string_view text, std::string_view ends)
{
    return text.substr(0, text.find_first_of(ends));
}

/// Takes a prefix off the text.
bool takePrefix(std::string_view& text, std::string_view prefix)
{
    if (!text.starts_with(prefix))
        return false;
    text.remove_prefix(prefix.size());
    return true;
}

template<typename Number>
std::optional<Number> takeNumber(std::string_view& text)
{
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc())
        return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

/// The number behind " key ", as in "comm 0x1 rank 3 nranks 8".
std::optional<int> numberAfterKey(std::string_view text, std::string_view key)
{
    const std::size_t at = text.find(key);
    if (at == std::string_view::npos)
        return std::nullopt;
    text.remove_prefix(at + key.size());
    return takeNumber<int>(text);
}

std::string_view wordAfter(std::string_view text, std::string_view key)
{
    const std::size_t at = text.find(key);
    return at == std::string_view::npos ? std::string_view() : upTo(text.substr(at + key.size()), " ,");
}

std::string nameOf(std::string_view text)
{
    return printableText(std::string(text.substr(0, longestName)));
}

std::string_view withoutBlanks(std::string_view text)
{
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
        text.remove_suffix(1);
    return text;
}

/// "12[3]" or "12[c1000]": rank, and what stands in brackets.
struct RankPlace
{
    int rank = 0;
    std::string device;
};

std::optional<RankPlace> takePlace(std::string_view& text)
{
    const auto rank = takeNumber<int>(text);
    if (!rank || *rank < 0 || *rank >= mostRanks || !takePrefix(text, "["))
        return std::nullopt;
    const std::size_t end = text.find(']');
    if (end == std::string_view::npos)
        return std::nullopt;
    RankPlace place{*rank, nameOf(text.substr(0, end))};
    text.remove_prefix(end + 1);
    return place;
}

/// What follows "via ": "P2P/CUMEM/read", "SHM/direct/direct", "NET/IB/0/GDRDMA", "NET/AWS Libfabric/0".
bool setTransport(std::string_view via, NcclConnection& connection)
{
    if (via.starts_with("P2P/") || via == "P2P")
        connection.transport = Transport::PeerToPeer;
    else if (via.starts_with("SHM") || via.starts_with("direct shared memory"))
        connection.transport = Transport::SharedMemory;
    else if (takePrefix(via, "NET/")) {
        connection.transport = Transport::Network;
        const std::size_t slash = via.find('/');
        connection.network = nameOf(withoutBlanks(via.substr(0, slash)));
        if (slash != std::string_view::npos) {
            std::string_view rest = via.substr(slash + 1);
            connection.adapter = takeNumber<int>(rest).value_or(-1);
            // "/GDRDMA", "/GDRDMA(PCI)", "/Shared"; in older versions "/GDRDMA" alone
            connection.hasGpuDirect = rest.find("GDRDMA") != std::string_view::npos;
        }
    } else {
        return false; // CollNet, NVLS: not a pair
    }
    return true;
}

} // namespace

template<typename Table, typename Key>
void NcclLogLines::count(Table& table, Key key)
{
    const auto found = table.find(key);
    if (found != table.end())
        ++found->second;
    else if (table.size() < mostTableRows)
        table.emplace(std::move(key), 1);
    else
        ++m_leftOut;
}

bool NcclLogLines::split(std::string_view line, Line& parts)
{
    const std::size_t mark = std::min(line.find(infoMark), line.find(warnMark));
    if (mark == std::string_view::npos)
        return false;
    parts.text = withoutBlanks(line.substr(mark + infoMark.size()));
    std::string_view front = line.substr(0, mark);
    // WARN lines have "file.cc:123" behind the number of the GPU.
    const std::size_t bracket = front.rfind('[');
    const std::size_t close = bracket == std::string_view::npos ? bracket : front.find(']', bracket);
    if (close == std::string_view::npos || bracket == 0)
        return false;
    front = withoutBlanks(front.substr(0, bracket));
    front = front.substr(front.find_last_of(" \t>") + 1);
    // Names of hosts have no colon: HOST:PID:TID from the back.
    const std::size_t last = front.rfind(':');
    const std::size_t middle
        = last == std::string_view::npos || last == 0 ? std::string_view::npos : front.rfind(':', last - 1);
    if (middle == std::string_view::npos)
        return false;
    std::string_view thread = front.substr(last + 1), pid = front.substr(middle + 1, last - middle - 1);
    std::string_view host = front.substr(0, middle);
    host = host.substr(host.rfind(':') + 1); // "worker-0:worker-0:1:2"
    const auto threadNumber = takeNumber<std::int64_t>(thread), pidNumber = takeNumber<std::int64_t>(pid);
    if (!threadNumber || !thread.empty() || !pidNumber || !pid.empty() || host.empty())
        return false;
    parts.thread = *threadNumber;
    parts.process = {nameOf(host), *pidNumber};
    return true;
}

bool NcclLogLines::take(std::string_view line)
{
    if (line.find("NCCL") == std::string_view::npos)
        return false;
    if (takeVersion(withoutBlanks(line))) { // printed without the front
        ++m_understood;
        return true;
    }
    Line parts;
    if (!split(line, parts))
        return false;
    if (line.find(warnMark) != std::string_view::npos) {
        warn(parts.text);
        ++m_understood;
    } else if (takeText(parts)) {
        ++m_understood;
    } else {
        ++m_others;
    }
    return true;
}

bool NcclLogLines::takeVersion(std::string_view text)
{
    if (!takePrefix(text, "NCCL version ") && !takePrefix(text, "RCCL version "))
        return false;
    takePrefix(text, ": ");
    const std::string_view number = upTo(text, " ");
    if (number.empty() || number.front() < '0' || number.front() > '9')
        return false;
    count(m_record.versions, nameOf(number));
    return true;
}

bool NcclLogLines::takeText(const Line& line)
{
    return takeConnection(line) || takeReady(line) || takeChannels(line) || takeAdapters(line)
        || takeSetting(line) || takeAlgorithm(line) || takeVersion(line.text);
}

void NcclLogLines::warn(std::string_view text)
{
    ++m_record.warnings;
    if (m_record.firstWarnings.size() < mostWarnings)
        m_record.firstWarnings.push_back(nameOf(text));
}

bool NcclLogLines::takeReady(const Line& line)
{
    if (line.text.find("Init COMPLETE") == std::string_view::npos)
        return false;
    const auto rank = numberAfterKey(line.text, " rank "), size = numberAfterKey(line.text, " nranks ");
    if (!rank || !size || *size < 1 || *size > mostRanks || *rank < 0 || *rank >= *size)
        return false;
    const std::string pointer = nameOf(wordAfter(line.text, "comm "));
    std::string id = nameOf(wordAfter(line.text, "commId "));
    NcclMember member{line.process, numberAfterKey(line.text, " nvmlDev "),
                      nameOf(wordAfter(line.text, "busId "))};
    if (!member.device)
        member.device = numberAfterKey(line.text, " cudaDev ");
    if (id.empty()) { // versions before 2.16: the n-th of this size in its process
        const std::size_t before = m_nameless[{line.process, *size}]++;
        id = "#" + std::to_string(before);
    }
    NcclCommunicator& communicator = m_record.communicator(id, *size);
    communicator.isGuessed = id.front() == '#';
    communicator.add(*rank, std::move(member));
    const auto channels = m_channels.find({line.process, line.thread});
    if (channels != m_channels.end()) {
        communicator.channels[*rank] = channels->second;
        m_channels.erase(channels);
    }
    const auto index = static_cast<std::size_t>(&communicator - m_record.communicators.data());
    m_record.setPointer(line.process, pointer, {index, *rank});
    return true;
}

bool NcclLogLines::takeChannels(const Line& line)
{
    std::string_view text = line.text;
    const auto channels = takeNumber<int>(text);
    if (!channels || *channels < 0 || !text.starts_with(" coll channels"))
        return false;
    if (m_channels.size() < mostTableRows)
        m_channels[{line.process, line.thread}] = *channels;
    return true;
}

bool NcclLogLines::takeConnection(const Line& line)
{
    std::string_view text = line.text;
    if (!takePrefix(text, "Channel "))
        return false;
    const std::size_t colon = text.find(" : ");
    if (colon == std::string_view::npos)
        return false; // "Channel 00/24 :    0   1": a ring
    text.remove_prefix(colon + 3);
    const auto from = takePlace(text);
    if (!from || !takePrefix(text, " -> "))
        return false;
    const auto to = takePlace(text);
    if (!to)
        return false;
    NcclConnection connection;
    connection.writer = line.process;
    connection.isReceiver = takePrefix(text, " [receive]");
    takePrefix(text, " [send]");
    if (!takePrefix(text, " via "))
        return false;
    if (const std::size_t comm = text.find(" comm "); comm != std::string_view::npos) {
        connection.communicator = nameOf(wordAfter(text, " comm "));
        text = text.substr(0, comm);
    }
    if (!setTransport(text, connection))
        return false;
    connection.from = from->rank;
    connection.to = to->rank;
    connection.fromDevice = from->device;
    connection.toDevice = to->device;
    count(m_record.connections, std::move(connection));
    return true;
}

bool NcclLogLines::takeAdapters(const Line& line)
{
    std::string_view text = line.text;
    if (takePrefix(text, "Using network ") || takePrefix(text, "Assigned NET plugin ")) {
        m_record.networks[line.process.host] = nameOf(withoutBlanks(text.substr(0, text.find(" to comm"))));
        return true;
    }
    const bool isInfiniBand = takePrefix(text, "NET/IB : Using ");
    if (!isInfiniBand && !takePrefix(text, "NET/Socket : Using "))
        return false;
    bool isAny = false;
    while (takePrefix(text, "[")) {
        const auto index = takeNumber<int>(text);
        if (!index || !takePrefix(text, "]"))
            break;
        const std::string_view word = upTo(text, " ;");
        text = withoutBlanks(text.substr(word.size()));
        // "mlx5_0:1/IB", "mlx5_2:1/RoCE/SHARP", "eth0:10.0.0.1<0>"
        const std::size_t slash = isInfiniBand ? word.find('/') : std::string_view::npos;
        const std::string_view name = isInfiniBand ? word.substr(0, slash) : upTo(word, ":");
        const std::string_view kind = slash == std::string_view::npos ? std::string_view("Socket")
                                                                      : upTo(word.substr(slash + 1), "/");
        count(m_record.adapters, NcclAdapter{line.process.host, nameOf(name), nameOf(kind), *index});
        isAny = true;
    }
    return isAny;
}

bool NcclLogLines::takeSetting(const Line& line)
{
    constexpr std::string_view marks[] = {" set by environment to ", " set to "};
    for (const std::string_view mark : marks) {
        const std::size_t at = line.text.find(mark);
        const std::string_view name = line.text.substr(0, at);
        const bool isName = at != std::string_view::npos
            && (name.starts_with("NCCL_") || name.starts_with("RCCL_"))
            && name.find(' ') == std::string_view::npos;
        if (!isName)
            continue;
        std::string_view value = line.text.substr(at + mark.size());
        if (value.ends_with('.'))
            value.remove_suffix(1);
        count(m_record.settings, NcclSetting{line.process.host, nameOf(name), nameOf(value)});
        return true;
    }
    return false;
}

bool NcclLogLines::takeAlgorithm(const Line& line)
{
    std::string_view text = line.text;
    const std::string_view collective = upTo(text, ":");
    text.remove_prefix(std::min(collective.size(), text.size()));
    if (!takePrefix(text, ": "))
        return false;
    const auto bytes = takeNumber<std::uint64_t>(text);
    if (!bytes || !takePrefix(text, " Bytes -> Algo "))
        return false;
    const std::string_view algorithm = upTo(text, " ");
    const std::string_view protocol = wordAfter(text, " proto ");
    count(m_record.algorithms,
          NcclAlgorithm{nameOf(collective), *bytes, nameOf(algorithm), nameOf(protocol)});
    return true;
}

bool isNcclLog(std::string_view head)
{
    constexpr std::string_view texts[] = {" NCCL INFO Bootstrap ",        " NCCL INFO NET/",
                                          " NCCL INFO Channel ",          " NCCL INFO comm ",
                                          " NCCL INFO ncclComm",          " NCCL INFO Using network",
                                          " NCCL INFO cudaDriverVersion", " NCCL INFO RCCL version",
                                          " set by environment to "};
    return std::any_of(std::begin(texts), std::end(texts), [&](std::string_view text) {
        return head.find(text) != std::string_view::npos
            && head.find(" NCCL INFO ") != std::string_view::npos;
    });
}

} // namespace collscope
