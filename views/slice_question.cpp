// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/slice_question.h"

#include "views/format.h"

#include <QRegularExpression>

#include <algorithm>
#include <tuple>

namespace collscope {

namespace {

/// The order of time: slices that begin together come in the order of their tracks.
using Key = std::tuple<std::int64_t, std::uint32_t, std::uint32_t>;

class TimeOrder
{
public:
    TimeOrder(const ViewState& state, const SliceMatches& matches)
        : m_state(state)
        , m_matches(matches)
    { }

    Key keyOf(SliceRef slice) const { return {m_state.rangeOf(slice).beginNs, slice.track.value, slice.row}; }
    /// How many matches of a track come before a key.
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
    /// The first match at or after a key, or the last one before it.
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

} // namespace

QString SliceQuestion::error() const
{
    if (!isPattern)
        return {};
    const QRegularExpression expression(text);
    return expression.isValid() ? QString() : expression.errorString();
}

std::function<bool(std::string_view)> SliceQuestion::test() const
{
    if (isWhole)
        return [name = text.toStdString()](std::string_view other) { return other == name; };
    if (isPattern)
        return [expression = QRegularExpression(text, QRegularExpression::CaseInsensitiveOption)](
                   std::string_view name) { return expression.match(toText(name)).hasMatch(); };
    return [part = text](std::string_view name) { return toText(name).contains(part, Qt::CaseInsensitive); };
}

std::optional<MatchPlace> matchBeside(const ViewState& state, const SliceMatches& matches, int direction)
{
    if (matches.size() == 0)
        return std::nullopt;
    const TimeOrder order(state, matches);
    const TimeRange visible = state.visibleRange();
    Key from{visible.beginNs + visible.lengthNs() / 2, 0, 0};
    if (const SliceRef selected = state.selectedSlice()) {
        from = order.keyOf(selected);
        if (direction > 0)
            ++std::get<2>(from); // not the selected one again
    }
    SliceRef slice = order.nearest(from, direction);
    if (!slice)
        slice = order.nearest(direction > 0 ? firstKey : lastKey, direction);
    return MatchPlace{slice, 1 + order.countBefore(order.keyOf(slice))};
}

std::size_t numberOfMatch(const ViewState& state, const SliceMatches& matches, SliceRef slice)
{
    const TimeOrder order(state, matches);
    return 1 + order.countBefore(order.keyOf(slice));
}

} // namespace collscope
