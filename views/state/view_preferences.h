// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How the views show a run: formats, hidden rows, the wheel.

#include <QObject>
#include <QString>

#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace collscope {

/// How times on the axis are formatted.
enum class TimeFormat
{
    Relative, ///< since the run's first event
    WallClock, ///< time of day, UTC
    Nanoseconds ///< relative, with all digits
};

/// By rank: the ranks that are like it, and not shown while it stands for them.
using RankFolds = std::map<std::int32_t, std::set<std::int32_t>>;

/// Setters ignore equal values, and then emit one signal.
class ViewPreferences : public QObject
{
    Q_OBJECT

public:
    /// Whether the plain wheel zooms and Ctrl+wheel scrolls, as in Tracy. Applies to every view on the axis.
    bool wheelZooms() const { return m_wheelZooms; }
    void setWheelZooms(bool zooms) { m_wheelZooms = zooms; }

    TimeFormat timeFormat() const { return m_timeFormat; }
    void setTimeFormat(TimeFormat format);

    /// Filter for the names of timeline rows: part of a name in any case, or /a regular expression/; empty:
    /// all rows.
    const QString& rowFilter() const { return m_rowFilter; }
    void setRowFilter(const QString& filter);

    bool isRankHidden(std::int32_t rank) const { return m_hiddenRanks.contains(rank); }
    const std::set<std::int32_t>& hiddenRanks() const { return m_hiddenRanks; }
    /// Showing a rank also takes it out of its fold.
    void setRankHidden(std::int32_t rank, bool hidden);
    /// Sets all hidden ranks with a single signal.
    void setHiddenRanks(std::set<std::int32_t> ranks);

    /// Ranks that every view shows above the others, in this order; empty: by number.
    const std::vector<std::int32_t>& firstRanks() const { return m_firstRanks; }
    void setFirstRanks(std::vector<std::int32_t> ranks);

    /// Rows of alike ranks as one. Unlike hidden ranks, folded ones are counted in all sums.
    const RankFolds& rankFolds() const { return m_rankFolds; }
    const std::set<std::int32_t>& foldedRanks() const { return m_foldedRanks; }
    bool isRankFolded(std::int32_t rank) const { return m_foldedRanks.contains(rank); }
    /// How many ranks a shown rank stands for, without itself.
    std::size_t foldedInto(std::int32_t rank) const;
    void setRankFolds(RankFolds folds);

signals:
    void timeFormatChanged();
    void rowFilterChanged();
    void hiddenRanksChanged();
    void firstRanksChanged();
    void rankFoldsChanged();

private:
    friend class ViewState;

    /// Shows all rows again, without a signal. The formats are the user's, and stay.
    void reset();

    bool m_wheelZooms = false;
    TimeFormat m_timeFormat = TimeFormat::Relative;
    QString m_rowFilter;
    std::set<std::int32_t> m_hiddenRanks;
    std::vector<std::int32_t> m_firstRanks;
    RankFolds m_rankFolds;
    std::set<std::int32_t> m_foldedRanks; ///< all ranks that others stand for
};

} // namespace collscope
