// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/interval_set.h"
#include "tests/support/suite/suite.h"

namespace collscope {

class TestIntervalSet : public QObject
{
    Q_OBJECT

    using Ranges = std::vector<TimeRange>;

private slots:
    void unionMergesWhatTouches()
    {
        const IntervalSet set({{30, 40}, {0, 10}, {10, 20}, {15, 18}, {50, 50}});
        QVERIFY(set.intervals() == (Ranges{{0, 20}, {30, 40}}));
        QCOMPARE(set.lengthNs(), 30);
        QVERIFY(IntervalSet({{5, 5}}).isEmpty());
    }
    void containedIntervalsCountOnce()
    {
        QCOMPARE(IntervalSet({{0, 100}, {10, 20}, {90, 110}}).lengthNs(), 110);
    }
    void clips()
    {
        const IntervalSet set({{0, 10}, {20, 30}});
        QVERIFY(set.clipped({5, 25}).intervals() == (Ranges{{5, 10}, {20, 25}}));
        QVERIFY(set.clipped({10, 20}).isEmpty());
    }
    void intersects()
    {
        const IntervalSet a({{0, 10}, {20, 30}, {40, 50}});
        const IntervalSet b({{5, 25}, {30, 45}});
        QVERIFY(a.intersected(b).intervals() == (Ranges{{5, 10}, {20, 25}, {40, 45}}));
        QVERIFY(a.intersected(b).intervals() == b.intersected(a).intervals());
        QVERIFY(a.intersected(IntervalSet()).isEmpty());
    }
    void subtracts()
    {
        const IntervalSet a({{0, 10}, {20, 30}});
        QVERIFY(a.subtracted(IntervalSet({{3, 5}, {8, 22}})).intervals()
                == (Ranges{{0, 3}, {5, 8}, {22, 30}}));
        QVERIFY(a.subtracted(a).isEmpty());
        QVERIFY(a.subtracted(IntervalSet()).intervals() == a.intervals());
    }
    /// Random sets against a bitmap: |A| + |B| = |A u B| + |A n B|, and A = (A n B) + (A \ B).
    void agreesWithABitmap()
    {
        std::uint32_t state = 7;
        const auto next
            = [&state] { return static_cast<std::int64_t>((state = state * 1664525u + 1013904223u) >> 25u); };
        for (int round = 0; round < 200; ++round) {
            std::vector<TimeRange> ranges[2];
            std::vector<bool> bits[2] = {std::vector<bool>(256), std::vector<bool>(256)};
            for (int side = 0; side < 2; ++side) {
                for (int i = 0; i < 6; ++i) {
                    const std::int64_t begin = next();
                    const std::int64_t end = begin + next() / 4;
                    ranges[side].push_back({begin, end});
                    for (std::int64_t t = begin; t < end; ++t)
                        bits[side][static_cast<std::size_t>(t)] = true;
                }
            }
            const IntervalSet a(ranges[0]);
            const IntervalSet b(ranges[1]);
            std::int64_t both = 0;
            std::int64_t onlyA = 0;
            std::int64_t either = 0;
            for (std::size_t t = 0; t < 256; ++t) {
                both += bits[0][t] && bits[1][t] ? 1 : 0;
                onlyA += bits[0][t] && !bits[1][t] ? 1 : 0;
                either += bits[0][t] || bits[1][t] ? 1 : 0;
            }
            QCOMPARE(a.intersected(b).lengthNs(), both);
            QCOMPARE(a.subtracted(b).lengthNs(), onlyA);
            QCOMPARE(a.united(b).lengthNs(), either);
        }
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestIntervalSet)
#include "tst_interval_set.moc"
