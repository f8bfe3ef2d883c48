// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What the profiler changed is said first, where it is enough to matter, and only there.

#include "metrics/findings/finding.h"
#include "tests/support/runs/small_run.h"
#include "tests/support/suite/suite.h"

#include <algorithm>

namespace collscope {

class TestProfilerOverhead : public QObject
{
    Q_OBJECT

private:
    /// One step of 2,000 us, in which the GPU works for 1,700: a thread works in its 300 us of idle time.
    static SmallRun runWith(const char* nameOfThread, const char* category)
    {
        SmallRun run(1);
        run.step(0, 5, 0, 2000);
        run.kernel(0, 10, 990, 7, "gemm", 2);
        run.cpu(0, nameOfThread, 900, 395, category);
        run.kernel(0, 1300, 700, 7, "gemm", 1296);
        return run;
    }
    static std::vector<std::string> titlesOf(const SmallRun& run)
    {
        const TraceModelPtr model = run.load();
        Analysis analysis(*model, {});
        const Result<Findings> findings = findCosts(analysis);
        std::vector<std::string> titles;
        for (const Finding& finding : findings->all) {
            if (finding.kind == FindingKind::ProfilerOverhead)
                titles.push_back(finding.title);
        }
        return titles;
    }

private slots:
    void recordedPython()
    {
        const auto titles = titlesOf(runWith("train.py(7): loss", "python_function"));
        QCOMPARE(titles.size(), std::size_t{1});
        QVERIFY2(titles.front().find("less for the CPU than the 15 % found here") != std::string::npos,
                 titles.front().c_str());
        // The same work of an operator is not slowed down.
        QVERIFY(titlesOf(runWith("aten::add", "cpu_op")).empty());
    }
    void pythonBesideABusyGpu()
    {
        SmallRun run(1);
        run.step(0, 5, 0, 2000);
        run.kernel(0, 10, 1980, 7, "gemm", 2);
        run.cpu(0, "train.py(7): loss", 100, 1800, "python_function");
        QVERIFY(titlesOf(run).empty());
    }
    /// Overlapping events count once.
    void ownWork()
    {
        SmallRun run = runWith("aten::add", "cpu_op");
        run.cpu(0, "Activity Buffer Request", 100, 60, "overhead");
        run.cpu(0, "Instrumentation", 120, 30, "overhead");
        const auto titles = titlesOf(run);
        QCOMPARE(titles.size(), std::size_t{1});
        QVERIFY2(titles.front().find("works for 3 % of the time") != std::string::npos,
                 titles.front().c_str());
        SmallRun little = runWith("aten::add", "cpu_op");
        little.cpu(0, "Activity Buffer Request", 100, 15, "overhead");
        QVERIFY(titlesOf(little).empty());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestProfilerOverhead)
#include "tst_profiler_overhead.moc"
