// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Lines of the logs that people pasted into public issues and pages, and what they say about steps.

#include "metrics/history/step_series.h"
#include "model/readers/history/step_lines.h"
#include "model/readers/reader.h"
#include "tests/support/suite/run_folder.h"
#include "tests/support/suite/suite.h"

#include <cstdio>

namespace collscope {

namespace {

constexpr std::int64_t msNs = 1'000'000;

/// The history of a log, by the reader that recognises it.
struct ReadLog
{
    explicit ReadLog(std::string_view text, const std::string& name = "train.log")
    {
        const std::string path = folder.write(name, text);
        for (const ReaderDescriptor* const reader : allReaders()) {
            if (reader->sniff(name, text) != Sniff::Yes)
                continue;
            kind = reader->kind;
            SourceFile file;
            file.path = path;
            file.bytes = text.size();
            auto result = reader->read(file, ReadContext());
            if (result)
                fragment = std::move(*result);
            break;
        }
    }
    std::size_t count() const { return fragment.history ? fragment.history->steps.size() : 0; }
    const LoggedTime& step(std::size_t i) const { return fragment.history->steps[i]; }

    RunFolder folder;
    std::optional<SourceKind> kind;
    TraceFragment fragment;
};

} // namespace

class TestStepLogs : public QObject
{
    Q_OBJECT

private slots:
    void readsMegatron()
    {
        const ReadLog log(
            "using world size: 64\n"
            " iteration      100/  500000 | consumed samples:       102400 | elapsed time per iteration "
            "(ms): 3412.1 | learning rate: 1.2E-05 | lm loss: 1.10E+01 |\n"
            " [2025-08-01 07:19:37] iteration        2/    5000 | consumed samples:          256 | "
            "elapsed time per iteration (ms): 12936.1 | throughput per GPU (TFLOP/s/GPU): 118.7 |\n");
        QVERIFY(log.kind == SourceKind::StepLog);
        QCOMPARE(log.count(), std::size_t{2});
        QCOMPARE(log.step(0).step, std::int64_t{100});
        QCOMPARE(*log.step(0).durationNs, 34'121 * msNs / 10);
        QVERIFY(!log.step(0).clockNs);
        QCOMPARE(log.step(1).step, std::int64_t{2});
        QCOMPARE(*log.step(1).clockNs, std::int64_t{1'754'032'777} * 1'000'000'000);
        QVERIFY(!log.step(1).clockIsUtc);
        QCOMPARE(log.fragment.source.eventsInFile, log.fragment.source.shown + log.fragment.source.excluded);
    }

    void readsNemo()
    {
        const ReadLog log(
            "Training epoch 0, iteration 1/249 | lr: 3.922e-06 | global_batch_size: 8 | global_step: 1 | "
            "reduced_train_loss: 1.653 | train_step_timing in s: 2.505 | consumed_samples: 16\n"
            "Epoch 0: : 100%|##########| 100/100 [10:48<00:00, reduced_train_loss=0.0172, "
            "global_step=99.00, consumed_samples=25600.0, train_step_timing in s=3.130]\r\n");
        QCOMPARE(log.count(), std::size_t{2});
        QCOMPARE(log.step(0).step, std::int64_t{1});
        QCOMPARE(*log.step(0).durationNs, 2505 * msNs);
        QCOMPARE(log.step(1).step, std::int64_t{99});
        QCOMPARE(*log.step(1).durationNs, 3130 * msNs);
        QVERIFY(log.step(1).dialect == LogDialect::Nemo);
    }

    void readsDeepSpeedByItsClock()
    {
        const ReadLog log(
            "[2023-11-07 01:55:23,714] [INFO] [timer.py:260:stop] epoch=0/micro_step=40/global_step=10, "
            "RunningAvgSamplesPerSec=25.02, CurrSamplesPerSec=25.70, MemAllocated=4.32GB, "
            "MaxMemAllocated=38.49GB\n"
            "[2023-11-07 01:55:48,614] [INFO] [timer.py:260:stop] epoch=0/micro_step=80/global_step=20, "
            "RunningAvgSamplesPerSec=25.02, CurrSamplesPerSec=25.70, MemAllocated=4.32GB, "
            "MaxMemAllocated=38.49GB\n"
            "[2022-08-29 06:59:18,687] [INFO] [timer.py:198:stop] 0/30, RunningAvgSamplesPerSec=232.7, "
            "CurrSamplesPerSec=227.4\n");
        QCOMPARE(log.count(), std::size_t{3});
        QCOMPARE(log.step(0).step, std::int64_t{10});
        QVERIFY(!log.step(0).durationNs);
        QCOMPARE(log.step(2).step, std::int64_t{30});
        const StepSeries series = stepSeries(*log.fragment.history);
        QVERIFY(series.isDerived);
        QCOMPARE(series.size(), std::size_t{1}); // the third was written before the second
        QCOMPARE(series.steps[0], std::int64_t{20});
        QCOMPARE(series.ns[0], 2.49e9);
    }

    void readsVerl()
    {
        const ReadLog log("(TaskRunner pid=1271585) step:7 - global_seqlen/min:1 - timing_s/gen:16.2 - "
                          "timing_s/step:48.7025266494602 - perf/time_per_step:48.7025266494602 - "
                          "perf/throughput:3283.3\n"
                          "(TaskRunner pid=1) step:8 - timing_s/step:np.float64(30.5) - perf/throughput:1\n"
                          "(TaskRunner pid=1) training/global_step:9 - perf/time_per_step:12.25 - a:1\n");
        QCOMPARE(log.count(), std::size_t{3});
        QCOMPARE(log.step(0).step, std::int64_t{7});
        QCOMPARE(*log.step(0).durationNs, std::int64_t{48'702'526'649});
        QCOMPARE(*log.step(1).durationNs, 30'500 * msNs);
        QCOMPARE(log.step(2).step, std::int64_t{9});
    }

    void readsHuggingFaceByItsProgressBar()
    {
        const ReadLog log(
            "Loading checkpoint shards: 100%|####| 4/4 [00:07<00:00,  1.79s/it]\n"
            "  0%|          | 0/200 [00:00<?, ?it/s]\r  5%|#   | 10/200 [00:22<06:57,  2.20s/it]\r"
            "{'loss': 0.8713, 'grad_norm': 0.1, 'learning_rate': 8.8e-05, 'epoch': 0.09}\n"
            " 10%|#   | 20/200 [1:00:44<06:57,  2.20s/it]\r"
            "{'loss': '0.8635', 'grad_norm': '0.1', 'learning_rate': '6.6e-05', 'epoch': '0.11'}\n"
            "{'eval_loss': 4.96, 'eval_runtime': 3.0, 'epoch': 0.2}\n"
            "{'train_runtime': 85.4591, 'train_samples_per_second': 11.7, 'epoch': 1.0}\n");
        QVERIFY(log.kind == SourceKind::StepLog);
        QCOMPARE(log.count(), std::size_t{2});
        QCOMPARE(log.step(0).step, std::int64_t{10});
        QCOMPARE(*log.step(0).elapsedNs, 22'000 * msNs);
        QCOMPARE(log.step(1).step, std::int64_t{20});
        QCOMPARE(*log.step(1).elapsedNs, 3'644'000 * msNs);
    }

    void barsOfOtherWorkAreNotTakenForSteps()
    {
        std::string text;
        const auto bar = [](int step, int total, int seconds) {
            char own[80];
            std::snprintf(own, sizeof own, "\r 1%%|#   | %d/%d [%02d:%02d<06:57,  2.20s/it]\r", step, total,
                          seconds / 60, seconds % 60);
            return std::string(own);
        };
        for (int i = 1; i <= 20; ++i) {
            const bool isSilent = i == 12; // only the other bar was printed
            text += isSilent ? std::string() : bar(10 * i, 1000, 20 * i);
            text += bar(i == 5 ? 49 : 50, 50, i % 7) + "{'loss': 0.87, 'epoch': 0.1}\n";
        }
        const ReadLog log(text);
        QCOMPARE(log.count(), std::size_t{19});
        for (std::size_t i = 0; i < log.count(); ++i) {
            QCOMPARE(log.step(i).step, static_cast<std::int64_t>(10 * (i < 11 ? i + 1 : i + 2)));
            QCOMPARE(*log.step(i).elapsedNs, 2000 * msNs * log.step(i).step);
        }
        // The line without a step is accounted for.
        QCOMPARE(log.fragment.source.excluded, std::uint64_t{1});
        QCOMPARE(log.fragment.problems.excludedEvents(), std::uint64_t{1});
        QCOMPARE(log.fragment.source.eventsInFile, std::uint64_t{20});
    }

    void barsThatCannotBeToldApartAreNotUsed()
    {
        std::string text;
        for (int i = 1; i <= 20; ++i) // both go on
            text += "\r 1%|#   | " + std::to_string(10 * i) + "/1000 [00:20<06:57,  2.20s/it]\r 1%|#   | "
                + std::to_string(i) + "/50 [00:20<06:57,  2.20s/it]\r{'loss': 0.87, 'epoch': 0.1}\n";
        QVERIFY(!ReadLog(text).kind);
    }

    void readsTimesOfTorchTitan()
    {
        const ReadLog log(
            "[rank0]:[titan] 2025-08-01 07:19:37,250 - root - INFO - step: 10  loss: 4.63  grad_norm: 1.2 "
            " tps: 1,234\n"
            "[rank0]:[titan] 2025-08-01 07:20:07,250 - root - INFO - step: 20  loss: 4.5  tps: 1,234\n");
        QVERIFY(log.kind == SourceKind::TrainingLog);
        QCOMPARE(log.fragment.measurements.trainingLogs.size(), std::size_t{1});
        const StepSeries series = stepSeries(*log.fragment.history);
        QVERIFY(series.isDerived && series.dialect == LogDialect::TorchTitan);
        QCOMPARE(series.size(), std::size_t{1});
        QCOMPARE(series.ns[0], 3e9);
    }

    void logsWithoutTimesHaveNoHistory()
    {
        const ReadLog log("step: 10  loss: 4.63\nstep: 20  loss: 4.5\n");
        QVERIFY(log.kind == SourceKind::TrainingLog);
        QVERIFY(!log.fragment.history);
        QVERIFY(!ReadLog("{'loss': 0.8, 'epoch': 0.1}\n").kind);
        QVERIFY(!ReadLog("global_step: 7\nhello\n").kind);
    }

    void impossibleTimesAreLeftOut_data()
    {
        QTest::addColumn<std::string>("line");
        QTest::addColumn<int>("excluded");
        const auto megatron = [](const char* step, const char* time) {
            return std::string(" iteration ") + step + "/ 500 | elapsed time per iteration (ms): " + time
                + " |\n";
        };
        QTest::newRow("negative") << megatron("2", "-3.0") << 1;
        QTest::newRow("zero") << megatron("2", "0.0") << 1;
        QTest::newRow("months") << megatron("2", "1e18") << 1;
        QTest::newRow("nan") << megatron("2", "nan") << 1;
        QTest::newRow("negative step") << megatron("-2", "3.0") << 0;
        QTest::newRow("huge step") << megatron("99999999999999999999", "3.0") << 0;
        QTest::newRow("no number") << megatron("x", "y") << 0;
        QTest::newRow("zero bytes") << std::string("iteration\0 3/5 elapsed time per iteration (ms):", 48)
                + "\n" << 0;
    }

    void impossibleTimesAreLeftOut()
    {
        QFETCH(const std::string, line);
        QFETCH(const int, excluded);
        const ReadLog log(" iteration 1/ 500 | elapsed time per iteration (ms): 10.0 |\n" + line);
        QCOMPARE(log.count(), std::size_t{1});
        QCOMPARE(log.fragment.source.excluded, static_cast<std::uint64_t>(excluded));
        QCOMPARE(log.fragment.problems.excludedEvents(), static_cast<std::uint64_t>(excluded));
        QCOMPARE(log.fragment.source.eventsInFile, log.fragment.source.shown + log.fragment.source.excluded);
    }

    void linesBeyondTheLimitAreCounted()
    {
        StepLines lines(2);
        for (int step = 1; step <= 5; ++step)
            lines.take(
                " iteration " + std::to_string(step)
                + "/ 500 | consumed samples: 8 | elapsed time per iteration (ms): 3412.1 | lm loss: 1 |");
        QCOMPARE(lines.count(), std::size_t{2});
        QCOMPARE(lines.leftOut(), std::uint64_t{3});
        QCOMPARE(lines.takeSteps().front().step, 1);
    }
    void restartsKeepTheLastAttempt()
    {
        std::string text;
        const auto line = [](int step, int ms) {
            return " iteration " + std::to_string(step)
                + "/ 500 | elapsed time per iteration (ms): " + std::to_string(ms) + ".0 |\n";
        };
        for (int step = 1; step <= 10; ++step)
            text += line(step, 100);
        for (int step = 6; step <= 12; ++step)
            text += line(step, 200);
        const StepSeries series = stepSeries(*ReadLog(text).fragment.history);
        QCOMPARE(series.size(), std::size_t{12});
        QCOMPARE(series.restarts, std::size_t{1});
        QCOMPARE(series.ns[4], 1e8);
        QCOMPARE(series.ns[5], 2e8);
    }

    void clockKnowsTimeZones()
    {
        const auto clock = [](const char* time) {
            const ReadLog log(" [" + std::string(time)
                              + "] iteration 1/ 500 | elapsed time per iteration (ms): 10.0 |\n");
            return log.count() == 1 ? log.step(0) : LoggedTime();
        };
        constexpr std::int64_t utc = std::int64_t{1'754'032'777} * 1'000'000'000;
        QCOMPARE(clock("2025-08-01T07:19:37Z").clockNs.value_or(0), utc);
        QVERIFY(clock("2025-08-01T07:19:37Z").clockIsUtc);
        QCOMPARE(clock("2025-08-01 09:19:37.5+02:00").clockNs.value_or(0), utc + 500 * msNs);
        QCOMPARE(clock("2025-08-01 01:49:37-0530").clockNs.value_or(0), utc);
        QVERIFY(!clock("2025-02-30 07:19:37").clockNs);
        QVERIFY(!clock("2025-08-01 27:19:37").clockNs);
        QVERIFY(!clock("9999999999999999999-08-01 07:19:37").clockNs);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestStepLogs)
#include "tst_step_logs.moc"
