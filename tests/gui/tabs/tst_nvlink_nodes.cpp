// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The NVLink chart with counters of two nodes that number their GPUs alike, and all GPUs as a map.

#include "tests/gui/driver/window_driver.h"
#include "tests/gui/tabs/shown_nvlink_chart.h"
#include "tests/support/runs/two_nodes.h"
#include "tests/support/suite/suite.h"
#include "views/common/theme.h"
#include "views/tables/kernel_table.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QTest>
#include <QToolButton>

namespace collscope {

class TestNvlinkNodes : public QObject
{
    Q_OBJECT

private:
    const TraceModelPtr m_model = eightLinks();
    std::unique_ptr<ViewState> m_state;
    std::unique_ptr<ShownChart> m_shown;

    ShownChart& chart() { return *m_shown; }

private slots:
    void initTestCase() { applyTheme(*qApp, ThemeChoice::Light); }
    void init()
    {
        m_state = std::make_unique<ViewState>();
        m_shown = std::make_unique<ShownChart>(m_state.get());
        m_state->setModel(m_model);
        m_state->viewport().setVisibleRange({0, 12 * ms});
        chart().giveCurves(m_model);
    }
    void cleanup()
    {
        m_shown.reset();
        m_state.reset();
    }

    /// The same numbers on both nodes: the chart is that of the rank, and a GPU without a rank claims none.
    void aRankOfTheOtherNode()
    {
        const TwoNodes nodes;
        const RunFolder folder;
        nodes.writeTraces(folder, "run", true);
        nodes.writeNode(folder, 0, "run/counters1");
        nodes.writeCounters(folder, 1, "run/counters2");
        folder.write("run/counters2/nvlink_sampler.txt", nodes.note(1));
        const TraceModelPtr model = folder.load("run");
        QVERIFY(model);
        ViewState state;
        ShownChart shown(&state);
        state.setModel(model);
        shown.giveCurves(model);
        auto& chooser = widgetNamed<QComboBox>(*shown, "nvlinkDevice");
        QCOMPARE(chooser.count(), TwoNodes::ranks);
        for (int rank = 0; rank < TwoNodes::ranks; ++rank) { // by rank, not by the order of the files
            QCOMPARE(chooser.itemText(rank),
                     QStringLiteral("Rank %1: GPU %2 of node%3")
                         .arg(rank)
                         .arg(rank % TwoNodes::gpusPerNode)
                         .arg(QLatin1Char(rank < TwoNodes::gpusPerNode ? 'a' : 'b')));
        }
        const auto sliceOf = [&](std::int32_t rank) {
            for (std::uint32_t track = 0; track < model->tracks.size(); ++track) {
                const SliceRef slice{TrackId{track}, 0};
                if (model->tracks[track].kind == TrackKind::GpuStream
                    && model->timelineOf(slice).rank == rank)
                    return slice;
            }
            return SliceRef{};
        };
        const auto sentOfShown = [&] {
            std::uint64_t bytes = 0;
            for (const LinkSeries& series : model->nvlink[shown->device().value_or(0)].series) {
                for (const std::uint64_t one : series.bytes)
                    bytes += series.direction == LinkDirection::Tx ? one : 0;
            }
            return bytes;
        };
        for (const int rank : {6, 1, 5}) {
            state.selection().setSlice(sliceOf(rank));
            QCOMPARE(sentOfShown(), nodes.sentBy(rank));
            QVERIFY(chooser.toolTip().startsWith(QStringLiteral("Rank %1: by host").arg(rank)));
            // The kernels of its peak are those of that rank.
            KernelTable table(&state);
            QObject::connect(
                &table, &KernelTable::kernelsWanted, &table, [&](const KernelQuestion& question) {
                    table.setKernels(
                        std::make_shared<const std::vector<KernelOverlap>>(kernelsOf(*model, question)));
                });
            state.viewport().setVisibleRange(state.run().range());
            QVERIFY(!shown->peaks().empty());
            const std::size_t device = shown->device().value_or(0);
            state.selection().setPeak(ViewSelection::Peak{device, shown->peaks().front().range});
            QCOMPARE(state.selection().rankOf(*state.selection().peak()), std::optional<std::int32_t>(rank));
            QVERIFY(model->timelineOf(table.sliceAt(0)).rank == rank);
            state.selection().setPeak(std::nullopt);
        }
    }
    /// GPU 1 moves a thousandth of GPU 0: on the map its row is pale, and a click on it lists its kernels.
    void allGpusAsAMap()
    {
        const QImage lines = chart().image();
        auto& links = widgetNamed<QPushButton>(*chart(), "nvlinkLinks");
        QAction* const entry = entryNamed(*links.menu(), QStringLiteral("allGpus"));
        QVERIFY(entry && entry->isVisible());
        entry->trigger();
        QCOMPARE(links.text(), QStringLiteral("All GPUs"));
        QVERIFY(chart()->isHeatMap());
        const auto* const logarithmic = chart()->findChild<QToolButton*>(QStringLiteral("logarithmic"));
        QVERIFY(!logarithmic->isEnabled()); // it would change nothing
        const QImage map = chart().image();
        QVERIFY(map != lines);
        const auto pixel = [&](std::size_t device, double atMs) {
            return map.pixelColor(QPoint(chart().columnOf(std::llround(atMs * ms), *m_state),
                                         static_cast<int>(chart()->rowOf(device).center().y()))
                                  * map.devicePixelRatio());
        };
        const QColor highest = pixel(0, 2.5), low = pixel(0, 1.5), pale = pixel(1, 2.5), absent = pixel(0, 6);
        QVERIFY(highest != low && low != absent && pixel(0, 0.5) == absent && pixel(1, 6) == absent);
        QCOMPARE(pixel(0, 8.5).lightness() < pixel(0, 1.5).lightness(), true); // 6 of 10 against 1 of 10
        QVERIFY(highest.lightness() < pixel(0, 8.5).lightness());
        QVERIFY(pale != highest && pale.lightness() > low.lightness());
        const ChartLegend legend = chart()->legend();
        QCOMPARE(legend.entries.size(), std::size_t{4});
        QVERIFY(legend.entries[2].lines[0].name.startsWith(QStringLiteral("360")));
        QCOMPARE(legend.entries[2].lines[0].color, highest);
        QCOMPARE(legend.entries[3].lines[0].color, absent);
        // The row under the mouse is named.
        const QPoint onSecond(chart().columnOf(2 * ms + ms / 2, *m_state),
                              static_cast<int>(chart()->rowOf(1).center().y()));
        QTest::mouseMove(chart()->viewport(), onSecond - QPoint(3, 0));
        QTest::mouseMove(chart()->viewport(), onSecond);
        QVERIFY2(chart()->hoverText().contains(QStringLiteral("GPU 1: TX 0.360, RX 0.036 GB/s")),
                 qPrintable(chart()->hoverText()));
        QTest::mouseClick(chart()->viewport(), Qt::LeftButton, {}, onSecond);
        QCOMPARE(chart()->device().value_or(9), std::size_t{1});
        QVERIFY(m_state->selection().peak()
                && *m_state->selection().peak() == (ViewSelection::Peak{1, {2 * ms, 3 * ms}}));
        entryNamed(*links.menu(), QStringLiteral("linksSummed"))->trigger();
        QVERIFY(!chart()->isHeatMap() && !entry->isChecked());
        QVERIFY(logarithmic->isEnabled());
        QVERIFY(chart()->legend().entries.empty());
    }
    /// GPU 0 needs what it sends at its peak, and nothing is told of its last sample.
    void needsBelowWhatWasCounted()
    {
        entryNamed(*widgetNamed<QPushButton>(*chart(), "nvlinkLinks").menu(), QStringLiteral("allGpus"))
            ->trigger();
        const std::size_t entries = chart()->legend().entries.size();
        auto needs = std::make_shared<NvlinkNeeds>();
        const auto known = std::make_shared<StepFunction>(StepFunction{
            {1 * ms, 2 * ms, 3 * ms, 10 * ms, 11 * ms}, {0, 360, 180, std::nan(""), std::nan("")}});
        needs->devices = {SampledCurve(known), SampledCurve()};
        chart()->setNeeds(needs);
        const QImage map = chart().image();
        const auto pixel = [&](std::size_t device, double atMs, bool isLower) {
            const QRectF row = chart()->rowOf(device);
            return map.pixelColor(QPoint(chart().columnOf(std::llround(atMs * ms), *m_state),
                                         static_cast<int>(isLower ? row.bottom() - 4 : row.top() + 4))
                                  * map.devicePixelRatio());
        };
        QCOMPARE(pixel(0, 2.5, true), pixel(0, 2.5, false)); // 360 GB/s both
        QVERIFY(pixel(0, 1.5, true).lightness() > pixel(0, 1.5, false).lightness()); // 0 against 36 GB/s
        QVERIFY(pixel(0, 3.5, true).lightness() < pixel(0, 3.5, false).lightness()); // 180 against 72 GB/s
        const QColor absent = pixel(0, 6, false);
        QCOMPARE(pixel(0, 10.5, true), absent);
        QVERIFY(pixel(0, 10.5, false) != absent);
        QCOMPARE(pixel(1, 2.5, true), absent);
        QCOMPARE(chart()->legend().entries.size(), entries + 1);
        // Rows of many GPUs have no room for two parts: the legend promises only what is painted.
        for (const double height : {14.0, 15.0, 16.0, 17.0, 18.0, 19.0, 20.0}) {
            const NvlinkHeat& heat = chart()->heatMap();
            const QRectF plot(0, 0, 800, height);
            QImage image(800, 20, QImage::Format_RGB32);
            image.fill(Qt::black);
            QPainter painter(&image);
            heat.paint(painter, plot, TimeAxis({0, 12 * ms}, 800), std::nullopt, chart()->palette());
            painter.end();
            const QColor top = image.pixelColor(100, 1); // 0 is needed, 36 GB/s were counted
            bool isDivided = false;
            for (int y = 1; y < static_cast<int>(height / 2) - 1; ++y)
                isDivided |= image.pixelColor(100, y) != top;
            QCOMPARE(heat.legend(plot, chart()->palette()).entries.size(), entries + (isDivided ? 1 : 0));
            QCOMPARE(isDivided, height >= 18);
        }
        const auto hovered = [&](std::size_t device, double atMs) {
            const QPoint at(chart().columnOf(std::llround(atMs * ms), *m_state),
                            static_cast<int>(chart()->rowOf(device).center().y()));
            QTest::mouseMove(chart()->viewport(), at - QPoint(3, 0));
            QTest::mouseMove(chart()->viewport(), at);
            return chart()->hoverText();
        };
        QVERIFY2(hovered(0, 2.5).contains(QStringLiteral("collectives need 360")),
                 qPrintable(hovered(0, 2.5)));
        QVERIFY(hovered(0, 1.5).contains(QStringLiteral("collectives need 0")));
        QVERIFY(!hovered(0, 10.5).contains(QStringLiteral("need")));
        QVERIFY(!hovered(1, 2.5).contains(QStringLiteral("need")));
        m_state->setModel(m_model); // other curves have other needs
        chart().giveCurves(m_model);
        QCOMPARE(chart()->legend().entries.size(), entries);
    }
    void aGpuWithoutARank()
    {
        const TwoNodes nodes;
        const RunFolder folder;
        nodes.writeTraces(folder, "run", true);
        nodes.writeNode(folder, 0, "run/counters1");
        nodes.writeCounters(folder, 1, "run/counters2");
        const TraceModelPtr model = folder.load("run");
        QVERIFY(model);
        ViewState state;
        ShownChart shown(&state);
        state.setModel(model);
        shown.giveCurves(model);
        auto& chooser = widgetNamed<QComboBox>(*shown, "nvlinkDevice");
        QCOMPARE(chooser.itemText(7), QStringLiteral("GPU 3 of counters2"));
        chooser.setCurrentIndex(7);
        QVERIFY(chooser.toolTip().startsWith(QStringLiteral("Rank not known: nothing says of which node")));
        QVERIFY2(!shown->peaks().empty(), "its throughput is shown all the same");
        KernelTable table(&state);
        state.selection().setPeak(
            ViewSelection::Peak{shown->device().value_or(0), shown->peaks().front().range});
        QVERIFY(!state.selection().rankOf(*state.selection().peak()));
        const QString caption = table.findChildren<QLabel*>().first()->text();
        QVERIFY2(caption.startsWith(QStringLiteral("The rank of GPU 3 of counters2 is not known")),
                 qPrintable(caption));
        QCOMPARE(table.findChild<QAbstractItemView*>()->model()->rowCount(), 0);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestNvlinkNodes)
#include "tst_nvlink_nodes.moc"
