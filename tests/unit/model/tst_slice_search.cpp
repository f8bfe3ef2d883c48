// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Slices by name, over all ranks.

#include "model/queries/slice_search.h"
#include "tests/support/runs/small_run.h"
#include "tests/support/suite/stop_requests.h"
#include "tests/support/suite/suite.h"

#include <map>

namespace collscope {

class TestSliceSearch : public QObject
{
    Q_OBJECT

private:
    TraceModelPtr m_model;

    SliceMatchesPtr named(std::string_view name) const
    {
        return findSlices(*m_model, [name](std::string_view other) { return other == name; });
    }

private slots:
    void initTestCase()
    {
        SmallRun run(3);
        for (int rank = 0; rank < 3; ++rank) {
            for (int i = 0; i < 40; ++i)
                run.kernel(rank, 10.0 * i, 1 + (i * 7 + rank) % 9, 7, i % 4 == 0 ? "rare" : "often");
            run.cpu(rank, "often", 0, 5);
        }
        m_model = run.load();
        QVERIFY(m_model);
    }
    void everyMatchAndNoOther()
    {
        const SliceMatchesPtr rare = named("rare");
        QCOMPARE(rare->size(), std::size_t{3 * 10});
        QCOMPARE(rare->names, std::size_t{1});
        QCOMPARE(named("often")->size(), std::size_t{3 * 31});
        QCOMPARE(named("never")->size(), std::size_t{0});
        std::int64_t totalNs = 0;
        std::size_t found = 0;
        for (std::uint32_t t = 0; t < m_model->tracks.size(); ++t) {
            for (std::uint32_t row = 0; row < m_model->tracks[t].slices.size(); ++row) {
                const SliceRef slice{TrackId{t}, row};
                const bool isRare = m_model->nameOf(slice) == "rare";
                QCOMPARE(rare->contains(slice), isRare);
                totalNs += isRare ? m_model->rangeOf(slice).lengthNs() : 0;
                if (isRare)
                    QVERIFY(rare->at(found++) == slice);
            }
        }
        QCOMPARE(found, rare->size());
        QCOMPARE(rare->totalNs, totalNs);
    }
    void oneTrackInAnyOrder()
    {
        const SliceMatchesPtr rare = named("rare");
        for (std::uint32_t t = 0; t < m_model->tracks.size(); ++t) {
            const auto size = static_cast<std::uint32_t>(m_model->tracks[t].slices.size());
            TrackMatches matches(*rare, TrackId{t});
            for (const std::uint32_t stride : {1u, 3u, 7u, 16u, 29u, 39u}) { // forth and back
                for (std::uint32_t i = 0; i < 3 * size; ++i) {
                    const std::uint32_t row = i * stride % size;
                    QCOMPARE(matches.contains(row), rare->contains({TrackId{t}, row}));
                }
            }
        }
    }
    void eachNameIsAskedAboutOnce()
    {
        std::map<std::string, int> asked;
        findSlices(*m_model, [&](std::string_view name) { return ++asked[std::string(name)] > 0; });
        QVERIFY(asked.size() >= 2);
        for (const auto& [name, times] : asked)
            QVERIFY2(times == 1, name.c_str());
    }
    void theLongestComeFirst()
    {
        const SliceMatchesPtr often = named("often");
        const std::vector<SliceRef> longest = longestOf(*m_model, *often, 12);
        QCOMPARE(longest.size(), std::size_t{12});
        for (std::size_t i = 1; i < longest.size(); ++i)
            QVERIFY(m_model->rangeOf(longest[i]).lengthNs() <= m_model->rangeOf(longest[i - 1]).lengthNs());
        for (std::size_t i = 0; i < often->size(); ++i) {
            const SliceRef slice = often->at(i);
            const bool isListed = std::find(longest.begin(), longest.end(), slice) != longest.end();
            QVERIFY(isListed
                    || m_model->rangeOf(slice).lengthNs() <= m_model->rangeOf(longest.back()).lengthNs());
        }
        QCOMPARE(longestOf(*m_model, *often, 1000).size(), often->size());
    }
    void itCanBeCancelled()
    {
        QVERIFY(!findSlices(
            *m_model, [](std::string_view) { return true; }, stopRequested()));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestSliceSearch)
#include "tst_slice_search.moc"
