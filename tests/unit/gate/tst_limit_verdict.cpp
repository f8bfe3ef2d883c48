// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The verdict on one limit, from values that are written down here.

#include "metrics/gate/limit_verdict.h"
#include "tests/support/suite/suite.h"

#include <algorithm>
#include <numeric>

namespace collscope {

namespace {

/// Steps that alternate around a value by half a percent.
std::vector<double> steps(double value, std::size_t count = 40)
{
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i)
        values.push_back(value * (i % 4 < 2 ? 0.995 : 1.005));
    return values;
}

/// The value of the window is the mean of the steps.
StepValues valuesOf(std::vector<double> values)
{
    StepValues run;
    run.whole.state = MetricState::Value;
    run.whole.window = "inner steps";
    run.whole.value = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    run.stepCount = values.size();
    for (std::size_t i = 0; i < values.size(); ++i)
        run.steps.push_back(static_cast<std::int64_t>(100 + i));
    run.values = std::move(values);
    return run;
}

LimitVerdict judge(const char* limit, const StepValues& base, const StepValues& test)
{
    const auto parsed = parseChangeLimit(limit, MetricCatalog());
    return judgeLimit(*parsed, {"baseline", base, "test", test}, 0.99);
}

bool says(const std::string& text, const char* what)
{
    return text.find(what) != std::string::npos;
}

} // namespace

class TestLimitVerdict : public QObject
{
    Q_OBJECT

private slots:
    void states_data()
    {
        QTest::addColumn<QByteArray>("limit");
        QTest::addColumn<double>("test");
        QTest::addColumn<LimitState>("state");
        QTest::newRow("grew") << QByteArray("avg_step_time=+2%") << 103.0 << LimitState::Exceeded;
        QTest::newRow("grew a little") << QByteArray("avg_step_time=+2%") << 101.0 << LimitState::Within;
        QTest::newRow("shrank") << QByteArray("avg_step_time=+2%") << 90.0 << LimitState::Within;
        QTest::newRow("lost") << QByteArray("mfu=-2%") << 97.0 << LimitState::Exceeded;
        QTest::newRow("lost a little") << QByteArray("mfu=-2%") << 99.0 << LimitState::Within;
        QTest::newRow("twice") << QByteArray("communication_volume=+1%") << 200.0 << LimitState::Exceeded;
        QTest::newRow("gained") << QByteArray("mfu=-2%") << 120.0 << LimitState::Within;
        QTest::newRow("no change, no limit")
            << QByteArray("avg_step_time=+0%") << 100.0 << LimitState::Within;
        QTest::newRow("within the scatter, no limit")
            << QByteArray("avg_step_time=+0%") << 100.1 << LimitState::Unknown;
    }
    void states()
    {
        QFETCH(const QByteArray, limit);
        QFETCH(const double, test);
        QFETCH(const LimitState, state);
        const LimitVerdict verdict = judge(limit.constData(), valuesOf(steps(100)), valuesOf(steps(test)));
        QVERIFY2(verdict.state == state, verdict.reason.c_str());
        QVERIFY(std::abs(verdict.percent->measured - (test - 100)) < 1e-9);
        QVERIFY(std::abs(*verdict.wholePercent - (test - 100)) < 1e-9);
        QVERIFY(verdict.percent->low < verdict.percent->measured);
        QVERIFY(verdict.notes.empty());
    }
    /// The noise leaves room for changes far beyond the limit: that is not a pass.
    void muchNoiseIsUndecided()
    {
        std::vector<double> noisy;
        for (std::size_t i = 0; i < 40; ++i)
            noisy.push_back(i % 4 < 2 ? 80 : 120);
        const LimitVerdict verdict = judge("avg_step_time=+1%", valuesOf(noisy), valuesOf(noisy));
        QCOMPARE(verdict.state, LimitState::Unknown);
        QVERIFY2(says(verdict.reason, "scatter") && says(verdict.reason, "would tell"),
                 verdict.reason.c_str());
        QCOMPARE(judge("avg_step_time=+40%", valuesOf(noisy), valuesOf(noisy)).state, LimitState::Within);
    }
    /// What is the same in each step has no noise, whatever its last digits are.
    void constants()
    {
        const StepValues base = valuesOf(std::vector<double>(42, 0.004));
        QCOMPARE(judge("communication_volume=+0%", base, base).state, LimitState::Within);
        const LimitVerdict twice
            = judge("communication_volume=+1%", base, valuesOf(std::vector<double>(44, 0.008)));
        QVERIFY2(twice.state == LimitState::Exceeded, twice.reason.c_str());
    }
    /// A single slow period may be chance, so it is not a regression; but it costs too much to pass.
    void bursts()
    {
        const StepValues base = valuesOf(steps(100, 100));
        std::vector<double> values = steps(100, 100);
        std::fill(values.begin() + 40, values.begin() + 50, 200);
        const LimitVerdict burst = judge("avg_step_time=+2%", base, valuesOf(values));
        QVERIFY2(burst.state == LimitState::Unknown, burst.reason.c_str());
        values = steps(100, 100);
        values[40] = 20'000;
        const LimitVerdict stall = judge("avg_step_time=+2%", base, valuesOf(values));
        QVERIFY2(stall.state == LimitState::Unknown, stall.reason.c_str());
        QVERIFY2(says(stall.reason, "too much to pass"), stall.reason.c_str());
    }
    /// Where no single steps explain the value of the window, nothing is said of single steps.
    void unexplained()
    {
        StepValues test = valuesOf(steps(100.2, 100));
        test.whole.value = 100.6;
        const LimitVerdict verdict = judge("avg_step_time=+0.5%", valuesOf(steps(100, 100)), test);
        QVERIFY2(verdict.state == LimitState::Unknown, verdict.reason.c_str());
        QVERIFY2(!says(verdict.reason, "()"), verdict.reason.c_str());
    }
    /// One slow step of a hundred may be chance, four are undecided, and nine are a regression.
    void slowSteps()
    {
        const auto withSlow = [](std::initializer_list<std::size_t> slow, double value = 300) {
            std::vector<double> values = steps(100, 100);
            for (const std::size_t i : slow)
                values[i] = value;
            return valuesOf(values);
        };
        const StepValues base = valuesOf(steps(100, 100));
        const LimitVerdict one = judge("avg_step_time=+1%", base, withSlow({10}));
        QVERIFY2(one.state == LimitState::Within, one.reason.c_str());
        QCOMPARE(one.notes.size(), std::size_t{1});
        QVERIFY2(says(one.notes[0], "step 110 of the test") && says(one.notes[0], "+2.00 %"),
                 one.notes[0].c_str());
        const LimitVerdict four = judge("avg_step_time=+1%", base, withSlow({5, 14, 23, 32}));
        QVERIFY2(four.state == LimitState::Unknown, four.reason.c_str());
        QVERIFY2(says(four.reason, "+8.00 %")
                     && says(four.reason, "steps 105, 114, 123 and 1 more of the test"),
                 four.reason.c_str());
        const StepValues many = withSlow({5, 14, 23, 32, 41, 50, 59, 68, 77});
        const LimitVerdict nine = judge("avg_step_time=+1%", base, many);
        QVERIFY2(nine.state == LimitState::Exceeded, nine.reason.c_str());
        // As many in both runs change nothing; nor do they where fewer is worse.
        QCOMPARE(judge("avg_step_time=+1%", many, many).state, LimitState::Within);
        QCOMPARE(judge("mfu=-1%", base, many).state, LimitState::Within);
        QCOMPARE(judge("mfu=-1%", base, withSlow({5, 14, 23, 32, 41, 50, 59, 68, 77}, 30)).state,
                 LimitState::Exceeded);
    }
    /// The baseline has a slow step, so that its value hides what the other steps show.
    void aHiddenChange()
    {
        std::vector<double> slow = steps(100);
        slow[10] = 300;
        const LimitVerdict verdict = judge("avg_step_time=+2%", valuesOf(slow), valuesOf(steps(103)));
        QCOMPARE(verdict.state, LimitState::Exceeded);
        QCOMPARE(verdict.notes.size(), std::size_t{1});
        QVERIFY2(says(verdict.notes[0], "step 110 of the baseline"), verdict.notes[0].c_str());
    }
    void whatIsNotAMeanOfSteps()
    {
        StepValues base = valuesOf(steps(100)), test = valuesOf(steps(100));
        base.whole.value = 7;
        test.whole.value = 8;
        const LimitVerdict verdict = judge("avg_step_time=+2%", base, test);
        QCOMPARE(verdict.state, LimitState::Unknown);
        QVERIFY2(says(verdict.reason, "does not follow the steps"), verdict.reason.c_str());
    }
    void withoutValues()
    {
        const StepValues good = valuesOf(steps(100));
        StepValues missing;
        missing.whole = MetricResult::missingInput("The run has no card.");
        const LimitVerdict none = judge("avg_step_time=+2%", good, missing);
        QCOMPARE(none.state, LimitState::Unknown);
        QVERIFY2(says(none.reason, "the run test") && says(none.reason, "no card"), none.reason.c_str());
        StepValues whole = good;
        whole.isOfSteps = false;
        QCOMPARE(judge("avg_step_time=+2%", whole, good).state, LimitState::Unknown);
        const StepValues few = valuesOf(steps(100, 7));
        const LimitVerdict tooFew = judge("avg_step_time=+2%", few, good);
        QCOMPARE(tooFew.state, LimitState::Unknown);
        QVERIFY2(says(tooFew.reason, "7 steps"), tooFew.reason.c_str());
        StepValues rare = few;
        rare.stepCount = 40;
        const LimitVerdict tooRare = judge("avg_step_time=+2%", rare, good);
        QVERIFY2(says(tooRare.reason, "Of the 40 steps") && says(tooRare.reason, "only 7"),
                 tooRare.reason.c_str());
    }
    void zeros()
    {
        const StepValues zero = valuesOf(std::vector<double>(20, 0));
        QCOMPARE(judge("avg_step_time=+2%", zero, zero).state, LimitState::Within);
        const LimitVerdict grown = judge("avg_step_time=+2%", zero, valuesOf(steps(1)));
        QCOMPARE(grown.state, LimitState::Unknown);
        QVERIFY2(says(grown.reason, "not above 0"), grown.reason.c_str());
        QVERIFY(!grown.percent);
    }
    void limits_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("said"); // empty: valid
        const auto row = [](const char* text, const char* said) {
            QTest::newRow(text) << QByteArray(text) << QByteArray(said);
        };
        row("avg_step_time=+2%", "");
        row("avg_step_time=+0.5 %", "");
        row("throughput_tokens_sec=-2%", "");
        row("peer_access_ratio=+1%", "Unknown metric");
        row("avg_step_time", "METRIC=+X%");
        row("avg_step_time=2%", "METRIC=+X%");
        row("avg_step_time=+2", "METRIC=+X%");
        row("avg_step_time=++2%", "METRIC=+X%");
        row("avg_step_time=+-2%", "METRIC=+X%");
        row("avg_step_time=+x%", "METRIC=+X%");
        row("avg_step_time=+nan%", "METRIC=+X%");
        row("avg_step_time=+inf%", "METRIC=+X%");
        row("avg_step_time=+1e999%", "METRIC=+X%");
        row("avg_step_time=+%", "METRIC=+X%");
        row("=+2%", "METRIC=+X%");
        row("", "METRIC=+X%");
        row("avg_step_tim=+2%", "avg_step_time");
        row("avg_step_time=-2%", "avg_step_time=+2%");
        row("throughput_tokens_sec=+2%", "throughput_tokens_sec=-2%");
        row("throughput_tokens_sec=-100%", "more than 100 %");
    }
    void limits()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const QByteArray, said);
        const auto limit = parseChangeLimit(text.toStdString(), MetricCatalog());
        QCOMPARE(limit.has_value(), said.isEmpty());
        if (!limit) {
            QCOMPARE(limit.error().kind, Error::Kind::Usage);
            QVERIFY2(says(limit.error().message, said.constData()), limit.error().message.c_str());
        }
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestLimitVerdict)
#include "tst_limit_verdict.moc"
