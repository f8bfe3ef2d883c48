// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What is clicked is what is seen: random rectangles of the draw list, in the whole window, at three zoom
// levels.

#include "app/files/resources.h"
#include "tests/gui/driver/window_test.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/suite.h"
#include "views/common/palette.h"
#include "views/common/theme.h"
#include "views/rows/draw_list.h"
#include "views/rows/pixel_lines.h"
#include "views/timeline/timeline_view.h"

#include <QScrollBar>

#include <map>
#include <random>

namespace collscope {

namespace {

constexpr std::uint64_t seed = 20'260'822;
constexpr std::size_t clicks = 1'000;
constexpr std::size_t looks = 60; ///< clicks before which the colour of the pixel is looked at

/// Kernels without a pause, some of them one over the other on one stream, and calls in calls.
SmallRun crowdedRun()
{
    constexpr int ranks = 3;
    constexpr double lengthUs = 20'000;
    std::mt19937_64 random(seed);
    const auto between
        = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); };
    SmallRun run(ranks);
    for (int rank = 0; rank < ranks; ++rank) {
        int number = 0;
        const auto name = [&](const char* kind) { return std::string(kind) + std::to_string(number++ % 7); };
        for (double at = 0; at < lengthUs; at += between(0.5, 12))
            run.kernel(rank, at, between(0.2, at < lengthUs / 2 ? 4 : 60), 7, name("gemm"));
        for (double at = 0; at < lengthUs; at += between(30, 300))
            run.copy(rank, at, between(1, 25), -1, 13);
        const std::function<void(double, double, int)> call = [&](double begin, double end, int depth) {
            run.cpu(rank, name("call"), begin, end - begin, "cpu_op", 100 + rank);
            for (double at = begin + between(0.1, 3); depth < 7 && at + 2 < end;) {
                const double inner = std::min(at + between(1, (end - begin) / 2), end - 0.5);
                call(at, inner, depth + 1);
                at = inner + between(0.3, 4);
            }
        };
        for (double at = 0; at < lengthUs; at += 400)
            call(at, at + between(60, 390), 0);
    }
    run.shiftClock(2, 137.25);
    return run;
}

/// A rectangle, and a column of pixels on which nothing else of its row is painted over it.
struct Target
{
    const TimelineRow* row;
    DrawRect rect;
    int column; ///< px from the left of the lanes
};

/// Which rectangle each pixel of a row belongs to: wide ones first, without the hairline behind them, then
/// the narrow ones over them.
std::map<std::pair<int, int>, std::size_t> ownersOf(const std::vector<DrawRect>& rects)
{
    std::map<std::pair<int, int>, std::size_t> owners; // by level and column
    for (const bool narrow : {false, true}) {
        for (std::size_t i = 0; i < rects.size(); ++i) {
            const int left = static_cast<int>(std::floor(rects[i].x));
            const int end = std::max(left + 1, static_cast<int>(std::floor(rects[i].x + rects[i].width)));
            if ((end - left <= 3) != narrow)
                continue;
            for (int column = left; column < (narrow ? end : end - 1); ++column)
                owners[{rects[i].level, column}] = i;
        }
    }
    return owners;
}

} // namespace

class TestHitTest : public WindowTest
{
    Q_OBJECT

private:
    std::mt19937_64 m_random{seed};
    std::map<std::string, int> m_clicked; ///< by kind of rectangle and of row

    std::size_t below(std::size_t count) { return m_random() % count; }
    TimeAxis axisOf(const TimelineRow& row) const
    {
        return {state().run().clocks().fromAxis(row.timeline.value, state().viewport().visibleRange()),
                static_cast<double>(timeline().lanesRect().width())};
    }
    /// All rectangles of slices that can be seen somewhere, each with one of its pixels.
    std::vector<Target> targets()
    {
        std::vector<Target> all;
        const int width = timeline().lanesRect().width();
        for (const TimelineRow& row : timeline().layout().rows()) {
            if (!row.showsTrack())
                continue;
            const std::vector<DrawRect> rects = drawRow(*state().run().model(), row, axisOf(row));
            std::map<std::size_t, std::vector<int>> columns;
            for (const auto& [place, owner] : ownersOf(rects)) {
                if (place.second < width)
                    columns[owner].push_back(place.second);
            }
            for (const auto& [owner, own] : columns)
                all.push_back({&row, rects[owner], own[below(own.size())]});
        }
        return all;
    }
    /// Scrolls the level into sight; a random height on it.
    QPoint scrolledTo(const Target& target)
    {
        const QRect lanes = timeline().lanesRect();
        QScrollBar& bar = *timeline().verticalScrollBar();
        const int top = target.row->yOfLevel(target.rect.level);
        const int painted = target.row->laneHeight - 1;
        if (top < bar.value() || top + painted > bar.value() + lanes.height())
            bar.setValue(top - lanes.height() / 2);
        const int y = static_cast<int>(below(static_cast<std::size_t>(painted)));
        return {lanes.left() + target.column, lanes.top() + top - bar.value() + y};
    }
    QString textOf(const Target& target, QPoint point) const
    {
        const SliceRef found = state().selection().slice();
        const auto text = [&](SliceRef slice) {
            return slice ? QString::fromStdString(std::string(state().run().model()->nameOf(slice)))
                    + QStringLiteral(" row %1").arg(slice.row)
                         : QStringLiteral("nothing");
        };
        return QStringLiteral("at %1, %2: %3 instead of %4 (x %5, width %6, level %7, coverage %8)")
            .arg(point.x())
            .arg(point.y())
            .arg(text(found), text(target.rect.slice))
            .arg(target.rect.x)
            .arg(target.rect.width)
            .arg(target.rect.level)
            .arg(static_cast<double>(target.rect.coverage));
    }
    /// The class of the slice is what the pixel shows; only where no label and no hatching lies over it.
    void compareColour(const Target& target, QPoint point) const
    {
        const Track& track = state().run().model()->track(target.rect.slice.track);
        if (target.rect.name || track.communication)
            return;
        const QPalette palette = timeline().palette();
        const KernelClass kernelClass = track.slices.kernelClass[target.rect.slice.row];
        const bool isCpu = track.kind == TrackKind::CpuThread && kernelClass == KernelClass::None;
        const QRgb plain
            = isCpu ? cpuColor(target.rect.category, palette).rgb() : kernelColor(kernelClass, palette).rgb();
        const QRgb expected = target.rect.coverage < 1
            ? blended(plain, surfaces(palette).base.rgb(), shadeOf(target.rect.coverage))
            : plain;
        QCOMPARE(timelineImage().pixelColor(point).rgb(), expected);
    }
    void clickThem()
    {
        const std::vector<Target> all = targets();
        QVERIFY(!all.empty());
        for (std::size_t i = 0; i < clicks; ++i) {
            const Target& target = all[below(all.size())];
            state().selection().setSlice({});
            const QPoint point = scrolledTo(target);
            QVERIFY(timeline().lanesRect().contains(point));
            if (i < looks)
                CHECKED(compareColour(target, point));
            QTest::mouseClick(timeline().viewport(), Qt::LeftButton, {}, point);
            QVERIFY2(state().selection().slice() == target.rect.slice, qPrintable(textOf(target, point)));
            // Where several share the pixel it is one of them: it lies on the pixel, or begins on the next.
            const TimeRange range = state().run().model()->rangeOf(state().selection().slice());
            const TimeAxis axis = axisOf(*target.row);
            QVERIFY(range.beginNs <= axis.timeAt(target.column + 2));
            QVERIFY(range.endNs >= axis.timeAt(target.column - 1));
            ++m_clicked[target.rect.coverage < 1                 ? "shared"
                            : columnsOf(target.rect).areNarrow() ? "narrow"
                                                                 : "wide"];
            ++m_clicked[target.row->kind == RowKind::Stack ? "stack" : "stream"];
        }
    }
    void atThreeZoomLevels()
    {
        timeline().rows().setThreadsOpen(true);
        m_clicked.clear();
        const TimeRange run = state().run().range();
        for (const std::int64_t zoom : {1, 12, 150}) {
            const std::int64_t length = run.lengthNs() / zoom;
            const std::int64_t begin = run.beginNs + (run.lengthNs() - length) / 3;
            state().viewport().setVisibleRange({begin, begin + length});
            QCoreApplication::processEvents();
            CHECKED(clickThem());
            if (QTest::currentTestFailed())
                return;
        }
        for (const char* kind : {"wide", "narrow", "stack", "stream"})
            QVERIFY2(m_clicked[kind] >= 100, kind);
    }

private slots:
    void clickingSelectsWhatIsDrawn()
    {
        CHECKED(openRun(crowdedRun()));
        timeline().rows().setRanksCollapsed(false);
        QVERIFY2(timeline().layout().rows().size() > 9, "overlapping kernels have lanes of their own");
        CHECKED(atThreeZoomLevels());
        QVERIFY2(m_clicked["shared"] >= 100, "pixels of several slices");
    }
    void clickingSelectsWhatIsDrawnOfTheDemo()
    {
        QVERIFY(openAndWait(*m_window, {QString::fromStdString(resourceFolder("demo"))}));
        timeline().rows().setRanksCollapsed(false);
        atThreeZoomLevels();
    }
    /// A short kernel just before a long one: both begin on the same pixel, and both can be seen and hit.
    void aShortSliceBesideALongOne()
    {
        SmallRun run(1);
        run.kernel(0, 0, 100, 7, "first");
        run.kernel(0, 1000.1, 0.3, 7, "softmax_forward");
        run.kernel(0, 1000.5, 500, 7, "gemm");
        run.kernel(0, 1900, 100, 7, "last");
        CHECKED(openRun(run));
        state().viewport().setVisibleRange(state().run().range());
        const SliceRef shortOne{TrackId{0}, 1};
        const SliceRef longOne{TrackId{0}, 2};
        const QPoint left(static_cast<int>(timeline().rectOf(shortOne).left()),
                          static_cast<int>(timeline().rectOf(shortOne).center().y()));
        QCOMPARE(static_cast<int>(timeline().rectOf(longOne).left()), left.x());
        const QImage image = timelineImage();
        QVERIFY2(image.pixelColor(left) != image.pixelColor(left + QPoint(1, 0)), "the short one is seen");
        QCOMPARE(image.pixelColor(left + QPoint(1, 0)), kernelColor(KernelClass::Gemm, timeline().palette()));
        QTest::mouseClick(timeline().viewport(), Qt::LeftButton, {}, left);
        QVERIFY(state().selection().slice() == shortOne);
        QTest::mouseClick(timeline().viewport(), Qt::LeftButton, {}, left + QPoint(1, 0));
        QVERIFY(state().selection().slice() == longOne);
        QTest::mouseClick(timeline().viewport(), Qt::LeftButton, {}, left - QPoint(2, 0));
        QVERIFY2(state().selection().slice() == shortOne, "two pixels beside it still mean it");
        QTest::mouseClick(timeline().viewport(), Qt::LeftButton, {}, left - QPoint(3, 0));
        QVERIFY2(!state().selection().slice(), "three do not");
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestHitTest)
#include "tst_hit_test.moc"
