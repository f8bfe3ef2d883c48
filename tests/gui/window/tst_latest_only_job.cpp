// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Work in the background: the last question is answered, and one that cannot be answered is told.

#include "app/jobs/latest_only_job.h"
#include "tests/support/suite/suite.h"

#include <QtTest>

#include <atomic>
#include <new>
#include <thread>

namespace collscope {

class TestLatestOnlyJob : public QObject
{
    Q_OBJECT

private slots:
    void theLastQuestionIsAnswered()
    {
        QList<int> answers;
        LatestOnlyJob<int> latest([&](int answer) { answers << answer; });
        for (int question = 1; question <= 3; ++question)
            latest.ask(
                [question](QPromise<int>& promise, const std::stop_token&) { promise.addResult(question); });
        QTRY_COMPARE(answers, QList<int>{3});
    }
    void memoryThatEndsIsTold()
    {
        QVERIFY(!hasWorkFailed());
        QList<int> answers;
        LatestOnlyJob<int> latest([&](int answer) { answers << answer; });
        latest.ask([](QPromise<int>&, const std::stop_token&) { throw std::bad_alloc(); });
        QTRY_VERIFY(hasWorkFailed());
        QVERIFY(answers.isEmpty());
        // The next question is none the worse.
        latest.ask([](QPromise<int>& promise, const std::stop_token&) { promise.addResult(7); });
        QTRY_COMPARE(answers, QList<int>{7});
    }
    /// A newer question and cancel() ask the work to stop, and its answer is not delivered.
    void workIsAskedToStop()
    {
        QList<int> answers;
        LatestOnlyJob<int> latest([&](int answer) { answers << answer; });
        std::atomic<int> begun = 0;
        std::atomic<int> stopped = 0;
        const auto untilStopped = [&](QPromise<int>& promise, const std::stop_token& stop) {
            ++begun;
            while (!stop.stop_requested())
                std::this_thread::yield();
            ++stopped;
            promise.addResult(1);
        };
        latest.ask(untilStopped);
        QTRY_COMPARE(begun.load(), 1);
        QVERIFY(latest.isPending());
        latest.ask(untilStopped);
        QTRY_COMPARE(begun.load(), 2);
        QCOMPARE(stopped.load(), 1);
        QVERIFY(latest.isPending());
        latest.cancel();
        QVERIFY(!latest.isPending());
        QTRY_COMPARE(stopped.load(), 2);
        latest.ask([](QPromise<int>& promise, const std::stop_token& stop) {
            promise.addResult(stop.stop_requested() ? 3 : 2);
        });
        QVERIFY(latest.isPending());
        QTRY_COMPARE(answers, QList<int>{2});
        QVERIFY(!latest.isPending());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestLatestOnlyJob)
#include "tst_latest_only_job.moc"
