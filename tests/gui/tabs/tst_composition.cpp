// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The picture of what all steps were made of: which rank and step is where, which of several ranks in a row
// is shown, and that the colours have the widths of the parts.

#include "tests/gui/driver/window_test.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/suite.h"
#include "views/common/palette.h"
#include "views/common/time_axis.h"
#include "views/summary/composition.h"
#include "views/timeline/minimap.h"

#include <QApplication>
#include <QComboBox>
#include <QImage>
#include <QTest>

namespace collscope {

namespace {

constexpr TimeRange run{0, 400};
constexpr std::int64_t stepNs = 100;

/// Four steps of each rank, of which the inner two are counted. computeOf(rank) is the compute time in a
/// step; the rest is idle.
template<typename ComputeOf>
FindingsPtr findingsOf(int ranks, const ComputeOf& computeOf)
{
    Findings findings;
    findings.isPerStep = true;
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
        RankParts& whole = findings.ranks.emplace_back();
        whole.rank = rank;
        for (std::int64_t number = 1; number < 3; ++number) {
            StepParts step{rank, number, {number * stepNs, (number + 1) * stepNs}, {}};
            step.parts.add(Part::Compute, computeOf(rank));
            step.parts.add(Part::Idle, stepNs - computeOf(rank));
            whole.parts += step.parts;
            findings.steps.push_back(step);
        }
    }
    return std::make_shared<const Result<Findings>>(std::move(findings));
}

/// Four steps of two ranks, of which rank 1 computes less.
SmallRun twoRanks()
{
    SmallRun small(2);
    for (int rank = 0; rank < 2; ++rank) {
        for (int number = 0; number < 4; ++number) {
            small.step(rank, number, 1000 * number, 1000);
            small.kernel(rank, 1000 * number + 10, rank == 0 ? 900 : 300);
        }
    }
    return small;
}

} // namespace

class TestComposition : public WindowTest
{
    Q_OBJECT

private slots:
    void eachRankHasItsRow()
    {
        Composition composition;
        composition.setFindings(findingsOf(4, [](int) { return 50; }));
        const QRect box(10, 5, 400, 32);
        const TimeAxis axis(run, box.width());
        for (int rank = 0; rank < 4; ++rank) {
            const int y = box.top() + 8 * rank + 3;
            QVERIFY(!composition.stepAt({10 + 50, y}, box, axis)); // the first step is not counted
            for (int number = 1; number < 3; ++number) {
                const StepParts* const step = composition.stepAt({10 + 100 * number + 50, y}, box, axis);
                QVERIFY(step);
                QCOMPARE(step->rank, rank);
                QCOMPARE(step->number, number);
            }
            QVERIFY(!composition.stepAt({10 + 350, y}, box, axis));
        }
    }
    void theWorstOfSeveralRanksIsShown()
    {
        Composition composition;
        composition.setFindings(findingsOf(1000, [](int rank) { return rank % 100 == 37 ? 10 : 90; }));
        const QRect box(0, 0, 400, 10);
        const TimeAxis axis(run, box.width());
        for (int row = 0; row < 10; ++row) {
            const StepParts* const step = composition.stepAt({150, row}, box, axis);
            QVERIFY(step);
            QCOMPARE(step->rank, 100 * row + 37);
        }
    }
    void widthsAreShares()
    {
        Composition composition;
        composition.setFindings(findingsOf(1, [](int) { return 25; }));
        QImage picture(400, 8, QImage::Format_RGB32);
        picture.fill(Qt::white);
        QPainter painter(&picture);
        composition.paint(painter, picture.rect(), TimeAxis(run, picture.width()), qApp->palette());
        painter.end();
        const QRgb compute = kernelColor(KernelClass::Gemm, qApp->palette()).rgb();
        int pixels = 0;
        for (int x = 100; x < 200; ++x)
            pixels += picture.pixel(x, 3) == compute ? 1 : 0;
        QVERIFY2(std::abs(pixels - 25) <= 1, qPrintable(QString::number(pixels)));
        QCOMPARE(picture.pixel(50, 3), QColor(Qt::white).rgb());
    }
    void aRangeHasNone()
    {
        Composition composition;
        QVERIFY(composition.isEmpty());
        Findings findings;
        findings.ranks.emplace_back();
        findings.steps.push_back({0, 1, {0, 10}, {}});
        composition.setFindings(std::make_shared<const Result<Findings>>(std::move(findings)));
        QVERIFY(composition.isEmpty());
    }
    void theOverviewShowsIt()
    {
        CHECKED(openRun(twoRanks()));
        const Minimap& overview = *m_window->view<Minimap>();
        QTRY_VERIFY(!overview.composition().isEmpty());
        const TimeAxis axis(state().run().range(), 400);
        const StepParts* const step = overview.composition().stepAt({150, 30}, {0, 0, 400, 40}, axis);
        QVERIFY(step);
        QCOMPARE(step->rank, 1);
        QCOMPARE(step->number, 1);
        QCOMPARE(step->parts.of(Part::Compute), 300'000);
    }
    /// A click shows that step of that rank; a drag moves the view.
    void aClickLeadsToTheStep()
    {
        CHECKED(openRun(twoRanks()));
        Minimap& overview = *m_window->view<Minimap>();
        QTRY_VERIFY(!overview.composition().isEmpty());
        const int left = timelineHeaderWidth;
        const int width = overview.width() - left - 8;
        const QPoint second(left + width * 5 / 8, overview.height() - 12); // step 2 of rank 1
        QTest::mouseClick(&overview, Qt::LeftButton, {}, second);
        const std::int64_t firstNs = state().run().model()->timelines.front().steps.front().range.beginNs;
        const TimeRange step{firstNs + 2'000'000, firstNs + 3'000'000};
        QCOMPARE(state().selection().range(), std::optional(step));
        const TimeRange visible = state().viewport().visibleRange();
        QVERIFY(visible.beginNs <= step.beginNs && visible.endNs >= step.endNs);
        QVERIFY(visible.lengthNs() < 2 * step.lengthNs());
        // The chosen step is a scope: the toolbar names it, and all values can be those of this step.
        const auto& chosen = widgetNamed<QComboBox>(*m_window, "stepChoice");
        QCOMPARE(chosen.currentText(), QStringLiteral("Step 2"));
        auto& scope = widgetNamed<QComboBox>(*m_window, "metricsScope");
        scope.setCurrentIndex(scope.findText(QStringLiteral("step 2")));
        QTRY_VERIFY(overview.composition().stepAt(second, {left, 6, width, 32},
                                                  TimeAxis(state().run().range(), width))
                    && !overview.composition().stepAt({left + width * 3 / 8, second.y()},
                                                      {left, 6, width, 32},
                                                      TimeAxis(state().run().range(), width)));
        QTest::mousePress(&overview, Qt::LeftButton, {}, second);
        QTest::mouseMove(&overview, {left + width / 8, second.y()});
        QTest::mouseRelease(&overview, Qt::LeftButton, {}, {left + width / 8, second.y()});
        QVERIFY(state().viewport().visibleRange().beginNs < step.beginNs - 1'000'000);
        QCOMPARE(state().selection().range(), std::optional(step));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestComposition)
#include "tst_composition.moc"
