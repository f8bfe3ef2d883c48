// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Work in the background: the last question is answered, and one that cannot be answered is told.

#include "app/latest_only_job.h"
#include "tests/support/suite.h"

#include <QtTest>

#include <new>

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
            latest.ask([question](QPromise<int>& promise) { promise.addResult(question); });
        QTRY_COMPARE(answers, QList<int>{3});
    }
    void memoryThatEndsIsTold()
    {
        QVERIFY(!hasWorkFailed());
        QList<int> answers;
        LatestOnlyJob<int> latest([&](int answer) { answers << answer; });
        latest.ask([](QPromise<int>&) { throw std::bad_alloc(); });
        QTRY_VERIFY(hasWorkFailed());
        QVERIFY(answers.isEmpty());
        // The next question is none the worse.
        latest.ask([](QPromise<int>& promise) { promise.addResult(7); });
        QTRY_COMPARE(answers, QList<int>{7});
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestLatestOnlyJob)
#include "tst_latest_only_job.moc"
