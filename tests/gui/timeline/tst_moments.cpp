// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Moments as text: since the start, time of day, every nanosecond; and what the timeline copies.

#include "tests/gui/driver/window_test.h"
#include "tests/support/suite/suite.h"
#include "views/common/format.h"
#include "views/common/moment.h"
#include "views/selection_details.h"
#include "views/timeline/timeline_ruler.h"
#include "views/timeline/timeline_view.h"

#include <QAction>
#include <QClipboard>
#include <QMimeData>

namespace collscope {

namespace {

constexpr std::int64_t noon = 1'772'625'600'000'000'000; // 2026-03-04 12:00:00 UTC

TraceModelPtr runAt(std::int64_t zeroNs, bool hasWallClock = true)
{
    auto model = std::make_shared<TraceModel>();
    model->axisZeroNs = zeroNs;
    model->hasWallClock = hasWallClock;
    model->range = {0, 1'000'000};
    return model;
}

} // namespace

class TestMoments : public WindowTest
{
    Q_OBJECT

private:
    void trigger(const char* id) const { m_window->findChild<QAction*>(QLatin1String(id))->trigger(); }
    QAction& action(const char* id) const { return *m_window->findChild<QAction*>(QLatin1String(id)); }
    QImage ruler() const
    {
        return timelineImage().copy(timeline().lanesRect().left(), 0, timeline().lanesRect().width(),
                                    rulerHeight);
    }
    static QString text(TimeFormat format, std::int64_t ns, std::int64_t stepNs, bool hasWallClock = true)
    {
        ViewState state;
        state.setModel(runAt(noon, hasWallClock));
        state.preferences().setTimeFormat(format);
        const QString text = MomentText(state).of(ns, stepNs);
        return QString(text).replace(QChar(0xa0), QLatin1Char(' ')).replace(QChar(0x202f), QLatin1Char(' '));
    }
    void writeFiles() override { writeSmallRun(runPath()); }

private slots:
    void momentsAsTheyWereChosen_data()
    {
        QTest::addColumn<TimeFormat>("format");
        QTest::addColumn<qint64>("ns");
        QTest::addColumn<qint64>("step");
        QTest::addColumn<QString>("expected");
        QTest::newRow("relative") << TimeFormat::Relative << qint64{24'600'000} << qint64{100'000}
                                  << QStringLiteral("24.6 ms");
        QTest::newRow("every ns") << TimeFormat::Nanoseconds << qint64{24'600'123} << qint64{100'000}
                                  << QStringLiteral("24 600 123 ns");
        QTest::newRow("before the start") << TimeFormat::Nanoseconds << qint64{-7} << qint64{1}
                                          << QString(QChar(0x2212)) + QStringLiteral("7 ns");
        QTest::newRow("seconds") << TimeFormat::WallClock << qint64{61'500'000'000} << qint64{1'000'000'000}
                                 << QStringLiteral("12:01:01");
        QTest::newRow("milliseconds") << TimeFormat::WallClock << qint64{1'500'000} << qint64{1'000'000}
                                      << QStringLiteral("12:00:00.001");
        QTest::newRow("nanoseconds") << TimeFormat::WallClock << qint64{1} << qint64{1}
                                     << QStringLiteral("12:00:00.000000001");
        QTest::newRow("before noon") << TimeFormat::WallClock << qint64{-1} << qint64{1}
                                     << QStringLiteral("11:59:59.999999999");
    }
    void momentsAsTheyWereChosen()
    {
        QFETCH(TimeFormat, format);
        QFETCH(qint64, ns);
        QFETCH(qint64, step);
        QFETCH(QString, expected);
        QCOMPARE(text(format, ns, step), expected);
    }
    void withoutAWallClockTimesAreRelative()
    {
        QCOMPARE(text(TimeFormat::WallClock, 24'600'000, 100'000, false), QStringLiteral("24.6 ms"));
        QCOMPARE(wallClockLabel(noon + 5), QStringLiteral("2026-03-04 12:00:00.000000005 UTC"));
    }
    void ticksAreRoundTimesOfTheDay()
    {
        const TimeAxis axis({0, 1'000'000}, 1000);
        const std::int64_t step = axis.tickStep(96);
        QCOMPARE(step, 100'000);
        for (const TimeAxis::Tick& tick : axis.ticks(step, 30'000)) {
            if (tick.major)
                QCOMPARE((tick.timeNs + 30'000) % step, 0);
        }
        QCOMPARE(axis.ticks(step, 30'000).front().timeNs, -10'000);
    }
    void theMenuChangesTheRuler()
    {
        QVERIFY(!action("timeWallClock").isEnabled());
        QVERIFY(openAndWait(*m_window, {runPath()}));
        QVERIFY(action("timeRelative").isChecked());
        const QImage relative = ruler();
        trigger("timeNanoseconds");
        const QImage nanoseconds = ruler();
        QVERIFY(nanoseconds != relative);
        QVERIFY(action("timeNanoseconds").isChecked() && !action("timeRelative").isChecked());
        QCOMPARE(action("timeWallClock").isEnabled(), state().run().model()->hasWallClock);
        trigger("timeRelative");
        QCOMPARE(ruler(), relative);
    }
    void controlASelectsTheWholeRun()
    {
        QVERIFY(openAndWait(*m_window, {runPath()}));
        QTest::keyClick(&timeline(), Qt::Key_A, Qt::ControlModifier);
        QVERIFY(state().selection().range() == state().run().range());
    }
    void controlCCopiesTheSelectedSlices()
    {
        QVERIFY(openAndWait(*m_window, {runPath()}));
        QGuiApplication::clipboard()->setText(QStringLiteral("before"));
        QTest::keyClick(&timeline(), Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("before")); // nothing is selected
        const auto stream = std::find_if(
            state().run().model()->tracks.begin(), state().run().model()->tracks.end(),
            [](const Track& track) { return track.kind == TrackKind::GpuStream && track.slices.size() > 1; });
        const TrackId track{static_cast<std::uint32_t>(stream - state().run().model()->tracks.begin())};
        state().selection().setSlice({track, 0});
        state().selection().toggleSlice({track, 1});
        QTest::keyClick(&timeline(), Qt::Key_C, Qt::ControlModifier);
        const QStringList lines
            = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 3);
        QVERIFY(lines[0].contains(QStringLiteral("duration_ns")));
        QVERIFY(lines[1].startsWith(toText(state().run().model()->nameOf({track, 0}))));
        QVERIFY(lines[2].contains(QString::number(stream->slices.durationNs[1])));
        QVERIFY(QGuiApplication::clipboard()->mimeData()->hasFormat(QStringLiteral("text/csv")));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestMoments)
#include "tst_moments.moc"
