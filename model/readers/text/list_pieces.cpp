// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/text/list_pieces.h"

#include "model/readers/text/json_walk.h"

#include <algorithm>

namespace collscope {

namespace {

using Kind = ListPiece::Kind;

constexpr auto npos = std::string_view::npos;
/// How many parts of an event may look like events.
constexpr int mostEventStarts = 16;

/// Whether a word is a JSON scalar, or one that programs write instead of a number.
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

/// An event may have parts that look like events, but not many: a list that lost its end would include all
/// events that follow.
struct FewEvents
{
    int starts = 0;

    bool mayOpen(std::string_view text, std::size_t brace, bool isInList, std::size_t)
    {
        const bool isStart = isEventStart(text, brace) || isDocumentStart(text, brace)
            || (isInList && eventBegins(text, brace) == Begins::Yes);
        return !isStart || starts++ < mostEventStarts;
    }
    static bool mayPass(std::string_view, std::size_t) { return true; }
};

/// A bracket before events is an extra bracket, not a list.
struct NoEvents
{
    static bool mayOpen(std::string_view text, std::size_t brace, bool, std::size_t)
    {
        const Begins begins = eventBegins(text, brace);
        return begins != Begins::Yes && (begins != Begins::Perhaps || !isEventKey(firstKey(text, brace)));
    }
    static bool mayPass(std::string_view, std::size_t) { return true; }
};

/// Where the next event starts after damaged text.
struct NextStart
{
    std::size_t at = npos; ///< its brace, or the brace of a document among the events
    bool isOpen = false; ///< not found, but the text ends inside a possible event
};

/// The text after which the next event is searched for.
enum class Behind
{
    Event, ///< its first key is likely to be the next event's too
    Text
};

/// Whether a brace follows a value directly, which programs do not write before an event: the brace replaced
/// a comma or a colon inside an object.
bool isGlued(std::string_view text, std::size_t brace)
{
    const char before = text[brace - 1];
    return !isJsonBlank(before) && before != ',' && before != '[';
}

/// Finds the next event. An event certainly starts at a brace that its "ph" follows. If the event is damaged
/// before its "ph", it is recognised by the text before it, by its first key, and by the fact that each event
/// has one "ph".
NextStart nextStart(std::string_view text, std::size_t begin, bool isLast, Behind behind)
{
    const std::string_view ownKey = behind == Behind::Event ? firstKey(text, begin) : std::string_view();
    const auto mayBegin = [&](std::size_t brace) {
        const std::string_view key = firstKey(text, brace);
        return behind == Behind::Text
            ? isEventKey(key)
            : standsBehindObject(text, brace) && !key.empty() && (isEventKey(key) || key == ownKey);
    };
    NextStart next;
    std::size_t likely = npos; // the last candidate
    std::size_t seen = begin; // end of the text already searched for "ph"
    const auto holdsPhase = [&](std::size_t end) {
        const bool holds = nextPhase(text.substr(0, end), seen) != npos;
        seen = end;
        return holds;
    };
    bool sawPhase = behind == Behind::Text;
    for (std::size_t brace = text.find('{', begin + 1); brace != npos; brace = text.find('{', brace + 1)) {
        if (holdsPhase(brace)) {
            if (likely != npos)
                return {likely, false};
            sawPhase = true;
        }
        const Begins begins = isDocumentStart(text, brace) ? Begins::Yes : eventBegins(text, brace);
        if (begins == Begins::Yes && !sawPhase && isGlued(text, brace))
            continue; // the "ph" that follows belongs to the object itself
        if (begins == Begins::Yes)
            return {brace, false};
        next.isOpen |= begins == Begins::Unknown;
        const bool isDamaged = begins == Begins::Perhaps || (begins == Begins::Unknown && isLast);
        if (!isDamaged || !sawPhase || !mayBegin(brace))
            continue;
        if (begins == Begins::Unknown)
            return {brace, false}; // the last event, cut off
        if (likely == npos || firstKey(text, brace) == ownKey || firstKey(text, likely) != ownKey)
            likely = brace;
    }
    if (likely != npos && holdsPhase(text.size()))
        next.at = likely;
    return next;
}

/// How certain it is that a bracket ends the list, judging by the text after it.
enum class EndsList
{
    No,
    Maybe, ///< a key follows, which may belong to an event that contains the list
    Surely ///< the rest of a document, or the end of the text, follows
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
    // firstKey() at the comma returns the key of the next member.
    const std::string_view key = text[at] == ',' ? firstKey(text, at) : std::string_view();
    return isHeadKey(key) ? EndsList::Surely : key.empty() ? EndsList::No : EndsList::Maybe;
}

/// Index after the last character before an event that is not a separator.
std::size_t endBefore(std::string_view text, std::size_t start)
{
    const std::size_t last = text.find_last_not_of(" \t\r\n,", start - 1);
    return last == npos ? start : last + 1;
}

/// Where a broken event without a successor may end: before the end of the list, or with the text.
ListPiece lastPiece(std::string_view text, std::size_t begin, std::size_t from)
{
    ListPiece maybe{Kind::Broken, begin, text.size(), text.size(), 0};
    for (std::size_t at = text.find(']', from); at != npos; at = text.find(']', at + 1)) {
        const std::size_t last = text.find_last_not_of(" \t\r\n", at - 1);
        if (last == npos || last < from)
            continue;
        const EndsList verdict = endsList(text, at);
        if (verdict == EndsList::Surely)
            return {Kind::Broken, begin, last + 1, at, 0};
        if (verdict == EndsList::Maybe && text[last] == '}' && maybe.next == text.size())
            maybe = {Kind::Broken, begin, last + 1, at, 0};
    }
    return maybe;
}

/// How certain it is that a bracket ends the list although the text before it is not an element.
EndsList endsListAmidText(std::string_view text, std::size_t bracket)
{
    const EndsList verdict = endsList(text, bracket);
    const std::size_t before = bracket > 0 ? text.find_last_not_of(" \t\r", bracket - 1) : npos;
    const bool standsApart = before == npos || text[before] == '\n' || text[before] == '}';
    return verdict == EndsList::Maybe && !standsApart ? EndsList::No : verdict;
}

/// Text that is not an element; it extends to the next element or the end of the list.
ListPiece textPiece(std::string_view text, std::size_t begin, bool isLast)
{
    const NextStart start = nextStart(text, begin, isLast, Behind::Text);
    const std::size_t end = std::min(start.at, text.size());
    std::size_t maybe = npos;
    for (std::size_t at = text.find(']', begin + 1); at < end; at = text.find(']', at + 1)) {
        const EndsList verdict = endsListAmidText(text, at);
        if (verdict == EndsList::Surely)
            return {Kind::Text, begin, at, at, 0};
        if (verdict == EndsList::Maybe && maybe == npos)
            maybe = at;
    }
    if (start.at == npos && !isLast)
        return {Kind::Open, begin, text.size(), text.size(), 0};
    const std::size_t next = start.at == npos && maybe != npos ? maybe : end;
    return {Kind::Text, begin, next, next, 0};
}

/// Whether the members of the document continue at `begin`, because the bracket that ended the list is
/// damaged.
bool isBehindList(std::string_view text, std::size_t begin)
{
    if (text[begin] == '"') {
        const std::size_t end = afterString(text, begin);
        const std::size_t colon = end == npos ? text.size() : afterBlanks(text, end);
        return colon < text.size() && text[colon] == ':'
            && isHeadKey(text.substr(begin + 1, end - begin - 2));
    }
    const std::size_t comma = afterBlanks(text, begin + 1);
    return comma < text.size() && text[comma] == ',' && isHeadKey(firstKey(text, comma));
}

/// A list, a string or a number: an element if a separator follows.
ListPiece otherPiece(std::string_view text, std::size_t begin, bool isLast)
{
    std::size_t end = begin;
    if (text[begin] == '[') {
        NoEvents guard;
        JsonWalk<NoEvents> walk(text, guard);
        const auto verdict = walk.walk(begin);
        if (verdict == JsonWalk<NoEvents>::End::Open && !isLast)
            return {Kind::Open, begin, text.size(), text.size(), 0};
        end = verdict == JsonWalk<NoEvents>::End::Closed ? walk.at() : begin;
    } else if (text[begin] == '"') {
        const std::size_t behind = afterString(text, begin);
        if (behind == npos)
            return isLast ? textPiece(text, begin, isLast)
                          : ListPiece{Kind::Open, begin, text.size(), text.size(), 0};
        end = behind;
    } else {
        while (end < text.size() && isScalarCharacter(text[end]))
            ++end;
        if ((end < text.size() || isLast) && !isScalar(text.substr(begin, end - begin)))
            end = begin;
    }
    if (end == text.size() && !isLast)
        return {Kind::Open, begin, end, end, 0};
    const std::size_t follower = afterBlanks(text, end);
    if (end > begin && (follower == text.size() || text[follower] == ',' || text[follower] == ']'))
        return {Kind::Other, begin, end, end, 0};
    return textPiece(text, begin, isLast);
}

/// A closing bracket: the end of the list, unless an event or another bracket follows.
ListPiece bracketPiece(std::string_view text, std::size_t begin, bool isLast)
{
    std::size_t at = afterBlanks(text, begin + 1);
    if (at < text.size() && text[at] == ',')
        at = afterBlanks(text, at + 1);
    const bool isBrace = at < text.size() && text[at] == '{';
    const Begins event = isBrace ? eventBegins(text, at) : Begins::No;
    const bool isEvent = event == Begins::Yes || (event == Begins::Perhaps && isEventKey(firstKey(text, at)));
    if (isEvent || (at < text.size() && text[at] == ']'))
        return {Kind::Text, begin, begin + 1, begin + 1, 0};
    if (!isLast && (at == text.size() || event == Begins::Unknown))
        return {Kind::Open, begin, text.size(), text.size(), 0};
    return {Kind::ListEnd, begin, begin + 1, begin, 0};
}

/// Whether a brace is the damaged comma after an event, or the damaged bracket that ends the list: it is not
/// preceded by a comma (a text may start after an event), and the text after it is not the inside of an
/// object.
bool isStrayBrace(std::string_view text, std::size_t brace)
{
    const std::size_t before = brace > 0 ? text.find_last_not_of(" \t\r\n", brace - 1) : npos;
    if (before != npos && text[before] != '}')
        return false;
    const std::size_t follower = afterBlanks(text, brace + 1);
    if (follower == text.size())
        return before != npos;
    if (text[follower] == '}')
        return afterBlanks(text, follower + 1) == text.size();
    return (text[follower] == '{' || text[follower] == ',') && !firstKey(text, follower).empty();
}

} // namespace

ListPieces::Verdict ListPieces::walk(std::size_t begin, std::size_t& end)
{
    for (const Walked& known : m_walked) {
        if (std::binary_search(known.open.begin(), known.open.end(), begin)) {
            end = known.end;
            return known.isOpen ? Verdict::Open : Verdict::Broken;
        }
    }
    FewEvents guard;
    JsonWalk<FewEvents> walk(m_text, guard);
    const auto verdict = walk.walk(begin);
    end = walk.at();
    if (verdict == JsonWalk<FewEvents>::End::Closed)
        return Verdict::Closed;
    const bool isOpen = verdict == JsonWalk<FewEvents>::End::Open;
    Walked& older = m_walked[0].end <= m_walked[1].end ? m_walked[0] : m_walked[1];
    older = {end, isOpen, walk.open()};
    return isOpen ? Verdict::Open : Verdict::Broken;
}

ListPiece ListPieces::objectPiece(std::size_t begin)
{
    if (isDocumentStart(m_text, begin)) {
        // Its list is searched for up to the next event only, because many objects may look like heads.
        const NextStart start = nextStart(m_text, begin, m_isLast, Behind::Event);
        if (const std::size_t list = afterListBegin(m_text.substr(0, start.at), begin); list != npos)
            return {Kind::Head, begin, list, list, 0};
    }
    std::size_t end = 0;
    const Verdict verdict = walk(begin, end);
    if (verdict == Verdict::Closed)
        return {Kind::Event, begin, end, end, 0};
    const ListPiece open{Kind::Open, begin, m_text.size(), m_text.size(), 0};
    // Its end may be in the text that follows; or a string never ends, and other events can be found in it.
    if (verdict == Verdict::Open && !m_isLast)
        return open;
    const NextStart start = nextStart(m_text, begin, m_isLast, Behind::Event);
    if (start.at != npos)
        return {Kind::Broken, begin, endBefore(m_text, start.at), start.at, 0};
    // The file may be cut off here.
    return !m_isLast || verdict == Verdict::Open ? open : lastPiece(m_text, begin, begin + 1);
}

/// The piece at `begin`, after blanks and commas.
ListPiece ListPieces::pieceAt(std::size_t begin)
{
    if (begin == m_text.size())
        return {Kind::Nothing, begin, begin, begin, 0};
    if (m_text[begin] == ']')
        return bracketPiece(m_text, begin, m_isLast);
    if (isBehindList(m_text, begin))
        return {Kind::ListEnd, begin, begin, begin, 0};
    if (m_text[begin] == '{' && isStrayBrace(m_text, begin)) {
        const bool isUndecided = !m_isLast && m_text.find_first_not_of("{} \t\r\n", begin) == npos;
        const std::size_t end = isUndecided ? m_text.size() : begin + 1;
        return {isUndecided ? Kind::Open : Kind::Text, begin, end, end, 0};
    }
    return m_text[begin] == '{' ? objectPiece(begin) : otherPiece(m_text, begin, m_isLast);
}

ListPiece ListPieces::next(std::size_t from)
{
    std::size_t begin = from;
    std::size_t commas = 0;
    for (; begin < m_text.size() && (isJsonBlank(m_text[begin]) || m_text[begin] == ','); ++begin)
        commas += m_text[begin] == ',' ? 1u : 0u;
    ListPiece piece = pieceAt(begin);
    piece.commas = commas;
    return piece;
}

ListPiece nextPiece(std::string_view text, std::size_t from, bool isLast)
{
    return ListPieces(text, isLast).next(from);
}

std::size_t afterListBegin(std::string_view text, std::size_t from, std::size_t end, std::string_view key)
{
    for (std::size_t at = text.find(key, from); at != npos && at < end; at = text.find(key, at + 1)) {
        const std::size_t colon = afterBlanks(text, at + key.size());
        const std::size_t bracket = afterBlanks(text, colon + 1);
        if (bracket < text.size() && text[colon] == ':' && text[bracket] == '[')
            return bracket + 1;
    }
    return npos;
}

ListPiece longerPiece(std::string_view text, const ListPiece& broken)
{
    if (broken.next >= text.size() || text[broken.next] == ']' || isDocumentStart(text, broken.next)
        || eventBegins(text, broken.next) == Begins::Yes)
        return {};
    const NextStart start = nextStart(text, broken.next, true, Behind::Event);
    if (start.at != npos)
        return {Kind::Broken, broken.begin, endBefore(text, start.at), start.at, 0};
    return lastPiece(text, broken.begin, broken.next + 1);
}

} // namespace collscope
