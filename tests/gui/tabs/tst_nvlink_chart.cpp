// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The NVLink chart by mouse and keys: links, scale, peaks, gaps, and what hovering says.

#include "tests/gui/driver/window_driver.h"
#include "tests/gui/tabs/shown_nvlink_chart.h"
#include "tests/support/runs/small_run.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/suite.h"
#include "views/common/palette.h"
#include "views/common/theme.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QLogValueAxis>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QSpinBox>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <QValueAxis>

#include <cmath>

namespace collscope {

class TestNvlinkChart : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<ViewState> m_state;
    std::unique_ptr<ShownChart> m_shown;
    TraceModelPtr m_model = eightLinks();

    ShownChart& chart() { return *m_shown; }
    QPushButton& linksButton() { return widgetNamed<QPushButton>(*chart(), "nvlinkLinks"); }
    /// Opens the menu of links with Space and works on it.
    void inLinksMenu(const std::function<void(QMenu&)>& work)
    {
        bool done = false;
        QTimer::singleShot(0, this, [&] {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            QVERIFY(menu);
            work(*menu);
            done = true;
            menu->close();
        });
        linksButton().setFocus();
        QTest::keyClick(&linksButton(), Qt::Key_Space);
        QVERIFY2(done, "no menu");
        QCoreApplication::processEvents();
    }
    static void clickLink(QMenu& menu, int link)
    {
        QAction* const entry = entryNamed(menu, QStringLiteral("link%1").arg(link));
        QVERIFY(entry);
        QTest::mouseClick(&menu, Qt::LeftButton, {}, menu.actionGeometry(entry).center());
    }
    void hover(double atMs) { m_state->selection().setHoverTime(std::llround(atMs * ms)); }
    int markerCount()
    {
        int count = 0;
        for (std::size_t i = 0; i < chart()->peaks().size(); ++i)
            count += chart()->peakPosition(i) ? 1 : 0;
        return count;
    }

private slots:
    void initTestCase() { applyTheme(*qApp, ThemeChoice::Light); }
    void init()
    {
        m_state = std::make_unique<ViewState>();
        m_shown = std::make_unique<ShownChart>(m_state.get());
        m_state->setModel(m_model);
        m_state->viewport().setVisibleRange({0, 12 * ms});
        chart().giveCurves(m_model);
        QCOMPARE(chart()->device().value_or(9), std::size_t{0});
    }
    void cleanup()
    {
        m_shown.reset();
        m_state.reset();
    }

    void theSumStopsWhereNothingWasSampled()
    {
        const auto tx = chart().lines(txColor(chart()->palette()));
        QCOMPARE(tx.size(), 2);
        const double pixelsPerMs = (1000.0 - timelineHeaderWidth) / 12;
        QCOMPARE(std::round(tx[0]->points().first().x()), std::round(1 * pixelsPerMs));
        QCOMPARE(std::round(tx[0]->points().last().x()), std::round(5 * pixelsPerMs));
        QCOMPARE(std::round(tx[1]->points().first().x()), std::round(7 * pixelsPerMs));
        QCOMPARE(std::round(tx[1]->points().last().x()), std::round(11 * pixelsPerMs));
        QCOMPARE(tx[0]->points().first().y(), 36.0); // and not the 0 of before
        m_state->viewport().setVisibleRange({5 * ms, 7 * ms});
        QCOMPARE(chart().lineCount(), 0);
        m_state->viewport().setVisibleRange({2 * ms, 4 * ms});
        QCOMPARE(chart().lineCount(), 2); // TX and RX
    }
    void linksAreChosenInTheMenu()
    {
        QCOMPARE(linksButton().text(), QStringLiteral("All links"));
        QVERIFY(chart()->legend().entries.empty());
        CHECKED(inLinksMenu([&](QMenu& menu) {
            clickLink(menu, 2);
            QVERIFY2(menu.isVisible(), "several links need one visit");
            clickLink(menu, 7);
        }));
        QCOMPARE(chart()->links(), (std::vector<std::uint32_t>{2, 7}));
        QCOMPARE(chart().lineCount(), 8); // TX and RX of two links before and after the gap
        QCOMPARE(linksButton().text(), QStringLiteral("2 links"));
        const ChartLegend legend = chart()->legend();
        QCOMPARE(legend.entries.size(), std::size_t{2});
        QCOMPARE(legend.entries[1].name, QStringLiteral("Link 7"));
        QCOMPARE(legend.entries[1].lines[0].name, QStringLiteral("TX"));
        // The line of that colour is that link's: link 7 sends 8 x 10 GB/s at its peak, and receives 8.
        const auto highest = [&](const QColor& color) {
            double found = 0;
            for (const QLineSeries* line : chart().lines(color)) {
                for (const QPointF& point : line->points())
                    found = std::max(found, point.y());
            }
            return found;
        };
        QCOMPARE(highest(legend.entries[1].lines[0].color), 80.0);
        QCOMPARE(highest(legend.entries[1].lines[1].color), 8.0);
        QCOMPARE(highest(legend.entries[0].lines[0].color), 30.0);
        // Keys: the first entry is "All links summed".
        CHECKED(inLinksMenu([&](QMenu& menu) {
            QTest::keyClick(&menu, Qt::Key_Down);
            QTest::keyClick(&menu, Qt::Key_Space);
        }));
        QVERIFY(chart()->links().empty());
        QCOMPARE(chart().lineCount(), 4);
    }
    void atMostSixLinks()
    {
        chart()->setLinks({0, 1, 2, 3, 4, 5, 6, 7});
        QCOMPARE(chart()->links().size(), std::size_t{6});
        CHECKED(inLinksMenu([&](QMenu& menu) {
            QVERIFY(!menu.actions().last()->isEnabled());
            clickLink(menu, 7);
            clickLink(menu, 0);
            QVERIFY2(menu.actions().last()->isEnabled(), "there is room again");
            clickLink(menu, 7);
        }));
        QCOMPARE(chart()->links(), (std::vector<std::uint32_t>{1, 2, 3, 4, 5, 7}));
    }
    void shadesCanBeToldApart()
    {
        for (const ThemeChoice theme : {ThemeChoice::Light, ThemeChoice::Dark}) {
            applyTheme(*qApp, theme);
            std::vector<QColor> shades;
            for (std::size_t i = 0; i < linkColorCount; ++i) {
                shades.push_back(linkTxColor(i, qApp->palette()));
                shades.push_back(linkRxColor(i, qApp->palette()));
                QVERIFY2(shades[2 * i].blue() > shades[2 * i].red()
                             || shades[2 * i].green() > shades[2 * i].red(),
                         "TX is cool");
                QVERIFY2(shades[2 * i + 1].red() >= shades[2 * i + 1].blue(), "RX is warm");
            }
            for (std::size_t i = 0; i < shades.size(); ++i) {
                for (std::size_t j = 0; j < i; ++j) {
                    const int distance = std::abs(shades[i].red() - shades[j].red())
                        + std::abs(shades[i].green() - shades[j].green())
                        + std::abs(shades[i].blue() - shades[j].blue());
                    QVERIFY(distance > 60);
                }
            }
        }
        applyTheme(*qApp, ThemeChoice::Light);
    }
    void zerosLieOnTheLowestPowerOfTen()
    {
        auto& log = widgetNamed<QToolButton>(*chart(), "logarithmic");
        log.setFocus();
        QTest::keyClick(&log, Qt::Key_Space);
        QVERIFY(chart()->isLogarithmic());
        // The sum of all links: TX at most 360 GB/s, RX at least 1.8.
        auto* axis = qobject_cast<QLogValueAxis*>(chart()->chart()->axes(Qt::Vertical).last());
        QVERIFY(axis && axis->isVisible());
        QCOMPARE(axis->min(), 1.0);
        QCOMPARE(axis->max(), 1000.0);
        QCOMPARE(chart().lineCount(), 4);
        for (const QLineSeries* line : chart().lines(txColor(chart()->palette()))) {
            double lowest = 1e9;
            for (const QPointF& point : line->points())
                lowest = std::min(lowest, point.y());
            QCOMPARE(lowest, 1.0); // both have samples of 0
        }
        // It stays for the next run of this window.
        m_state->setModel(nullptr);
        m_state->setModel(m_model);
        chart().giveCurves(m_model);
        QVERIFY(chart()->isLogarithmic());
        QTest::mouseClick(&log, Qt::LeftButton);
        QVERIFY(!chart()->isLogarithmic() && !axis->isVisible());
        QCOMPARE(chart().lines(txColor(chart()->palette())).last()->points().first().y(), 0.0);
    }
    void markersOfTheMostProminentPeaksOnly()
    {
        // TX and RX rise to the same three peaks: at 2.5, 8.5 and 10.5 ms.
        auto& count = widgetNamed<QSpinBox>(*chart(), "peakCount");
        QCOMPARE(count.value(), 8);
        QCOMPARE(markerCount(), 3);
        const std::size_t peaks = chart()->peaks().size();
        count.setFocus();
        count.selectAll();
        QTest::keyClicks(&count, QStringLiteral("1"));
        QCOMPARE(markerCount(), 1);
        QCOMPARE(chart()->peaks().size(), peaks);
        const auto best = chart()->peakPosition(0);
        QVERIFY(best);
        QCOMPARE(best->x(), chart().columnOf(2 * ms + ms / 2, *m_state));
        // What has no marker cannot be clicked.
        const QPoint second(chart().columnOf(8 * ms + ms / 2, *m_state), best->y());
        QTest::mouseClick(chart()->viewport(), Qt::LeftButton, {}, second);
        QVERIFY(!m_state->selection().peak());
        QTest::keyClick(&count, Qt::Key_Up);
        QCOMPARE(markerCount(), 2);
        QTest::mouseClick(chart()->viewport(), Qt::LeftButton, {}, second);
        QVERIFY(m_state->selection().peak()
                && m_state->selection().peak()->range == (TimeRange{8 * ms, 9 * ms}));
        // Of those in sight.
        m_state->viewport().setVisibleRange({7 * ms, 12 * ms});
        QCOMPARE(markerCount(), 2);
        chart()->setPeakCount(0);
        QCOMPARE(markerCount(), 0);
    }
    void hoveringSaysWhatTheSampleIsTrueOf()
    {
        QVERIFY(chart()->hoverText().isEmpty());
        hover(2.9);
        QCOMPARE(chart()->hoverText(), QStringLiteral("sample 1.00\u00a0ms: TX 360, RX 36.0 GB/s"));
        QCOMPARE(chart()->hoveredSample().value_or(TimeRange()), (TimeRange{2 * ms, 3 * ms}));
        hover(6);
        QCOMPARE(chart()->hoverText(), QStringLiteral("no sample"));
        QVERIFY(!chart()->hoveredSample());
        chart()->setLinks({0, 1});
        hover(8.1);
        QCOMPARE(chart()->hoverText(), QStringLiteral("sample 1.00\u00a0ms: TX 18.0, RX 1.80 GB/s"));
    }
    void theSampleIsABand()
    {
        const int y = chart()->height() / 2 + 3; // on no grid line
        const QImage before = chart().image();
        hover(2.9);
        const QImage after = chart().image();
        const auto changed = [&](double atMs) {
            const int x = chart().columnOf(std::llround(atMs * ms), *m_state);
            return before.pixel(x, y) != after.pixel(x, y);
        };
        QVERIFY(changed(2.05) && changed(2.5) && changed(2.95));
        QVERIFY(!changed(1.95) && !changed(3.05) && !changed(5.5));
    }
    void theSampleDoesNotHideTheNamedPeak()
    {
        // Columns of the strip above the plot that hovering changes.
        const auto changed = [&] {
            m_state->selection().setHoverTime(std::nullopt);
            const QImage before = chart().image();
            hover(4.5); // the cross-hair at 4.5 ms is of no interest
            const QImage after = chart().image();
            const int line = chart().columnOf(4 * ms + ms / 2, *m_state);
            std::pair<int, int> span{before.width(), 0};
            for (int x = timelineHeaderWidth; x < before.width(); ++x) {
                for (int y = 2; y < 16; ++y) {
                    if (before.pixel(x, y) != after.pixel(x, y) && std::abs(x - line) > 2)
                        span = {std::min(span.first, x), std::max(span.second, x)};
                }
            }
            return span;
        };
        // The highest peak is named, at 2.5 ms: the text has the right end to itself.
        QVERIFY(changed().first > chart().columnOf(6 * ms, *m_state));
        // Named at the right end, the peak keeps it.
        m_state->selection().setPeak(ViewSelection::Peak{0, {10 * ms, 11 * ms}});
        const auto [left, right] = changed();
        QVERIFY(left < right);
        QVERIFY(right < chart().columnOf(8 * ms, *m_state));
    }
    void theHeaderIsNoPlot()
    {
        QTest::mouseMove(chart()->viewport(), {400, 100});
        QTest::mouseMove(chart()->viewport(), {402, 100});
        QVERIFY(m_state->selection().hoverTime());
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(chart()->viewport(), &leave);
        QVERIFY2(!m_state->selection().hoverTime(), "the cross-hair stays where the mouse no longer is");
    }
    void tabReachesEachControl()
    {
        auto& chooser = widgetNamed<QComboBox>(*chart(), "nvlinkDevice");
        chart()->activateWindow();
        chooser.setFocus();
        QStringList names;
        for (int i = 0; i < 4; ++i) {
            names << QApplication::focusWidget()->objectName();
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        }
        QCOMPARE(names,
                 (QStringList{QStringLiteral("nvlinkDevice"), QStringLiteral("nvlinkLinks"),
                              QStringLiteral("logarithmic"), QStringLiteral("peakCount")}));
    }
    void anotherGpuHasAScaleOfItsOwn()
    {
        chart()->setLinks({3});
        chart()->setDevice(1);
        QCOMPARE(chart()->links(), std::vector<std::uint32_t>{3});
        auto* axis = qobject_cast<QValueAxis*>(chart()->chart()->axes(Qt::Vertical).first());
        QVERIFY(axis->max() < 0.1);
        hover(2.5);
        QCOMPARE(chart()->hoverText(), QStringLiteral("sample 1.00\u00a0ms: TX 0.040, RX 0.004 GB/s"));
    }
    /// A run of two ranks on GPU 0 and 1, with one kernel each.
    void followsTheRankOfTheEvidence()
    {
        SmallRun run(2);
        for (const int rank : {0, 1})
            run.kernel(rank, 0, 500);
        const auto model = std::const_pointer_cast<TraceModel>(run.load()); // nobody else has it yet
        model->nvlink = m_model->nvlink;
        ViewState state;
        ShownChart follower(&state);
        state.setModel(model);
        follower.giveCurves(model);
        const auto shown = [&] { return follower->device().value_or(9); };
        const auto kernelOf = [&](std::int32_t rank) {
            for (std::uint32_t track = 0; track < model->tracks.size(); ++track) {
                const SliceRef slice{TrackId{track}, 0};
                if (model->tracks[track].kind == TrackKind::GpuStream
                    && model->timelineOf(slice).rank == rank)
                    return slice;
            }
            return SliceRef{};
        };
        QCOMPARE(shown(), std::size_t{0});
        state.emphasis().setEvidence({kernelOf(1)}, {});
        QCOMPARE(shown(), std::size_t{1});
        state.emphasis().setEvidence({kernelOf(0), kernelOf(1)}, {}); // which includes GPU 1
        QCOMPARE(shown(), std::size_t{1});
        state.selection().setSlice(kernelOf(0));
        QCOMPARE(shown(), std::size_t{0});
    }
    /// All eight GPUs of a node are in the list at once.
    void theListOfGpus()
    {
        QComboBox list;
        for (int gpu = 0; gpu < 8; ++gpu)
            list.addItem(QStringLiteral("GPU %1").arg(gpu));
        list.show();
        list.showPopup();
        QTRY_VERIFY(list.view()->isVisible());
        const QRect last = list.view()->visualRect(list.model()->index(7, 0));
        QVERIFY(list.view()->viewport()->rect().contains(last));
        QCOMPARE(list.view()->verticalScrollBar()->maximum(), 0);
        list.hidePopup();
    }
    void twoChartsSideBySide()
    {
        ShownChart sameRun(m_state.get());
        sameRun.giveCurves(m_model);
        sameRun->setLinks({5});
        sameRun->setDevice(1);
        sameRun->setLogarithmic(true);
        QVERIFY(chart()->links().empty() && !chart()->isLogarithmic());
        QCOMPARE(chart()->device().value_or(9), std::size_t{0});
        hover(2.5);
        QVERIFY(chart()->hoveredSample() && sameRun->hoveredSample() == chart()->hoveredSample());

        ViewState other;
        ShownChart otherRun(&other);
        QVERIFY(!otherRun->isComputing());
        other.setModel(eightLinks());
        QVERIFY(otherRun->isComputing());
        otherRun.giveCurves(other.run().model());
        QVERIFY(otherRun->hoverText().isEmpty());
        QVERIFY(other.viewport().visibleRange() != m_state->viewport().visibleRange()
                || !other.selection().hoverTime());
        m_state->setModel(nullptr);
        QVERIFY(!otherRun->peaks().empty() && chart()->peaks().empty());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestNvlinkChart)
#include "tst_nvlink_chart.moc"
