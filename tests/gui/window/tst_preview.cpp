// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A large run can be panned before all of it is loaded.

#include "app/jobs/load_progress.h"
#include "model/queries/initial_view.h"
#include "tests/gui/driver/window_driver.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/suite.h"
#include "views/search/search_bar.h"
#include "views/timeline/timeline_view.h"

#include <QFile>
#include <QLineEdit>
#include <QProgressBar>
#include <QSignalSpy>
#include <QTest>

namespace collscope {

class TestPreview : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    /// Kernels with args that nobody needs: many bytes, quickly parsed.
    void writeLargeTrace(const QString& name, int count, int rank) const
    {
        QFile file(m_folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        const QByteArray padding(100'000, 'x');
        file.write("{\"distributedInfo\":{\"rank\":" + QByteArray::number(rank)
                   + ",\"world_size\":8},\"baseTimeNanoseconds\":1711964646000000000,\"traceEvents\":[\n");
        for (int i = 0; i < count; ++i) {
            file.write(i > 0 ? ",\n" : "");
            file.write("{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm\",\"pid\":0,\"tid\":7,\"ts\":"
                       + QByteArray::number(1000 + 10 * i) + ",\"dur\":5,\"args\":{\"pad\":\"" + padding
                       + "\"}}");
        }
        file.write("]}");
    }

    static constexpr int events = 1'600; ///< 160 MB

private slots:
    void initTestCase() { CHECKED(writeLargeTrace(QStringLiteral("rank0_trace.json"), events, 0)); }
    /// Bytes from the begin, rate and time left when they mean something.
    void progressInWords()
    {
        const ByteProgress::State third{2, 300'000'000, 900'000'000};
        QCOMPARE(loadProgressText(third, 8, 100), QStringLiteral("file 3 of 8, 300\u00a0MB of 900\u00a0MB"));
        QCOMPARE(loadProgressText(third, 8, 1500),
                 QStringLiteral("file 3 of 8, 300\u00a0MB of 900\u00a0MB, 200\u00a0MB/s, 3 s left"));
        QCOMPARE(loadProgressText(third, 1, 90'000),
                 QStringLiteral("300\u00a0MB of 900\u00a0MB, 3.33\u00a0MB/s, 3 min left"));
        QCOMPARE(loadProgressText({0, 0, 900'000'000}, 1, 90'000), QStringLiteral("0\u00a0B of 900\u00a0MB"));
        QCOMPARE(loadProgressText({0, 900'000'001, 900'000'000}, 1, 9000),
                 QStringLiteral("900\u00a0MB of 900\u00a0MB, 100\u00a0MB/s, 0 s left"));
    }
    void theBeginningOfALargeFileComesFirst()
    {
        const auto window = shownWindow();
        QSignalSpy previewed(window.get(), &MainWindow::runPreviewed);
        QSignalSpy opened(window.get(), &MainWindow::runOpened);
        window->openPaths({m_folder.filePath(QStringLiteral("rank0_trace.json"))});
        QVERIFY(previewed.wait(60'000));
        QVERIFY(opened.isEmpty());
        const TraceModelPtr preview = window->viewState()->run().model();
        QVERIFY(preview->sliceCount() > 100 && preview->sliceCount() < events / 2);
        QVERIFY(!window->grab().isNull());
        // Keys pan and zoom what is there, and the whole run keeps the place.
        QTest::keyClick(window->view<TimelineView>(), Qt::Key_W);
        QTRY_VERIFY(window->viewState()->viewport().visibleRange()
                    != initialView(*preview, [](std::size_t, TimeRange own) { return own; }));
        QTRY_VERIFY_WITH_TIMEOUT(!opened.isEmpty(), 60'000);
        QCOMPARE(window->viewState()->run().model()->sliceCount(), std::uint64_t{events});
        QVERIFY(window->viewState()->viewport().visibleRange().lengthNs() < preview->range.lengthNs());
        QCOMPARE(previewed.size(), 1);
    }
    void theFirstRankOfManyComesFirst()
    {
        QDir(m_folder.path()).mkpath(QStringLiteral("run"));
        for (int rank = 0; rank < 6; ++rank)
            CHECKED(writeLargeTrace(QStringLiteral("run/rank%1_trace.json").arg(rank), 100, rank));
        const auto window = shownWindow();
        QSignalSpy previewed(window.get(), &MainWindow::runPreviewed);
        QSignalSpy opened(window.get(), &MainWindow::runOpened);
        window->openPaths({m_folder.filePath(QStringLiteral("run"))});
        QVERIFY(previewed.wait(60'000));
        QTRY_VERIFY_WITH_TIMEOUT(!opened.isEmpty(), 60'000);
        QCOMPARE(window->viewState()->run().model()->ranks().size(), std::size_t{6});

        // Loaded again, with a preview again: marks stay, and so does the cursor of who types meanwhile.
        window->viewState()->run().edits()->keepMark(5'000);
        QTest::keyClick(window->view<TimelineView>(), Qt::Key_F5);
        window->view<SearchBar>()->focusLine();
        QTRY_COMPARE_WITH_TIMEOUT(opened.size(), 2, 60'000);
        QCOMPARE(previewed.size(), 2);
        QCOMPARE(window->viewState()->run().edits()->marks().size(), std::size_t{1});
        QCOMPARE(window->viewState()->run().edits()->marks().front().timeNs, 5'000);
        QVERIFY(window->view<SearchBar>()->line()->hasFocus());
    }
    void anotherRunReplacesThePreview()
    {
        writeSmallRun(m_folder.filePath(QStringLiteral("first")));
        const auto window = shownWindow();
        QSignalSpy opened(window.get(), &MainWindow::runOpened);
        window->openPaths({m_folder.filePath(QStringLiteral("first"))});
        QVERIFY(opened.wait(30'000));
        const TraceModelPtr before = window->viewState()->run().model();
        // While the preview of one run is on show another is asked for, which cannot be opened.
        QSignalSpy failed(window.get(), &MainWindow::openFailed);
        QSignalSpy previewed(window.get(), &MainWindow::runPreviewed);
        connect(window.get(), &MainWindow::runPreviewed, window.get(),
                [&] { window->openPaths({m_folder.filePath(QStringLiteral("nothing"))}); });
        window->openPaths({m_folder.filePath(QStringLiteral("rank0_trace.json"))});
        QVERIFY(failed.wait(60'000));
        QCOMPARE(previewed.size(), 1);
        QCOMPARE(window->viewState()->run().model(), before);
    }
    void cancellingBringsBackWhatWasOnShow()
    {
        writeSmallRun(m_folder.filePath(QStringLiteral("small")));
        const auto window = shownWindow();
        QSignalSpy opened(window.get(), &MainWindow::runOpened);
        window->openPaths({m_folder.filePath(QStringLiteral("small"))});
        QVERIFY(opened.wait(30'000));
        const TraceModelPtr before = window->viewState()->run().model();
        QSignalSpy cancelled(window.get(), &MainWindow::openCancelled);
        window->viewState()->run().edits()->keepMark(5'000);
        bool pressed = false;
        connect(window.get(), &MainWindow::runPreviewed, window.get(), [&] {
            pressed = true;
            QTest::keyClick(window->view<TimelineView>(), Qt::Key_Escape);
        });
        window->openPaths({m_folder.filePath(QStringLiteral("rank0_trace.json"))});
        QVERIFY(cancelled.wait(60'000));
        QVERIFY(pressed);
        QCOMPARE(window->viewState()->run().model(), before);
        QCOMPARE(window->viewState()->run().edits()->marks().size(), std::size_t{1});
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestPreview)
#include "tst_preview.moc"
