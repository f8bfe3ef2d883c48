// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/search/slice_question.h"

#include "model/text/lower_case.h"
#include "views/common/format.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <cassert>
#include <tuple>

namespace collscope {

namespace {

/// Time order of slices; slices that start at the same time are ordered by track.
using Key = std::tuple<std::int64_t, std::uint32_t, std::uint32_t>;

class TimeOrder
{
public:
    TimeOrder(const ViewState& state, const SliceMatches& matches)
        : m_state(state)
        , m_matches(matches)
    { }

    Key keyOf(SliceRef slice) const
    {
        return {m_state.run().rangeOf(slice).beginNs, slice.track.value, slice.row};
    }
    /// Number of matches in a track before a key.
    std::size_t countBefore(const SliceMatches::InTrack& track, const Key& key) const
    {
        const auto first = std::partition_point(track.rows.begin(), track.rows.end(), [&](std::uint32_t row) {
            return keyOf({track.track, row}) < key;
        });
        return static_cast<std::size_t>(first - track.rows.begin());
    }
    std::size_t countBefore(const Key& key) const
    {
        std::size_t count = 0;
        for (const SliceMatches::InTrack& track : m_matches.tracks)
            count += countBefore(track, key);
        return count;
    }
    /// The first match at or after a key, or the last one before it, depending on `direction`.
    SliceRef nearest(const Key& key, int direction) const
    {
        SliceRef best;
        for (const SliceMatches::InTrack& track : m_matches.tracks) {
            const std::size_t before = countBefore(track, key);
            if (direction > 0 ? before == track.rows.size() : before == 0)
                continue;
            const SliceRef candidate{track.track, track.rows[direction > 0 ? before : before - 1]};
            const bool isCloser
                = !best || (direction > 0 ? keyOf(candidate) < keyOf(best) : keyOf(best) < keyOf(candidate));
            if (isCloser)
                best = candidate;
        }
        return best;
    }

private:
    const ViewState& m_state;
    const SliceMatches& m_matches;
};

constexpr Key firstKey{std::numeric_limits<std::int64_t>::min(), 0, 0};
constexpr Key lastKey{std::numeric_limits<std::int64_t>::max(), 0, 0};

/// The typed text split into its parts: "gemm arg:stream=7" has a name and an arg.
struct Words
{
    QString name;
    std::optional<QString> arg; ///< text after "arg:"
};

Words wordsOf(const SliceQuestion& question)
{
    static const QRegularExpression shape(QStringLiteral("^(?:(.*?)\\s)?arg:\\s*(.*)$"),
                                          QRegularExpression::CaseInsensitiveOption
                                              | QRegularExpression::DotMatchesEverythingOption);
    const QRegularExpressionMatch match
        = question.isWhole ? QRegularExpressionMatch() : shape.match(question.text);
    return match.hasMatch() ? Words{match.captured(1).trimmed(), match.captured(2).trimmed()}
                            : Words{question.text, std::nullopt};
}

using TextTest = std::function<bool(std::string_view)>;

bool isAscii(const QString& text)
{
    return std::all_of(text.cbegin(), text.cend(), [](QChar c) { return c.unicode() < 0x80; });
}

/// Tests for a part of a text, ignoring case. Millions of names are tested: ASCII needs no conversion.
TextTest partTest(const QString& part)
{
    if (!isAscii(part))
        return [part](std::string_view text) { return toText(text).contains(part, Qt::CaseInsensitive); };
    return [part = lowered(part.toStdString())](std::string_view text) {
        return std::search(text.begin(), text.end(), part.begin(), part.end(),
                           [](char c, char wanted) { return lowered(c) == wanted; })
            != text.end()
            || part.empty();
    };
}

/// Tests for a complete text, ignoring case.
TextTest sameTest(const QString& whole)
{
    if (!isAscii(whole))
        return
            [whole](std::string_view text) { return toText(text).compare(whole, Qt::CaseInsensitive) == 0; };
    return [whole = lowered(whole.toStdString())](std::string_view text) {
        return std::equal(text.begin(), text.end(), whole.begin(), whole.end(),
                          [](char c, char wanted) { return lowered(c) == wanted; });
    };
}

TextTest patternTest(const QString& pattern)
{
    return [expression = QRegularExpression(pattern, QRegularExpression::CaseInsensitiveOption)](
               std::string_view text) { return expression.match(toText(text)).hasMatch(); };
}

/// Splits "stream=7" into the name and value of an arg; nullopt: any arg.
std::optional<std::pair<QString, QString>> nameAndValue(const QString& arg)
{
    const qsizetype equals = arg.indexOf(QLatin1Char('='));
    if (equals <= 0)
        return std::nullopt;
    return std::pair(arg.left(equals).trimmed(), arg.mid(equals + 1).trimmed());
}

} // namespace

SliceQuestion SliceQuestion::ofName(const QString& name)
{
    SliceQuestion question;
    question.text = name;
    question.isWhole = true;
    return question;
}

bool SliceQuestion::asksForArgs() const
{
    return wordsOf(*this).arg.has_value();
}

Status SliceQuestion::check() const
{
    const auto usageError = [](const QString& message) {
        return Error{Error::Kind::Usage, message.toStdString()};
    };
    const auto [name, arg] = wordsOf(*this);
    if (arg && arg->isEmpty())
        return usageError(QCoreApplication::translate(
            "SliceQuestion", "Type a value or name=value after arg:, for example arg:stream=7."));
    if (!isPattern)
        return {};
    const auto named = arg ? nameAndValue(*arg) : std::nullopt;
    for (const QString& pattern : {name, named ? named->second : arg.value_or(QString())}) {
        if (const QRegularExpression expression(pattern); !expression.isValid())
            return usageError(expression.errorString());
    }
    return {};
}

NameTest SliceQuestion::nameTest() const
{
    if (isWhole)
        return [name = text.toStdString()](std::string_view other) { return other == name; };
    const QString name = wordsOf(*this).name;
    if (name.isEmpty())
        return {};
    return isPattern ? patternTest(name) : partTest(name);
}

ArgTest SliceQuestion::argTest() const
{
    assert(asksForArgs());
    const QString arg = wordsOf(*this).arg.value_or(QString());
    if (const auto named = nameAndValue(arg)) {
        const TextTest isValue = isPattern ? patternTest(named->second) : sameTest(named->second);
        return [isName = sameTest(named->first), isValue](std::string_view name, std::string_view value) {
            return isName(name) && isValue(value);
        };
    }
    return [holds = isPattern ? patternTest(arg) : partTest(arg)](
               std::string_view name, std::string_view value) { return holds(name) || holds(value); };
}

std::optional<MatchLocation> matchBeside(const ViewState& state, const SliceMatches& matches, int direction)
{
    if (matches.size() == 0)
        return std::nullopt;
    const TimeOrder order(state, matches);
    const TimeRange visible = state.viewport().visibleRange();
    Key from{visible.beginNs + visible.lengthNs() / 2, 0, 0};
    if (const SliceRef selected = state.selection().slice()) {
        from = order.keyOf(selected);
        if (direction > 0)
            ++std::get<2>(from); // exclude the selected one
    }
    SliceRef slice = order.nearest(from, direction);
    if (!slice)
        slice = order.nearest(direction > 0 ? firstKey : lastKey, direction);
    return MatchLocation{slice, 1 + order.countBefore(order.keyOf(slice))};
}

std::size_t numberOfMatch(const ViewState& state, const SliceMatches& matches, SliceRef slice)
{
    const TimeOrder order(state, matches);
    return 1 + order.countBefore(order.keyOf(slice));
}

} // namespace collscope
