// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Threads: every body and piece once, pieces in order, failures where the caller sees them, and no hanging.

#include "app/runtime/thread_pool.h"
#include "tests/support/suite/suite.h"

#include <atomic>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace collscope {

namespace {

/// Pieces 0 ... count - 1, each squared on its way.
struct Squares
{
    explicit Squares(std::size_t slotCount)
        : inSlot(slotCount)
    {
        stages.read = [this](std::size_t slot) {
            if (next == count)
                return false;
            inSlot[slot] = next++;
            return true;
        };
        stages.work = [this](std::size_t slot) {
            for (std::size_t i = 0; i < inSlot[slot] % 7 * 100; ++i)
                ++spent; // pieces take different times
            inSlot[slot] *= inSlot[slot];
        };
        stages.take = [this](std::size_t slot) {
            taken.push_back(inSlot[slot]);
            return taken.size() != stopAfter;
        };
    }

    std::size_t count = 1000;
    std::size_t stopAfter = 0;
    std::size_t next = 0;
    std::vector<std::size_t> inSlot;
    std::vector<std::size_t> taken;
    std::atomic<std::size_t> spent = 0;
    Parallel::Stages stages;
};

} // namespace

class TestParallel : public QObject
{
    Q_OBJECT

private slots:
    void eachBodyRunsOnce_data()
    {
        QTest::addColumn<int>("threads");
        for (const int threads : {1, 2, 3, 8})
            QTest::addRow("%d threads", threads) << threads;
    }
    void eachBodyRunsOnce()
    {
        QFETCH(const int, threads);
        std::vector<std::atomic<int>> runs(500);
        const Parallel parallel = threadPool(threads);
        parallel.forEach(10, [&](std::size_t outer) {
            parallel.forEach(50, [&](std::size_t inner) { ++runs[outer * 50 + inner]; });
        });
        for (const std::atomic<int>& run : runs)
            QCOMPARE(run.load(), 1);
    }

    void piecesAreTakenInOrder_data() { eachBodyRunsOnce_data(); }
    void piecesAreTakenInOrder()
    {
        QFETCH(const int, threads);
        for (const std::size_t slotCount : {1u, 2u, 3u, 10u}) {
            Squares squares(slotCount);
            QVERIFY(threadPool(threads).forPieces(slotCount, squares.stages));
            QCOMPARE(squares.taken.size(), squares.count);
            for (std::size_t i = 0; i < squares.count; ++i)
                QCOMPARE(squares.taken[i], i * i);
        }
    }

    void noPieces()
    {
        Squares squares(4);
        squares.count = 0;
        QVERIFY(threadPool(3).forPieces(4, squares.stages));
        QVERIFY(squares.taken.empty());
    }

    void nothingIsTakenBehindAStop_data() { eachBodyRunsOnce_data(); }
    void nothingIsTakenBehindAStop()
    {
        QFETCH(const int, threads);
        Squares squares(6);
        squares.stopAfter = 321;
        QVERIFY(!threadPool(threads).forPieces(6, squares.stages));
        QCOMPARE(squares.taken.size(), std::size_t{321});
    }

    void failuresReachTheCaller_data()
    {
        QTest::addColumn<int>("stage");
        for (const int stage : {0, 1, 2})
            QTest::addRow("stage %d", stage) << stage;
    }
    void failuresReachTheCaller()
    {
        QFETCH(const int, stage);
        Squares squares(6);
        const auto failAt = [](std::size_t piece) {
            if (piece == 500)
                throw std::runtime_error("as asked");
        };
        if (stage == 0)
            squares.stages.read = [&, read = squares.stages.read](std::size_t slot) {
                failAt(squares.next);
                return read(slot);
            };
        if (stage == 1)
            squares.stages.work = [&](std::size_t slot) { failAt(squares.inSlot[slot]); };
        if (stage == 2)
            squares.stages.take = [&](std::size_t) {
                failAt(squares.taken.size());
                squares.taken.push_back(0);
                return true;
            };
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, threadPool(3).forPieces(6, squares.stages));
        QVERIFY(squares.taken.size() <= 500);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestParallel)
#include "tst_parallel.moc"
