// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/hang/watchdog_lines.h"

#include "model/readers/hang/witness_text.h"
#include "model/text/lower_case.h"
#include "model/text/printable_text.h"
#include "model/text/trimmed.h"

#include <algorithm>
#include <array>
#include <limits>

namespace collscope {

namespace {

using LineKind = WatchdogLine::Kind;

constexpr std::size_t nowhere = std::string_view::npos;

struct WatchdogMark
{
    std::string_view text;
    LineKind kind;
};

constexpr std::array<WatchdogMark, 8> marks{{
    {"Watchdog caught collective operation timeout:", LineKind::Timeout},
    {"Timeout at NCCL work", LineKind::Status},
    // "Exception (either an error or timeout) detected by watchdog at work: 5" and
    // "failure detected by watchdog at work sequence id: 5"
    {"detected by watchdog at work", LineKind::Status},
    {"Received a dump signal due to a collective timeout", LineKind::DumpSignal},
    {"Received a timeout signal from", LineKind::DumpSignal}, // 2.3
    {"Received a global timeout from", LineKind::DumpSignal}, // 2.2, 2.3
    {"Observed flight recorder dump signal",
     LineKind::DumpSignal}, // follows one of the above on another rank
    {"watchdog got stuck for ", LineKind::Stuck},
}};

constexpr std::string_view rankPrefix = "[rank";
constexpr std::string_view sourceName = "ProcessGroup";

/// Cheap, and true for few lines of a log. Each search begins with a character that is not frequent.
bool mayBeWitness(std::string_view line)
{
    return line.find(rankPrefix) != nowhere || line.find(sourceName) != nowhere
        || line.find("(pid: ") != nowhere || line.find("(local_rank: ") != nowhere;
}

std::string_view withoutLeading(std::string_view text, char c)
{
    text.remove_prefix(std::min(text.find_first_not_of(c), text.size()));
    return text;
}

/// What a number may be followed by. The last characters of a line that was cut off can be the front of a
/// longer number.
enum class End : std::uint8_t
{
    Text, ///< not the end of the text
    Any
};

/// The number behind a label, or at the front if the label is empty; nullopt if it is below `least`.
std::optional<std::int64_t> numberAfter(std::string_view text, std::string_view label, std::int64_t least = 0,
                                        End end = End::Text)
{
    const std::size_t at = text.find(label);
    if (at == nowhere)
        return std::nullopt;
    const auto [value, rest] = witnessNumber(withoutLeading(text.substr(at + label.size()), ' '));
    if (!value || *value < least || (rest.empty() && end == End::Text))
        return std::nullopt;
    return value;
}

/// A rank that is written as `front` + digits + `back`.
struct WrittenRank
{
    std::size_t at = nowhere; ///< of `front`; nowhere: it is not there
    std::optional<std::int32_t> rank; ///< nullopt: the number is out of range
};

WrittenRank lastRank(std::string_view text, std::string_view front, std::string_view back)
{
    for (std::size_t at = text.rfind(front); at != nowhere;
         at = at == 0 ? nowhere : text.rfind(front, at - 1)) {
        const std::string_view digits = text.substr(at + front.size());
        const std::size_t length = std::min(digits.find_first_not_of("0123456789"), digits.size());
        if (length > 0 && digits.substr(length).starts_with(back))
            return {at, witnessRank(witnessNumber(digits).value)};
    }
    return {};
}

/// Where the name of the source file begins, as the logger writes it: "ProcessGroupNCCL.cpp:607]".
std::size_t sourceNameIn(std::string_view text)
{
    constexpr std::size_t longestName = 32;
    for (std::size_t at = text.find(sourceName); at != nowhere; at = text.find(sourceName, at + 1)) {
        if (text.substr(at + sourceName.size(), longestName).find(".cpp:") != nowhere)
            return at;
    }
    return nowhere;
}

/// Whether the logger wrote no time: "[E ProcessGroupNCCL.cpp:563]". Versions before 2.4 do not.
bool hasNoTime(std::string_view head)
{
    const std::size_t at = sourceNameIn(head);
    const std::size_t bracket = at == nowhere ? nowhere : head.rfind('[', at);
    return bracket == nowhere || at - bracket <= 3;
}

/// Takes "name(description)" or "name (description)" apart.
void setGroupName(std::string_view text, WatchdogLine& line)
{
    const std::size_t open = text.find('(');
    if (open != nowhere && text.ends_with(')'))
        line.groupDescription = witnessText(text.substr(open + 1, text.size() - open - 2));
    else if (open != nowhere)
        return;
    line.groupName = witnessText(trimmed(text.substr(0, open)));
}

/// The group as the versions write it, without "[PG " and " Rank n]":
/// "1" (2.3: the number in the process; 2.4: the name), "0 (default_pg)" (2.4), "ID 3 PG GUID 11(mesh_tp)"
/// (2.5 on). The names of 2.4 are numbers, too, but not those of the process.
void setGroup(std::string_view text, bool isBeforeNames, WatchdogLine& line)
{
    if (text.starts_with('(') && text.ends_with(')'))
        text = text.substr(1, text.size() - 2);
    constexpr std::string_view id = "ID ";
    constexpr std::string_view name = " PG GUID ";
    if (text.starts_with(id)) {
        const auto [number, rest] = witnessNumber(text.substr(id.size()));
        if (number && *number >= 0)
            line.pgId = number;
        if (rest.starts_with(name))
            setGroupName(rest.substr(name.size()), line);
        return;
    }
    const auto [number, rest] = witnessNumber(text);
    if (isBeforeNames && number && *number >= 0 && rest.empty())
        line.pgId = number;
    else
        setGroupName(text, line);
}

/// The rank in the group, and the group, from "[PG ... Rank 3]" or "[Rank 3]" in front of the message.
void setPrefix(std::string_view head, WatchdogLine& line)
{
    constexpr std::string_view group = "[PG ";
    constexpr std::string_view rank = " Rank ";
    line.groupRank = lastRank(head, "[Rank ", "]").rank;
    const std::size_t at = head.rfind(group);
    if (at == nowhere)
        return;
    const std::string_view text = head.substr(at + group.size());
    for (std::size_t end = text.find(rank); end != nowhere; end = text.find(rank, end + 1)) {
        const auto [number, rest] = witnessNumber(text.substr(end + rank.size()));
        if (!number || !rest.starts_with(']'))
            continue;
        line.groupRank = witnessRank(number);
        setGroup(text.substr(0, end), hasNoTime(head), line);
        return;
    }
}

bool setTimeout(std::string_view text, WatchdogLine& line)
{
    line.number = numberAfter(text, "SeqNum=");
    if (!line.number)
        return false;
    constexpr std::string_view type = "OpType=";
    const std::size_t at = text.find(type);
    if (at != nowhere) {
        const std::string_view name = text.substr(at + type.size());
        if (const std::size_t end = name.find_first_of(",)"); end != nowhere)
            line.operation = witnessText(trimmed(name.substr(0, end)));
    }
    // A coalesced call has 2^64 - 1 elements, which means that it does not know: it does not fit, either.
    line.inputElements = numberAfter(text, "NumelIn=");
    line.outputElements = numberAfter(text, "NumelOut=");
    line.timeoutMs = numberAfter(text, "Timeout(ms)=");
    line.ranMs = numberAfter(text, "ran for ");
    return true;
}

/// "last enqueued NCCL work: 82," (up to 2.5, and of a signal), "last enqueued work: 82,". The last number of
/// the latter form ends the line: `shortEnd` is what may follow it.
std::optional<std::int64_t> counterIn(std::string_view text, std::string_view label, End shortEnd)
{
    constexpr std::size_t longestWords = 32;
    const std::size_t at = text.find(label);
    if (at == nowhere)
        return std::nullopt;
    text.remove_prefix(at + label.size());
    const std::size_t colon = text.substr(0, longestWords).find(':');
    if (colon == nowhere)
        return std::nullopt;
    const End end = text.substr(0, colon) == " work" ? shortEnd : End::Text;
    return numberAfter(text.substr(colon + 1), "", -1, end);
}

void setCounters(std::string_view text, WatchdogLine& line)
{
    line.enqueued = counterIn(text, "ast enqueued", End::Text); // "Last enqueued" in a signal
    line.completed = counterIn(text, "ast completed", End::Any);
}

bool setStatus(std::string_view text, WatchdogLine& line)
{
    for (const std::string_view label : {": ", " sequence id: "}) {
        if (text.starts_with(label))
            line.number = numberAfter(text, label);
    }
    setCounters(text, line);
    return line.enqueued || line.completed;
}

bool setStuck(std::string_view text, WatchdogLine& line)
{
    const auto [seconds, rest] = witnessNumber(text);
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 1000;
    if (!rest.starts_with(" second") || !seconds || *seconds < 0 || *seconds > most)
        return false;
    line.ranMs = *seconds * 1000;
    return true;
}

/// The message's own text: several processes may write into one line.
std::string_view ownText(std::string_view text)
{
    return text.substr(0, std::min(text.find(rankPrefix), text.find(sourceName)));
}

std::optional<WatchdogLine> messageAt(std::string_view text, std::size_t at, const WatchdogMark& mark)
{
    std::string_view head = text.substr(0, at);
    const std::string_view message = ownText(text.substr(at + mark.text.size()));
    const auto [rankAt, rank] = lastRank(head, rankPrefix, "]:");
    if (rankAt == nowhere && sourceNameIn(head) == nowhere)
        return std::nullopt; // somebody writes about such a line
    if (rankAt != nowhere)
        head.remove_prefix(rankAt); // what is before is another message
    WatchdogLine line;
    line.kind = mark.kind;
    line.rank = rank;
    setPrefix(head, line);
    bool isWitness = true;
    if (mark.kind == LineKind::Timeout)
        isWitness = setTimeout(message, line);
    else if (mark.kind == LineKind::Status)
        isWitness = setStatus(message, line);
    else if (mark.kind == LineKind::Stuck)
        isWitness = setStuck(message, line);
    else
        setCounters(message, line);
    return isWitness ? std::optional(std::move(line)) : std::nullopt;
}

/// The first message of the line that says something.
std::optional<WatchdogLine> watchdogMessage(std::string_view text)
{
    std::array<std::pair<std::size_t, const WatchdogMark*>, marks.size()> found;
    std::transform(marks.begin(), marks.end(), found.begin(), [&](const WatchdogMark& mark) {
        return std::pair{text.find(mark.text), &mark};
    });
    std::sort(found.begin(), found.end());
    for (const auto& [at, mark] : found) {
        if (at == nowhere)
            break;
        if (auto line = messageAt(text, at, *mark))
            return line;
    }
    return std::nullopt;
}

std::optional<std::int32_t> exitCodeOf(std::optional<std::int64_t> number)
{
    using Limits = std::numeric_limits<std::int32_t>;
    if (!number || *number < Limits::min() || *number > Limits::max())
        return std::nullopt;
    return static_cast<std::int32_t>(*number);
}

/// "failed (exitcode: -9) local_rank: 3 (pid: 1234) of binary: /usr/bin/python3"
std::optional<WatchdogLine> exitMessage(std::string_view text)
{
    constexpr std::string_view code = "(exitcode: ";
    constexpr std::string_view rank = ") local_rank: ";
    const std::size_t at = text.find(code);
    if (at == nowhere)
        return std::nullopt;
    const auto [number, rest] = witnessNumber(text.substr(at + code.size()));
    WatchdogLine line;
    line.kind = LineKind::Exit;
    line.exitCode = exitCodeOf(number);
    if (!line.exitCode || !rest.starts_with(rank))
        return std::nullopt;
    line.localRank = witnessRank(numberAfter(rest, rank));
    return line;
}

/// The number in front of `text` where the line is "<name>   : <number> <text>", as in a table of failures.
std::optional<std::int64_t> cellBefore(std::string_view line, std::string_view name, std::string_view text)
{
    const std::size_t at = line.find(text);
    if (at == nowhere)
        return std::nullopt;
    line = trimmed(line.substr(0, at));
    const std::size_t colon = line.rfind(':');
    if (colon == nowhere)
        return std::nullopt;
    const auto [number, rest] = witnessNumber(withoutLeading(line.substr(colon + 1), ' '));
    const std::string_view title = trimmed(line.substr(0, colon));
    if (!rest.empty() || !title.ends_with(name))
        return std::nullopt;
    const std::string_view before = title.substr(0, title.size() - name.size());
    const bool isWord = before.empty() || before.ends_with(' ') || before.ends_with('\t');
    return isWord ? number : std::nullopt;
}

/// A line of the table of failures.
std::optional<WatchdogLine> failureCell(std::string_view text)
{
    constexpr std::string_view localRank = "(local_rank: ";
    WatchdogLine line;
    line.kind = LineKind::Exit;
    line.exitCode = exitCodeOf(cellBefore(text, "exitcode", "(pid: "));
    if (line.exitCode)
        return line;
    line.rank = witnessRank(cellBefore(text, "rank", localRank));
    if (!line.rank)
        return std::nullopt;
    line.localRank = witnessRank(numberAfter(text, localRank));
    return line;
}

} // namespace

std::optional<WatchdogLine> watchdogLineOf(std::string_view line)
{
    if (!mayBeWitness(line))
        return std::nullopt;
    std::string plain;
    if (line.find('\x1b') != nowhere) {
        plain = withoutTerminalColours(line);
        line = plain;
    }
    line = trimmed(line);
    if (auto message = watchdogMessage(line))
        return message;
    auto exit = exitMessage(line);
    return exit ? std::move(exit) : failureCell(line);
}

void joinExitLines(std::vector<WatchdogLine>& lines)
{
    std::size_t kept = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const WatchdogLine& line = lines[i];
        const bool isCode = line.kind == LineKind::Exit && line.exitCode && !line.localRank;
        WatchdogLine* const before = kept > 0 ? &lines[kept - 1] : nullptr;
        if (isCode && before && before->kind == LineKind::Exit && before->rank && !before->exitCode
            && before->file == line.file && before->line + 1 == line.line) {
            before->exitCode = line.exitCode;
            continue;
        }
        if (kept != i)
            lines[kept] = std::move(lines[i]);
        ++kept;
    }
    lines.resize(kept);
}

bool isWatchdogLog(std::string_view head)
{
    while (!head.empty()) {
        const std::size_t end = std::min(head.find('\n'), head.size());
        if (watchdogLineOf(head.substr(0, end)))
            return true;
        head.remove_prefix(std::min(end + 1, head.size()));
    }
    return false;
}

} // namespace collscope
