// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Every real trace opens in the window, is drawn at several zooms, and the Problems view accounts for all its
// events.

#include "app/window/main_window.h"
#include "model/readers/byte_source.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/suite.h"
#include "views/tables/problems_view.h"
#include "views/timeline/timeline_view.h"

#include <QDir>
#include <QSignalSpy>
#include <QStandardPaths>

namespace collscope {

class TestRealTraces : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

    void opens_data()
    {
        QTest::addColumn<QString>("path");
        for (const QString& path :
             allTraces({QStringLiteral("json"), QStringLiteral("json.gz"), QStringLiteral("sqlite")}))
            QTest::newRow(qUtf8Printable(traceLabel(path))) << path;
    }

    void opens()
    {
        QFETCH(QString, path);
        MainWindow window(UserSettings::Ignore);
        window.resize(1200, 800);
        window.show();
        QSignalSpy opened(&window, &MainWindow::runOpened);
        QSignalSpy failed(&window, &MainWindow::openFailed);
        window.openPaths({path});
        QTRY_VERIFY_WITH_TIMEOUT(!opened.isEmpty() || !failed.isEmpty(), 30000);
        if (opened.isEmpty()) {
            // Some JSON files of the collection are no traces; then the window says what it looked for.
            QVERIFY(failed.first().first().toString().startsWith(QLatin1String("Nothing readable")));
            const std::string head = *readHead(path.toStdString(), 1 << 20);
            QVERIFY2(head.find("\"ph\"") == std::string::npos && !head.starts_with("SQLite format 3"),
                     "this is a trace, and it did not open");
            return;
        }
        const TraceModel& model = *window.viewState()->run().model();
        std::uint64_t listed = 0;
        for (const SourceInfo& source : model.sources) {
            QCOMPARE(source.shown + source.excluded, source.eventsInFile);
            listed += source.excluded;
        }
        QCOMPARE(model.problems.excludedEvents(), listed);
        window.view<TimelineView>()->rows().setThreadsOpen(true);
        for (const double factor : {0.5, 8.0, 1000.0, 1e6}) {
            const TimeRange visible = window.viewState()->viewport().visibleRange();
            window.viewState()->viewport().zoomAround(visible.beginNs + visible.lengthNs() / 3, factor);
            QVERIFY(!window.grab().isNull());
        }
    }
};

COLLSCOPE_TEST(TestRealTraces)

} // namespace collscope

#include "tst_real_traces.moc"
