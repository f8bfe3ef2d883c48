// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/list_pieces.h"

#include "model/readers/json_blanks.h"
#include "model/readers/text_blocks.h"

#include <algorithm>
#include <array>
#include <string>

namespace collscope {

namespace {

using Kind = ListPiece::Kind;

constexpr auto npos = std::string_view::npos;
/// How far behind a break in a head its event list is looked for.
constexpr std::size_t brokenHead = std::size_t{4} << 10;
/// Of an event or a head, with what stands before it.
constexpr std::size_t longestKey = 40;
/// Parts of an event that look like events.
constexpr int mostEventStarts = 16;
/// How far into an object its "ph" is looked for.
constexpr std::size_t farthestPhase = std::size_t{4} << 10;

constexpr std::array<std::string_view, 7> headKeys{
    "schemaVersion",   "traceEvents",         "deviceProperties", "distributedInfo",
    "displayTimeUnit", "baseTimeNanoseconds", "traceName"};

bool isScalarCharacter(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '+'
        || c == '.';
}

/// Behind the closing quote of the string that begins at `at`; npos if it does not end.
std::size_t afterString(std::string_view text, std::size_t at)
{
    for (++at; at < text.size(); ++at) {
        if (text[at] == '\\')
            ++at;
        else if (text[at] == '"')
            return at + 1;
    }
    return npos;
}

/// A word of JSON, or one of those that programs write instead of a number.
bool isScalar(std::string_view word)
{
    const char last = word.empty() ? '\0' : word.back();
    if (last >= '0' && last <= '9')
        return word.find_first_not_of("+-.0123456789eE") == npos;
    for (const std::string_view known :
         {"true", "false", "null", "NaN", "nan", "-NaN", "-nan", "Infinity", "-Infinity", "inf", "-inf"}) {
        if (word == known)
            return true;
    }
    return false;
}

/// The key that an object begins with; "" if it begins with none.
std::string_view firstKey(std::string_view text, std::size_t brace)
{
    const std::size_t quote = afterBlanks(text, brace + 1);
    if (quote >= text.size() || text[quote] != '"')
        return {};
    const std::string_view rest = text.substr(quote + 1, 32);
    const std::size_t end = rest.find('"');
    return end == npos ? std::string_view() : rest.substr(0, end);
}

/// Walks over an object or a list and checks that each token may follow the last one.
class Walker
{
public:
    /// What it may meet inside.
    enum class Inside
    {
        FewEvents, ///< an event may have parts that look like events, but not many: looking for the end of
                   ///< each over and over would take forever
        NoEvents
    };
    Walker(std::string_view text, Inside inside)
        : m_text(text)
        , m_inside(inside)
    { }

    enum class End
    {
        Closed,
        Open, ///< the text ends first
        Broken
    };
    /// From the opening bracket on; at() is then behind the element, or where it breaks.
    End walk(std::size_t begin)
    {
        m_at = begin;
        push();
        while (!m_open.empty()) {
            m_at = afterBlanks(m_text, m_at);
            if (m_at == m_text.size())
                return End::Open;
            if (!step())
                return m_at == m_text.size() ? End::Open : End::Broken;
        }
        return End::Closed;
    }
    std::size_t at() const { return m_at; }

private:
    enum class Expected
    {
        Key,
        Colon,
        Value,
        Separator
    };

    bool step()
    {
        const char c = m_text[m_at];
        switch (m_expected) {
        case Expected::Key:
            return c == '}' ? pop() : c == '"' && passString(Expected::Colon);
        case Expected::Colon:
            m_expected = Expected::Value;
            return c == ':' && pass();
        case Expected::Value:
            if (c == '{' && !mayBeInside())
                return false;
            if (c == '{' || c == '[')
                return push();
            if (c == '"')
                return passString(Expected::Separator);
            return c == ']' ? pop() : passScalar();
        case Expected::Separator:
            if (c != ',')
                return pop();
            m_expected = isInList() ? Expected::Value : Expected::Key;
            return pass();
        }
        return false;
    }
    bool mayBeInside()
    {
        if (m_inside == Inside::NoEvents)
            return !isEventKey(firstKey(m_text, m_at));
        return !isEventStart(m_text, m_at) || m_eventStarts++ < mostEventStarts;
    }
    bool isInList() const { return m_open.back() == '['; }
    bool pass()
    {
        ++m_at;
        return true;
    }
    bool push()
    {
        m_open += m_text[m_at];
        m_expected = isInList() ? Expected::Value : Expected::Key;
        return pass();
    }
    bool pop()
    {
        if (m_text[m_at] != (isInList() ? ']' : '}'))
            return false;
        m_open.pop_back();
        m_expected = Expected::Separator;
        return pass();
    }
    bool passString(Expected next)
    {
        const std::size_t end = afterString(m_text, m_at);
        m_at = std::min(end, m_text.size());
        m_expected = next;
        return end != npos;
    }
    bool passScalar()
    {
        const std::size_t begin = m_at;
        std::size_t end = begin;
        while (end < m_text.size() && isScalarCharacter(m_text[end]))
            ++end;
        m_at = end; // what word it is, is for the parser
        m_expected = Expected::Separator;
        return end > begin && end < m_text.size();
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    Inside m_inside;
    int m_eventStarts = 0;
    std::string m_open; ///< brackets, however deep
    Expected m_expected = Expected::Value;
};

bool isHeadKey(std::string_view key)
{
    return std::find(headKeys.begin(), headKeys.end(), key) != headKeys.end();
}

/// Whether a document certainly begins at a brace.
bool isDocumentStart(std::string_view text, std::size_t brace)
{
    return isHeadKey(firstKey(text, brace));
}

/// Nothing but the next element can begin there.
bool isCertainStart(std::string_view text, std::size_t brace)
{
    return isEventStart(text, brace) || isDocumentStart(text, brace);
}

/// The brace of the next event, as far as that can be seen, or of a document amid them; npos if there is
/// none.
std::size_t nextStart(std::string_view text, std::size_t from)
{
    std::size_t brace = text.find('{', from);
    while (brace != npos && !isCertainStart(text, brace) && !isEventBoundary(text, brace))
        brace = text.find('{', brace + 1);
    return brace;
}

/// How surely a list ends with a bracket, by what follows.
enum class EndsList
{
    No,
    Maybe, ///< a key follows, which may be one of an event that the list is in
    Surely ///< the rest of a document, or of the text
};
EndsList endsList(std::string_view text, std::size_t bracket)
{
    std::size_t at = afterBlanks(text, bracket + 1);
    if (at == text.size())
        return EndsList::Surely;
    if (text[at] == '}') {
        at = afterBlanks(text, at + 1);
        if (at == text.size())
            return EndsList::Surely;
        const bool opens = text[at] == '{' || text[at] == '[';
        return opens && documentBegins(text, at) == Begins::Yes ? EndsList::Surely : EndsList::No;
    }
    // The key of a member is what an object that begins at the comma would begin with.
    const std::string_view key = text[at] == ',' ? firstKey(text, at) : std::string_view();
    return isHeadKey(key) ? EndsList::Surely : key.empty() ? EndsList::No : EndsList::Maybe;
}

/// Behind the last character before an event that separates nothing.
std::size_t endBefore(std::string_view text, std::size_t start)
{
    const std::size_t last = text.find_last_not_of(" \t\r\n,", start - 1);
    return last == npos ? start : last + 1;
}

/// Where a broken event may end that no other follows: before the end of the list, with the text.
ListPiece lastPiece(std::string_view text, std::size_t begin, std::size_t from)
{
    ListPiece maybe{Kind::Broken, begin, text.size(), text.size(), 0};
    for (std::size_t at = text.find(']', from); at != npos; at = text.find(']', at + 1)) {
        const std::size_t brace = text.find_last_not_of(" \t\r\n", at - 1);
        if (brace == npos || brace < from || text[brace] != '}')
            continue;
        const EndsList verdict = endsList(text, at);
        if (verdict == EndsList::Surely)
            return {Kind::Broken, begin, brace + 1, at, 0};
        if (verdict == EndsList::Maybe && maybe.next == text.size())
            maybe = {Kind::Broken, begin, brace + 1, at, 0};
    }
    return maybe;
}

/// Whether a bracket amid text that is no element ends the list all the same.
bool endsListAmidText(std::string_view text, std::size_t bracket)
{
    const EndsList verdict = endsList(text, bracket);
    const std::size_t before = bracket > 0 ? text.find_last_not_of(" \t\r", bracket - 1) : npos;
    const bool standsApart = before == npos || text[before] == '\n' || text[before] == '}';
    return verdict == EndsList::Surely || (verdict == EndsList::Maybe && standsApart);
}

/// Text that is no element goes up to where one begins again.
ListPiece textPiece(std::string_view text, std::size_t begin)
{
    for (std::size_t at = begin + 1; at < text.size(); ++at) {
        const bool begins = text[at] == '{'
            && (isEventStart(text, at) || isEventKey(firstKey(text, at)) || isHeadKey(firstKey(text, at)));
        if (begins || (text[at] == ']' && endsListAmidText(text, at)))
            return {Kind::Text, begin, at, at, 0};
    }
    return {Kind::Text, begin, text.size(), text.size(), 0};
}

/// A list, a string, a number: an element if a separator follows.
ListPiece otherPiece(std::string_view text, std::size_t begin, bool isLast)
{
    std::size_t end = begin;
    if (text[begin] == '[') {
        // A bracket before events is one too many, and no list.
        Walker walker(text, Walker::Inside::NoEvents);
        const Walker::End verdict = walker.walk(begin);
        if (verdict == Walker::End::Open && !isLast)
            return {Kind::Open, begin, text.size(), text.size(), 0};
        end = verdict == Walker::End::Closed ? walker.at() : begin;
    } else if (text[begin] == '"') {
        end = std::min(afterString(text, begin), text.size());
    } else {
        while (end < text.size() && isScalarCharacter(text[end]))
            ++end;
        if (end < text.size() && !isScalar(text.substr(begin, end - begin)))
            end = begin;
    }
    if (end == text.size() && !isLast)
        return {Kind::Open, begin, end, end, 0};
    const std::size_t follower = afterBlanks(text, end);
    if (end > begin && (follower == text.size() || text[follower] == ',' || text[follower] == ']'))
        return {Kind::Other, begin, end, end, 0};
    return textPiece(text, begin);
}

/// A closing bracket: the list's, unless an event or another bracket follows.
ListPiece bracketPiece(std::string_view text, std::size_t begin, bool isLast)
{
    std::size_t at = afterBlanks(text, begin + 1);
    if (at < text.size() && text[at] == ',')
        at = afterBlanks(text, at + 1);
    const bool isCut = at + longestKey > text.size();
    const bool isEvent = at < text.size() && text[at] == '{' && isEventKey(firstKey(text, at));
    if (isEvent || (at < text.size() && text[at] == ']'))
        return {Kind::Text, begin, begin + 1, begin + 1, 0};
    if (isCut && !isLast && (at == text.size() || (text[at] == '{' && firstKey(text, at).empty())))
        return {Kind::Open, begin, text.size(), text.size(), 0};
    return {Kind::ListEnd, begin, begin + 1, begin, 0};
}

/// The piece that begins there, behind blanks and commas.
ListPiece pieceAt(std::string_view text, std::size_t begin, bool isLast)
{
    if (begin == text.size())
        return {Kind::Nothing, begin, begin, begin, 0};
    if (text[begin] == ']')
        return bracketPiece(text, begin, isLast);
    if (text[begin] != '{')
        return otherPiece(text, begin, isLast);
    Walker walker(text, Walker::Inside::FewEvents);
    const Walker::End verdict = walker.walk(begin);
    if (isHeadKey(firstKey(text, begin))) {
        // Not farther than it can be: there may be many that look like heads.
        const std::size_t end
            = verdict == Walker::End::Broken ? std::min(walker.at() + brokenHead, text.size()) : walker.at();
        if (const std::size_t list = afterListBegin(text.substr(0, end), begin); list != npos)
            return {Kind::Head, begin, list, list, 0};
    }
    if (verdict == Walker::End::Closed)
        return {Kind::Event, begin, walker.at(), walker.at(), 0};
    const std::size_t start = nextStart(text, begin + 1);
    // Where it ends may be in what follows; or a string never ends, and other events can be seen in it.
    if ((start == npos || verdict == Walker::End::Open) && !isLast)
        return {Kind::Open, begin, text.size(), text.size(), 0};
    if (start != npos)
        return {Kind::Broken, begin, endBefore(text, start), start, 0};
    // The file may be cut off here.
    return verdict == Walker::End::Open ? ListPiece{Kind::Open, begin, text.size(), text.size(), 0}
                                        : lastPiece(text, begin, begin + 1);
}

} // namespace

std::size_t afterListBegin(std::string_view text, std::size_t from, std::size_t end)
{
    constexpr std::string_view key = "\"traceEvents\"";
    for (std::size_t at = text.find(key, from); at != npos && at < end; at = text.find(key, at + 1)) {
        const std::size_t colon = afterBlanks(text, at + key.size());
        const std::size_t bracket = afterBlanks(text, colon + 1);
        if (bracket < text.size() && text[colon] == ':' && text[bracket] == '[')
            return bracket + 1;
    }
    return npos;
}

bool isEventStart(std::string_view text, std::size_t brace)
{
    const std::size_t quote = afterBlanks(text, brace + 1);
    if (text.substr(std::min(quote, text.size()), 4) != "\"ph\"")
        return false;
    const std::size_t colon = afterBlanks(text, quote + 4);
    return colon < text.size() && text[colon] == ':';
}

ListPiece nextPiece(std::string_view text, std::size_t from, bool isLast)
{
    std::size_t begin = from;
    std::size_t commas = 0;
    for (; begin < text.size() && (isJsonBlank(text[begin]) || text[begin] == ','); ++begin)
        commas += text[begin] == ',' ? 1u : 0u;
    ListPiece piece = pieceAt(text, begin, isLast);
    piece.commas = commas;
    return piece;
}

ListPiece longerPiece(std::string_view text, const ListPiece& broken)
{
    if (broken.next >= text.size() || text[broken.next] == ']' || isCertainStart(text, broken.next))
        return {};
    const std::size_t start = nextStart(text, broken.next + 1);
    if (start != npos)
        return {Kind::Broken, broken.begin, endBefore(text, start), start, 0};
    return lastPiece(text, broken.begin, broken.next + 1);
}

Begins eventBegins(std::string_view text, std::size_t brace)
{
    if (isEventStart(text, brace))
        return Begins::Yes;
    const Begins unknown = brace + longestKey > text.size() ? Begins::Unknown : Begins::No;
    const std::string_view key = firstKey(text, brace);
    if (key.empty() || !isEventKey(key))
        return key.empty() ? unknown : Begins::No;
    const std::string_view near = text.substr(0, brace + farthestPhase);
    int depth = 0;
    for (std::size_t at = brace + 1; at < near.size(); ++at) {
        const char c = near[at];
        if (c == '{' || c == '[') {
            ++depth;
        } else if (c == '}' || c == ']') {
            if (--depth < 0)
                return Begins::No;
        } else if (c == '"') {
            const std::size_t end = afterString(near, at);
            if (end == npos)
                break;
            const std::size_t colon = afterBlanks(near, end);
            if (depth == 0 && near.substr(at, end - at) == "\"ph\"" && colon < near.size()
                && near[colon] == ':')
                return Begins::Yes;
            at = end - 1;
        }
    }
    return near.size() == text.size() ? Begins::Unknown : Begins::No;
}

Begins documentBegins(std::string_view text, std::size_t bracket)
{
    if (text[bracket] == '{') {
        const std::string_view key = firstKey(text, bracket);
        if (key.empty())
            return bracket + longestKey > text.size() ? Begins::Unknown : Begins::No;
        return isHeadKey(key) ? Begins::Yes : Begins::No;
    }
    const std::size_t brace = afterBlanks(text, bracket + 1);
    if (brace == text.size())
        return Begins::Unknown;
    return text[brace] == '{' ? eventBegins(text, brace) : Begins::No;
}

} // namespace collscope
