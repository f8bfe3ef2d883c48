// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Gaps in which the obvious cause of the idle time is the wrong one.

#include "metrics/findings/finding.h"
#include "tests/support/runs/gap_text.h"
#include "tests/support/suite/suite.h"

namespace collscope {

namespace {

constexpr int otherThread = 3;
constexpr const char* loader = "enumerate(DataLoader)#_Iter.__next__";

/// Cause and name of the gap after something was planted in it.
template<typename Plant>
std::string causeAfter(double gapUs, const Plant& plant, double launchUs = 5, int thread = mainThread)
{
    GapText text(gapUs);
    plant(text.trace);
    text.launchNext(launchUs, thread);
    const TraceModelPtr model = text.trace.load();
    return model ? textOf(*model, gapOf(*model)) : "no model";
}

} // namespace

class TestIdleTraps : public QObject
{
    Q_OBJECT

private slots:
    /// The work was launched early in the gap: what the CPU does after that does not hold it up.
    void launchedLongBeforeItStarts()
    {
        const auto collects = [](KinetoText& t) { t.python("Python GC", mainThread, 112, 80); };
        QCOMPARE(causeAfter(100, collects, 92), std::string("unexplained last"));
        QCOMPARE(causeAfter(100, collects), std::string("collects_garbage Python GC"));
    }
    /// The garbage is collected inside the loader, and the barrier waits inside the checkpoint.
    void theInnermostCause()
    {
        QCOMPARE(causeAfter(100,
                            [](KinetoText& t) {
                                t.annotation(loader, mainThread, 102, 90);
                                t.python("Python GC", mainThread, 105, 80);
                            }),
                 std::string("collects_garbage Python GC"));
        QCOMPARE(causeAfter(100,
                            [](KinetoText& t) {
                                t.python("torch/serialization.py(939): save", mainThread, 102, 90);
                                t.annotation("gloo:barrier", mainThread, 105, 80);
                            }),
                 std::string("waits_for_ranks gloo:barrier"));
    }
    /// None of three causes has half of the gap: the largest, and the text says how little that is.
    void theLargestOfThreeCauses()
    {
        GapText text;
        text.trace.python("Python GC", mainThread, 101, 20);
        text.trace.annotation(loader, mainThread, 122, 18);
        text.trace.call("cudaMalloc", mainThread, 141, 18);
        text.launchNext();
        const TraceModelPtr model = text.trace.load();
        QVERIFY(model);
        const auto gap = gapOf(*model);
        QCOMPARE(textOf(*model, gap), std::string("collects_garbage Python GC"));
        QCOMPARE(gap->shownNs, 20'000);
    }
    /// A wait that has nearly half of the gap is not work, and is not an example of it.
    void halfAWait()
    {
        const std::string cause = causeAfter(100, [](KinetoText& t) {
            t.python("<built-in function sleep>", mainThread, 101, 48);
            t.cpuOp("aten::unique", mainThread, 150, 40);
        });
        QCOMPARE(cause, std::string("waits <built-in function sleep>"));
        const std::string work = causeAfter(100, [](KinetoText& t) {
            t.python("<built-in function sleep>", mainThread, 101, 30);
            t.cpuOp("aten::add", mainThread, 132, 26);
            t.cpuOp("aten::mul", mainThread, 160, 20);
        });
        QCOMPARE(work, std::string("cpu_bound aten::add"));
    }
    /// A cause that does not cover its gaps says for how much of them it was recorded.
    void theTextTellsHowMuchWasRecorded_data()
    {
        QTest::addColumn<double>("gapUs");
        QTest::newRow("short") << 100.;
        QTest::newRow("20 s: a product of two such times exceeds 64 bits") << 2e7;
    }
    void theTextTellsHowMuchWasRecorded()
    {
        QFETCH(const double, gapUs);
        for (const int percent : {60, 95}) {
            GapText text(gapUs);
            text.trace.python("Python GC", mainThread, 101, gapUs * percent / 100);
            text.launchNext();
            const TraceModelPtr model = text.trace.load();
            QVERIFY(model);
            Analysis analysis(*model, {});
            const auto findings = findCosts(analysis);
            QVERIFY(findings);
            const std::string& title = findings->worst()->title;
            QVERIFY2(title.find("Python collects garbage") != std::string::npos, title.c_str());
            QCOMPARE(title.find("recorded for 60 % of it") != std::string::npos, percent == 60);
        }
    }
    /// While one thread collects garbage, no other one runs Python.
    void garbageOfAnotherThread()
    {
        const auto withMain = [](const auto& plant) {
            return causeAfter(400, [&](KinetoText& t) {
                t.python("Python GC", otherThread, 101, 398);
                plant(t);
            });
        };
        const std::string collects = "collects_garbage Python GC";
        QCOMPARE(withMain([](KinetoText& t) { t.annotation(loader, mainThread, 101, 380); }), collects);
        QCOMPARE(withMain([](KinetoText& t) { t.python("train.py(7): train_step", mainThread, 0, 499); }),
                 collects);
    }
    /// What does not need Python's lock would have lasted as long without the garbage of another thread.
    void besideTheGarbageOfAnotherThread()
    {
        const auto withMain = [](const auto& plant) {
            return causeAfter(400, [&](KinetoText& t) {
                t.python("Python GC", otherThread, 101, 250);
                plant(t);
            });
        };
        const char* const sleep = "<built-in function sleep>";
        QCOMPARE(withMain([&](KinetoText& t) { t.python(sleep, mainThread, 101, 395); }),
                 std::string("waits ") + sleep);
        QCOMPARE(withMain([&](KinetoText& t) { t.python(sleep, mainThread, 101, 251); }),
                 std::string("collects_garbage Python GC"));
        QCOMPARE(withMain([](KinetoText& t) { t.cpuOp("aten::mm", mainThread, 101, 395); }),
                 std::string("cpu_bound aten::mm"));
    }
    /// The launching thread waits for a loader thread, while the main thread does something else.
    void theThreadThatHandsOver()
    {
        QCOMPARE(causeAfter(
                     400,
                     [](KinetoText& t) {
                         t.kernel("early", 7, 36, 1, t.call("cudaLaunchKernel", backwardThread, 32, 1));
                         t.work("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", 9, 38, 1,
                                t.call("cudaMemcpyAsync", otherThread, 34, 1));
                         t.cpuOp("aten::unique_cpu", mainThread, 101, 600);
                         t.annotation(loader, otherThread, 101, 380);
                         t.cpuOp("MmBackward0", backwardThread, 485, 20);
                     },
                     5, backwardThread),
                 std::string("loads_data ") + loader);
    }
    void waitsAndWork_data()
    {
        QTest::addColumn<std::string>("name");
        QTest::addColumn<bool>("waits");
        for (const char* name :
             {"<built-in method acquire of _multiprocessing.SemLock object at 0x7f00>",
              "<built-in method read of _ssl._SSLSocket object at 0x7f00>",
              "<built-in method sendall of _socket.socket object at 0x7f00>",
              "<built-in method recvmsg of _socket.socket object at 0x7f00>",
              "<built-in method wait of PyCapsule object at 0x7f00>",
              "<built-in method readinto of _io.FileIO object at 0x7f00>", "<built-in function wait4>",
              "<built-in function fsync>", "<built-in function getaddrinfo>"})
            QTest::newRow(name) << std::string(name) << true;
        for (const char* name :
             {"train/log.py(3): msgc.collect_metrics", "torch/serialization.py(1200): _is_zipfile_saved_load",
              "<built-in method get of dict object at 0x7f00>"})
            QTest::newRow(name) << std::string(name) << false;
    }
    void waitsAndWork()
    {
        QFETCH(const std::string, name);
        QFETCH(const bool, waits);
        const std::string cause
            = causeAfter(100, [&](KinetoText& t) { t.python(name, mainThread, 102, 90); });
        QCOMPARE(cause, (waits ? "waits " : "cpu_bound ") + name);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestIdleTraps)
#include "tst_idle_traps.moc"
