// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What other programs measured: latencies of a server, what a training program logged, passes in the
// timeline.

#include "tests/gui/driver/window_test.h"
#include "tests/support/suite/suite.h"
#include "views/common/palette.h"
#include "views/measurements/latency_view.h"
#include "views/measurements/small_chart.h"
#include "views/measurements/training_view.h"
#include "views/tables/cell_table.h"
#include "views/timeline/timeline_ruler.h"

#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QTabWidget>

#include <fstream>

namespace collscope {

class TestMeasurementViews : public WindowTest
{
    Q_OBJECT

private:
    LatencyView& latencies() const { return *m_window->view<LatencyView>(); }
    TrainingView& training() const { return *m_window->view<TrainingView>(); }
    bool isTabVisible(QWidget& view) const
    {
        const auto* tabs = m_window->findChild<QTabWidget*>();
        return tabs->isTabVisible(tabs->indexOf(&view));
    }
    QString path(const char* name) const { return m_folder.filePath(QLatin1String(name)); }
    static void write(const QString& file, const std::string& text)
    {
        QDir().mkpath(QFileInfo(file).path());
        std::ofstream(file.toStdString(), std::ios::binary) << text;
    }
    static std::string benchmark(double longest)
    {
        std::string times;
        for (int i = 1; i < 100; ++i)
            times += std::to_string(0.010 + 0.0001 * i) + ",";
        return R"({"backend":"vllm","completed":100,"duration":4,"output_throughput":250,"median_tpot_ms":12,)"
               R"("p99_tpot_ms":20,"mean_tpot_ms":13,"request_throughput":25,"mean_ttft_ms":1,"ttfts":[)"
            + times + std::to_string(longest) + "]}";
    }

    void writeFiles() override
    {
        writeSmallRun(runPath());
        const auto pass = [](const char* name, int start) {
            return std::string(R"({"ph":"X","cat":"user_annotation","pid":1,"tid":1,"dur":100,"name":")")
                + name + "\",\"ts\":" + std::to_string(start) + "}";
        };
        write(path("served/rank0_trace.json"),
              R"({"traceEvents":[{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":0,"dur":300,)"
              R"("args":{"stream":7}},)"
                  + pass("execute_context_1(64)_generation_0(0)", 0) + ","
                  + pass("execute_context_0(0)_generation_1(1)", 100) + ","
                  + pass("execute_context_0(0)_generation_1(1)", 200) + "]}");
        write(path("served/first.json"), benchmark(0.5));
        write(path("served/second.json"), benchmark(0.9));
        write(path("alone/first.json"), benchmark(0.5));
        std::string log;
        for (int step = 1; step <= 20; ++step)
            log += "[rank0]: step: " + std::to_string(step) + "  loss: " + std::to_string(8.0 - 0.1 * step)
                + "  memory: 40.00GiB(50.0%)  tps: 7,000  mfu: 38.00%\n";
        write(path("trained/rank0_trace.json"),
              R"({"traceEvents":[{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":0,"dur":3}]})");
        write(path("trained/train.log"), log);
    }
    void openFirst() override { }

private slots:
    void onlyWhereSomethingWasMeasured()
    {
        QVERIFY(openAndWait(*m_window, {runPath()}));
        QVERIFY(!isTabVisible(latencies()) && !isTabVisible(training()));
        QVERIFY(openAndWait(*m_window, {path("served")}));
        QVERIFY(isTabVisible(latencies()) && !isTabVisible(training()));
        QVERIFY(openAndWait(*m_window, {path("trained")}));
        QVERIFY(!isTabVisible(latencies()) && isTabVisible(training()));
    }
    /// Without a timeline no part of it is in view.
    void noLengthWithoutATimeline()
    {
        const auto& shown = *m_window->findChild<QLabel*>(QStringLiteral("rangeLabel"));
        QVERIFY(openAndWait(*m_window, {path("served")}));
        QVERIFY(shown.text().startsWith(QStringLiteral("View")));
        QVERIFY(openAndWait(*m_window, {path("alone")}));
        QVERIFY(isTabVisible(latencies()));
        QVERIFY(shown.text().isEmpty());
    }
    void percentilesAndDistribution()
    {
        QVERIFY(openAndWait(*m_window, {path("served")}));
        m_window->findChild<QTabWidget*>()->setCurrentWidget(&latencies());
        QCOMPARE(latencies().chooser()->count(), 2);
        const QAbstractItemModel& model = *latencies().table()->model();
        QCOMPARE(model.rowCount(), 2); // TTFT, TPOT
        const int first = latencies().table()->shownRow(0);
        QCOMPARE(model.index(first, 6).data().toString(), QStringLiteral("500"));
        QCOMPARE(model.index(first, 7).data().toString(), QStringLiteral("100"));
        const SmallChart& chart = *latencies().chart();
        QCOMPARE(chart.content().marks.size(), std::size_t{3});
        QCOMPARE(chart.content().marks.front().label, QStringLiteral("median 15.1"));
        // The bar of most requests answers to the mouse.
        const auto bar = chart.pointAt(chart.positionOf({chart.content().points[1].x() + 1, 1}).toPoint());
        QVERIFY(bar);
        QVERIFY(
            chart.content().describe(*bar).startsWith(QStringLiteral("66 of 8.33 to 16.7"))); // 10.1 to 16.6
        QVERIFY(!chart.pointAt({0, 0}));
        // The other benchmark, by keys.
        latencies().chooser()->setFocus();
        QTest::keyClick(latencies().chooser(), Qt::Key_Down);
        QCOMPARE(model.index(latencies().table()->shownRow(0), 6).data().toString(), QStringLiteral("900"));
        // A kind whose times the file does not list has figures, and says why there are no bars.
        const int second = latencies().table()->shownRow(1);
        const QRect cell = latencies().table()->visualRect(model.index(second, 0));
        QTest::mouseClick(latencies().table()->viewport(), Qt::LeftButton, {}, cell.center());
        QCOMPARE(model.index(second, 2).data().toString(), QStringLiteral("12.0"));
        QVERIFY(chart.content().points.empty());
        QVERIFY(chart.content().title.contains(QStringLiteral("does not list individual times")));
    }
    void figuresOfALogOverSteps()
    {
        QVERIFY(openAndWait(*m_window, {path("trained")}));
        m_window->findChild<QTabWidget*>()->setCurrentWidget(&training());
        QStringList titles;
        for (const SmallChart* chart : training().charts())
            titles << chart->content().title;
        QCOMPARE(titles,
                 (QStringList{QStringLiteral("Loss"), QStringLiteral("Tokens/s per GPU"),
                              QStringLiteral("Memory GB"), QStringLiteral("MFU %")}));
        const SmallChart& loss = *training().charts().front();
        QCOMPARE(loss.content().points.size(), std::size_t{20});
        QVERIFY(QTest::qWaitFor([&] { return loss.isVisible() && loss.width() > 100; }));
        const auto point = loss.pointAt(loss.positionOf({7.1, 7.3}).toPoint());
        QCOMPARE(point, std::optional<std::size_t>(6));
        QCOMPARE(loss.content().describe(*point), QStringLiteral("step 7: Loss 7.3"));
    }
    void passesHaveColours()
    {
        QVERIFY(openAndWait(*m_window, {path("served")}));
        state().viewport().setVisibleRange({0, 300'000});
        const QImage picture = timeline().viewport()->grab().toImage();
        const QPalette palette = timeline().palette();
        bool prefill = false, decode = false;
        const auto y = static_cast<int>((rulerHeight + stepsHeight / 2.0) * picture.devicePixelRatio());
        for (int x = 0; x < picture.width(); ++x) {
            prefill |= picture.pixelColor(x, y) == passColor(PassKind::Prefill, palette);
            decode |= picture.pixelColor(x, y) == passColor(PassKind::Decode, palette);
        }
        QVERIFY(prefill && decode);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestMeasurementViews)
#include "tst_measurement_views.moc"
